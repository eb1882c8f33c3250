#pragma once
// The shapes that supplement colours: marks of subtrees in space, table, tree and legend. Independent of Qt and VTK.

#include <array>
#include <string>
#include <vector>

#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// A shape reaches at most this far from its centre, in radii.
inline constexpr double glyph_reach = 1.46;

/// Corners of a shape around (0, 0), y downwards, in units of its radius: that of the circle that covers about as much
/// and holds the same label.
const std::vector<std::array<double, 2>>& glyph_outline(Glyph glyph);

/// GLSL that sets `float edge` to about the distance of `vec2 p` (y downwards) from the rim of shape `int glyph` of
/// radius `radius`: negative inside. The same shapes as glyph_outline().
std::string glyph_distance_glsl();

/// Returns "circle", "square", ... for descriptions of a picture.
const char* name_of(Glyph glyph);

}  // namespace kdscope
