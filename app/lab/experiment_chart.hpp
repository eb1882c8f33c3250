#pragma once
// An experiment as a chart: measured series as solid lines with filled marks and whiskers, printed ones as thin dashed
// lines with open marks. Colour stands for what was built; mark and dash for the device.

#include <QString>
#include <QWidget>
#include <vector>

#include "app/experiments/experiment.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// A value with its axis' unit: 0.05 ms is "50 µs", 1000 ms "1 s"; counts are "10K", "1M".
QString axis_text(double value, const std::string& unit);

/// "Measured: CUDA, NVIDIA H100; CPU, 16 threads": each device that measured rows ran on, in their order; or that there
/// are none.
QString measured_on(const std::vector<ExperimentRow>& rows);

class ExperimentChart : public QWidget {
  Q_OBJECT

 public:
  explicit ExperimentChart(QWidget* parent = nullptr);
  /// Rows of one experiment, measured or not; the spec must outlive the chart or the next call.
  void show_rows(const ExperimentSpec& spec, std::vector<ExperimentRow> rows, const Theme& theme);
  QSize sizeHint() const override { return {640, 420}; }
  QSize minimumSizeHint() const override { return {fontMetrics().height() * 16, fontMetrics().height() * 15}; }

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  friend class ChartPainter;
  struct Spot {
    QPointF place;
    QString text;
  };

  const ExperimentSpec* spec_ = nullptr;
  const Theme* theme_ = nullptr;
  std::vector<ExperimentRow> rows_;
  std::vector<Spot> spots_;  ///< tool tips and their places in the last painting
};

}  // namespace kdscope
