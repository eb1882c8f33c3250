#pragma once
// The tree so far, laid out for drawing. Places are stable: a node does not move from step to step.

#include <cstdint>
#include <string>
#include <vector>

#include "visualizer/model/partition.hpp"

namespace kdscope {

enum class NodeState : std::uint8_t {
  open,     ///< a subtree still to be split or filled
  pivot,    ///< its point is being chosen by this step
  settled,  ///< its point is stored, or it is split
  empty     ///< a leaf without a point, for good
};

struct DiagramNode {
  NodeId node;
  TreePlace place;
  int level = 0;
  double x = 0;                    ///< centre, 0 (left) to 1 (right)
  std::ptrdiff_t parent = -1;      ///< index in TreeDiagram::nodes, -1 for the root
  NodeState state = NodeState::open;
  std::uint64_t count = 0;         ///< points in its subtree, its own included
  std::uint32_t point = no_id;     ///< stored at it
  int split_dim = -1;
  double split_value = 0;
  std::string coordinates;         ///< of its point: "46, 63"; empty without one
  std::string split_text;          ///< "x = 46"; empty while not split
};

/// How a level is filled, for the strip that stands for large trees.
struct DiagramLevel {
  int level = 0;
  std::uint64_t nodes = 0, settled = 0, open = 0, pivots = 0, empty = 0;
  std::uint64_t points_below = 0;  ///< in open subtrees rooted on this level
  double capacity = 0;             ///< nodes a full level has
};

struct TreeDiagramOptions {
  std::size_t fold_above = 4000;   ///< nodes; larger trees give levels only
};

/// Work O(nodes + points).
struct TreeDiagram {
  std::vector<DiagramNode> nodes;   ///< level order, left to right; empty when folded
  std::vector<DiagramLevel> levels;
  bool folded = false;
  std::uint64_t node_count = 0;
  int final_levels = 0;             ///< of the tree that the trace ends with: rows keep their place while it grows

  static TreeDiagram at(const Cursor& cursor, const TreeDiagramOptions& options = {});
};

}  // namespace kdscope
