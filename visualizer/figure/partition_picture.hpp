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
#include "visualizer/model/highlights.hpp"
#include "visualizer/model/overlay.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// Up to this number, points have their names beside them.
inline constexpr std::size_t most_point_labels = 50;

/// Converts a node's box to scene units; false if it has none.
bool scene_box(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
               std::array<double, 3>& hi);
/// Converts the part of a node's split plane that lies in the node's box, where `lo` and `hi` are equal along the
/// returned axis; -1 if the plane is along no axis, or the node has no box.
int scene_plane(const Partition& partition, const Frame& frame, NodeId node, int dim, double value,
                std::array<double, 3>& lo, std::array<double, 3>& hi);
/// Clips a box to the drawn region, in scene units; returns false if nothing is left. The margin of the region belongs
/// to boxes that reach the border of the domain.
bool scene_clipped_box(const Partition& partition, const Frame& frame, const Box& box, std::array<double, 3>& lo,
                       std::array<double, 3>& hi);
/// Whether a split node has one child alone, as the last inner node of a left-balanced tree may.
inline bool lacks_one_child(const PartitionNode& node) {
  return node.split_dim >= 0 && (node.left == no_id) != (node.right == no_id);
}
/// The half of such a node's box in which there is no child; false for other nodes, and where the split is not on an
/// axis.
bool scene_empty_half(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
                      std::array<double, 3>& hi);
/// A box in scene units.
struct SceneBox {
  std::array<double, 3> lo{}, hi{};
};
/// Returns the cells and halves of cells that hold nothing and never will, at most most_overlay_marks.
std::vector<SceneBox> scene_empty_boxes(const Partition& partition, const Frame& frame);
/// Returns the x and y of both ends of the rising lines that hatch a rectangle, `apart` from one another, or as far as
/// leaves 60 lines.
std::vector<std::array<double, 4>> hatching(double left, double low, double right, double high, double apart);
/// Returns, by node, whether it is one of `cells` or below one; empty if there are none.
std::vector<bool> faded_nodes(const Partition& partition, std::span<const NodeId> cells);
/// Returns the least distance between two of a few places that is larger than `same_spot`; 1e300 if there is none.
double smallest_gap(std::span<const std::array<double, 2>> places, double same_spot);
/// Converts the smallest box of a node's points; false if it has none, or one without extent.
bool scene_tight_box(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
                     std::array<double, 3>& hi);
/// With more cells, smallest boxes are not drawn, because they could not be distinguished and would cover the points.
inline constexpr std::size_t most_tight_boxes = 1000;
/// Returns the colour of its outline.
Rgb tight_box_colour(const Theme& theme, const TreePlace& place);

/// With more points or triangles, no lines of roles are drawn above them, because they would hide the picture.
inline constexpr std::size_t most_role_lines = 200;

/// The mark of one point.
struct PointMark {
  std::uint32_t point = 0;
  std::uint32_t node = no_id;  ///< to which it belongs
  std::array<double, 3> at{};  ///< scene units
  TreePlace place = {};
  bool settled = false, pivot = false;
  bool faded = false;  ///< in a cell that a search has pruned
};

struct PartitionPictureOptions {
  std::optional<Axes> axes = {};  ///< dimensions to draw; none: the first ones
  bool flat = true;               ///< draws along x and y alone
  std::uint32_t most_planes = 65535;
  std::uint64_t most_marks = 200000;  ///< with more points, one in so many is drawn
  bool tight_boxes = true;
  bool equal_scales = true;
  Overlay marks = {};  ///< of a lesson, above those of a search
};

/// Appends a sentence, which may be empty, to others.
inline void add_sentence(std::string& note, const std::string& sentence) {
  note += (note.empty() || sentence.empty() ? "" : " ") + sentence;
}
/// Returns what a picture says of a partition in place of a later one that is hidden; empty: it is the step's.
std::string earlier_note(const ShownPartition& shown);
/// Returns sentences on what a picture of a partition, with the planes from a level on, leaves out; empty if nothing.
std::string note_on(const ShownPartition& shown, const Frame& frame, bool tight_boxes, int first_plane_level = 0);

/// The partition at one step. Copies what it needs. Work O(nodes + points).
struct PartitionPicture : ShownPartition {
  Frame frame;
  std::vector<PointMark> marks;  ///< ascending by point
  std::uint64_t points = 0;      ///< of the step; marks has fewer if some are left out
  RoleMarks roles;               ///< lines above points and triangles
  Overlay overlay;               ///< what a search has reached, and the marks of the options
  std::vector<bool> faded;       ///< by node: it is pruned, or one above it is; empty: none
  std::string note;              ///< sentences on what is left out; empty if nothing

  /// `added` holds highlights beside those of the step. `concealed` hides splits, pivots, and the subtrees to which
  /// points belong, as in the view.
  static PartitionPicture at(const Cursor& cursor, const PartitionPictureOptions& options = {},
                             std::span<const Highlight> added = {}, const Concealment& concealed = {});
  /// Draws other marks above the partition, which has room for them already.
  void lay_over(Overlay marks_above);
  /// Returns the mark of a point; null if it is not drawn.
  const PointMark* mark_of(PointId point) const;
  bool fades(std::uint32_t node) const { return node < faded.size() && faded[node]; }
  bool empty() const { return marks.empty() && partition.domain().lo.empty(); }
  /// Returns whether every drawn point is settled; settled points are dimmed until then.
  bool finished() const;
  /// Returns whether every cell is settled.
  bool cells_finished() const;
  /// Returns the axis along which a plane splits, or -1 if its dimension is not drawn.
  int axis_of(const PartitionPlane& plane) const { return frame.axis_of(plane.dim); }
};

/// Returns the colour of a cell's area. `finished`: every cell is settled.
Rgb area_colour(const Theme& theme, const PartitionNode& cell, bool finished);
/// Returns the colour of a point's mark. `finished`: every point is settled.
Rgb mark_colour(const Theme& theme, const PointMark& mark, bool finished);
/// Returns how near the ground the area and the lines of a pruned cell are.
inline double faded_share(const Theme& theme) {
  return theme.dark ? 0.55 : 0.75;  // dark cells are near the ground already
}
/// Returns the colour of a mark where it fades, in a cell that fades too. Its name is thin instead.
inline Rgb faded_mark(const Theme& theme, Rgb colour) {
  return faded(theme, colour, theme.dark ? 0.6 : 0.8, mix(theme.base, colour, 0.25));
}
/// Returns the colour of the lines that hatch an empty cell.
inline Rgb hatching_colour(const Theme& theme) { return mix(theme.muted_text, theme.base, 0.55); }
/// Returns the colour of a split plane.
Rgb plane_colour(const Theme& theme, const PartitionPlane& plane);

}  // namespace kdscope
