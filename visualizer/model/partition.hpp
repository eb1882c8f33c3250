#pragma once
// "The partition so far" at a step: nodes, cells, split planes, and the points stored at nodes. It is read from the
// partition.* arrays alone, so it works for every builder.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/concealment.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// One row of the node list. Rows that are not connected to the root yet are not alive.
struct PartitionNode {
  bool alive = false;
  TreePlace place;
  std::uint16_t level = 0;
  std::uint32_t parent = no_id, left = no_id, right = no_id;
  int split_dim = -1;           ///< -1 while not split
  double split_value = 0;       ///< in the points' units
  std::uint32_t point = no_id;  ///< stored at the node
  bool empty = false;           ///< holds nothing and never will; always false without partition.node_of_point
  bool bucket = false;          ///< a final leaf that keeps its points or triangles
  /// Returns whether the cell of a node that is not split is final.
  bool settled() const { return point != no_id || bucket || empty; }
};

/// A split plane, clipped to the cell of its node.
struct PartitionPlane {
  NodeId node;
  int level = 0;
  int dim = 0;
  double value = 0;
  bool newest = false;  ///< belongs to the deepest level split so far
  bool fresh = false;   ///< made by the current step itself
};

struct PartitionOptions {
  std::uint32_t max_planes = 2048;  ///< whole levels are left out, deepest first, until the limit holds
};

/// The partition at a cursor's step. It copies what it needs, so it stays valid when the cursor moves.
class Partition {
 public:
  /// Reads the partition. An array that is missing or shorter than the others leaves its part empty. Nothing is assumed
  /// beyond trace.hpp. If splits are hidden, only the domain is known; if changes are, no plane is fresh.
  static Partition at(const Cursor& cursor, const PartitionOptions& options = {}, const Concealment& concealed = {});
  /// Becomes the partition at another step. Work O(nodes + points), or O(planes) if no step on the way wrote an array
  /// that it reads. A step that does changes about half of all nodes, because they are made level by level.
  void move_to(const Cursor& cursor, const PartitionOptions& options = {}, const Concealment& concealed = {});

  std::uint32_t dim() const { return dim_; }
  /// Returns the box of the root, or that of the points if no node is recorded. Empty without points.
  const Box& domain() const { return domain_; }
  const std::vector<PartitionNode>& nodes() const { return nodes_; }
  bool alive(NodeId node) const { return node.value < nodes_.size() && nodes_[node.value].alive; }
  /// Finds the box of a node. Returns false if it has none.
  bool box(NodeId node, Box& box) const;
  /// Finds the smallest box of a node's points. Returns false if the trace has none.
  bool tight_box(NodeId node, Box& box) const { return box_of(tight_boxes_, node, box); }
  bool has_tight_boxes() const { return !tight_boxes_.empty(); }
  /// Returns the nodes that are not split further, down to the levels shown. Their boxes are the cells.
  const std::vector<NodeId>& cells() const { return cells_; }
  /// Returns the planes in ascending order of their level.
  const std::vector<PartitionPlane>& planes() const { return planes_; }
  /// Returns the points whose place in the tree is final: first those stored at nodes, by node, then those in buckets.
  /// Nodes that are not alive are left out.
  std::vector<PointId> settled_points() const;
  /// Returns the number of levels of the tree so far.
  int level_count() const { return static_cast<int>(split_on_level_.size()); }
  /// Returns the deepest level with a split so far; -1 without any.
  int deepest_split() const;
  /// Returns one sentence about the planes that are not drawn: those above a level, and what planes() and cells() leave
  /// out. Empty if all are drawn.
  std::string left_out(int first_level = 0) const;

 private:
  bool box_of(const std::vector<double>& boxes, NodeId node, Box& box) const;
  void read(const Cursor& cursor, const Concealment& concealed);
  /// Reads the nodes that are alive. A child is alive once its parent is split.
  void read_nodes(const NodeList& list, const NodeList::Children& children);
  /// Marks leaves without points or triangles, which are empty for good, and lists the points in buckets.
  void find_empty_leaves(const Cursor& cursor);
  /// Lists the planes and cells of whole levels from the top until a limit is reached.
  void show_levels(const PartitionOptions& options, const Cursor& cursor, const Concealment& concealed);

  std::shared_ptr<const Trace> trace_;
  std::vector<const ArrayVersion*> read_;  // the versions that were read, of this trace; null: not written or hidden
  std::uint32_t dim_ = 0, root_ = no_id;
  Box domain_;
  std::vector<PartitionNode> nodes_;
  std::vector<double> boxes_, tight_boxes_;  // [m x 2k] as recorded; tight boxes may be missing
  std::vector<PointId> bucket_points_;       // in buckets, ascending
  std::vector<NodeId> cells_;
  std::vector<PartitionPlane> planes_;
  int shown_levels_ = 0;
  std::vector<std::uint64_t> split_on_level_;
};

/// Returns how many planes a view of points of so many dimensions can draw.
constexpr std::uint32_t most_planes_drawn(std::uint32_t dim) { return dim <= 2 ? 4095 : 127; }
/// Returns the level of the first planes that are drawn in 3D, where the lines of older ones would cover the object.
int first_of_newest_levels(const Partition& partition);

/// The partition that pictures of a step show, with the nodes of its points: those of an earlier step in place of
/// hidden ones.
struct ShownPartition {
  Partition partition;
  NodesOfPoints of_points;    ///< none while they are hidden
  bool nodes_hidden = false;  ///< colours would reveal what is hidden
  bool marks_hidden = false;  ///< dimmed points would reveal what the step settles
  bool is_earlier = false;    ///< of an earlier step

  /// Shows a cursor's step. Work as of Partition::move_to(), and O(points).
  void move_to(const Cursor& cursor, const PartitionOptions& options = {}, const Concealment& concealed = {});
  /// Returns which of n points are settled. A point that the tree leaves out is settled if the point drawn in its place
  /// is.
  std::vector<bool> settled_points(std::size_t n) const;
};

/// Returns whether a picture of the dimensions on these axes is complete, because the domain has no extent along the
/// others. Then cells do not overlap.
bool shows_whole(const Partition& partition, const Axes& axes);
/// Returns sentences about what a picture of the dimensions on these axes leaves out: the other dimensions, the number
/// of planes that split them, and the tints of cells, because cells overlap there. Empty if nothing is left out.
std::string hidden_dimensions(const Partition& partition, const Axes& axes);

}  // namespace kdscope
