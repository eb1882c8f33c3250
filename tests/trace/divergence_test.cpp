#include "algorithms/trace/divergence.hpp"

#include "algorithms/trace/variation.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

/// Returns a run of two steps that write four tags each; the second step writes `second`.
std::shared_ptr<const Trace> run_with(std::vector<std::uint32_t> second, const char* name = "sort") {
  TraceBuilder builder({});
  builder.declare({"tag", ""});
  Step step;
  step.path = {"build", "initialise"};
  builder.begin_step(step);
  builder.write("tag", TypedArray::of(std::vector<std::uint32_t>{0, 0, 0, 0}));
  step.path = {"build", name};
  builder.begin_step(step);
  builder.write("tag", TypedArray::of(second));
  return builder.finish();
}

}  // namespace

TEST_CASE("traces diverge at the first step whose arrays or names differ") {
  const auto a = run_with({1, 1, 2, 2});
  CHECK(find_divergence(a, run_with({1, 1, 2, 2})).equal());

  const Divergence other = find_divergence(a, run_with({1, 2, 2, 1}));
  CHECK_FALSE(other.equal());
  CHECK(other.compared_steps == 1);
  REQUIRE(other.steps);
  CHECK(other.steps->first == 1);
  REQUIRE(other.arrays.size() == 1);
  CHECK(other.arrays[0].different == 2);
  REQUIRE(other.arrays[0].first.size() == 2);
  CHECK(other.arrays[0].first[0].index == 1);
  CHECK(other.arrays[0].first[0].a == "1");
  CHECK(other.arrays[0].first[0].b == "2");

  const Divergence renamed = find_divergence(a, run_with({1, 1, 2, 2}, "merge"));
  CHECK(renamed.step_names);
  CHECK(renamed.arrays.empty());
  // A single array is compared only at steps with the same name.
  CHECK(find_divergence(a, run_with({1, 1, 2, 2}, "merge"), {"tag"}).arrays_equal());
}

TEST_CASE("a comparison of traces stops on request") {
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(find_divergence(run_with({1}), run_with({2}), {}, stop.get_token()), ErrorException);
}

TEST_CASE("repeated runs: what varies is named with its runs and elements") {
  Variation same(run_with({1, 1, 2, 2}));
  same.add(run_with({1, 1, 2, 2}));
  CHECK(same.runs() == 2);
  CHECK(same.different_runs() == 0);
  CHECK(same.arrays().empty());

  Variation variation(run_with({1, 1, 2, 2}));
  variation.add(run_with({1, 1, 2, 2}));
  variation.add(run_with({1, 1, 2, 3}));
  variation.add(run_with({1, 2, 2, 1}));
  variation.add(run_with({1, 1, 2, 2}, "merge"));
  CHECK(variation.runs() == 5);
  CHECK(variation.different_runs() == 3);
  REQUIRE(variation.arrays().size() == 2);
  const VaryingArray& tag = variation.arrays()[0].array == "tag" ? variation.arrays()[0] : variation.arrays()[1];
  const VaryingArray& renamed = variation.arrays()[0].array.empty() ? variation.arrays()[0] : variation.arrays()[1];
  CHECK(tag.step == 1);
  CHECK(tag.runs == 2);
  CHECK(tag.first_run == 3);
  CHECK(tag.least_index == 1);
  CHECK(tag.most_index == 3);
  CHECK(tag.most_different == 2);
  CHECK(renamed.step == 1);
  CHECK(renamed.runs == 1);
  CHECK(renamed.first_run == 5);
}
