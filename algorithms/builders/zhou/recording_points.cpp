#include <algorithm>

#include "algorithms/builders/zhou/arrays.hpp"
#include "algorithms/builders/zhou/recording.hpp"
#include "algorithms/builders/zhou/recording_parts.hpp"

namespace kdscope::zhou {

void Recording::add_lists(StepWriter& step) const {
  const std::size_t lists = points_.dim + 1, m = lists_.size() / lists;
  for (std::uint32_t d = 0; d < points_.dim; ++d) step.wrote(arrays::order, d, lists_.slice(d * m, (d + 1) * m));
}

void Recording::sorted(StepWriter& step, const Ids& lists) {
  lists_ = lists;
  step.wrote(arrays::points, coordinates_of(points_));
  add_lists(step);
  step.wrote(arrays::reference, lists.slice(lists.size() - n(), lists.size()));
  CheckResult f{"sorted", "each dimension's list ascends", true, ""};
  const PointsView points = view_of(points_);
  for (std::uint32_t d = 0; d < points.dim; ++d)
    for (std::size_t i = std::size_t(d) * n() + 1; i < std::size_t(d + 1) * n(); ++i)
      if (points.key(followed(lists[i - 1], n()), d) > points.key(followed(lists[i], n()), d))
        f.fail("dimension " + std::to_string(d) + " at position " + std::to_string(i - std::size_t(d) * n()));
  step.check(std::move(f));
  step.title() = "Sort the points once in each dimension; one list more by index";
}

void Recording::bounded(StepWriter& step, Ids active, Ids first, Ids lists, const Checked<Box3>& tight) {
  active_ = std::move(active), first_ = std::move(first), lists_ = std::move(lists);
  const std::size_t all = points_.dim + 1, m = lists_.size() / all;
  primitive_.assign(lists_.end() - std::ptrdiff_t(m), lists_.end());
  box_.clear();
  add_lists(step);
  add_references(step);
  step.wrote(arrays::active, active_);
  CheckResult f{"lists", "a node has the same points at the same positions of every list", true, ""};
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::size_t end = i + 1 < active_.size() ? first_[i + 1] : m;
    for (std::size_t l = 0; l + 1 < all; ++l) {
      Ids here = lists_.slice(l * m + first_[i], l * m + end);
      std::sort(here.begin(), here.end());
      if (here != primitive_.slice(first_[i], end))
        f.fail("node " + std::to_string(active_[i]) + " in dimension " + std::to_string(l));
    }
  }
  step.check(std::move(f));
  step.wrote(arrays::node_box, sides_of(tight, points_.dim));
  f = {"node boxes", "a node's box is the smallest around its points", true, ""};
  const PointsView points = view_of(points_);
  for (std::size_t i = 0; i < tight.size(); ++i) {
    Box3 box = empty_box();
    for (std::size_t j = first_[i]; j < (i + 1 < active_.size() ? first_[i + 1] : primitive_.size()); ++j)
      box = united(box, box_of_point(points, static_cast<std::uint32_t>(followed(primitive_[j], n()))));
    if (!same(box, tight[i])) f.fail("node " + std::to_string(active_[i]));
  }
  step.check(std::move(f));
  step.title() = "Boxes of " + count_text(tight.size(), "large node", "large nodes") + " with " + primitives(m) +
                 ", from the ends of their lists";
}

void Recording::sided(StepWriter& step, const Checked<std::uint8_t>& side) {
  left_.assign(n(), 0);
  Checked<std::uint8_t> right;
  std::size_t lefts = 0;
  for (const std::uint32_t point : primitive_) {
    right.push_back(side[point]);
    left_[point] = side[point] == 0;
    lefts += side[point] == 0;
  }
  add_references(step);
  step.wrote(arrays::in_right, right);
  step.title() = std::to_string(lefts) + " of " + primitives(primitive_.size()) + " go left";
}

void Recording::summed(StepWriter& step, const Ids& left_before) {
  const std::size_t m = primitive_.size();
  CheckResult f{"lefts before", "it is the number of points before it, in all lists, that go left", true, ""};
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    if (left_before[i] != before) f.fail("position " + std::to_string(i % m) + " of list " + std::to_string(i / m));
    before += left_[lists_[i]];
  }
  for (std::uint32_t d = 0; d < points_.dim; ++d) {
    Ids row = left_before.slice(d * m, (d + 1) * m);
    for (std::size_t j = m; j-- > 0;) row[j] -= row[0];
    step.wrote(arrays::lefts, d, row);
  }
  Checked<SideCounts> counts;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::uint32_t end = i + 1 < active_.size() ? first_[i + 1] : static_cast<std::uint32_t>(m),
                        left = left_before[end] - left_before[first_[i]];
    counts.push_back({left, end - first_[i] - left});
  }
  step.wrote(arrays::result_count, both_of(counts));
  step.check(std::move(f));
  step.title() = "Count those that go left in every list";
}

}  // namespace kdscope::zhou
