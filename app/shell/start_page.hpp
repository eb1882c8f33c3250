#pragma once
// What stands in the window until something is opened: where to start, where one left off, three pictures that move or,
// in their place, the list of all lessons, and a place for one's own points.

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QStackedWidget>
#include <QWidget>
#include <vector>

#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {

/// Lies over the window below its menus, and deletes itself once a run is open. PageDown opens the lesson whose button
/// has the accent, and F5 presents it.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  StartPage(WorkbenchWindow& window, Workbench& workbench);

 protected:
  /// Tab stays within the page: what it covers takes no key.
  bool focusNextPrevChild(bool next) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void add_starts(QBoxLayout& column, Workbench& workbench);
  void add_own_points(QBoxLayout& column);
  void add_recent(QBoxLayout& column, const QStringList& paths);
  void add_presentation(QBoxLayout& column);
  /// Opens the lesson whose button has the accent, and presents it if that is wanted.
  void begin(bool presents);
  void cover_window();
  /// Sets the fonts, which grow with the window.
  void restyle();
  /// The widgets that take the keyboard focus, in the order of Tab.
  std::vector<QWidget*> stations() const;

  WorkbenchWindow& window_;
  Workbench& workbench_;
  QScrollArea* scroll_ = nullptr;
  QLabel *title_, *words_;
  std::vector<QLabel*> headings_;
  QStackedWidget* stack_;            // the pictures, and the list
  QPushButton* accented_ = nullptr;  // what PageDown and F5 press, too
  QShortcut* page_down_ = nullptr;
  bool presents_ = false;  // what is being opened
  double roomy_ = 1;       // relative to a window of the least size
};

}  // namespace kdscope
