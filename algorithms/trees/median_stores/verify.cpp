#include "algorithms/trees/median_stores/verify.hpp"

#include <algorithm>
#include <string>

#include "algorithms/core/index_range.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/median_stores/layout.hpp"
#include "algorithms/trees/median_stores/super_key_order.hpp"

namespace kdscope {

std::vector<CheckResult> verify_median_store_tree(const MedianStoreTree& tree, const PointSet& input) {
  CheckResult points{"same points",
                     "every point of the input is a node once, or a duplicate that was left out, its record unchanged",
                     true, ""},
      duplicates{"duplicates",
                 "points are left out where one with a lower index has the same coordinates, and nowhere else", true,
                 ""},
      shape{"balanced", "the stores are filled as halving at the lower median fills them", true, ""},
      order{"super keys",
            "nodes on the left have smaller super keys than the node above them, nodes on the right greater ones", true,
            ""},
      references{"references", "less-than and greater-than references are the entries 2k and 2k + 1 of the next store",
                 true, ""};
  const PointsView view = view_of(input), held = view_of(*tree.points);
  if (held.n != view.n || held.dim != view.dim || held.type != view.type ||
      tree.points->words.size() != input.words.size())
    points.fail("the tree's points are of another kind");
  for (std::uint32_t i = 0; i < view.n && points.passed; ++i)
    for (std::uint32_t d = 0; d < view.dim; ++d)
      if (held.word(i, d) != view.word(i, d)) points.fail("point " + std::to_string(i) + " has changed");
  std::vector<std::uint8_t> seen(view.n);
  const auto see = [&](PointId point, const std::string& where) {
    if (point.value >= view.n || seen[point.value]++)
      points.fail(where + " is point " + std::to_string(point.value) + (point.value < view.n ? " once more" : ""));
  };
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (tree.stores[i].value != no_id) see(tree.stores[i], "entry " + std::to_string(i)), ++kept;
  for (const PointId point : tree.removed) see(point, "a duplicate");
  for (std::uint32_t i = 0; i < view.n; ++i)
    if (!seen[i]) points.fail_at("points", i, [&] { return "point " + std::to_string(i) + " is missing"; });
  if (!std::is_sorted(tree.removed.begin(), tree.removed.end()))
    points.fail("the points that were left out do not ascend");
  std::vector<CheckResult> found{points};
  if (!points.passed) return found;

  std::vector<bool> removed(view.n);
  for (const PointId point : tree.removed) removed[point.value] = true;
  const std::vector<PointId> sorted = median_stores::sorted_points(view);
  for (std::uint32_t i = 0; i < view.n; ++i) {
    const bool again = i > 0 && compare_super_keys(view, sorted[i - 1].value, sorted[i].value, 0) == 0;
    if (removed[sorted[i].value] != again)
      duplicates.fail_at("points", sorted[i].value, [&] {
        return "point " + std::to_string(sorted[i].value) +
               (again ? " should have been left out" : " should be in the tree");
      });
  }
  if (tree.size() != store_slots(kept))
    shape.fail("there are " + std::to_string(tree.size()) + " entries for " + std::to_string(kept) + " nodes");
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const int level = level_of(NodeId{i});
    const PositionRange range = array_at(kept, level, i - store_begin(level));
    if ((range.size() > 0) != (tree.stores[i].value != no_id))
      shape.fail_at("median_store", i,
                    [&] { return "entry " + std::to_string(i) + (range.size() > 0 ? " is empty" : " is filled"); });
  }
  found.insert(found.end(), {duplicates, shape});
  if (!shape.passed) return found;

  // Compare each node with every node above it. A path has O(log n) nodes.
  for (std::uint32_t i = 1; i < tree.size(); ++i) {
    if (tree.stores[i].value == no_id) continue;
    for (std::uint32_t child = i; child > 0; child = (child - 1) / 2) {
      const std::uint32_t above = (child - 1) / 2;
      const int side = compare_super_keys(view, tree.stores[i].value, tree.stores[above].value,
                                          static_cast<std::uint32_t>(level_of(NodeId{above})) % view.dim);
      if (side == (child % 2 ? -1 : 1)) continue;
      order.fail_at("median_store", i, [&] {
        return "entry " + std::to_string(i) + " is on the wrong side of entry " + std::to_string(above);
      });
      break;
    }
  }
  found.push_back(order);
  if (tree.less.empty() && tree.greater.empty()) return found;
  if (tree.less.size() != view.n || tree.greater.size() != view.n) references.fail("there are not two for each point");
  std::vector<std::uint32_t> less(view.n, no_id), greater(view.n, no_id);
  const auto entry = [&](std::size_t slot) { return slot < tree.stores.size() ? tree.stores[slot].value : no_id; };
  for (std::size_t i = 0; i < tree.size(); ++i)
    if (const std::uint32_t point = tree.stores[i].value; point != no_id)
      less[point] = entry(2 * i + 1), greater[point] = entry(2 * i + 2);
  for (std::uint32_t i = 0; i < view.n && tree.less.size() == view.n && tree.greater.size() == view.n; ++i)
    if (tree.less[i] != less[i] || tree.greater[i] != greater[i])
      references.fail_at("less", i, [&] { return "those of point " + std::to_string(i) + " differ"; });
  found.push_back(references);
  return found;
}

}  // namespace kdscope
