#include <algorithm>

#include "algorithms/builders/zhou/recording.hpp"
#include "algorithms/builders/zhou/recording_parts.hpp"

namespace kdscope::zhou {

void Recording::add_lists(StepReport& report) const {
  const std::size_t lists = points_.dim + 1, m = lists_.size() / lists;
  for (std::uint32_t d = 0; d < points_.dim; ++d)
    report.add("order(" + coordinate_name(d, points_.dim) + ")",
               Ids(lists_.begin() + std::ptrdiff_t(d * m), lists_.begin() + std::ptrdiff_t((d + 1) * m)));
}

StepReport Recording::sorted(const Ids& lists) {
  StepReport report;
  lists_ = lists;
  report.arrays.emplace_back(points_array, coordinates_of(points_));
  add_lists(report);
  report.add("reference", Ids(lists.end() - std::ptrdiff_t(n()), lists.end()));
  CheckResult f{"sorted", "each dimension's list ascends", true, ""};
  const PointsView points = view_of(points_);
  for (std::uint32_t d = 0; d < points.dim; ++d)
    for (std::size_t i = std::size_t(d) * n() + 1; i < std::size_t(d + 1) * n(); ++i)
      if (points.key(lists[i - 1], d) > points.key(lists[i], d))
        f.fail("dimension " + std::to_string(d) + " at position " + std::to_string(i - std::size_t(d) * n()));
  report.checks.push_back(std::move(f));
  report.title = "Sort the points once in each dimension; one list more by index";
  return report;
}

StepReport Recording::bounded(Ids active, Ids first, Ids lists, const std::vector<Box3>& tight) {
  StepReport report;
  active_ = std::move(active), first_ = std::move(first), lists_ = std::move(lists);
  const std::size_t all = points_.dim + 1, m = lists_.size() / all;
  primitive_.assign(lists_.end() - std::ptrdiff_t(m), lists_.end());
  box_.clear();
  add_lists(report);
  add_references(report);
  report.add("active", active_);
  CheckResult f{"lists", "a node has the same points at the same positions of every list", true, ""};
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::size_t end = i + 1 < active_.size() ? first_[i + 1] : m;
    for (std::size_t l = 0; l + 1 < all; ++l) {
      Ids here(lists_.begin() + std::ptrdiff_t(l * m + first_[i]), lists_.begin() + std::ptrdiff_t(l * m + end));
      std::sort(here.begin(), here.end());
      if (!std::equal(here.begin(), here.end(), primitive_.begin() + first_[i]))
        f.fail("node " + std::to_string(active_[i]) + " in dimension " + std::to_string(l));
    }
  }
  report.checks.push_back(std::move(f));
  report.add("node_box", sides_of(tight, points_.dim));
  f = {"node boxes", "a node's box is the smallest around its points", true, ""};
  const PointsView points = view_of(points_);
  for (std::size_t i = 0; i < tight.size(); ++i) {
    Box3 box = empty_box();
    for (std::size_t j = first_[i]; j < (i + 1 < active_.size() ? first_[i + 1] : primitive_.size()); ++j)
      box = united(box, box_of_point(points, primitive_[j]));
    if (!same(box, tight[i])) f.fail("node " + std::to_string(active_[i]));
  }
  report.checks.push_back(std::move(f));
  report.title = "Boxes of " + count_text(tight.size(), "large node", "large nodes") + " with " + primitives(m) +
                 ", from the ends of their lists";
  return report;
}

StepReport Recording::sided(const std::vector<std::uint8_t>& side) {
  StepReport report;
  left_.assign(n(), 0);
  std::vector<std::uint8_t> right;
  std::size_t lefts = 0;
  for (const std::uint32_t point : primitive_) {
    right.push_back(side[point]);
    left_[point] = side[point] == 0;
    lefts += side[point] == 0;
  }
  add_references(report);
  report.add("in_right", right);
  report.title = std::to_string(lefts) + " of " + primitives(primitive_.size()) + " go left";
  return report;
}

StepReport Recording::summed(const Ids& left_before) {
  StepReport report;
  const std::size_t m = primitive_.size();
  CheckResult f{"lefts before", "it is the number of points before it, in all lists, that go left", true, ""};
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    if (left_before[i] != before) f.fail("position " + std::to_string(i % m) + " of list " + std::to_string(i / m));
    before += left_[lists_[i]];
  }
  for (std::uint32_t d = 0; d < points_.dim; ++d) {
    Ids row(left_before.begin() + std::ptrdiff_t(d * m), left_before.begin() + std::ptrdiff_t((d + 1) * m));
    for (std::size_t j = m; j-- > 0;) row[j] -= row[0];
    report.add("lefts(" + coordinate_name(d, points_.dim) + ")", row);
  }
  std::vector<SideCounts> counts;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::uint32_t end = i + 1 < active_.size() ? first_[i + 1] : static_cast<std::uint32_t>(m),
                        left = left_before[end] - left_before[first_[i]];
    counts.push_back({left, end - first_[i] - left});
  }
  report.add("result.count", both_of(counts));
  report.checks.push_back(std::move(f));
  report.title = "Count those that go left in every list";
  return report;
}

}  // namespace kdscope::zhou
