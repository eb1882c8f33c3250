#include "visualizer/model/violations.hpp"

#include <algorithm>

#include "algorithms/text/numbers.hpp"
#include "visualizer/model/row_order.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

/// Returns ranges in any order as ascending, disjoint ranges.
std::vector<IndexRange> united(std::vector<IndexRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const IndexRange& a, const IndexRange& b) { return a.begin < b.begin; });
  std::vector<IndexRange> all;
  for (const IndexRange& r : ranges) {
    if (!all.empty() && r.begin <= all.back().end)
      all.back().end = std::max(all.back().end, r.end);
    else
      all.push_back(r);
  }
  return all;
}

/// Calls `take` with every failed check of a step whose violating elements are known.
template <class Take>
void each_with_elements(const Step& step, Take take) {
  for (const CheckResult& check : step.checks)
    if (!check.passed && !check.elements.empty()) take(check);
}

}  // namespace

std::vector<Violation> violations_of(const Trace& trace) {
  std::vector<Violation> all;
  for (std::uint32_t s = 0; s < trace.steps.size(); ++s)
    for (std::uint32_t c = 0; c < trace.steps[s].checks.size(); ++c)
      if (!trace.steps[s].checks[c].passed) all.push_back({s, c});
  return all;
}

std::string violation_text(const CheckResult& check) {
  if (check.violations == 0) return "First violation: " + check.detail;
  if (check.violations == 1) return "1 violation: " + check.detail;
  return grouped(check.violations) + " violations; the first: " + check.detail;
}

std::vector<IndexRange> violating_elements(const Step& step, std::string_view array) {
  std::vector<IndexRange> ranges;
  each_with_elements(step, [&](const CheckResult& check) {
    if (check.array == array) ranges.insert(ranges.end(), check.elements.begin(), check.elements.end());
  });
  return united(std::move(ranges));
}

std::vector<IndexRange> violating_indices(const Trace& trace, const Step& step, Space space) {
  std::vector<IndexRange> ranges;
  each_with_elements(step, [&](const CheckResult& check) {
    const Trace::Array* array = trace.find(check.array);
    if (array && array->info.index_space == space)
      ranges.insert(ranges.end(), check.elements.begin(), check.elements.end());
  });
  return united(std::move(ranges));
}

std::vector<PointId> violating_points(const Cursor& cursor, std::size_t most) {
  std::vector<PointId> points;
  if (cursor.step_count() == 0) return points;
  const std::uint64_t n = cursor.trace().header.n;
  const TypedArray* stored = cursor.array(partition_arrays::point);
  each_with_elements(cursor.current(), [&](const CheckResult& check) {
    const Trace::Array* array = cursor.trace().find(check.array);
    if (!array) return;
    const Space space = array->info.index_space;
    std::optional<RowOrder> order;
    if (space == Space::position)
      order.emplace(cursor, array->info.value_space == Space::point || array->info.dimension != no_id ? array->info
                                                                                                      : ArrayInfo{});
    for (const IndexRange& r : check.elements)
      for (std::uint64_t i = r.begin; i < r.end && points.size() < most; ++i) {
        std::optional<PointId> point;
        if (space == Space::point)
          point = PointId{static_cast<std::uint32_t>(i)};
        else if (order)
          point = order->point(i);
        else if (space == Space::node && stored && i < stored->size())
          point = PointId{static_cast<std::uint32_t>(stored->number(i))};
        if (point && point->value < n) points.push_back(*point);
      }
  });
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace kdscope
