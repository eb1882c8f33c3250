#pragma once
// The lines above elements that a step reads, writes or compares. Their patterns differ without colour, and in a few
// pixels.

#include <vector>

#include "visualizer/style/theme.hpp"

namespace kdscope {

/// One stroke of such a line: from x0 to x1, `up` above its foot. Units are those of the width and thickness asked for.
struct Stroke {
  double x0 = 0, x1 = 0, up = 0;
};

/// The strokes of a line of a role from 0 to `width`, of `thickness` each: read is dashed, write solid, compare
/// twofold; none for the other roles. The middle of the lowest stroke lies at up = 0.
std::vector<Stroke> role_line(Role role, double width, double thickness);
/// Height of the tallest such line, in thicknesses.
inline constexpr double role_line_height = 3.2;

}  // namespace kdscope
