#pragma once
// Parallel coordinates as a figure of true lines and texts: all dimensions, or a sample of the points where they are
// many.

#include <QPainter>
#include <memory>
#include <optional>
#include <string>

#include "app/session/session.hpp"
#include "app/views/parallel_coordinates_drawing.hpp"

namespace kdscope {

class CoordinatesFigure {
 public:
  CoordinatesFigure(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes);
  /// Takes over the step and the selection there.
  void show(const Cursor& cursor, const Selection& selection);
  void paint(QPainter& painter, const QRectF& area, const Theme& theme, int text_scale) const;
  /// What the figure leaves out, sentences; empty when nothing.
  std::string note() const;

 private:
  ParallelCoordinates model_;
  CoordinateLook look_;
};

}  // namespace kdscope
