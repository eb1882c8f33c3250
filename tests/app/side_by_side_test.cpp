// Tests runs side by side: corresponding levels, and the cost of each run.

#include "app/recording/side_by_side.hpp"

#include <algorithm>

#include "algorithms/registry/searches.hpp"
#include "app/recording/run.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

std::shared_ptr<const Trace> with_levels(const std::vector<int>& levels) {
  auto trace = std::make_shared<Trace>();
  for (const int level : levels) {
    Step step;
    step.ordinal = static_cast<std::uint32_t>(trace->steps.size());
    step.level = level;
    step.kind = level < 0 ? StepKind::host : level % 2 ? StepKind::library : StepKind::launch;
    trace->steps.push_back(step);
  }
  return trace;
}

using Steps = std::vector<std::uint32_t>;

Steps steps_of(const LevelAlignment& all, std::size_t columns) {
  Steps steps;
  for (std::size_t c = 0; c < columns; ++c) steps.push_back(all.step(c));
  return steps;
}

}  // namespace

TEST_CASE("within a level each run takes its own steps, and one that has finished waits") {
  LevelAlignment all({with_levels({-1, 0, 0, 1, 1, -1}), with_levels({0, 0, 0, 1, 2}), nullptr});
  CHECK(all.stage_count() == 4);
  std::vector<Steps> seen{steps_of(all, 3)};
  CHECK(all.at_start());
  for (int i = 0; i < 20 && !all.at_end(); ++i) {
    all.forward();
    seen.push_back(steps_of(all, 3));
  }
  CHECK(seen ==
        std::vector<Steps>{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {2, 2, 0}, {3, 3, 0}, {4, 3, 0}, {5, 3, 0}, {5, 4, 0}});
  CHECK(all.waits(0));
  CHECK_FALSE(all.waits(1));
  all.forward();
  CHECK(steps_of(all, 3) == seen.back());
  for (std::size_t i = seen.size() - 1; i-- > 0;) {
    all.back();
    CHECK(steps_of(all, 3) == seen[i]);
  }
  all.back();
  CHECK(all.at_start());
}

TEST_CASE("levels move all runs to their ends; a run moved alone is taken along again") {
  LevelAlignment all({with_levels({-1, 0, 0, 1, 1, -1}), with_levels({0, 0, 0, 1, 2})});
  all.level_forward();
  CHECK(steps_of(all, 2) == Steps{2, 2});
  all.level_forward();
  CHECK(steps_of(all, 2) == Steps{5, 3});
  all.move(0, -1);
  CHECK(steps_of(all, 2) == Steps{4, 3});
  all.move(0, -9);
  CHECK(steps_of(all, 2) == Steps{3, 3});
  all.move(0, 9);
  CHECK(steps_of(all, 2) == Steps{5, 3});
  all.move(1, 1);
  CHECK(steps_of(all, 2) == Steps{5, 3});
  all.level_back();
  CHECK(steps_of(all, 2) == Steps{2, 2});
  all.level_back();
  all.level_back();
  CHECK(all.at_start());
  all.last();
  CHECK(all.at_end());
  CHECK(steps_of(all, 2) == Steps{5, 4});
  all.go_to(2);
  CHECK(steps_of(all, 2) == Steps{5, 3});
}

TEST_CASE("without runs nothing moves") {
  for (LevelAlignment all : {LevelAlignment(), LevelAlignment({nullptr, nullptr})}) {
    all.forward();
    all.level_forward();
    all.last();
    all.back();
    CHECK(all.stage() == 0);
    CHECK(all.at_end());
  }
}

TEST_CASE("all algorithms reach every level together, and each ends at its own last step") {
  std::vector<std::shared_ptr<const Trace>> traces;
  for (const AlgorithmSpec& spec : test::point_algorithms()) {
    const auto recording = record_run({"uniform:n=200,dim=2,seed=5", spec.id, {}}).value();
    traces.push_back(recording.trace);
  }
  LevelAlignment all(traces);
  int moves = 0;
  for (; !all.at_end(); ++moves) {
    const std::size_t stage = all.stage();
    for (std::size_t c = 0; c < traces.size(); ++c)
      if (!all.waits(c) && stage > 0) {
        const int level = traces[c]->steps[all.step(c)].level;
        CHECK(level < static_cast<int>(stage));
      }
    all.forward();
    REQUIRE(moves < 100000);
  }
  for (std::size_t c = 0; c < traces.size(); ++c) CHECK(all.step(c) == traces[c]->steps.size() - 1);
}

TEST_CASE("costs count launches and the bytes of arrays that steps wrote") {
  TraceBuilder builder{TraceHeader{}};
  for (const char* name : {"tags", partition_arrays::parent}) builder.declare({name, ""});
  Step launch, sort, host;
  sort.kind = StepKind::library;
  host.kind = StepKind::host;
  builder.begin_step(launch);
  builder.write("tags", TypedArray(ElementType::uint32, 100));
  builder.write(partition_arrays::parent, TypedArray(ElementType::uint32, 1000));
  builder.begin_step(sort);
  builder.write("tags", TypedArray(ElementType::uint32, 100));
  builder.begin_step(host);
  const auto trace = builder.finish();
  CHECK(costs_until(*trace, 0) == RunCosts{1, 0, 400});
  CHECK(costs_until(*trace, 2) == RunCosts{2, 1, 1200});
  for (const AlgorithmSpec& spec : test::point_algorithms()) {
    const auto recording = record_run({"uniform:n=100,dim=2,seed=5", spec.id, {}}).value();
    const RunCosts costs = costs_until(*recording.trace, no_id);
    INFO(spec.id);
    CHECK(costs.launches > 4);
    CHECK(costs.bytes_moved > 100 * sizeof(std::uint32_t));
  }
}

TEST_CASE("the usual columns are two different runs that take the points") {
  const auto points = points_from_rows<float>(2, {1, 2, 3, 4});
  for (const AlgorithmSpec& spec : test::point_algorithms()) {
    const auto columns = usual_columns({"wald-10", spec.id, {}}, points);
    REQUIRE(columns.size() == 2);
    CHECK(columns[0].algorithm == spec.id);
    CHECK_FALSE(columns[0] == columns[1]);
  }
  RunRequest run{"wald-10", "brown", {}};
  CHECK(parameter_words(run).empty());
  const ParameterSpec& parameter = find_algorithm("brown")->parameters.front();
  run.parameters[parameter.name] = parameter.default_value;
  CHECK(parameter_words(run).empty());
  run.parameters[parameter.name] = "other";
  CHECK(parameter_words(run) == parameter.name + " other");
}

TEST_CASE("beside a search stands the next one for the same tree, or the same question to another tree") {
  const auto data = open_data_set("wald-10").value();
  RunRequest run{"wald-10", "wald", {}, Backend::cpu};
  run.search = {{"search", "stack"}, {"query", "50,40"}, {"k", "2"}, {"question", "nearest"}};
  auto columns = usual_columns(run, data->points);
  REQUIRE(columns.size() == 2);
  CHECK(columns[1].algorithm == "wald");
  const Search* beside = find_search(columns[1].search.at("search"));
  REQUIRE(beside);
  CHECK(beside->spec.id != "stack");
  CHECK(beside->spec.tree_kind == find_search("stack")->spec.tree_kind);
  CHECK(columns[1].search.at("query") == "50,40");
  CHECK(columns[1].search.at("k") == "2");
  CHECK(parameter_words(columns[0]) == find_search("stack")->spec.title);
  run.algorithm = "hu";
  run.search["search"] = "best-bin-first";
  run.search["queue"] = "40";
  columns = usual_columns(run, data->points);
  REQUIRE(columns.size() == 2);
  CHECK(columns[1].algorithm != "hu");
  CHECK_FALSE(columns[1].search.contains("search"));  // the usual one of the other tree
  CHECK_FALSE(columns[1].search.contains("queue"));
  CHECK(columns[1].search.at("query") == "50,40");

  run = with_search({"wald-10", "wald", {}, Backend::cpu, false, {}, 0, {{"query", "50,40"}}}, "stack-free");
  RunRequest request;
  request.algorithm = run.algorithm;
  request.points = data;
  request.search = run.search;
  const auto trace = record(request).value();
  const RunCosts costs = costs_until(*trace, no_id);
  REQUIRE(costs.visited);
  const std::string& answer = trace->steps.back().title;
  CHECK(answer.find("after " + std::to_string(*costs.visited) + " of 10 nodes") != std::string::npos);
}

TEST_CASE("another builder beside a tree of few points does not keep all of them in one leaf") {
  for (const auto& [data, leaf] : {std::pair{"wald-10", "1"}, std::pair{"uniform:n=100,dim=2,seed=1", ""}}) {
    const PointSet points = open_data_set(data).value()->points;
    std::vector<RunRequest> columns{{data, "wald", {}}};
    while (auto next = another_algorithm(columns, points)) columns.push_back(std::move(*next));
    const auto hu = std::ranges::find(columns, "hu", &RunRequest::algorithm);
    REQUIRE(hu != columns.end());
    const auto chosen = hu->parameters.find("leaf_size");
    CHECK((chosen == hu->parameters.end() ? "" : chosen->second) == leaf);
  }
}
