#pragma once
// Trees whose leaves hold buckets of points (Hu et al. 2015).

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

class TreeKind;

/// A kd-tree whose leaves hold buckets of points. Nodes are listed breadth-first, parents before their children. Node 0
/// is the root of all points; without points, there are no nodes.
struct BucketTree {
  std::shared_ptr<const PointSet> points;   ///< in their original order, shared with the data set
  std::vector<PointId> point_of_position;   ///< [n] a node's points are the positions [first, first + count)
  std::vector<std::uint32_t> parent;        ///< [nodes] no_id for the root
  std::vector<std::uint32_t> left_child;    ///< [nodes] the right child follows it; no_id for leaves
  std::vector<std::uint32_t> split_dim;     ///< [nodes] no_id for leaves
  std::vector<std::uint32_t> split_value;   ///< [nodes] coordinate word, smaller coordinates go left; 0 for leaves
  std::vector<std::uint32_t> first, count;  ///< [nodes]
  std::vector<std::uint32_t> box;  ///< [nodes x 2k] coordinate words of the smallest box: k lower, then k upper ends
  std::uint32_t leaf_size = 0;     ///< nodes of more points were split; 0: unknown, as in trees from files
  static const TreeKind& kind();
  std::uint32_t size() const { return static_cast<std::uint32_t>(parent.size()); }
  bool is_leaf(std::uint32_t node) const { return left_child[node] == no_id; }
};

/// Returns the hash of all listed fields of each node, its box with -0.0 as 0.0, and the point of each position.
std::uint64_t tree_hash(const BucketTree& tree);

}  // namespace kdscope
