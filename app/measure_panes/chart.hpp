#pragma once
// Widgets that show charts: display lists that are laid out without Qt.

#include <QPointF>
#include <QWidget>
#include <optional>
#include <vector>

#include "app/bench/roofline_drawing.hpp"
#include "app/experiments/experiment_drawing.hpp"

namespace kdscope {

/// Shows a display list in its font, with what is said of an item as its tip.
class Chart : public QWidget {
 public:
  using QWidget::QWidget;
  /// Returns the chart as a file for paper, in light colours.
  std::string svg() const;

 protected:
  /// Returns the list for the widget's size; it is painted once a theme is set.
  virtual DisplayList draw() const = 0;
  /// Returns the widget's size, and its font's measures.
  ChartRoom room() const;
  void set_theme(const Theme& theme);
  /// Returns the id of the item near a place.
  std::optional<std::uint32_t> id_at(QPointF place) const;
  /// Returns the item with an id as last painted, or null.
  const DisplayItem* item_of(std::uint32_t id) const;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  const Theme* theme_ = nullptr;
  DisplayList drawing_;
};

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
