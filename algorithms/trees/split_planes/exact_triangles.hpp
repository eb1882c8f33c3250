#pragma once
// Compares triangles with boxes in exact arithmetic: whether a triangle reaches into a cell, and the smallest box of
// its part. For checks and references; it shares no code with the builders.

#include <array>

namespace kdscope {

/// Three corners with finite float coordinates.
using ExactTriangle = std::array<std::array<float, 3>, 3>;

/// A box with a lower and an upper end per dimension; lo <= hi.
struct ExactBox {
  std::array<float, 3> lo, hi;
  bool operator==(const ExactBox&) const = default;
};

/// Returns whether a triangle has a point in a cell. Along a dimension in which all corners have the same coordinate,
/// the cell contains its lower end, and its upper end if `closed` is set. This is the rule by which planes assign
/// triangles that lie in them. Along other dimensions the cell is open: a triangle that only touches a plane need not
/// be on that side of it. Work O(1).
bool reaches_into(const ExactTriangle& triangle, const ExactBox& cell, const std::array<bool, 3>& closed);

/// Returns the smallest box of floats around the triangle's part in `volume`, sides included, intersected with `known`.
/// Returns `known` if there is no part, or if the intersection is empty. Enumerates the part's extreme points as
/// fractions. Work O(1).
ExactBox smallest_box_of_part(const ExactTriangle& triangle, const ExactBox& volume, const ExactBox& known);

}  // namespace kdscope
