#pragma once
// The run as a tree of phases: build > level > step, in the colours of the slider's bands, which the line below names.
// A click goes there; the current step is marked.

#include <QLabel>
#include <QTreeWidget>
#include <vector>

#include "app/session/navigation.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class TimelinePane : public QWidget {
  Q_OBJECT

 public:
  explicit TimelinePane(Workbench& workbench, QWidget* parent = nullptr);
  QTreeWidget& tree() { return *tree_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void open_run();
  /// A legend of the colours appears if there is room for it beside the steps.
  void fit_legend();
  void show_step();
  void show_colours();
  void mark_violations();

  Workbench& workbench_;
  QTreeWidget* tree_;
  QLabel* legend_;
  std::vector<QTreeWidgetItem*> steps_;  // by ordinal
  std::vector<PhaseBand> bands_;
  std::uint32_t marked_ = no_id;
};

}  // namespace kdscope
