#pragma once
// The rules of trees of split planes (Zhou et al. 2008, §3), which builders and recordings follow: the child to which a
// primitive goes, the places where empty space is cut off, where a large node is halved and where a small one may be
// split, and the cost. The reference has its own implementation.

#include <cstdint>

#include "algorithms/core/boxes.hpp"
#include "algorithms/core/middle_split.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/core/split.hpp"
#include "algorithms/trees/split_planes/rules.hpp"

namespace kdscope {

/// Coordinates are compared as floats, which represent integers of less than 2^24 exactly. Planes between integers are
/// integers.
inline constexpr std::int32_t largest_whole = (1 << 24) - 1;
KDSCOPE_HD inline float float_coordinate(std::uint32_t word, ScalarType type) {
  return type == ScalarType::int32 ? static_cast<float>(static_cast<std::int32_t>(word)) : float_of(word) + 0.0f;
}
KDSCOPE_HD inline std::uint32_t coordinate_word(float value, ScalarType type) {
  return type == ScalarType::int32 ? static_cast<std::uint32_t>(static_cast<std::int32_t>(value)) : word_of(value);
}
/// Returns a point of up to three dimensions as a primitive without extent.
KDSCOPE_HD inline Box3 box_of_point(const PointsView& points, std::uint32_t point) {
  Box3 box{{0, 0, 0}, {0, 0, 0}};
  for (std::uint32_t d = 0; d < points.dim; ++d)
    box.lo[d] = box.hi[d] = float_coordinate(points.word(point, d), points.type);
  return box;
}
/// Returns the next greater coordinate.
KDSCOPE_HD inline float next_coordinate(float value, ScalarType type) {
  return type == ScalarType::int32 ? value + 1 : next_above(value);
}

/// The number of successive halvings of large nodes that do not pay, or that leave all primitives in one child, after
/// which a node is not split further. Coinciding primitives would double with each halving, and primitives that meet in
/// one point would follow it down. Bundles of long primitives need a few halvings until they separate.
inline constexpr std::uint32_t most_bad_refines = 6;

/// Returns that number below a split: 0 if the split pays and neither child holds all primitives, else one more.
KDSCOPE_HD constexpr std::uint32_t bad_refines_after(std::uint32_t bad_refines, bool pays, std::uint32_t all,
                                                     std::uint32_t left, std::uint32_t right) {
  return pays && left < all && right < all ? 0 : bad_refines + 1;
}

/// A plane across dimension dim.
struct SplitPlane {
  std::uint32_t dim;
  float value;
};

/// goes_left() and goes_right() return whether a primitive from lo to hi along the plane's dimension goes to that side
/// (SplitPlaneTree describes the rule). It goes to at least one side.
KDSCOPE_HD inline bool goes_left(float lo, float value) { return lo < value; }
KDSCOPE_HD inline bool goes_right(float lo, float hi, float value) { return hi > value || lo >= value; }

/// Returns true if a side has more than `percent` empty space before the box `tight` of all primitives. Side 2d of a
/// node is its lower one along d, side 2d + 1 its upper one. The plane then leaves all primitives on the other side, so
/// an upper plane is the next coordinate above them.
KDSCOPE_HD inline bool cuts_off(const Box3& volume, const Box3& tight, std::uint32_t side, std::uint32_t percent,
                                SplitPlane& plane, ScalarType type = ScalarType::float32) {
  const std::uint32_t d = side / 2;
  const bool upper = side % 2 == 1;
  plane = {d, upper ? next_coordinate(tight.hi[d], type) : tight.lo[d]};
  const double empty = upper ? static_cast<double>(volume.hi[d]) - static_cast<double>(tight.hi[d])
                             : static_cast<double>(tight.lo[d]) - static_cast<double>(volume.lo[d]);
  return empty * 100 > extent(volume, d) * percent && plane.value > volume.lo[d] && plane.value < volume.hi[d];
}

/// Finds the spatial median of a volume's longest side. Ties go to the lowest dimension. Returns false if there is no
/// coordinate between the side's ends.
KDSCOPE_HD inline bool halves(const Box3& volume, SplitPlane& plane, ScalarType type = ScalarType::float32) {
  plane.dim = widest_side(
      3, ScalarType::float32, [&](std::uint32_t d) { return word_of(volume.lo[d]); },
      [&](std::uint32_t d) { return word_of(volume.hi[d]); });
  const float lo = volume.lo[plane.dim], hi = volume.hi[plane.dim];
  plane.value = lo;
  if (!(lo < hi)) return false;
  plane.value = float_coordinate(middle_of(coordinate_word(lo, type), coordinate_word(hi, type), type), type);
  return plane.value > lo && plane.value < hi;
}

/// Returns the candidate at one side of a triangle's box: its lower face, or the float above its upper face, so that
/// triangles that end there go left.
KDSCOPE_HD inline SplitPlane face_of(const Box3& box, std::uint32_t side) {
  const std::uint32_t d = side / 2;
  return {d, side % 2 == 0 ? box.lo[d] : next_above(box.hi[d])};
}

KDSCOPE_HD inline bool inside(const Box3& volume, const SplitPlane& plane) {
  return plane.value > end_along(volume.lo, plane.dim) && plane.value < end_along(volume.hi, plane.dim);
}

/// The cost of a split by the surface area heuristic (§3), with both children as leaves, times the volume's area A. A
/// split pays if this is less than `count` (the tests of a leaf) times A. Multiplying by A avoids a division, which
/// would be undefined in flat volumes.
struct SurfaceAreaCost {
  double traversal_cost;
  KDSCOPE_HD double measure(const Box3& volume) const { return surface_area(volume); }
  /// Returns SAH(x) A = C_ts A + C_L A_L + C_R A_R.
  KDSCOPE_HD double split(const Box3& volume, const SplitPlane& plane, std::uint32_t left, std::uint32_t right) const {
    const double left_area = measure(below(volume, plane.dim, plane.value)),
                 right_area = measure(above(volume, plane.dim, plane.value));
    return traversal_cost * measure(volume) + (left * left_area + right * right_area);
  }
  KDSCOPE_HD double leaf(const Box3& volume, std::uint32_t count) const { return count * measure(volume); }
};

/// The cost by the voxel volume heuristic (§5.1; Wald et al. 2004), for points. It replaces areas by the volumes in
/// which a search of radius R meets a node: the node's own volume, extended by R on every side.
struct VoxelVolumeCost {
  double traversal_cost;
  double radius;
  std::uint32_t k;  ///< number of dimensions, 1 to 3
  KDSCOPE_HD double measure(const Box3& volume) const {
    double product = 1;
    for (std::uint32_t d = 0; d < k; ++d) product = product * (extent(volume, d) + 2 * radius);
    return product;
  }
  KDSCOPE_HD double split(const Box3& volume, const SplitPlane& plane, std::uint32_t left, std::uint32_t right) const {
    const double left_volume = measure(below(volume, plane.dim, plane.value)),
                 right_volume = measure(above(volume, plane.dim, plane.value));
    return traversal_cost * measure(volume) + (left * left_volume + right * right_volume);
  }
  KDSCOPE_HD double leaf(const Box3& volume, std::uint32_t count) const { return count * measure(volume); }
};

/// Returns R, which is given in thousandths of the longest side of the box of all points.
inline double search_radius(const Box3& scene, std::uint32_t thousandths) {
  double longest = 0;
  for (std::uint32_t d = 0; d < 3; ++d) longest = extent(scene, d) > longest ? extent(scene, d) : longest;
  return longest * thousandths / 1000;
}

}  // namespace kdscope
