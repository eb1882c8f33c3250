#pragma once
// The stops of the open lesson as a list, to go to any of them.

#include <QDialog>

#include "app/workbench/workbench.hpp"

class QListWidget;

namespace kdscope {

/// Opens over `parent` like a menu, in its text scale. Enter or a click goes to a stop and closes it; Escape or a click
/// elsewhere closes it.
class StopList : public QDialog {
  Q_OBJECT

 public:
  StopList(Workbench& workbench, QWidget* parent);
  /// Shows the stops of the open lesson, the current one marked; does nothing without a lesson.
  void show_stops();
  QListWidget& list() { return *list_; }

 private:
  void go();

  Workbench& workbench_;
  QListWidget* list_;
};

}  // namespace kdscope
