#include "algorithms/checks/tree_checks.hpp"

#include <cstdlib>

#include "algorithms/checks/bucket_tree_checks.hpp"
#include "algorithms/checks/left_balanced_checks.hpp"
#include "algorithms/checks/level_order_checks.hpp"
#include "algorithms/checks/median_store_checks.hpp"
#include "algorithms/checks/split_plane_checks.hpp"

namespace kdscope {

TreeRules tree_rules_of(const std::map<std::string, std::string>& parameters) {
  const auto number = [&](const char* name) {
    const auto found = parameters.find(name);
    return found == parameters.end() ? 0u : static_cast<std::uint32_t>(std::strtoul(found->second.c_str(), nullptr, 10));
  };
  TreeRules rules;
  if (const auto split = parameters.find("split"); split != parameters.end() && split->second == "widest") rules.split = Split::widest;
  rules.leaf_size = number("leaf_size");
  rules.radius = number("radius");
  if (parameters.contains("small") && parameters.contains("empty") && parameters.contains("traversal") && parameters.contains("depth"))
    rules.planes = SplitPlaneRules{number("small"), number("empty"), number("traversal") / 100.0, number("depth"), ScalarType::float32};
  return rules;
}

std::vector<Finding> verify_tree(const Tree& tree, const PointSet& input, const TreeRules& rules) {
  if (const auto* left_balanced = std::get_if<LeftBalancedTree>(&tree)) return verify_left_balanced_tree(*left_balanced, input, rules.split);
  if (const auto* level_order = std::get_if<LevelOrderTree>(&tree)) return verify_level_order_tree(*level_order, input);
  if (const auto* stores = std::get_if<MedianStoreTree>(&tree)) return verify_median_store_tree(*stores, input);
  if (const auto* planes = std::get_if<SplitPlaneTree>(&tree)) return verify_split_plane_tree(*planes, input, rules.planes, rules.radius);
  return verify_bucket_tree(std::get<BucketTree>(tree), input, rules.leaf_size);
}

}  // namespace kdscope
