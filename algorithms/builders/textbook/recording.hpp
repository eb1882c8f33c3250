#pragma once
// What the steps of the textbook builder show. Any contents are shown, a broken kernel's too.

#include "algorithms/core/level_order.hpp"
#include "algorithms/record/segments_in_place.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope::textbook {

struct Recording {
  PointSet points;  ///< in their original order

  /// After the splits of a level, -1 before the first.
  void after(StepWriter& step, int level, const std::vector<PointId>& index, std::vector<std::uint32_t> first,
             std::vector<PointId> tree) const {
    const SegmentState state{index, first, tree, view_of(points)};
    if (level < 0) step.wrote(points_array, coordinates_of(points));
    add_segments_in_place(step, points, state, level);
    step.check(check_permutation(index));
    if (level >= 0) step.check(check_segments_split(state, level));
    first.resize(std::min(first.size(), std::size_t(full_tree_size(level + 2))));  // deeper ones are not written yet
    tree.resize(std::min(tree.size(), std::size_t(full_tree_size(level + 1))));
    step.wrote("index", values_of(index));
    step.wrote("first", first);
    step.wrote("tree", values_of(tree));
    if (level < 0) return;
    const std::string axis = coordinate_name(static_cast<std::uint32_t>(level) % points.dim, points.dim);
    step.title() = "One thread per node finds the median along " + axis + ", and splits there";
  }

  static std::vector<ArrayInfo> arrays(const TraceHeader& header) {
    using enum ElementType;
    std::vector<ArrayInfo> infos = points_and_rows(header, "index");
    infos.push_back({"index", "index", uint32, Space::position, Space::point});
    infos.push_back({"node", "node", uint32, Space::position, Space::node});
    infos.push_back({"first", "first", uint32, Space::node, Space::position});
    infos.push_back({"tree", "tree", uint32, Space::node, Space::point});
    for (ArrayInfo& info : partition_infos(header.dim)) infos.push_back(std::move(info));
    return infos;
  }
};

}  // namespace kdscope::textbook
