#pragma once
// The partition of a step in the units of a picture: cells, split planes and marks of points, with the colours that
// figures and pages give them. The same for every painter.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "visualizer/figure/frame.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// Converts a node's box to scene units; false if it has none.
bool scene_box(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
               std::array<double, 3>& hi);
/// Whether a split node has one child alone, as the last inner node of a left-balanced tree may.
inline bool lacks_one_child(const PartitionNode& node) {
  return node.split_dim >= 0 && (node.left == no_id) != (node.right == no_id);
}
/// The half of such a node's box in which there is no child; false for other nodes, and where the split is not on an
/// axis.
bool scene_empty_half(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
                      std::array<double, 3>& hi);
/// Converts the smallest box of a node's points; false if it has none, or one without extent.
bool scene_tight_box(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
                     std::array<double, 3>& hi);
/// With more cells, smallest boxes are not drawn, because they could not be distinguished and would cover the points.
inline constexpr std::size_t most_tight_boxes = 1000;
inline constexpr const char* too_many_tight_boxes = "Smallest boxes are not drawn: more than 1,000.";
/// Returns the colour of its outline.
Rgb tight_box_colour(const Theme& theme, const TreePlace& place);

/// The mark of one point.
struct PointMark {
  std::uint32_t point = 0;
  std::array<double, 3> at{};  ///< scene units
  TreePlace place = {};
  bool settled = false, pivot = false;
};

struct PartitionPictureOptions {
  std::optional<Axes> axes = {};  ///< dimensions to draw; none: the first ones
  bool flat = true;               ///< draws along x and y alone
  std::uint32_t most_planes = 65535;
  std::uint64_t most_marks = 200000;  ///< with more points, one in so many is drawn
  bool tight_boxes = true;
  bool equal_scales = true;
};

/// The partition at one step. Copies what it needs. Work O(nodes + points).
struct PartitionPicture {
  Partition partition;
  Frame frame;
  std::vector<PointMark> marks;  ///< ascending by point
  std::uint64_t points = 0;      ///< of the step; marks has fewer if some are left out
  std::string note;              ///< sentences on what is left out; empty if nothing

  /// `added` holds highlights beside those of the step. `concealed` hides splits, pivots, and the subtrees to which
  /// points belong, as in the view.
  static PartitionPicture at(const Cursor& cursor, const PartitionPictureOptions& options = {},
                             std::span<const Highlight> added = {}, const Concealment& concealed = {});
  bool empty() const { return marks.empty() && partition.domain().lo.empty(); }
  /// Returns whether every drawn point is settled; settled points are dimmed until then.
  bool finished() const;
  /// Returns whether every cell is settled.
  bool cells_finished() const;
  /// Returns the axis along which a plane splits, or -1 if its dimension is not drawn.
  int axis_of(const PartitionPlane& plane) const;
};

/// Returns the colour of a cell's area. `finished`: every cell is settled.
Rgb area_colour(const Theme& theme, const PartitionNode& cell, bool finished);
/// Returns the colour of a point's mark. `finished`: every point is settled.
Rgb mark_colour(const Theme& theme, const PointMark& mark, bool finished);
/// Returns the colour of a split plane.
Rgb plane_colour(const Theme& theme, const PartitionPlane& plane);

}  // namespace kdscope
