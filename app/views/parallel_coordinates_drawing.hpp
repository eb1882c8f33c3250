#pragma once
// Draws parallel coordinates with a QPainter, on the screen and in figures alike.

#include <QPainter>
#include <QRectF>
#include <optional>
#include <vector>

#include "app/select/selection.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/parallel_coordinates.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// What is drawn in addition to the model.
struct CoordinateLook {
  const Theme* theme = nullptr;
  int text_scale = 100;
  Axes axes{-1, -1, -1};                 ///< dimensions on the axes of the view
  std::size_t drawn = 0;                 ///< number of the model's lines to draw, from the first
  std::vector<CoordinateLine> selected;  ///< points selected one by one, drawn above all others
  std::optional<std::size_t> current;    ///< axis that the keyboard has moved to
};

/// Room around the axes for names and numbers, in pixels.
struct CoordinateMargins {
  double top = 0, bottom = 0, side = 0;
};
CoordinateMargins coordinate_margins(int text_scale);
/// The width from the first axis to the last; at least 40 pixels, even if the margins leave less.
double room_for_axes(double width, const CoordinateMargins& margins);

/// How many lines to draw over so many axes: the more axes, the fewer lines, so that painting takes no longer.
std::size_t lines_to_draw(const ParallelCoordinates& model, double axes_in_sight);

/// Puts a step and its selection into the model. Returns the lines of points selected one by one, to be drawn above
/// all others.
std::vector<CoordinateLine> show_step(ParallelCoordinates& model, const Cursor& cursor, const Selection& selection,
                                      const LinkedSelection& linked);

class CoordinateDrawing {
 public:
  /// `sight`: the area that may be painted. Keeps references to the model, the frame and the look.
  CoordinateDrawing(const ParallelCoordinates& model, const CoordinateFrame& frame, const QRectF& sight,
                    const CoordinateLook& look);

  /// Paints only the lines, which take most of the time.
  void paint_lines(QPainter& painter) const;
  /// Paints axes, boxes, splits, selected points, names and numbers, above the lines.
  void paint_axes(QPainter& painter) const;

  /// Axes in sight, half-open.
  std::size_t first_axis() const { return first_; }
  std::size_t end_axis() const { return end_; }
  /// Where the name of an axis stands; a click there chooses the axis.
  QRectF heading(std::size_t axis) const;
  /// The bar of boxes()[box] on an axis; empty if the box has none or the axes are too close together.
  QRectF bar(std::size_t box, std::size_t axis) const;
  /// Whether axes are far enough apart for the bars.
  bool has_bars() const;
  /// The split of boxes()[box] on its axis; empty if the box has none or that axis is not shown.
  QRectF split(std::size_t box) const;
  /// Names and numbers are written at every stride()-th axis.
  std::size_t stride() const { return stride_; }

 private:
  QString name(std::size_t axis) const;
  void paint_line(QPainter& painter, PointId point) const;
  void paint_glyphs(QPainter& painter, const CoordinateLine& line, const QColor& ink, double radius) const;
  void paint_points(QPainter& painter) const;
  void paint_bars(QPainter& painter) const;
  void paint_splits(QPainter& painter) const;
  void paint_selected(QPainter& painter) const;
  void paint_numbers(QPainter& painter) const;
  void paint_headings(QPainter& painter) const;
  double glyph_radius() const;
  /// The width available to the bar of one box.
  double bar_room() const;

  const ParallelCoordinates& model_;
  const CoordinateFrame& frame_;
  QRectF sight_;
  const CoordinateLook& look_;
  double scale_;
  std::size_t first_ = 0, end_ = 0, stride_ = 1;
};

}  // namespace kdscope
