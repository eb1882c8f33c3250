#pragma once
// Cuts polygons into triangles.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// Takes polygons corner by corner. Each becomes the fan of its first corner, or other triangles where a fan would
/// cover what is outside of the polygon.
class TriangleCollector {
 public:
  void begin_polygon() {
    corners_ = 0;
    ++begun_;
  }
  void add_corner(std::uint32_t vertex) {
    if (corners_ == 0) first_ = vertex;
    if (corners_ >= 2) add_triangle(first_, previous_, vertex);
    previous_ = vertex;
    if (++corners_ == 4) polygons_.push_back({corners_of_triangles_.size() - 6, 0, begun_});
    if (corners_ >= 4) polygons_.back().triangles = corners_ - 2;
  }
  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    corners_of_triangles_.insert(corners_of_triangles_.end(), {a, b, c});
  }
  /// Corners of the polygon so far.
  std::uint64_t corners() const { return corners_; }

  /// Moves the triangles into a set that has its vertices. Cuts polygons that are not convex along diagonals in their
  /// plane (ear clipping), and warns of those that cross or cover themselves, or have too many corners for that.
  /// `index_in_set`: that of each vertex of the file, no_id for those left out together with their triangles; empty if
  /// all are there. Work O(c^2) per polygon of c corners that is not convex.
  void finish(const std::string& file, const std::vector<std::uint32_t>& index_in_set, DataSet& set);

 private:
  /// A polygon of four corners or more, as a fan.
  struct Polygon {
    std::size_t begin = 0;  ///< in corners_of_triangles_
    std::size_t triangles = 0;
    std::uint64_t number = 0;  ///< among those of the file, from 1
  };

  std::vector<std::uint32_t> corners_of_triangles_;
  std::vector<Polygon> polygons_;
  std::uint64_t corners_ = 0, begun_ = 0;
  std::uint32_t first_ = 0, previous_ = 0;
};

}  // namespace kdscope
