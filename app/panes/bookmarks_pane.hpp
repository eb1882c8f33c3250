#pragma once
// The bookmarks as a list with notes, and the small window in which Ctrl+B asks for a note.

#include <QAction>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTreeWidget>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// A small window for the note of one bookmark. Return or a click elsewhere keeps the note; Escape discards the edit,
/// and the bookmark if it is new.
class BookmarkNote : public QFrame {
  Q_OBJECT

 public:
  BookmarkNote(Workbench& workbench, QWidget* parent);
  /// Sets a bookmark at this step unless there is one, and asks for its note above a place in global coordinates.
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
  /// The buttons for the dock's title bar.
  QWidget* buttons() { return buttons_; }
  /// Adds the entries of the Go menu: set or edit, remove, and one for each of the first nine bookmarks.
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
