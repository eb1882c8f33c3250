#include "algorithms/trees/level_order/verify.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/level_order/layout.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope {

/// Returns a coordinate as the shortest text that distinguishes it from other values of its type.
static std::string coordinate_text(const PointsView& points, PointId point, std::uint32_t dim) {
  char text[40];
  const double value = scalar_value(points.word(point.value, dim), points.type);
  const auto end = points.type == ScalarType::int32
                       ? std::to_chars(text, text + sizeof text, static_cast<std::int64_t>(value)).ptr
                       : std::to_chars(text, text + sizeof text, static_cast<float>(value)).ptr;
  return {text, end};
}

std::vector<CheckResult> verify_level_order_tree(const LevelOrderTree& tree, const PointSet& input) {
  CheckResult size{"size", "the tree has 2^(floor(log2 n) + 1) - 1 slots for its n points", true, ""};
  CheckResult records{"records", "the tree's points are those of the input, unchanged", true, ""};
  CheckResult shape{"shape",
                    "every median's slot is occupied, and the leaves' where the chunk of the last level has a point",
                    true, ""};
  CheckResult dims{"split dimensions", "node i splits dimension level(i) mod k", true, ""};
  CheckResult order{"kd-order", "every point lies on its side of all of its ancestors' planes, or on the plane", true,
                    ""};
  const std::uint32_t n = static_cast<std::uint32_t>(input.size()), slots = median_tree_slots(n);
  if (!tree.points || tree.size() != slots || tree.split_dim.size() != slots) {
    size.fail(std::to_string(tree.size()) + " slots, not " + std::to_string(slots) + " as for " + std::to_string(n) +
              " points");
    return {size};
  }
  const PointsView points = view_of(*tree.points), original = view_of(input);
  if (points.n != n || points.dim != original.dim || points.stride != original.stride || points.type != original.type ||
      tree.points->words.size() != input.words.size())
    records.fail(std::to_string(points.n) + " points of " + std::to_string(points.dim) + " dimensions, type " +
                 name_of(points.type) + ", not " + std::to_string(n) + " of " + std::to_string(original.dim) +
                 ", type " + name_of(original.type));
  else if (const auto [a, b] = std::mismatch(input.words.begin(), input.words.end(), tree.points->words.begin());
           a != input.words.end())
    records.fail("point " + std::to_string((a - input.words.begin()) / points.stride) + " has another record");

  std::vector<PointId> present;
  for (NodeId slot{0}; slot.value < slots; ++slot.value) {
    const bool occupied = tree.point_of_node[slot.value].value != no_id, wanted = position_of_slot(slot, n).size() > 0;
    if (occupied) present.push_back(tree.point_of_node[slot.value]);
    if (occupied != wanted)
      shape.fail_at("tree", slot.value,
                    [&] { return "slot " + std::to_string(slot.value) + (occupied ? " is occupied" : " is empty"); });
    if (const std::uint32_t dim = static_cast<std::uint32_t>(level_of(slot)) % input.dim;
        tree.split_dim[slot.value] != dim)
      dims.fail("node " + std::to_string(slot.value) + " splits dimension " +
                std::to_string(tree.split_dim[slot.value]) + ", not " + std::to_string(dim));
  }
  CheckResult permutation = check_permutation(present, "tree");
  permutation.statement = "every point is at exactly one slot";
  if (permutation.passed && present.size() != n)
    permutation.fail(std::to_string(present.size()) + " of " + std::to_string(n) + " points are there");
  if (!records.passed || !permutation.passed) return {size, records, shape, permutation, dims};

  for (NodeId slot{0}; slot.value < slots; ++slot.value) {
    const PointId own = tree.point_of_node[slot.value];
    if (own.value == no_id) continue;
    for (NodeId below = slot; below.value != 0; below = parent_of(below)) {
      const NodeId above = parent_of(below);
      const PointId splitting = tree.point_of_node[above.value];
      if (splitting.value == no_id) continue;
      const std::uint32_t dim = static_cast<std::uint32_t>(level_of(above)) % points.dim;
      const std::uint32_t key = points.key(own.value, dim), plane = points.key(splitting.value, dim);
      const bool is_left = below == left_child(above);
      if (is_left ? key <= plane : key >= plane) continue;
      order.fail_at("tree", slot.value, [&] {
        return "the first is node " + std::to_string(slot.value) + " (point " + std::to_string(own.value) +
               "): " + coordinate_text(points, own, dim) + " in dimension " + std::to_string(dim) + ", " +
               (is_left ? "left" : "right") + " of node " + std::to_string(above.value) + ", which splits at " +
               coordinate_text(points, splitting, dim);
      });
      break;
    }
  }
  if (const std::uint64_t wrong = order.violations; wrong > 0)
    order.detail = std::to_string(wrong) + " of " + std::to_string(n) + (wrong == 1 ? " points lies" : " points lie") +
                   " on a wrong side; " + order.detail;
  return {size, records, shape, permutation, dims, order};
}

}  // namespace kdscope
