#pragma once
// A recorded run in which some tags are wrong, as a faulty builder would leave it, and the checks that detect them.

#include <memory>
#include <stdexcept>
#include <string>

#include "algorithms/checks/left_balanced_checks.hpp"
#include "algorithms/trace/trace.hpp"
#include "app/recording/run.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {

/// The faults of a run: wrong tags at some positions after the step, and a later check that stops at its first
/// violation.
struct BrokenTrace {
  std::shared_ptr<const Trace> trace;
  std::uint32_t step = 0, later_step = 0;
  std::vector<IndexRange> positions;
};

/// Returns a run of wald over `n` points, sorted on level 2, in which the tags of three positions are those of another
/// segment.
inline BrokenTrace broken_trace(std::uint64_t n = 40) {
  const auto recording = record_run({"uniform:n=" + std::to_string(n) + ",dim=2,seed=3", "wald", {}, Backend::cpu});
  if (!recording) throw std::runtime_error(recording.error().message());
  Trace trace = *recording->trace;
  BrokenTrace broken;
  broken.step = steps_matching(trace, "level 2 / sort").at(0);
  broken.later_step = static_cast<std::uint32_t>(trace.steps.size()) - 2;
  broken.positions = {{n / 2, n / 2 + 2}, {n - 1, n}};

  Cursor cursor(recording->trace);
  cursor.seek(broken.step);
  const auto tags_before = cursor.array("tags")->as<std::uint32_t>();
  std::vector<std::uint32_t> tags(tags_before.begin(), tags_before.end());
  for (const IndexRange& r : broken.positions)
    for (std::uint64_t i = r.begin; i < r.end; ++i) tags[i] = 0;
  for (Trace::Array& array : trace.arrays) {
    if (array.info.name != "tags") continue;
    // The step does not change the tags, so it has no version of them. Make one.
    auto next = std::find_if(array.versions.begin(), array.versions.end(),
                             [&](const ArrayVersion& v) { return v.step >= broken.step; });
    if (next != array.versions.end() && next->step == broken.step)
      *next = {broken.step, true, n, {}, TypedArray::of(tags)};
    else
      next = array.versions.insert(next, {broken.step, true, n, {}, TypedArray::of(tags)});
    if (++next != array.versions.end())
      *next = {next->step, true, n, {}, contents_at(*recording->trace->find("tags"), next->step)};
  }

  const auto index = cursor.array("index")->as<std::uint32_t>();
  std::vector<PointId> ids;
  for (const std::uint32_t point : index) ids.push_back({point});
  const auto points = points_of(*recording->trace);
  const CheckResult found = check_observation_3_2({tags, ids, {}, view_of(points->points)}, 2);
  for (CheckResult& check : trace.steps[broken.step].checks)
    if (check.name == found.name) check = found;
  CheckResult stopped{"tree", "the tree is the reference's", true, ""};
  stopped.fail("node 3 holds point 9");
  trace.steps[broken.later_step].checks.push_back(stopped);
  trace.index_arrays();
  broken.trace = std::make_shared<const Trace>(std::move(trace));
  return broken;
}

}  // namespace kdscope
