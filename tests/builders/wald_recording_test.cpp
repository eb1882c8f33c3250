// Records the state that a wrong variant leaves: checks must fail, and nothing may crash.
#include <algorithm>

#include "algorithms/builders/wald/arrays.hpp"
#include "algorithms/builders/wald/recording.hpp"
#include "tests/builders/shown_step.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::wald;

namespace {

const PointSet ten =
    points_from_rows<std::int32_t>(2, {10, 15, 46, 63, 68, 21, 40, 33, 25, 54, 15, 43, 44, 58, 45, 40, 62, 69, 53, 67});

/// Returns the state after step 1's update (Wald 2023, §5). For split=widest, the tags have the dimension in their
/// lowest bit.
DownloadedState after_step_1(Split split) {
  DownloadedState state{{0, 3, 3, 3, 1, 4, 4, 5, 2, 6}, {{1}, {0}, {3}, {7}, {5}, {4}, {6}, {2}, {9}, {8}}, {}};
  if (split == Split::widest)
    for (std::uint32_t& tag : state.tags) tag *= 2;
  return state;
}

/// Returns whether a check of the step that show(step) writes fails.
bool any_failed(const auto& show) {
  const auto all = [](ArrayList& list) { declare(list, {Split::widest, SortMethod::comparator}); };
  const Step step = test::shown_step(ten, all, show);
  return std::any_of(step.checks.begin(), step.checks.end(), [](const CheckResult& f) { return !f.passed; });
}

}  // namespace

TEST_CASE("sound state passes, and each kind of damage is reported without a crash") {
  for (Split split : {Split::round_robin, Split::widest}) {
    const StepPresenter recording(ten, SplitRule{split, dim_bits_for(split, 2), 2, ScalarType::int32});
    CHECK_FALSE(any_failed([&](auto& step) { recording.updated(step, after_step_1(split), 1); }));
    const std::uint32_t unit = split == Split::widest ? 2 : 1;
    for (std::size_t place = 0; place < 10; ++place)
      for (std::uint32_t wrong : {0u, 1u, 9u, 10u, 1000u, 0x7fffffffu, 0xffffffffu}) {
        DownloadedState tags = after_step_1(split), ids = tags;
        CAPTURE(place, wrong);
        if (tags.tags[place] / unit != wrong && wrong < 0x7fffffffu) {
          tags.tags[place] = wrong * unit;
          any_failed([&](auto& step) { recording.sorted(step, tags, 1); });
          any_failed([&](auto& step) { recording.finished(step, tags); });
          // The tag of an open node may name another open node. The tag of a pivot may not, and no tag may be out of
          // range.
          if (wrong > 6 || wrong < 3 || place == 0 || place == 4 || place == 8)
            CHECK(any_failed([&](auto& step) { recording.updated(step, tags, 1); }));
          else
            any_failed([&](auto& step) { recording.updated(step, tags, 1); });
        }
        if (ids.ids[place].value == wrong) continue;
        ids.ids[place] = {wrong};
        CHECK(any_failed([&](auto& step) { recording.updated(step, ids, 1); }));
        CHECK(any_failed([&](auto& step) { recording.sorted(step, ids, 1); }));
        CHECK(any_failed([&](auto& step) { recording.finished(step, ids); }));
      }
  }
}
