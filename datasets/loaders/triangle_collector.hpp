#pragma once
// Cuts polygons into fans of triangles as their corners come in.

#include <cstdint>
#include <utility>
#include <vector>

namespace kdscope {

class TriangleCollector {
 public:
  void begin_polygon() { corners_ = 0; }
  void add_corner(std::uint32_t vertex) {
    if (corners_ == 0) first_ = vertex;
    if (corners_ >= 2) corners_of_triangles_.insert(corners_of_triangles_.end(), {first_, previous_, vertex});
    previous_ = vertex;
    ++corners_;
  }
  std::uint64_t corners() const { return corners_; }
  /// [3 * triangle count] vertex indices.
  std::vector<std::uint32_t> take() { return std::move(corners_of_triangles_); }

 private:
  std::vector<std::uint32_t> corners_of_triangles_;
  std::uint64_t corners_ = 0;
  std::uint32_t first_ = 0, previous_ = 0;
};

}  // namespace kdscope
