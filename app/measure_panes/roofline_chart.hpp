#pragma once
// A roofline as a chart: time over bytes, both logarithmic, with numbered points and the line of a copy.

#include <QString>
#include <vector>

#include "app/measure_panes/chart.hpp"

namespace kdscope {

/// A point of the chart. One without bytes or time has no place and is not drawn.
struct RooflinePoint {
  double bytes = 0, ms = 0;
  QString tip;
  bool counted = true;  ///< false: the bytes are a part of what it moves; drawn hollow, and said beside it
};

/// What the points are compared with.
struct RooflineBounds {
  double copy_gigabytes = 0;      ///< per second
  double shortest_launch_ms = 0;  ///< shortest time per launch of any step; 0: unknown
};

/// A time with its unit and three digits: "12.3 µs".
QString short_time(double ms);

class RooflineChart : public Chart {
  Q_OBJECT

 public:
  explicit RooflineChart(QWidget* parent = nullptr);
  /// Shows points, which are numbered from 1 in their order.
  void show_points(std::vector<RooflinePoint> points, RooflineBounds bounds, const Theme& theme);
  /// Marks a point by a ring; -1: none.
  void mark(int point);
  /// Returns where the point was last painted, in the widget's coordinates; null if it is not drawn.
  QPointF place_of(int point) const;
  QSize sizeHint() const override { return {480, fontMetrics().height() * 15}; }
  QSize minimumSizeHint() const override { return {fontMetrics().height() * 7, fontMetrics().height() * 14}; }

 signals:
  void clicked(int point);

 protected:
  DisplayList draw() const override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  std::vector<RooflinePoint> points_;
  RooflineBounds bounds_;
  int marked_ = -1;
};

}  // namespace kdscope
