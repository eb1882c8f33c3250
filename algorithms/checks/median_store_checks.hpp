#pragma once
// Checks of trees of median stores, and the plain recursive builder that they are compared with (Brown 2015). All on the host, over
// plain views; used by the recorder, the tests and the headless tool alike.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/checks/finding.hpp"
#include "algorithms/core/tree.hpp"

namespace kdscope {

/// The tree by plain recursion: duplicates out, each array sorted by the super key of its level's dimension, the lower median taken
/// as node. Super keys of unique points are a total order, so there is exactly one such tree. With references.
/// Work O(k n log^2 n).
MedianStoreTree reference_median_store_tree(std::shared_ptr<const PointSet> points);

/// Everything a finished tree must satisfy, each as a finding: duplicates are left out, each but the first of its kind, and no other
/// point; entries of the closed form hold the others, once each; super keys are less on the left, greater on the right;
/// references, where there are any, say the same as the stores. Depth first, on the host. Work O(n (log n + k)).
std::vector<Finding> verify_median_store_tree(const MedianStoreTree& tree, const PointSet& input);

/// A dimension's references ascend by super key, equal points by original index; `unique`: there are no equal points.
/// `array`: the trace's name of the references.
Finding check_super_key_order(std::span<const PointId> references, const PointsView& points, std::uint32_t dim, bool unique, const std::string& array = "reference");

}  // namespace kdscope
