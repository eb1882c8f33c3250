#pragma once
// The shapes that supplement colours: marks of subtrees in space, table, tree and legend. Independent of Qt and VTK.

#include <array>
#include <string>
#include <vector>

#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// The greatest distance of a shape's corner from its centre, in radii.
inline constexpr double glyph_reach = 1.46;

/// Returns the corners of a shape around (0, 0), y downwards, in radii. The radius of a shape is that of the circle
/// that covers about the same area and holds the same label.
const std::vector<std::array<double, 2>>& glyph_outline(Glyph glyph);

/// Returns GLSL code that sets `float edge` to the approximate distance of `vec2 p` (y downwards) from the rim of shape
/// `int glyph` with radius `radius`; negative inside. The shapes are those of glyph_outline().
std::string glyph_distance_glsl();

/// Returns "circle", "square", ... for descriptions of a picture.
const char* name_of(Glyph glyph);

}  // namespace kdscope
