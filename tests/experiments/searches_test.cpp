// Tests experiments that time searches, and those whose rows state ratios or levels: what is printed, and what is
// measured on small sizes.

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/experiments/experiment_runs.hpp"

using namespace kdscope;
using namespace kdscope::test;

TEST_CASE("Wehr & Radkowski's Table III is in microseconds, whatever its label says") {
  CHECK(printed_of_series("wehr-table-3", "100 queries", 0) ==
        Texts{"0.676", "0.762", "0.871", "0.849", "0.844", "0.899"});
  CHECK(printed_of_series("wehr-table-3", "10000 queries", 0) ==
        Texts{"1.024", "1.055", "1.502", "1.466", "1.763", "1.976"});
  CHECK(printed_of_series("wehr-table-3", "50000 queries", 0) ==
        Texts{"4.897", "5.421", "7.851", "8.454", "9.293", "10.082"});
  CHECK(printed_of_series("wehr-table-3", "100000 queries", 0) ==
        Texts{"9.672", "10.781", "15.769", "17.104", "18.896", "20.535"});
  ExperimentOptions options = small_on_cpu(2'000);
  options.parameters = {{"queue", "4"}};
  const auto rows = measured("wehr-table-3", options);
  REQUIRE(rows.size() == 4);
  for (const ExperimentRow& row : rows) {
    CHECK(row.measured());
    CHECK(row.facts.parameters.at("queue") == "4");
    CHECK(row.facts.hash == rows.front().facts.hash);
  }
  CHECK(rows.back().samples.median() > rows.front().samples.median());  // a thousand times as many queries
}

TEST_CASE("Zhou et al.'s searches stand beside their builds") {
  CHECK(printed_of_series("zhou-table-5", "CPU", 0) == Texts{"81", "508", "237", "371"});
  CHECK(printed_of_series("zhou-table-5", "GPU", 1) == Texts{"9", "44", "17", "50"});
  CHECK(printed_of_series("zhou-point-cloud", "GPU", 0) == Texts{"21", "14"});
  CHECK(printed_of_series("zhou-point-cloud", "CPU", 1) == Texts{"98", "828"});
  CHECK(printed_of_series("zhou-point-cloud", "CPU", 2) == Texts{"32", "6500"});
  for (const char* id : {"zhou-table-5", "zhou-point-cloud"})
    for (const ExperimentRow& row : spec_of(id).rows) {
      CHECK(row.what.subject == "zhou-vvh");
      CHECK(row.searching() == (row.facet == "KNN"));
    }
  // Small in place of the sources' sizes.
  ExperimentRow build = spec_of("zhou-table-5").rows[0], search = spec_of("zhou-table-5").rows[1];
  for (ExperimentRow* row : {&build, &search}) {
    row->what.data = "caustic:n=500";
    row->n = 500;
    row->facts.parameters = {{"small", "16"}};
  }
  search.queries = "caustic:n=200,seed=2";
  ExperimentRow rows[] = {build, search};
  REQUIRE(spec_of("zhou-table-5").rows[0].run == spec_of("zhou-table-5").rows[1].run);
  REQUIRE(experiment_named("zhou-table-5").measure({rows, 2}, small_on_cpu(0), {}));
  for (const ExperimentRow& row : rows) CHECK((row.measured() && row.samples.median() > 0));
  CHECK(rows[0].facts.hash == rows[1].facts.hash);
}

TEST_CASE("photons that Zhou et al.'s scenes store are measured in pictures") {
  CHECK(printed_of_series("zhou-table-5", "CPU (scenes)", 0) == Texts{"", "", "81", "508", "", "", "237", "371"});
  CHECK(printed_of_series("zhou-table-5", "GPU (scenes)", 1) == Texts{"", "", "9", "44", "", "", "17", "50"});
  ExperimentOptions options = small_on_cpu(20'000);
  options.repeat = 1;
  std::size_t on_cpu = 0;
  for (const ExperimentRow& row : measured("zhou-table-5", options)) {
    INFO(row.series << " " << row.facet);
    CHECK(row.specification() == "metal-ring");
    CHECK(row.x == 20'000);
    if (row.backend == Backend::cuda && !row.measured()) continue;
    on_cpu += row.backend == Backend::cpu;
    CHECK((row.measured() && row.samples.median() > 0));
    CHECK(row.samples.count() == 1);
    CHECK(row.facts.parameters.count("radius") == 0);           // that of the photon map
    CHECK(std::abs(std::stod(row.details[2]) - 20'000) < 500);  // the emitted number is chosen for it
  }
  CHECK(on_cpu == 2);
}

TEST_CASE("a search that the tree cannot answer ends the experiment with its reason") {
  ExperimentRow row = spec_of("wehr-table-3").rows[0];
  for (const auto& [queries, reason] :
       {std::pair{"uniform:n=5,dim=2", "dimensions"}, {"nothing-like-this", "no data set"}}) {
    ExperimentRow changed = row;
    changed.queries = queries;
    const auto result = experiment_named("wehr-table-3").measure({&changed, 1}, small_on_cpu(0), {});
    REQUIRE_FALSE(result);
    INFO(result.error().message());
    CHECK(result.error().message().find(reason) != std::string::npos);
    CHECK_FALSE(changed.measured());
  }
}

TEST_CASE("ratios compare a row with its printed and measured partner") {
  const auto rows = measured("zhou-small-scenes", small_on_cpu(250));
  REQUIRE(rows.size() == 6);
  for (const ExperimentRow& row : rows) {
    INFO(row.series << " " << row.n);
    if (row.series == "CPU") {
      const auto exact = std::ranges::find_if(
          rows, [&](const ExperimentRow& other) { return other.series == row.compared_with && other.x == row.x; });
      REQUIRE(exact != rows.end());
      CHECK(std::stod(row.details[0]) == Approx(exact->samples.median() / row.samples.median()).epsilon(0.01));
    } else if (row.series != "GPU") {
      CHECK(row.details[0].empty());
    }
  }
  for (const char* id : {"wehr-fig-9", "wehr-table-2", "brown-performance", "brown-coalescing", "zhou-table-2"}) {
    INFO(id);
    const ExperimentSpec& spec = spec_of(id);
    REQUIRE(spec.ratio_detail >= 0);
    std::size_t stated = 0;
    for (std::size_t i = 0; i < spec.rows.size(); ++i) {
      const ExperimentRow& row = spec.rows[i];
      if (row.compared_with.empty()) continue;
      stated += !row.details[static_cast<std::size_t>(spec.ratio_detail) + 1].empty();
      const std::string& facet = row.compared_facet.empty() ? row.facet : row.compared_facet;
      const auto partner = std::ranges::find_if(spec.rows, [&](const ExperimentRow& other) {
        return other.facet == facet && other.series == row.compared_with && other.x == row.x;
      });
      REQUIRE(partner != spec.rows.end());
      const bool same_run = row.run >= 0 && partner->run == row.run;
      CHECK((same_run || static_cast<std::size_t>(partner - spec.rows.begin()) < i));  // measured before it is needed
    }
    CHECK(stated > 0);
  }
}

TEST_CASE("times of levels and shares of sorting come from one run's steps") {
  ExperimentRow level = spec_of("brown-levels").rows[3];
  level.what.data = "uniform:n=500,dim=4,seed=1,type=int,range=2147483647";
  level.n = 500;
  REQUIRE(level.x == 3);
  REQUIRE(experiment_named("brown-levels").measure({&level, 1}, small_on_cpu(0), {}));
  CHECK((level.measured() && level.samples.median() > 0));
  const auto rows = measured("wehr-sorting", small_on_cpu(2'000));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].samples.median() > 10);
  CHECK(rows[0].samples.median() < 100);
  const auto by_base = measured("wehr-base", small_on_cpu(2'000));
  REQUIRE(by_base.size() == 8);
  for (const ExperimentRow& row : by_base) {
    CHECK(row.facts.parameters.at("base") == std::to_string(static_cast<int>(row.x)));
    CHECK(row.facts.hash == by_base.front().facts.hash);
  }
}

TEST_CASE("direct writes give the tree of coalesced ones") {
  ExperimentRow rows[2];
  for (const auto& row : spec_of("brown-coalescing").rows) rows[row.series == "direct"] = row;
  std::set<std::uint64_t> trees;
  for (ExperimentRow& row : rows) {
    row.what.data = "uniform:n=5000,dim=4,seed=1,type=int,range=2147483647";
    row.n = 5000;
    REQUIRE(experiment_named("brown-coalescing").measure({&row, 1}, small_on_cpu(0), {}));
    CHECK(row.facts.parameters.at("writes") == row.series);
    trees.insert(row.facts.hash);
  }
  CHECK(trees.size() == 1);
}
