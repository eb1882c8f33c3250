#pragma once
// An experiment as a chart: measured series as solid lines with filled marks and whiskers, printed ones as thin dashed
// lines with open marks. The colour stands for the series, the mark and dash of printed lines for the machine.

#include <QString>
#include <QWidget>
#include <vector>

#include "app/experiments/experiment.hpp"
#include "app/measure_panes/chart_axes.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// A value with its axis' unit: 0.05 ms is "50 µs", 1000 ms "1 s", 5000 ns "5 µs"; counts are "10K", "1M".
QString axis_text(double value, const std::string& unit);

/// The devices of the measured rows, in their order: "Measured: CUDA, NVIDIA H100; CPU, 16 threads", or "Not measured
/// here yet".
QString measured_on(const std::vector<ExperimentRow>& rows);

class ExperimentChart : public QWidget {
  Q_OBJECT

 public:
  explicit ExperimentChart(QWidget* parent = nullptr);
  /// Shows rows of one experiment, measured or not. The spec must live until the next call or the chart's end.
  void show_rows(const ExperimentSpec& spec, std::vector<ExperimentRow> rows, const Theme& theme);
  QSize sizeHint() const override { return {640, 420}; }
  QSize minimumSizeHint() const override { return {fontMetrics().height() * 16, fontMetrics().height() * 15}; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  friend class ChartPainter;
  const ExperimentSpec* spec_ = nullptr;
  const Theme* theme_ = nullptr;
  std::vector<ExperimentRow> rows_;
  std::vector<ChartSpot> spots_;  ///< the tool tips of the last painting, with their places
};

}  // namespace kdscope
