#pragma once
// The run as a tree of phases: build > level > step, in the colours of the slider's bands, with a legend of the colours
// below. A click on a step or phase goes there; the current step is marked.

#include <QLabel>
#include <QTreeWidget>
#include <vector>

#include "app/recording/navigation.hpp"
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
  /// Shows the legend of the colours if it takes less than half of the height.
  void fit_legend();
  void show_step();
  void show_colours();
  void mark_violations();
  void show_title();

  Workbench& workbench_;
  QTreeWidget* tree_;
  QLabel* legend_;
  std::vector<QTreeWidgetItem*> steps_;  // by ordinal
  std::vector<PhaseBand> bands_;
  std::uint32_t marked_ = no_id;
};

}  // namespace kdscope
