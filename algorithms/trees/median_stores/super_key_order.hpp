#pragma once
// Sorts points by their super keys with simple code.

#include <algorithm>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/median_stores/super_key.hpp"

namespace kdscope::median_stores {

/// Returns original indices sorted by the super key of dimension 0, then by index.
inline std::vector<PointId> sorted_points(const PointsView& view) {
  std::vector<PointId> order;
  for (std::uint32_t i = 0; i < view.n; ++i) order.push_back({i});
  std::sort(order.begin(), order.end(), [&](PointId a, PointId b) {
    const int c = compare_super_keys(view, a.value, b.value, 0);
    return c != 0 ? c < 0 : a < b;
  });
  return order;
}

}  // namespace kdscope::median_stores
