#pragma once
// The simple builder with which builders of level-order trees are compared. It shares no code with them.

#include <cstdint>
#include <memory>
#include <span>

#include "algorithms/trees/level_order/tree.hpp"

namespace kdscope {

/// Builds the tree by simple code: on each level, std::stable_sort sorts every chunk by the keys of dimension level mod
/// k, starting from the original order, and the medians become nodes (§III, appendix). Equal keys keep the order of the
/// level before, so there is exactly one such tree, and every builder must return it bit for bit. keys: [k][n] keys in
/// original order. Work O(n log^2 n).
LevelOrderTree reference_median_tree(std::span<const std::uint32_t> keys, std::shared_ptr<const PointSet> points);

}  // namespace kdscope
