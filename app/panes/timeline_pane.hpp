#pragma once
// The run as a tree of phases: build > level > step. A click goes there; the current step is marked.

#include <QTreeWidget>
#include <vector>

#include "app/workbench.hpp"

namespace kdscope {

class TimelinePane : public QTreeWidget {
  Q_OBJECT

 public:
  explicit TimelinePane(Workbench& workbench, QWidget* parent = nullptr);

 private:
  void open_run();
  void show_step();

  Workbench& workbench_;
  std::vector<QTreeWidgetItem*> steps_;  // by ordinal
  std::uint32_t marked_ = no_id;
};

}  // namespace kdscope
