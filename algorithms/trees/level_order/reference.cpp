#include "algorithms/trees/level_order/reference.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/core/index_range.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope {

LevelOrderTree reference_median_tree(std::span<const std::uint32_t> keys, std::shared_ptr<const PointSet> points) {
  const std::uint32_t n = static_cast<std::uint32_t>(points->size()), slots = median_tree_slots(n);
  LevelOrderTree tree{std::move(points), std::vector<PointId>(slots, PointId{no_id}), std::vector<std::uint8_t>(slots)};
  std::vector<PointId> ids(n);
  for (std::uint32_t i = 0; i < n; ++i) ids[i] = {i};
  for (NodeId slot{0}; slot.value < slots; ++slot.value) {
    const ChunksOfLevel chunks{n, level_of(slot)};
    const std::uint32_t dim = static_cast<std::uint32_t>(chunks.level) % tree.points->dim;
    const PositionRange chunk = chunks.chunk(slot.value - full_tree_size(chunks.level));
    std::stable_sort(
        ids.begin() + chunk.begin, ids.begin() + chunk.end,
        [&, key = keys.data() + std::size_t(dim) * n](PointId a, PointId b) { return key[a.value] < key[b.value]; });
    tree.split_dim[slot.value] = static_cast<std::uint8_t>(dim);
    if (const PositionRange place = position_of_slot(slot, n); place.size() > 0)
      tree.point_of_node[slot.value] = ids[place.begin];
  }
  return tree;
}

}  // namespace kdscope
