#pragma once
// The lines above elements that a step reads, writes or compares. Their patterns can be distinguished without colour
// and at a size of a few pixels.

#include <vector>

#include "visualizer/style/theme.hpp"

namespace kdscope {

/// One stroke of such a line: from x0 to x1, `up` above the line's base. Units are those of the requested width and
/// thickness.
struct Stroke {
  double x0 = 0, x1 = 0, up = 0;
};

/// Returns the strokes of a role's line from 0 to `width`, each `thickness` thick: dashed for read, solid for write,
/// double for compare, none for other roles. The middle of the lowest stroke is at up = 0.
std::vector<Stroke> role_line(Role role, double width, double thickness);
/// Height of the tallest such line, in thicknesses.
inline constexpr double role_line_height = 3.2;

}  // namespace kdscope
