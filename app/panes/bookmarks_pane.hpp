#pragma once
// Steps worth coming back to: a list with notes, and the note that Ctrl+B asks for.

#include <QAction>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTreeWidget>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// A small window for the note of one bookmark. Return keeps it, and so does a click elsewhere; Escape takes back what
/// was begun.
class BookmarkNote : public QFrame {
  Q_OBJECT

 public:
  BookmarkNote(Workbench& workbench, QWidget* parent);
  /// Sets the bookmark of this step unless there is one, and asks for its note above a place in global coordinates.
  void ask(QPoint above);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  Workbench& workbench_;
  QLabel* title_;
  QLineEdit* note_;
  std::uint32_t step_ = 0;
  bool is_new_ = false, keep_ = true;
};

class BookmarksPane : public QTreeWidget {
  Q_OBJECT

 public:
  explicit BookmarksPane(Workbench& workbench, QWidget* parent = nullptr);
  /// For the dock's title.
  QWidget* buttons() { return buttons_; }
  /// The entries of the Go menu: set or edit, remove, and one for each of the first nine.
  void fill_menu(QMenu& menu);
  QAction& mark() { return *mark_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void list();
  void show_step();
  void ask();
  std::optional<std::uint32_t> current_step() const;

  Workbench& workbench_;
  BookmarkNote* note_;
  QWidget* buttons_;
  QAction *mark_, *remove_;
  std::vector<QAction*> jumps_;
};

}  // namespace kdscope
