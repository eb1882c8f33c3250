#pragma once
// The verifier of whatever tree a builder gives.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/checks/finding.hpp"
#include "algorithms/core/split.hpp"
#include "algorithms/core/split_plane_rules.hpp"
#include "algorithms/core/tree.hpp"

namespace kdscope {

/// What a run asked of its tree, as far as verifiers look at it.
struct TreeRules {
  Split split = Split::round_robin;              ///< of left-balanced trees; level-order ones follow level mod k
  std::uint32_t leaf_size = 0;                   ///< of trees with leaf buckets, 0 where it is not known
  std::optional<SplitPlaneRules> planes = {};    ///< of trees of split planes, none where they are not known
  std::uint32_t radius = 0;                      ///< of trees of split planes over points, in thousandths
};

/// The rules that a run's completed parameters ask for, by the names that builders give them.
TreeRules tree_rules_of(const std::map<std::string, std::string>& parameters);

/// Everything that a finished tree of its kind must satisfy. Work O(n (log n + k)), of trees with leaf buckets O(n k depth), of trees of
/// split planes O(references (depth + T)).
std::vector<Finding> verify_tree(const Tree& tree, const PointSet& input, const TreeRules& rules);

}  // namespace kdscope
