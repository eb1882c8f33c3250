#pragma once
// The points of a trace in VTK: discs or glyphs in 2D, balls in 3D, plain dots for clouds, and rings for pivots.

#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkOpenGLPolyDataMapper.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"
#include "visualizer/figure/frame.hpp"
#include "visualizer/figure/projection.hpp"
#include "visualizer/style/colour.hpp"
#include "visualizer/style/glyph.hpp"

namespace kdscope {

/// Marks of one size, drawn as GL points whose shape a shader cuts out: round ones, or the glyphs of subtrees.
class PointMarks {
 public:
  enum class Shape { dot, disc, ball, ring };
  PointMarks();
  vtkActor* actor() { return actor_; }
  /// Sets the style. Diameter and outline are in device pixels. Blending smooths flat shapes but is too slow for 3D
  /// clouds.
  void style(Shape shape, double diameter, double outline, Rgb outline_colour, bool blend);
  /// Mixes marks with the colour of the background, the more the further away they are, at most by this share, and
  /// makes them smaller, unless they are dots. Needs set_mist_range().
  void set_mist(Rgb colour, double share);
  /// Sets [3n] scene coordinates; set_colours() sets [n] colours.
  void set_places(std::span<const float> places);
  void set_colours(std::span<const Rgb> colours);
  /// Does the same with a glyph per mark, for discs and rings that blend. The diameter is that of the circle; other
  /// shapes reach further. The outlines of `faint` marks have the colour of the mark; empty: none are faint.
  void set_colours(std::span<const Rgb> colours, std::span<const Glyph> glyphs, const std::vector<bool>& faint = {});
  /// Marks the colours as those of an older step. They must be replaced before drawing.
  void forget_colours() { wants_colours_ = true; }
  bool wants_colours() const { return wants_colours_; }

 private:
  void update_shader();
  vtkNew<vtkPolyData> data_;
  vtkNew<vtkUnsignedCharArray> colours_;
  vtkNew<vtkOpenGLPolyDataMapper> mapper_;
  vtkNew<vtkActor> actor_;
  bool wants_colours_ = true;
  Shape shape_ = Shape::dot;
  double diameter_ = 0, outline_ = 0;
  Rgb outline_colour_, mist_colour_;
  double mist_share_ = 0;
  bool blend_ = false, glyphs_ = false;
};

/// More points than these are drawn as dots.
inline constexpr std::size_t most_balls = 5000;

/// Returns the scene coordinates of all points of a trace, in original order: [3n], x y z. Unused axes are 0.
std::vector<float> place_points(const TypedArray& points, std::uint32_t dim, const Frame& frame);

/// Returns the points that must be drawn as opaque squares of `diameter` pixels for the picture of all of them,
/// ascending: those of which a pixel may be seen. The others lie outside the window, or others cover every pixel of
/// theirs. Of points at the same depth, the last one is in front. `flat`: all have the same depth. Work O(n) with small
/// marks; the result is at most about as long as the window has pixels.
std::vector<std::uint32_t> points_in_sight(std::span<const float> places, const Projection& projection, double diameter,
                                           bool flat);

/// Returns the drawn point nearest to (x, y) within `reach` pixels. If several lie within half of that, returns the one
/// in front. Work O(n).
std::optional<PointId> pick_point(std::span<const float> places, const Projection& projection, double x, double y,
                                  double reach);

}  // namespace kdscope
