#pragma once
// Trees with one point per node in level order, with gaps on the last level (Wehr & Radkowski 2018).

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

class TreeKind;

/// A kd-tree with one point per node in level order: slot i has children 2i+1 and 2i+2, and the last level may have
/// gaps.
struct LevelOrderTree {
  std::shared_ptr<const PointSet> points;  ///< in their original order, shared with the data set
  std::vector<PointId> point_of_node;      ///< [slots] original index of each slot's point, no_id for an empty slot
  std::vector<std::uint8_t>
      split_dim;  ///< [slots] split dimension of each node; for leaves and gaps, the one that they would split
  static const TreeKind& kind();
  std::uint32_t size() const { return static_cast<std::uint32_t>(point_of_node.size()); }  ///< number of slots
};

std::uint64_t tree_hash(const LevelOrderTree& tree);

}  // namespace kdscope
