#pragma once
// Left-balanced trees for reading in a back end's memory.

#include <cstdint>
#include <vector>

#include "algorithms/queries/level_order.hpp"
#include "algorithms/trees/left_balanced/on_device.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"

namespace kdscope::queries {

/// A left-balanced tree in a back end's memory. Split dimensions that follow from the level are not stored.
template <class Exec>
struct LeftBalancedOnDevice : LevelOrderOnDevice<Exec, false> {
  LeftBalancedOnDevice(Exec& exec, const LeftBalancedTree& tree)
      : LevelOrderOnDevice<Exec, false>(
            exec, tree.points, tree.point_of_node,
            tree.split == Split::round_robin ? std::vector<std::uint8_t>() : tree.split_dim) {}
  /// Reads a tree where it was built. It must stay there.
  explicit LeftBalancedOnDevice(const LeftBalancedTreeOnDevice<Exec>& there)
      : LevelOrderOnDevice<Exec, false>(there.points.view(), there.point_of_node.data(), there.split_dim.data()) {}
};

}  // namespace kdscope::queries
