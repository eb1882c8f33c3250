#pragma once
// The tree so far, laid out for drawing. A node does not move from step to step.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "visualizer/model/highlights.hpp"
#include "visualizer/model/tree_layout.hpp"

namespace kdscope {

enum class NodeState : std::uint8_t {
  open,     ///< a subtree that is not split or filled yet
  pivot,    ///< this step chooses its point
  settled,  ///< its point is stored, it is split, or it is a leaf that keeps its bucket of points or triangles
  empty     ///< a final leaf that holds nothing
};

struct DiagramNode {
  NodeId node;
  TreePlace place;
  int level = 0;
  double x = 0;                ///< centre, 0 (left) to 1 (right)
  double parent_x = 0;         ///< centre of its parent, one level up; for the root, its own centre
  std::ptrdiff_t parent = -1;  ///< index in TreeDiagram::nodes, -1 for the root or where the tree is folded
  NodeState state = NodeState::open;
  std::uint64_t count =
      0;  ///< points in its subtree, its own included; in a tree over triangles, the triangles that the node lists
  std::uint32_t point = no_id;        ///< point stored at it
  bool keeps_bucket = false;          ///< a final leaf that keeps its points or triangles
  std::vector<std::uint32_t> bucket;  ///< the first 16 of its points, ascending; empty where triangles are counted
  int split_dim = -1;
  double split_value = 0;
  std::string coordinates;  ///< of its point: "46, 63"; empty if it has none
  std::string split_text;   ///< "x = 46"; empty while not split
  /// Returns "{p4, p9}" for a bucket of at most four points; otherwise empty.
  std::string bucket_text() const;
};

/// How many nodes of a level exist so far, by state.
struct DiagramLevel {
  int level = 0;
  std::uint64_t nodes = 0, settled = 0, open = 0, pivots = 0, empty = 0;
  std::uint64_t points_below = 0;  ///< points or triangles in open subtrees and pivots rooted on this level
  std::uint64_t final_nodes = 0;   ///< nodes on this level of the finished tree
  double capacity = 0;             ///< number of nodes on a full level
};

/// The contents of one stretch of a level.
struct DensityBin {
  std::uint32_t final_nodes = 0;     ///< nodes of the finished tree; 0: this stretch stays empty
  std::uint32_t made = 0, open = 0;  ///< so far: settled, pivot and empty nodes; open subtrees
  bool pivots = false, changed = false;
  TreePlace place;  ///< place of one of its nodes
};

struct TreeDiagramOptions {
  std::size_t fold_above = 4000;  ///< number of nodes above which `nodes` stays empty
};

class TreeDiagram {
 public:
  std::vector<DiagramNode> nodes;    ///< level order, left to right; empty when folded
  std::vector<DiagramLevel> levels;  ///< so far
  bool folded = false;
  bool of_triangles = false;  ///< counts are of triangles; a triangle counts once for each node that lists it
  std::uint64_t node_count = 0;
  std::vector<RoleMark> roles;  ///< nodes with a line above them: read, written or compared; ascending
  int final_levels = 0;         ///< levels of the finished tree, so that rows keep their place while it grows

  /// Builds the diagram of the cursor's step. `last` is the diagram of another step; its layout is reused if it shows
  /// the same trace. `added` holds highlights beside those of the step. A hidden tree has neither nodes nor levels.
  /// Work O(nodes + points).
  static TreeDiagram at(const Cursor& cursor, const TreeDiagramOptions& options = {}, const TreeDiagram* last = nullptr,
                        std::span<const Highlight> added = {}, const Concealment& concealed = {});

  const TreeLayout& layout() const { return *layout_; }
  /// Returns whether a node of the layout exists at this step.
  bool has(std::uint32_t rank) const { return state_[rank] != absent; }
  NodeState state(std::uint32_t rank) const { return static_cast<NodeState>(state_[rank]); }
  /// Returns everything about a node, which must exist at this step.
  DiagramNode node_at(std::uint32_t rank) const;
  std::optional<DiagramNode> node(NodeId id) const;
  /// Divides the level between x0 and x1 into equal stretches. `changed` is indexed by node and may be shorter. Work
  /// O(nodes there).
  std::vector<DensityBin> density(int level, double x0, double x1, int bins,
                                  const std::vector<bool>& changed = {}) const;

 private:
  static constexpr std::uint8_t absent = 255;
  void take_counts(const TypedArray& counts, const NodeList& list);
  void count_points(const Cursor& cursor, const NodeList& list);
  void find_states(const Cursor& cursor, const NodeList& list, std::span<const Highlight> added,
                   const Concealment& concealed);

  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const TreeLayout> layout_ = std::make_shared<const TreeLayout>();
  std::vector<std::uint8_t> state_;   // by rank
  std::vector<std::uint32_t> count_;  // by rank: points in the subtree, or triangles that the node lists
  std::vector<bool> held_;    // by rank: whether it has points of its own, or triangles unless known to have none
  std::vector<bool> bucket_;  // by rank: whether it is a leaf that keeps points or triangles
  bool counted_known_ = false;
  std::vector<std::uint32_t> bucket_end_;     // by rank: end in bucket_points_; empty without buckets
  std::vector<std::uint32_t> bucket_points_;  // bucket after bucket, each ascending
  TypedArray split_dim_{ElementType::uint32}, split_value_{ElementType::float64},
      point_{ElementType::uint32};  // by node
};

}  // namespace kdscope
