#pragma once
// The handles of a deformation, and what a line of sight meets in a cloud. Independent of Qt.

#include <optional>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/core/vector3.hpp"
#include "visualizer/scene/scene.hpp"

namespace kdscope {

/// Disjoint sets of a cloud's points, of which one is active; the others are static (Zhou et al. 2008, appendix B).
class CloudHandles {
 public:
  /// Makes the points within a ball a handle, and the active one; those of other handles stay theirs. Returns whether
  /// any were left.
  bool add(const PointSet& points, Vector3 centre, double radius);
  void activate(std::size_t handle) { active_ = handle; }
  /// Removes the active handle; the newest of the others becomes active.
  void remove_active();
  void clear() { handles_.clear(); }

  std::size_t size() const { return handles_.size(); }
  bool empty() const { return handles_.empty(); }
  /// The number of the active handle. Precondition of this and active(): not empty.
  std::size_t active_number() const { return active_; }
  /// Indices of the active handle's points, ascending.
  const std::vector<std::uint32_t>& active() const { return handles_[active_]; }
  /// Those of all static handles' points.
  std::vector<std::uint32_t> fixed() const;
  /// Returns the number of the handle that has a point.
  std::optional<std::size_t> handle_of(std::uint32_t point) const;

 private:
  std::vector<std::vector<std::uint32_t>> handles_;
  std::size_t active_ = 0;
};

/// Returns the point whose disc a line of sight meets first, else the one that it passes most closely within so many
/// pixels. normals: [n x 3] of the discs, (0, 0, 0) for level ones; radii: [n]. Work O(n).
std::optional<std::uint32_t> point_on(const SightLine& line, const PointSet& points, const std::vector<float>& normals,
                                      const std::vector<float>& radii, double pixels);

/// Returns where a line of sight meets the plane through a place that is parallel to the picture.
Vector3 dragged(Vector3 place, const SightLine& line);

}  // namespace kdscope
