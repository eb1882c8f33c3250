#pragma once
// Parallel coordinates as a vector figure of lines and texts: all dimensions, and all points or a sample of them.

#include <QPainter>
#include <memory>
#include <optional>
#include <string>

#include "app/session/session.hpp"
#include "app/views/coordinate_look.hpp"

namespace kdscope {

class CoordinatesFigure {
 public:
  CoordinatesFigure(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes);
  /// Takes the step of the cursor and the selection to draw.
  void show(const Cursor& cursor, const Selection& selection);
  void paint(QPainter& painter, const QRectF& area, const Theme& theme, int text_scale) const;
  /// Sentences on what the figure leaves out; empty if nothing.
  std::string note() const;

 private:
  ParallelCoordinates model_;
  CoordinateLook look_;
};

}  // namespace kdscope
