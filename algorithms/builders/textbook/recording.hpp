#pragma once
// What the steps of the textbook builder show. The code accepts any contents, even those that a broken kernel leaves.

#include "algorithms/core/level_order.hpp"
#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/record/segments_in_place.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope::textbook {

namespace arrays {
using namespace kdscope::arrays;
inline constexpr ArrayDef<PointId> index{{.name = "index", .values = Space::point}};
inline constexpr ArrayDef<std::uint32_t> first{{.name = "first", .index = Space::node, .values = Space::position}};
inline constexpr ArrayDef<PointId> tree{{.name = "tree", .index = Space::node, .values = Space::point}};
}  // namespace arrays

inline void declare(ArrayList& list) {
  list.add(arrays::points).add_each_dimension(arrays::data);
  list.add(arrays::index, arrays::node, arrays::first, arrays::tree);
  add_partition(list);
}

struct StepPresenter {
  PointSet points;  ///< the points in their original order

  /// Shows the state after the splits of a level, or before the first level for level -1.
  void after(StepWriter& step, int level, const std::vector<PointId>& index, std::vector<std::uint32_t> first,
             std::vector<PointId> tree) const {
    const SegmentState state{index, first, tree, view_of(points)};
    if (level < 0) step.wrote(arrays::points, coordinates_of(points));
    add_segments_in_place(step, points, state, level);
    step.check(check_permutation(index));
    if (level >= 0) step.check(check_segments_split(state, level));
    first.resize(std::min(first.size(), std::size_t(full_tree_size(level + 2))));  // deeper nodes are not written yet
    tree.resize(std::min(tree.size(), std::size_t(full_tree_size(level + 1))));
    step.wrote(arrays::index, index);
    step.wrote(arrays::first, first);
    step.wrote(arrays::tree, tree);
    if (level < 0) return;
    const std::string axis = coordinate_name(static_cast<std::uint32_t>(level) % points.dim, points.dim);
    step.title() = "One thread per node finds the median along " + axis + ", and splits there";
  }
};

}  // namespace kdscope::textbook
