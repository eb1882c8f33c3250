#pragma once
// The lines above elements that a step reads, writes or compares. Their patterns can be distinguished without colour
// and at a few pixels.

#include <vector>

#include "visualizer/style/theme.hpp"

namespace kdscope {

/// One stroke of a line: from x0 to x1, `up` above its foot. Units are those of the given width and thickness.
struct Stroke {
  double x0 = 0, x1 = 0, up = 0;
};

/// Returns the strokes of a role's line from 0 to `width`, of `thickness` each: read is dashed, write solid, compare
/// double; none for other roles. The middle of the lowest stroke lies at up = 0.
std::vector<Stroke> role_line(Role role, double width, double thickness);
/// Height of the tallest line, in thicknesses.
inline constexpr double role_line_height = 3.2;

}  // namespace kdscope
