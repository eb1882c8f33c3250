#pragma once
// The same run at full speed, compared with the recorded one: times, memory, and whether both built the same tree.

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "app/measure_panes/chart.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// Horizontal bars, each with a label and a number.
class StepBars : public Chart {
  Q_OBJECT

 public:
  using Chart::Chart;
  void show_times(std::vector<StepTime> times, const Theme& theme);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 protected:
  DisplayList draw() const override;

 private:
  std::vector<StepTime> times_;
};

class TimingPane : public QWidget {
  Q_OBJECT

 public:
  explicit TimingPane(Workbench& workbench, QWidget* parent = nullptr);
  QString summary() const { return summary_->text(); }

 private:
  void show_timing();

  Workbench& workbench_;
  QPushButton* start_;
  QLabel* summary_;
  StepBars* bars_;
};

}  // namespace kdscope
