#include "algorithms/builders/zhou/arrays.hpp"
#include "algorithms/builders/zhou/recording.hpp"
#include "algorithms/builders/zhou/recording_parts.hpp"
#include "algorithms/builders/zhou/step_checks.hpp"

namespace kdscope::zhou {

void StepPresenter::add_lists(StepWriter& step) const {
  const std::size_t lists = points_.dim + 1, m = lists_.size() / lists;
  for (std::uint32_t d = 0; d < points_.dim; ++d) step.wrote(arrays::order, d, lists_.slice(d * m, (d + 1) * m));
}

void StepPresenter::sorted(StepWriter& step, const Ids& lists) {
  lists_ = lists;
  step.wrote(arrays::points, coordinates_of(points_));
  add_lists(step);
  step.wrote(arrays::reference, lists.slice(lists.size() - n(), lists.size()));
  step.check(check_lists_sorted(view_of(points_), lists));
  step.title() = "Sort the points once in each dimension; one list more by index";
}

void StepPresenter::bounded(StepWriter& step, Ids active, Ids first, Ids lists, const Checked<Box3>& tight) {
  level_.active = std::move(active), level_.first = std::move(first), lists_ = std::move(lists);
  const std::size_t all = points_.dim + 1, m = lists_.size() / all;
  level_.primitive.assign(lists_.end() - std::ptrdiff_t(m), lists_.end());
  level_.box.clear();
  add_lists(step);
  add_references(step);
  step.wrote(arrays::active, level_.active);
  step.check(check_lists_agree(level_.active, level_.first, lists_, all));
  step.wrote(arrays::node_box, sides_of(tight, points_.dim));
  step.check(check_node_boxes(view_of(points_), level_.active, level_.first, level_.primitive, tight));
  step.title() = "Boxes of " + count_text(tight.size(), "large node", "large nodes") + " with " + primitives(m) +
                 ", from the ends of their lists";
}

void StepPresenter::sided(StepWriter& step, const Checked<std::uint8_t>& side) {
  left_.assign(n(), 0);
  Checked<std::uint8_t> right;
  std::size_t lefts = 0;
  for (const std::uint32_t point : level_.primitive) {
    right.push_back(side[point]);
    left_[point] = side[point] == 0;
    lefts += side[point] == 0;
  }
  add_references(step);
  step.wrote(arrays::in_right, right);
  step.title() = grouped(lefts) + " of " + primitives(level_.primitive.size()) + " go left";
}

void StepPresenter::summed(StepWriter& step, const Ids& left_before) {
  const std::size_t m = level_.primitive.size();
  for (std::uint32_t d = 0; d < points_.dim; ++d) {
    Ids row = left_before.slice(d * m, (d + 1) * m);
    for (std::size_t j = m; j-- > 0;) row[j] -= row[0];
    step.wrote(arrays::lefts, d, row);
  }
  Checked<SideCounts> counts;
  for (std::size_t i = 0; i < level_.active.size(); ++i) {
    const std::uint32_t end = i + 1 < level_.active.size() ? level_.first[i + 1] : static_cast<std::uint32_t>(m),
                        left = left_before[end] - left_before[level_.first[i]];
    counts.push_back({left, end - level_.first[i] - left});
  }
  step.wrote(arrays::result_count, both_of(counts));
  step.check(check_lefts_before(left_before, lists_, left_, m));
  step.title() = "Count those that go left in every list";
}

}  // namespace kdscope::zhou
