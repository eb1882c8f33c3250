// Tests the figures and tables of Wehr & Radkowski 2018 as experiments: the printed numbers, the rows, and the results
// of measuring a few of them.

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "app/experiments/measured_build.hpp"
#include "tests/experiments/experiment_runs.hpp"

namespace kdscope::wehr_2018_test {
using namespace kdscope::test;

namespace {

std::vector<ExperimentRow> rows_at(const std::string& id, std::uint64_t n) {
  std::vector<ExperimentRow> rows = spec_of(id).rows;
  std::erase_if(rows, [&](const ExperimentRow& row) { return row.n != n; });
  return rows;
}

/// Returns the printed texts of one series of a facet, by size.
Texts printed(const std::string& id, const std::string& facet, const std::string& series, std::size_t place = 0) {
  return test::printed(id, place, [&](const ExperimentRow& row) {
    return row.facet == facet && row.series == series && !row.printed[place].text.empty();
  });
}

}  // namespace

TEST_CASE("every figure and table of the source is there, each set of rows ascending") {
  for (const char* id : {"wehr-fig-4", "wehr-fig-5", "wehr-fig-6", "wehr-fig-8", "wehr-fig-9", "wehr-fig-10",
                         "wehr-shares", "wehr-table-1", "wehr-table-2", "wehr-sorting", "wehr-base", "wehr-tracking"}) {
    const ExperimentSpec& spec = spec_of(id);
    INFO(id);
    CHECK(spec.citation.starts_with("Wehr & Radkowski 2018, "));
    CHECK(spec.parameters.back().name == "keys");
    CHECK(spec.parameters.back().default_value == "quantized");  // as in the source
    CHECK(spec.notes.starts_with("Keys are quantized as in section III-A; "));
    CHECK(spec.facet_column.empty() == spec.facets.empty());
    std::set<std::tuple<std::string, std::string, double>> places;
    for (const ExperimentRow& row : spec.rows) {
      CHECK(row.facet.empty() == spec.facets.empty());
      if (!row.facet.empty()) CHECK(std::count(spec.facets.begin(), spec.facets.end(), row.facet) == 1);
      CHECK(places.insert({row.facet, row.series, row.x}).second);
      for (const ExperimentRow& other : spec.rows)
        if (&other > &row && other.series == row.series && other.facet == row.facet) CHECK(other.x > row.x);
    }
  }
}

TEST_CASE("the printed numbers are those of Table I and the text") {
  CHECK(printed("wehr-table-1", "", "wehr") == Texts{"3.5", "4", "4.8", "5.9", "9.5", "22.2"});
  CHECK(printed("wehr-table-1", "", "hu") == Texts{"4.6", "7.2", "8.2", "8.8", "12.4", "20.2"});
  // The text gives 61 ms for 10,000 points; Table II repeats this number at 2,000.
  CHECK(printed("wehr-fig-8", "", "naive-radix", 0) == Texts{"61"});
  CHECK(rows_at("wehr-fig-8", 10'000).front().printed[0].value == 61);
  CHECK(printed("wehr-fig-8", "", "naive-radix", 1) == Texts{"61", "302", "605", "1918", "2559", "3245"});
  CHECK(printed("wehr-fig-8", "", "naive-insertion") == Texts{"4000"});
  for (const ExperimentRow& row : spec_of("wehr-fig-8").rows)
    CHECK((row.series != "naive-insertion" || row.n <= 5'000));
  CHECK(spec_of("wehr-fig-9").printed.empty());
  CHECK(spec_of("wehr-fig-10").printed.empty());
  CHECK(printed("wehr-shares", "", "insertion sort").front() == "2.64");
  CHECK(spec_of("wehr-fig-4").rows.front().printed[0].upper_bound);
  CHECK(printed("wehr-fig-5", "", "TPB 1024").empty());
}

TEST_CASE("the printed numbers are those of Table II") {
  const Texts random_32{"1.5", "3.0", "4.2", "19", "29", "37"}, workbench_64{"2.2", "4.5", "4.7", "11"},
      bunny_256{"4.2", "9.7"};
  CHECK(printed("wehr-table-2", "R", "suggested 32") == random_32);
  CHECK(printed("wehr-table-2", "R", "comparison 128") == Texts{"61", "302", "605", "1917", "2559", "3251"});
  CHECK(printed("wehr-table-2", "WB", "suggested 64") == workbench_64);
  CHECK(printed("wehr-table-2", "WB", "comparison 256") == Texts{"24", "489", "958", "2579"});
  CHECK(printed("wehr-table-2", "B", "suggested 256") == bunny_256);
  CHECK(spec_of("wehr-table-2").rows.size() == 2 * (24 + 16 + 8));
  for (const ExperimentRow& row : spec_of("wehr-table-2").rows)
    if (row.facet == "B") CHECK((row.n == 2'000 || row.n == 36'000));
  CHECK(printed("wehr-fig-5", "", "TPB 32") == random_32);
  CHECK(printed("wehr-fig-6", "workbench", "TPB 64") == workbench_64);
  CHECK(printed("wehr-fig-6", "bunny", "TPB 256") == bunny_256);
}

TEST_CASE("rows of 2,000 points are measured as they say") {
  std::set<std::uint64_t> uniform_trees;
  for (const char* id : {"wehr-fig-4", "wehr-fig-5", "wehr-fig-6", "wehr-fig-9", "wehr-shares", "wehr-table-2"}) {
    const auto rows = measured(id, small_on_cpu(2'000));
    INFO(id);
    REQUIRE(rows.size() == rows_at(id, 2'000).size());
    for (const ExperimentRow& row : rows) {
      INFO(row.facet << " " << row.series);
      REQUIRE(row.measured());
      CHECK(row.samples.count() == 2);
      CHECK(row.samples.least() <= row.samples.mean() * (1 + 1e-12));
      CHECK(row.samples.mean() <= row.samples.most() * (1 + 1e-12));
      CHECK(row.samples.deviation() >= 0);
      CHECK(row.device.backend == Backend::cpu);
      for (const auto& [name, value] : row.what.given) CHECK(row.facts.parameters.at(name) == value);
      for (const auto& [name, value] : row.facts.parameters) CHECK(value != "auto");
      if (row.specification().starts_with("uniform")) uniform_trees.insert(row.facts.hash);
    }
  }
  CHECK(uniform_trees.size() == 1);  // no sort, TPB or cutoff changes the tree
}

TEST_CASE("the loss of cutoff = TPB is against the best of several cutoffs") {
  const auto rows = measured("wehr-fig-4", small_on_cpu(2'000));
  for (const ExperimentRow& row : rows) {
    REQUIRE(row.details.size() == 3);
    const int tpb = std::stoi(row.facts.parameters.at("tpb")), best = std::stoi(row.details[0]);
    CHECK(row.facts.parameters.at("cutoff") == row.facts.parameters.at("tpb"));
    CHECK(best % tpb == 0);
    CHECK(best <= 16 * tpb);
    CHECK(row.samples.median() >= 0);
    CHECK(row.samples.median() ==
          Approx(100 * (std::stod(row.details[1]) / std::stod(row.details[2]) - 1)).margin(0.5));
  }
  std::ostringstream header;
  write_csv_header(header, spec_of("wehr-fig-4"));
  CHECK(
      header.str() ==
      "series,n,base,keys,sort,tpb,cutoff,f,backend,device,repeats,median_percent,min_percent,max_percent,mean_percent,"
      "sd_percent,tree_hash,best_cutoff,ms_at_tpb,ms_at_best,paper_text_percent\n");
}

TEST_CASE("the shares of the sorts add up") {
  const auto rows = measured("wehr-shares", small_on_cpu(2'000));
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].samples.mean() + rows[1].samples.mean() + rows[2].samples.mean() == Approx(100));
  for (const ExperimentRow& row : rows) CHECK(row.samples.mean() > 0);
}

TEST_CASE("one run gives every level's time and strategy") {
  ExperimentOptions options = small_on_cpu(10'000);
  options.repeat = 1;
  options.parameters["tpb"] = "128";
  const auto rows = measured("wehr-fig-10", options);
  REQUIRE(rows.size() == 3 * 13);
  for (const ExperimentRow& row : rows) {
    INFO(row.series << " " << row.x);
    REQUIRE(row.measured());
    CHECK(row.samples.median() > 0);
    CHECK(row.facts.hash == rows.front().facts.hash);
    const double width = 10'000 / std::pow(2, row.x);
    const std::string expected = width >= 128 ? "parallel radix sort"
                                 : row.series == "adaptive-insertion" || (row.series == "adaptive" && width < 16)
                                     ? "insertion sort"
                                     : "sequential radix sort";
    CHECK(row.details == Texts{expected});
  }
}

TEST_CASE("a builder that is not there leaves rows with a reason, one that is fills them") {
  const auto rows = measured("wehr-table-1", small_on_cpu(3'200));
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].measured());
  const bool there = find_algorithm("hu") != nullptr;
  CHECK(rows[0].measured() == there);
  CHECK(rows[0].reason == (there ? "" : "no builder hu"));
  CHECK(rows[1].details[0].empty() == !there);
  CHECK(rows[1].details[1] == "1.31");  // 4.6 / 3.5

  ExperimentRow row = spec_of("wehr-table-1").rows[0];
  row.facts.parameters = {{"tpb", "64"}, {"base", "16"}};  // parameters that this algorithm does not have
  for (const char* algorithm : {"no-such", "wald"}) {
    row.what.subject = algorithm;
    ExperimentRow measured_row = row;
    REQUIRE(measure_build({&measured_row, 1}, small_on_cpu(0), {}));
    CHECK(measured_row.measured() == (row.what.subject == "wald"));
    CHECK(measured_row.reason == (row.what.subject == "wald" ? "" : "no builder no-such"));
  }
}

TEST_CASE("the sequential builder runs on the CPU whatever is asked") {
  for (const ExperimentRow& row : spec_of("wehr-fig-9").rows)
    CHECK((row.backend == Backend::cpu) == (row.series == "sequential"));
}

TEST_CASE("parameters are passed on, and refused where they cannot be") {
  ExperimentOptions options = small_on_cpu(2'000);
  options.repeat = 1;
  options.parameters = {{"base", "16"}, {"tpb", "64"}};
  for (const ExperimentRow& row : measured("wehr-fig-9", options)) {
    CHECK(row.facts.parameters.at("base") == "16");
    CHECK(row.facts.parameters.at("tpb") == "64");
  }
  for (const Parameters& bad : {Parameters{{"base", "1"}}, {{"base", "many"}}, {{"tpb", "33"}}, {{"colour", "red"}}}) {
    options.parameters = bad;
    const auto result = run_experiment(experiment_named("wehr-fig-9"), options,
                                       [](std::size_t, const ExperimentRow&) { FAIL("measured"); });
    REQUIRE_FALSE(result);
    CHECK(result.error().kind == ErrorKind::bad_usage);
  }
}

TEST_CASE("an experiment of several builds a row stops between them") {
  std::stop_source source;
  RunControl control;
  control.stop = source.get_token();
  control.progress = [&](double fraction, std::string_view) {
    CHECK(fraction >= 0);
    CHECK(fraction <= 1);
    if (fraction > 0) source.request_stop();
  };
  const auto stopped = run_experiment(
      experiment_named("wehr-fig-4"), small_on_cpu(2'000),
      [](std::size_t, const ExperimentRow&) { FAIL("heard of a row"); }, control);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
}

TEST_CASE("following the piston is measured in three shares") {
  ExperimentOptions options;
  options.max_n = 10'000;
  options.repeat = 3;
  options.backend = Backend::cpu;
  const auto rows = measured("wehr-tracking", options);
  std::set<std::string> series;
  for (const ExperimentRow& row : rows) {
    if (row.n > 10'000) continue;
    INFO(row.series);
    series.insert(row.series);
    CHECK(row.measured());
    CHECK(row.samples.count() == 3);
    CHECK(row.samples.median() > 0);
    CHECK(row.details.front() == "3");
    CHECK(std::stod(row.details[1]) > 1);
    CHECK(std::stod(row.details[2]) < 25);
  }
  CHECK(series == std::set<std::string>{"build", "search", "rest"});
}

}  // namespace kdscope::wehr_2018_test
