#pragma once
// "The partition so far" at a step, read from the partition.* arrays alone: nodes, cells, split planes, the points
// stored at nodes. Whatever builder recorded it.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// One row of the node list. Rows that the root does not reach yet are not alive.
struct PartitionNode {
  bool alive = false;
  TreePlace place;
  std::uint16_t level = 0;
  std::uint32_t parent = no_id, left = no_id, right = no_id;
  int split_dim = -1;           ///< -1 while not split
  double split_value = 0;       ///< in the points' units
  std::uint32_t point = no_id;  ///< stored at the node
  bool empty = false;           ///< holds nothing and never will; not known without partition.node_of_point
  bool bucket = false;          ///< a final leaf that keeps its points or triangles
  /// Returns whether the node stays unsplit, so that its cell is final.
  bool settled() const { return point != no_id || bucket || empty; }
};

/// A split plane, clipped to the cell of its node.
struct PartitionPlane {
  NodeId node;
  int level = 0;
  int dim = 0;
  double value = 0;
  bool newest = false;  ///< of the deepest level split so far
  bool fresh = false;   ///< made by the current step itself
};

struct PartitionOptions {
  int max_levels = 0;               ///< planes and cells only of this many top levels; 0: as many as max_planes allows
  std::uint32_t max_planes = 2048;  ///< whole levels are left out from the deepest up until it holds
};

/// The partition at a cursor's step. Work O(nodes). Copies what it needs: stays valid when the cursor moves.
class Partition {
 public:
  /// An array that is missing or shorter than the others leaves its part empty; nothing is assumed beyond trace.hpp.
  static Partition at(const Cursor& cursor, const PartitionOptions& options = {});

  std::uint32_t dim() const { return dim_; }
  /// Returns the box of the root, or of the points if no node is recorded. Empty without points.
  const Box& domain() const { return domain_; }
  const std::vector<PartitionNode>& nodes() const { return nodes_; }
  bool alive(NodeId node) const { return node.value < nodes_.size() && nodes_[node.value].alive; }
  /// Reads the box of a node; false if it has none.
  bool box(NodeId node, Box& box) const { return box_of(boxes_, node, box); }
  /// Reads the smallest box of a node's points; false if the trace has none.
  bool tight_box(NodeId node, Box& box) const { return box_of(tight_boxes_, node, box); }
  bool has_tight_boxes() const { return !tight_boxes_.empty(); }
  /// Front of the tree: nodes not split further (down to the levels shown). Their boxes are the cells.
  const std::vector<NodeId>& cells() const { return cells_; }
  /// Ascending level.
  const std::vector<PartitionPlane>& planes() const { return planes_; }
  /// Points whose place in the tree is settled: those stored at nodes, by node, then those in buckets. Dead nodes left
  /// out.
  std::vector<PointId> settled_points() const;
  /// Returns the number of levels of the tree so far.
  int level_count() const { return level_count_; }
  /// Returns one sentence on what planes() and cells() leave out, or an empty text.
  const std::string& left_out() const { return left_out_; }

 private:
  bool box_of(const std::vector<double>& boxes, NodeId node, Box& box) const;

  std::uint32_t dim_ = 0;
  Box domain_;
  std::vector<PartitionNode> nodes_;
  std::vector<double> boxes_, tight_boxes_;  // [m x 2k]; tight ones may be missing
  std::vector<PointId> bucket_points_;       // in buckets, ascending
  std::vector<NodeId> cells_;
  std::vector<PartitionPlane> planes_;
  int level_count_ = 0;
  std::string left_out_;
};

/// Which of n points are settled; those that the tree leaves out as the points that they are drawn as.
std::vector<bool> settled_points(const Partition& partition, const NodesOfPoints& of_points, std::size_t n);

/// Whether a picture of the dimensions on some axes has all there is: nothing reaches along the others. Then cells do
/// not overlap.
bool shows_whole(const Partition& partition, const Axes& axes);
/// What a picture of the dimensions on some axes leaves out: the others, how many planes split them, and tints of
/// cells, which overlap there. Sentences; empty when nothing.
std::string hidden_dimensions(const Partition& partition, const Axes& axes);

}  // namespace kdscope
