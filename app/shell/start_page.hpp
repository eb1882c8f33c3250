#pragma once
// What stands in the window until something is opened: where to start, where one left off, three pictures that move,
// and a place for one's own points.

#include <QWidget>

#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {

/// Lies over the window below its menus, and deletes itself once a run is open.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  StartPage(WorkbenchWindow& window, Workbench& workbench);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void cover_window();

  WorkbenchWindow& window_;
};

}  // namespace kdscope
