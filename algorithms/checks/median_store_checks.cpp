#include "algorithms/checks/median_store_checks.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "algorithms/core/median_stores.hpp"
#include "algorithms/core/super_key.hpp"

namespace kdscope {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

/// Original indices sorted by the super key of dimension 0, then index.
std::vector<PointId> sorted_points(const PointsView& view) {
  std::vector<PointId> order;
  for (std::uint32_t i = 0; i < view.n; ++i) order.push_back({i});
  std::sort(order.begin(), order.end(), [&](PointId a, PointId b) {
    const int c = compare_super_keys(view, a.value, b.value, 0);
    return c != 0 ? c < 0 : a < b;
  });
  return order;
}

}  // namespace

MedianStoreTree reference_median_store_tree(std::shared_ptr<const PointSet> points) {
  const PointsView view = view_of(*points);
  MedianStoreTree tree;
  tree.points = points;
  std::vector<PointId> kept;
  for (const PointId point : sorted_points(view)) {
    if (!kept.empty() && compare_super_keys(view, kept.back().value, point.value, 0) == 0) tree.removed.push_back(point);
    else kept.push_back(point);
  }
  std::sort(tree.removed.begin(), tree.removed.end());
  tree.stores.assign(store_slots(static_cast<std::uint32_t>(kept.size())), PointId{no_id});
  tree.less.assign(view.n, no_id);
  tree.greater.assign(view.n, no_id);
  const std::function<std::uint32_t(std::span<PointId>, std::uint32_t, int)> build = [&](std::span<PointId> array, std::uint32_t slot, int level) {
    if (array.empty()) return no_id;
    const std::uint32_t dim = static_cast<std::uint32_t>(level) % view.dim;
    std::sort(array.begin(), array.end(), [&](PointId a, PointId b) { return compare_super_keys(view, a.value, b.value, dim) < 0; });
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

std::vector<Finding> verify_median_store_tree(const MedianStoreTree& tree, const PointSet& input) {
  Finding points{"same points", "every point of the input is a node once, or a duplicate that was left out, its record unchanged", true, ""},
      duplicates{"duplicates", "points are left out where one with a lower index has the same coordinates, and nowhere else", true, ""},
      shape{"balanced", "the stores are filled as halving at the lower median fills them", true, ""},
      order{"super keys", "nodes on the left have smaller super keys than the node above them, nodes on the right greater ones", true, ""},
      references{"references", "less-than and greater-than references are the entries 2k and 2k + 1 of the next store", true, ""};
  const PointsView view = view_of(input), held = view_of(*tree.points);
  if (held.n != view.n || held.dim != view.dim || held.type != view.type || tree.points->words.size() != input.words.size()) points.fail("the tree's points are of another kind");
  for (std::uint32_t i = 0; i < view.n && points.passed; ++i)
    for (std::uint32_t d = 0; d < view.dim; ++d)
      if (held.word(i, d) != view.word(i, d)) points.fail("point " + number(i) + " has changed");
  std::vector<std::uint8_t> seen(view.n);
  const auto see = [&](PointId point, const std::string& where) {
    if (point.value >= view.n || seen[point.value]++) points.fail(where + " is point " + number(point.value) + (point.value < view.n ? " once more" : ""));
  };
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (tree.stores[i].value != no_id) see(tree.stores[i], "entry " + number(i)), ++kept;
  for (const PointId point : tree.removed) see(point, "a duplicate");
  for (std::uint32_t i = 0; i < view.n; ++i)
    if (!seen[i]) points.fail_at("points", i, [&] { return "point " + number(i) + " is missing"; });
  if (!std::is_sorted(tree.removed.begin(), tree.removed.end())) points.fail("the points that were left out do not ascend");
  std::vector<Finding> found{points};
  if (!points.passed) return found;

  std::vector<bool> removed(view.n);
  for (const PointId point : tree.removed) removed[point.value] = true;
  const std::vector<PointId> sorted = sorted_points(view);
  for (std::uint32_t i = 0; i < view.n; ++i) {
    const bool again = i > 0 && compare_super_keys(view, sorted[i - 1].value, sorted[i].value, 0) == 0;
    if (removed[sorted[i].value] != again)
      duplicates.fail_at("points", sorted[i].value, [&] { return "point " + number(sorted[i].value) + (again ? " should have been left out" : " should be in the tree"); });
  }
  if (tree.size() != store_slots(kept)) shape.fail("there are " + number(tree.size()) + " entries for " + number(kept) + " nodes");
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const int level = level_of(NodeId{i});
    const PositionRange range = array_at(kept, level, i - store_begin(level));
    if ((range.size() > 0) != (tree.stores[i].value != no_id))
      shape.fail_at("median_store", i, [&] { return "entry " + number(i) + (range.size() > 0 ? " is empty" : " is filled"); });
  }
  found.insert(found.end(), {duplicates, shape});
  if (!shape.passed) return found;

  // Each node against every node above it: a path is log n long.
  for (std::uint32_t i = 1; i < tree.size(); ++i) {
    if (tree.stores[i].value == no_id) continue;
    for (std::uint32_t child = i; child > 0; child = (child - 1) / 2) {
      const std::uint32_t above = (child - 1) / 2;
      const int side = compare_super_keys(view, tree.stores[i].value, tree.stores[above].value, static_cast<std::uint32_t>(level_of(NodeId{above})) % view.dim);
      if (side == (child % 2 ? -1 : 1)) continue;
      order.fail_at("median_store", i, [&] { return "entry " + number(i) + " is on the wrong side of entry " + number(above); });
      break;
    }
  }
  found.push_back(order);
  if (tree.less.empty() && tree.greater.empty()) return found;
  if (tree.less.size() != view.n || tree.greater.size() != view.n) references.fail("there are not two for each point");
  std::vector<std::uint32_t> less(view.n, no_id), greater(view.n, no_id);
  const auto entry = [&](std::size_t slot) { return slot < tree.stores.size() ? tree.stores[slot].value : no_id; };
  for (std::size_t i = 0; i < tree.size(); ++i)
    if (const std::uint32_t point = tree.stores[i].value; point != no_id) less[point] = entry(2 * i + 1), greater[point] = entry(2 * i + 2);
  for (std::uint32_t i = 0; i < view.n && tree.less.size() == view.n && tree.greater.size() == view.n; ++i)
    if (tree.less[i] != less[i] || tree.greater[i] != greater[i]) references.fail_at("less", i, [&] { return "those of point " + number(i) + " differ"; });
  found.push_back(references);
  return found;
}

Finding check_super_key_order(std::span<const PointId> references, const PointsView& points, std::uint32_t dim, bool unique, const std::string& array) {
  Finding f{"super-key order", "references ascend by super key" + std::string(unique ? ", without equal points" : ", equal points by original index"), true, ""};
  for (std::size_t i = 1; i < references.size(); ++i) {
    const std::uint32_t a = references[i - 1].value, b = references[i].value;
    const int order = a < points.n && b < points.n ? compare_super_keys(points, a, b, dim) : 1;
    if (order > 0 || (order == 0 && (unique || a >= b))) f.fail_at(array, i, [&] { return "position " + number(i) + " of dimension " + number(dim); });
  }
  return f;
}

}  // namespace kdscope
