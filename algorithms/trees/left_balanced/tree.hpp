#pragma once
// Left-balanced, complete kd-trees (Wald 2023).

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/core/split.hpp"

namespace kdscope {

class TreeKind;

/// A left-balanced, complete kd-tree in level order: row i is node i, with children 2i+1 and 2i+2.
struct LeftBalancedTree {
  PointSet points;                      ///< records in tree order, payload included
  std::vector<PointId> point_of_node;   ///< [n] original index of each node's point
  std::vector<std::uint8_t> split_dim;  ///< [n] split dimension of each node; for leaves, the one that they would split
  std::optional<Split> split =
      {};  ///< the rule of split_dim; unknown in files: then level mod k if split_dim follows it, else the widest side
  static const TreeKind& kind();
  std::uint32_t size() const { return static_cast<std::uint32_t>(point_of_node.size()); }
};

std::uint64_t tree_hash(const LeftBalancedTree& tree);

}  // namespace kdscope
