#pragma once
// Parallel coordinates as display lists: the lines of the points, and above them axes, boxes, splits, selected points,
// names and numbers. The same for every painter.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/parallel_coordinates.hpp"

namespace kdscope {

/// What is drawn in addition to the model, and how large.
struct CoordinateLook {
  double line_height = 15.8;             ///< of names and numbers
  double scale = 1;                      ///< of lines and marks
  Axes axes{-1, -1, -1};                 ///< dimensions on the axes of the view
  std::size_t drawn = 0;                 ///< number of the model's lines to draw, from the first
  std::vector<CoordinateLine> selected;  ///< points selected one by one, drawn above all others
  std::optional<std::size_t> current;    ///< axis that the keyboard has moved to
  /// The width of a text. None: an estimate.
  std::function<double(std::string_view)> width_of = {};
};

/// Room around the axes for names and numbers, in pixels.
struct CoordinateMargins {
  double top = 0, bottom = 0, side = 0;
};
CoordinateMargins coordinate_margins(double line_height);
/// The width from the first axis to the last; at least 40 pixels, even if the margins leave less.
double room_for_axes(double width, const CoordinateMargins& margins);

/// How many lines to draw over so many axes: the more axes, the fewer lines, so that painting takes no longer.
std::size_t lines_to_draw(const ParallelCoordinates& model, double axes_in_sight);

/// Draws parallel coordinates. Work O(lines * axes in sight).
class CoordinateDrawing {
 public:
  /// Left, top, width and height; without a width, it is not drawn.
  struct Place {
    double left = 0, top = 0, width = 0, height = 0;
    bool empty() const { return width <= 0 || height <= 0; }
    double right() const { return left + width; }
    double bottom() const { return top + height; }
    bool meets(const Place& other) const {
      return left < other.right() && other.left < right() && top < other.bottom() && other.top < bottom();
    }
  };

  /// `sight`: the area that may be painted. Keeps references to the model, the frame and the look.
  CoordinateDrawing(const ParallelCoordinates& model, const CoordinateFrame& frame, const Place& sight,
                    const CoordinateLook& look);

  /// The lines alone, which take most of the time. An item with the number of its point as id is a line, or a mark on
  /// it.
  DisplayList lines() const;
  /// Axes, boxes, splits, selected points, names and numbers, above the lines.
  DisplayList axes() const;

  /// Axes in sight, half-open.
  std::size_t first_axis() const { return first_; }
  std::size_t end_axis() const { return end_; }
  /// Where the name of an axis stands; a click there chooses the axis.
  Place heading(std::size_t axis) const;
  /// The bar of boxes()[box] on an axis; empty if the box has none or the axes are too close together.
  Place bar(std::size_t box, std::size_t axis) const;
  /// Whether axes are far enough apart for the bars.
  bool has_bars() const;
  /// The split of boxes()[box] on its axis; empty if the box has none or that axis is not shown.
  Place split(std::size_t box) const;
  /// Names and numbers are written at every stride()-th axis.
  std::size_t stride() const { return stride_; }

 private:
  class Pen;
  std::string name(std::size_t axis) const;
  double width_of(std::string_view words) const;
  double glyph_radius() const;
  bool has_glyphs() const;
  double bar_room() const;

  const ParallelCoordinates& model_;
  const CoordinateFrame& frame_;
  Place sight_;
  const CoordinateLook& look_;
  std::size_t first_ = 0, end_ = 0, stride_ = 1;
};

/// Returns "node 4: x = 46" for the split of a box that has one.
std::string split_words(const CoordinateBox& box, std::uint32_t dim);

/// The axes of a picture that shows all of them in an area.
CoordinateFrame frame_in(const ParallelCoordinates& model, const CoordinateDrawing::Place& area, double line_height);

}  // namespace kdscope
