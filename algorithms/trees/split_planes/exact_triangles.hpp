#pragma once
// Triangles against boxes in exact arithmetic: whether a triangle reaches into a cell, and the smallest box of its
// part. Written for checks and references; nothing of it is used by a builder, and it uses nothing of them.

#include <array>

namespace kdscope {

/// Three corners of floats, finite.
using ExactTriangle = std::array<std::array<float, 3>, 3>;

/// Sides along each dimension; lo <= hi.
struct ExactBox {
  std::array<float, 3> lo, hi;
  bool operator==(const ExactBox&) const = default;
};

/// Whether a triangle has a point in a cell. Along a dimension in which its corners have one coordinate, the cell holds
/// its lower end, and its upper one where `closed` says so: that is how planes part what lies in them. Along the others
/// the cell is open: a triangle that only touches a plane need not be on that side of it. Work O(1).
bool reaches_into(const ExactTriangle& triangle, const ExactBox& cell, const std::array<bool, 3>& closed);

/// The smallest box of floats around the triangle's part in `volume`, sides included, as far as it is in `known`;
/// `known` where there is no part, or nothing of its box in `known`. By enumeration of the part's extreme points as
/// fractions. Work O(1).
ExactBox smallest_box_of_part(const ExactTriangle& triangle, const ExactBox& volume, const ExactBox& known);

}  // namespace kdscope
