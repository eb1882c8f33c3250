#pragma once
// What stands in the window until something is opened: where to start, where one left off, three pictures that move or,
// in their place, the list of all lessons, and a place for one's own points.

#include <QBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QWidget>
#include <vector>

#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {

/// Lies over the window below its menus, and deletes itself once a run is open.
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
  void add_recent(QBoxLayout& column, Workbench& workbench);
  void cover_window();
  /// The widgets that take the keyboard focus, in the order of Tab.
  std::vector<QWidget*> stations() const;

  WorkbenchWindow& window_;
  QScrollArea* scroll_ = nullptr;
  QStackedWidget* stack_;  // the pictures, and the list
};

}  // namespace kdscope
