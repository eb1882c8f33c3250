#pragma once
// Plain references of the trees of split planes that Zhou et al. 2008 build: recursive, on one thread, without lists, chunks or masks.

#include <memory>

#include "algorithms/core/split_planes.hpp"
#include "algorithms/core/tree.hpp"

namespace kdscope {

/// The tree that the rules make of a data set's triangles with the surface area heuristic. Three dimensions, float. Work O(r T) for
/// small nodes, O(r) a level for large ones.
SplitPlaneTree reference_sah_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules);

/// The tree of a data set's points with the voxel volume heuristic for searches of `radius` thousandths (search_radius). One to three
/// dimensions, float.
SplitPlaneTree reference_vvh_tree(std::shared_ptr<const DataSet> data, const SplitPlaneRules& rules, std::uint32_t radius);

}  // namespace kdscope
