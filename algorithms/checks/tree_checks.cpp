#include "algorithms/checks/tree_checks.hpp"

#include "algorithms/checks/bucket_tree_checks.hpp"
#include "algorithms/checks/left_balanced_checks.hpp"
#include "algorithms/checks/level_order_checks.hpp"
#include "algorithms/checks/median_store_checks.hpp"
#include "algorithms/checks/split_plane_checks.hpp"

namespace kdscope {

std::vector<Finding> verify_tree(const Tree& tree, const PointSet& input, Split split, std::uint32_t leaf_size) {
  if (const auto* left_balanced = std::get_if<LeftBalancedTree>(&tree)) return verify_left_balanced_tree(*left_balanced, input, split);
  if (const auto* level_order = std::get_if<LevelOrderTree>(&tree)) return verify_level_order_tree(*level_order, input);
  if (const auto* stores = std::get_if<MedianStoreTree>(&tree)) return verify_median_store_tree(*stores, input);
  if (const auto* planes = std::get_if<SplitPlaneTree>(&tree)) return verify_split_plane_tree(*planes, input);
  return verify_bucket_tree(std::get<BucketTree>(tree), input, leaf_size);
}

}  // namespace kdscope
