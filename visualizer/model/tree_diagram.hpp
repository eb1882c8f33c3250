#pragma once
// The tree so far, laid out for drawing. Places are stable: a node does not move between steps.

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
  open,     ///< a subtree still to be split or filled
  pivot,    ///< this step chooses its point
  settled,  ///< its point is stored, it is split, or it is a leaf that keeps its bucket of points or triangles
  empty     ///< a final leaf that holds nothing
};

struct DiagramNode {
  NodeId node;
  TreePlace place;
  int level = 0;
  double x = 0;                ///< centre, 0 (left) to 1 (right)
  double parent_x = 0;         ///< its parent's centre, one level up; its own for the root
  std::ptrdiff_t parent = -1;  ///< index in TreeDiagram::nodes; -1 for the root or in a folded tree
  NodeState state = NodeState::open;
  std::uint64_t count = 0;      ///< points in its subtree, with its own; over triangles, those that the node lists
  std::uint32_t point = no_id;  ///< stored at it
  bool keeps_bucket = false;    ///< a final leaf that keeps its points or triangles
  std::vector<std::uint32_t> bucket;  ///< the first 16 of its points, ascending; empty if triangles are counted
  int split_dim = -1;
  double split_value = 0;
  std::string coordinates;  ///< of its point: "46, 63"; empty without one
  std::string split_text;   ///< "x = 46"; empty while not split
  /// Returns "{4, 9}" for a bucket of at most four points, else an empty string.
  std::string bucket_text() const;
};

/// The state of a level so far.
struct DiagramLevel {
  int level = 0;
  std::uint64_t nodes = 0, settled = 0, open = 0, pivots = 0, empty = 0;
  std::uint64_t points_below = 0;  ///< points, or triangles, in open subtrees and pivots rooted on this level
  std::uint64_t final_nodes = 0;   ///< nodes of this level in the finished tree
  double capacity = 0;             ///< number of nodes of a full level
};

/// The nodes in one section of a level.
struct DensityBin {
  std::uint32_t final_nodes = 0;     ///< in the finished tree; 0: this section stays empty
  std::uint32_t made = 0, open = 0;  ///< so far: settled, pivot and empty nodes; open subtrees
  bool pivots = false, changed = false;
  TreePlace place;  ///< of one of its nodes
};

struct TreeDiagramOptions {
  std::size_t fold_above = 4000;  ///< number of nodes; for larger trees, `nodes` stays empty
};

class TreeDiagram {
 public:
  std::vector<DiagramNode> nodes;    ///< level order, left to right; empty when folded
  std::vector<DiagramLevel> levels;  ///< so far
  bool folded = false;
  bool of_triangles = false;  ///< counts are of triangles; each counts once per node that lists it
  std::uint64_t node_count = 0;
  std::vector<RoleMark> roles;  ///< nodes with a line above them: read, written or compared; ascending
  int final_levels = 0;         ///< levels of the finished tree, so that rows keep their places while it grows

  /// Returns the diagram of the cursor's step. `last`: the diagram of another step, whose layout is reused if it is of
  /// the same trace. `added`: highlights beside those of the step. Work O(nodes + points).
  static TreeDiagram at(const Cursor& cursor, const TreeDiagramOptions& options = {}, const TreeDiagram* last = nullptr,
                        std::span<const Highlight> added = {});

  const TreeLayout& layout() const { return *layout_; }
  /// Returns whether a node of the layout exists at this step.
  bool has(std::uint32_t rank) const { return state_[rank] != absent; }
  NodeState state(std::uint32_t rank) const { return static_cast<NodeState>(state_[rank]); }
  /// Returns all details of an existing node.
  DiagramNode node_at(std::uint32_t rank) const;
  std::optional<DiagramNode> node(NodeId id) const;
  /// Returns the level between x0 and x1 in equal sections. `changed` is indexed by node and may be shorter than the
  /// node list. Work O(nodes in between).
  std::vector<DensityBin> density(int level, double x0, double x1, int bins,
                                  const std::vector<bool>& changed = {}) const;

 private:
  static constexpr std::uint8_t absent = 255;
  void take_counts(const TypedArray& counts, const NodeList& list);
  void count_points(const Cursor& cursor, const NodeList& list);
  void find_states(const Cursor& cursor, const NodeList& list, std::span<const Highlight> added);

  std::shared_ptr<const Trace> trace_;
  std::shared_ptr<const TreeLayout> layout_ = std::make_shared<const TreeLayout>();
  std::vector<std::uint8_t> state_;   // by rank
  std::vector<std::uint32_t> count_;  // by rank: points in the subtree, or triangles that the node lists
  std::vector<bool> held_;            // by rank: holds points of its own, or triangles unless known to hold none
  std::vector<bool> bucket_;          // by rank: a final leaf that keeps some
  bool counted_known_ = false;
  std::vector<std::uint32_t> bucket_end_;     // by rank: end in bucket_points_; empty without buckets
  std::vector<std::uint32_t> bucket_points_;  // bucket after bucket, each ascending
  TypedArray split_dim_{ElementType::uint32}, split_value_{ElementType::float64},
      point_{ElementType::uint32};  // by node
};

}  // namespace kdscope
