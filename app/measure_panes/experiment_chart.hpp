#pragma once
// An experiment as a chart: measured series as solid lines with filled marks and whiskers, printed ones as thin dashed
// lines with open marks. The colour stands for the series, the mark and dash of printed lines for the machine.

#include <QString>
#include <vector>

#include "app/experiments/experiment.hpp"
#include "app/measure_panes/chart.hpp"

namespace kdscope {

/// A value with its axis' unit: 0.05 ms is "50 µs", 1000 ms "1 s", 5000 ns "5 µs"; counts are "10K", "1M".
QString axis_text(double value, const std::string& unit);

/// The devices of the measured rows, in their order: "Measured: CUDA, NVIDIA H100; CPU, 16 threads", or "Not measured
/// here yet".
QString measured_on(const std::vector<ExperimentRow>& rows);

class ExperimentChart : public Chart {
  Q_OBJECT

 public:
  explicit ExperimentChart(QWidget* parent = nullptr);
  /// Shows rows of one experiment, measured or not. The spec must live until the next call or the chart's end.
  void show_rows(const ExperimentSpec& spec, std::vector<ExperimentRow> rows, const Theme& theme);
  QSize sizeHint() const override { return {640, 420}; }
  QSize minimumSizeHint() const override { return {fontMetrics().height() * 16, fontMetrics().height() * 15}; }

 protected:
  DisplayList draw() const override;

 private:
  const ExperimentSpec* spec_ = nullptr;
  std::vector<ExperimentRow> rows_;
};

}  // namespace kdscope
