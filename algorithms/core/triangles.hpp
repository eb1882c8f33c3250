#pragma once
// Triangles of a mesh, given by their corners.

#include <cstddef>
#include <cstdint>

#include "algorithms/core/boxes.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// A triangle, given by its corners. -0.0 is replaced by 0.0.
struct Triangle {
  float corner[3][3];
};

KDSCOPE_HD inline Box3 box_of(const Triangle& t) {
  Box3 box = empty_box();
  for (int c = 0; c < 3; ++c)
    for (int d = 0; d < 3; ++d) {
      if (t.corner[c][d] < box.lo[d]) box.lo[d] = t.corner[c][d];
      if (t.corner[c][d] > box.hi[d]) box.hi[d] = t.corner[c][d];
    }
  return box;
}

/// A read-only view of triangles over float points in three dimensions, which are owned elsewhere.
struct MeshView {
  PointsView points;
  const std::uint32_t* corners;  ///< [3 x triangles]
  KDSCOPE_HD Triangle triangle(std::uint32_t t) const {
    Triangle result;
    for (std::uint32_t c = 0; c < 3; ++c)
      for (std::uint32_t d = 0; d < 3; ++d)
        result.corner[c][d] = float_of(points.word(corners[3 * std::size_t(t) + c], d)) + 0.0f;
    return result;
  }
};

inline MeshView mesh_of(const DataSet& data) { return {view_of(data.points), data.triangles.data()}; }

}  // namespace kdscope
