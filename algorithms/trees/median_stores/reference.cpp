#include "algorithms/trees/median_stores/reference.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "algorithms/trees/median_stores/layout.hpp"
#include "algorithms/trees/median_stores/super_key_order.hpp"

namespace kdscope {

MedianStoreTree reference_median_store_tree(std::shared_ptr<const PointSet> points) {
  const PointsView view = view_of(*points);
  MedianStoreTree tree;
  tree.points = points;
  std::vector<PointId> kept;
  for (const PointId point : median_stores::sorted_points(view)) {
    if (!kept.empty() && compare_super_keys(view, kept.back().value, point.value, 0) == 0)
      tree.removed.push_back(point);
    else
      kept.push_back(point);
  }
  std::sort(tree.removed.begin(), tree.removed.end());
  tree.stores.assign(store_slots(static_cast<std::uint32_t>(kept.size())), PointId{no_id});
  tree.less.assign(view.n, no_id);
  tree.greater.assign(view.n, no_id);
  const std::function<std::uint32_t(std::span<PointId>, std::uint32_t, int)> build =
      [&](std::span<PointId> array, std::uint32_t slot, int level) {
        if (array.empty()) return no_id;
        const std::uint32_t dim = static_cast<std::uint32_t>(level) % view.dim;
        std::sort(array.begin(), array.end(),
                  [&](PointId a, PointId b) { return compare_super_keys(view, a.value, b.value, dim) < 0; });
        const std::size_t median = (array.size() - 1) / 2;
        const std::uint32_t point = array[median].value;
        tree.stores[slot] = {point};
        tree.less[point] = build(array.subspan(0, median), 2 * slot + 1, level + 1);
        tree.greater[point] = build(array.subspan(median + 1), 2 * slot + 2, level + 1);
        return point;
      };
  build(kept, 0, 0);
  return tree;
}

}  // namespace kdscope
