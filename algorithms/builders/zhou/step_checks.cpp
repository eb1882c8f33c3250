#include "algorithms/builders/zhou/step_checks.hpp"

#include <algorithm>

#include "algorithms/builders/zhou/recording_parts.hpp"

namespace kdscope::zhou {
namespace {

/// Returns where node i's range of the references ends.
std::uint64_t end_of(const Ids& first, std::size_t i, std::size_t all) {
  return i + 1 < first.size() ? first[i + 1] : all;
}

}  // namespace

CheckResult check_chunks(const Ids& first, const Ids& size, std::uint32_t longest, std::size_t references) {
  CheckResult f{"chunks", "chunks cover the references of the level's nodes one after the other, none longer than N",
                true, ""};
  std::uint64_t next = 0;
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (first[k] != next || size[k] == 0 || size[k] > longest)
      f.fail("chunk " + std::to_string(k) + " begins at " + std::to_string(first[k]) + ", not at " +
             std::to_string(next));
    next = std::uint64_t(first[k]) + size[k];
  }
  if (next != references) f.fail("they end at " + std::to_string(next) + " of " + std::to_string(references));
  return f;
}

CheckResult check_chunk_boxes(const Checked<Box3>& boxes, const Ids& first, const Ids& size, const Checked<Box3>& box) {
  CheckResult f{"chunk boxes", "a chunk's box is the smallest around its references' boxes", true, ""};
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    Box3 around = empty_box();
    for (std::uint32_t i = 0; i < size[k]; ++i) around = united(around, box[first[k] + i]);
    if (!same(around, boxes[k])) f.fail("chunk " + std::to_string(k));
  }
  return f;
}

CheckResult check_reduction(const Checked<Box3>& result, const Checked<Box3>& of_chunk, const Ids& owner,
                            const Ids& active) {
  CheckResult f{"segmented reduction", "each node's result is the box of all its chunks", true, ""};
  Checked<Box3> wanted(result.size(), empty_box());
  for (std::size_t k = 0; k < owner.size(); ++k) wanted[owner[k]] = united(wanted[owner[k]], of_chunk[k]);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!same(wanted[i], result[i])) f.fail("node " + std::to_string(active[i]));
  return f;
}

CheckResult check_reduction(const Checked<SideCounts>& result, const Checked<SideCounts>& of_chunk, const Ids& owner,
                            const Ids& active) {
  CheckResult f{"segmented reduction", "each node's result is the sum of all its chunks", true, ""};
  Checked<SideCounts> wanted(result.size(), {0, 0});
  for (std::size_t k = 0; k < owner.size(); ++k) wanted[owner[k]] = AddCounts::combine(wanted[owner[k]], of_chunk[k]);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (wanted[i].left != result[i].left || wanted[i].right != result[i].right)
      f.fail("node " + std::to_string(active[i]));
  return f;
}

CheckResult check_sides(const Checked<std::uint8_t>& left, const Checked<std::uint8_t>& right) {
  CheckResult f{"sides", "every reference goes to one child at least", true, ""};
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!left[i] && !right[i]) f.fail("reference " + std::to_string(i));
  return f;
}

CheckResult check_clipped(const Checked<Box3>& box) {
  CheckResult f{"clipped boxes", "the box of a part is not empty", true, ""};
  for (std::size_t i = 0; i < box.size(); ++i)
    for (int d = 0; d < 3; ++d)
      if (!(box[i].lo[d] <= box[i].hi[d])) f.fail("reference " + std::to_string(i));
  return f;
}

CheckResult check_sets(const NodeList& nodes, std::uint32_t begin) {
  CheckResult f{"sets", "the children's sets together are their parent's", true, ""};
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (const std::uint32_t left = nodes.left_child[i];
        left != no_id && left >= begin && (nodes.set[left] | nodes.set[left + 1]) != nodes.set[i])
      f.fail("node " + std::to_string(i));
  return f;
}

CheckResult check_sizes(const NodeList& nodes, const Checked<std::uint64_t>& size, const Checked<bool>& known) {
  CheckResult f{"sizes", "a node's size is the sum of its children's sizes and its own", true, ""};
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (const std::uint32_t left = nodes.left_child[i];
        known[i] &&
        size[i] != (left == no_id ? 1 | std::uint64_t(nodes.count[i]) << 32 : size[left] + size[left + 1] + 1))
      f.fail("node " + std::to_string(i));
  return f;
}

CheckResult check_lists_sorted(const PointsView& points, const Ids& lists) {
  CheckResult f{"sorted", "each dimension's list ascends", true, ""};
  const std::size_t n = points.n;
  for (std::uint32_t d = 0; d < points.dim; ++d)
    for (std::size_t i = d * n + 1; i < (d + 1) * n; ++i)
      if (points.key(followed(lists[i - 1], n), d) > points.key(followed(lists[i], n), d))
        f.fail("dimension " + std::to_string(d) + " at position " + std::to_string(i - d * n));
  return f;
}

CheckResult check_lists_agree(const Ids& active, const Ids& first, const Ids& lists, std::size_t list_count) {
  CheckResult f{"lists", "a node has the same points at the same positions of every list", true, ""};
  const std::size_t m = lists.size() / list_count;
  const Ids by_index = lists.slice(lists.size() - m, lists.size());
  for (std::size_t i = 0; i < active.size(); ++i) {
    const std::size_t end = end_of(first, i, m);
    for (std::size_t l = 0; l + 1 < list_count; ++l) {
      Ids here = lists.slice(l * m + first[i], l * m + end);
      std::sort(here.begin(), here.end());
      if (here != by_index.slice(first[i], end))
        f.fail("node " + std::to_string(active[i]) + " in dimension " + std::to_string(l));
    }
  }
  return f;
}

CheckResult check_node_boxes(const PointsView& points, const Ids& active, const Ids& first, const Ids& primitive,
                             const Checked<Box3>& tight) {
  CheckResult f{"node boxes", "a node's box is the smallest around its points", true, ""};
  for (std::size_t i = 0; i < tight.size(); ++i) {
    Box3 box = empty_box();
    for (std::size_t j = first[i]; j < end_of(first, i, primitive.size()); ++j)
      box = united(box, box_of_point(points, static_cast<std::uint32_t>(followed(primitive[j], points.n))));
    if (!same(box, tight[i])) f.fail("node " + std::to_string(active[i]));
  }
  return f;
}

CheckResult check_lefts_before(const Ids& left_before, const Ids& lists, const Ids& left, std::size_t m) {
  CheckResult f{"lefts before", "it is the number of points before it, in all lists, that go left", true, ""};
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (left_before[i] != before) f.fail("position " + std::to_string(i % m) + " of list " + std::to_string(i / m));
    before += left[lists[i]];
  }
  return f;
}

}  // namespace kdscope::zhou
