// Tests the tables of Zhou et al. 2008 as experiments: the printed numbers, their scenes, and the results of measuring.

#include "app/experiments/zhou_2008.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "app/experiments/embree_build.hpp"
#include "datasets/datasets.hpp"
#include "tests/experiments/experiment_runs.hpp"

using namespace kdscope;
using namespace kdscope::test;

namespace {

std::string detail(const std::string& id, const ExperimentRow& row, const std::string& name) {
  const auto& names = spec_of(id).details;
  const auto at = std::find(names.begin(), names.end(), name);
  REQUIRE(at != names.end());
  return row.details.at(static_cast<std::size_t>(at - names.begin()));
}

constexpr std::uint64_t toys = 11'000;

}  // namespace

TEST_CASE("Zhou et al.'s printed times, costs and megabytes stand beside their scene") {
  CHECK(printed_of_series("zhou-table-2", "exact SAH, 1 thread", 0) ==
        Texts{"85", "108", "487", "559", "1226", "1354"});
  CHECK(printed_of_series("zhou-table-2", "exact SAH, 1 thread", 1) == Texts(6));
  CHECK(printed_of_series("zhou-table-2", "zhou-sah", 0) == Texts(6));
  CHECK(printed_of_series("zhou-table-2", "zhou-sah", 1) == Texts{"12", "17", "39", "53", "77", "93"});
  CHECK(printed_of_series("zhou-table-2", "Embree's BVH", 0) == Texts(6));
  CHECK(printed_of_series("zhou-table-2-sah", "zhou-sah", 0) ==
        Texts{"85.9", "50.0", "87.0", "156.9", "127.2", "156.1"});
  CHECK(printed_of_series("zhou-memory", "zhou-sah", 0) == Texts{"8", "18", "50", "90", "123", "178"});
  Texts ours, exact, percent;
  for (const ExperimentRow& row : spec_of("zhou-table-2").rows) {
    if (row.series == "zhou-sah")
      ours.push_back(detail("zhou-table-2", row, "paper_sah")),
          percent.push_back(detail("zhou-table-2", row, "paper_sah_percent"));
    if (row.series == "exact SAH, 1 thread") exact.push_back(detail("zhou-table-2", row, "paper_sah"));
  }
  CHECK(ours == Texts{"67.9", "38.3", "59.7", "77.8", "94.6", "193.9"});
  CHECK(exact == Texts{"79.0", "76.6", "68.6", "49.6", "74.4", "124.2"});
  CHECK(percent == printed_of_series("zhou-table-2-sah", "zhou-sah", 0));
}

TEST_CASE("Zhou et al.'s printed traces and pictures per second stand beside their scene") {
  CHECK(printed_of_series("zhou-table-2-trace", "exact SAH", 0) == Texts{"22", "109", "165", "226", "87", "27"});
  CHECK(printed_of_series("zhou-table-2-trace", "zhou-sah", 1) == Texts{"18", "108", "157", "207", "78", "25"});
  CHECK(printed_of_series("zhou-table-2-trace", "median", 0) == Texts(6));
  CHECK(printed_of_series("zhou-table-4", "zhou-sah", 0) == Texts{"10.5", "", "", "", "2.30", ""});
  CHECK(printed_of_series("zhou-table-4", "zhou-sah", 1) == Texts{"23.5", "", "", "", "5.84", ""});
  CHECK(printed_of_series("zhou-fig-6", "zhou-sah", 0) == Texts{"22"});
  CHECK(printed_of_series("zhou-fig-7", "zhou-sah", 0) == Texts{"12.2", "7.5"});
  CHECK(printed_of_series("zhou-fig-8", "rest", 0) == Texts{"", "", "", "21", "14", ""});
  CHECK(printed_of_series("zhou-fig-8", "rest", 1) == Texts{"", "", "", "", "", "<30"});
  CHECK(printed_of_series("zhou-fig-8", "deformed", 0) == Texts{"", "", "21", "14"});
  CHECK(printed_of_series("zhou-fig-9", "zhou-vvh", 0) == Texts{"", "310"});
  CHECK(printed_of_series("zhou-fig-9", "zhou-vvh", 1) == Texts{"", "3000"});
  CHECK(printed_of_series("zhou-table-4", "zhou-sah", 2) == Texts{"32.0", "8.00", "4.96", "4.84", "6.40", "8.85"});
}

TEST_CASE("pictures of a scene are measured through three trees, and per second", "[slow]") {
  const auto traces = measured("zhou-table-2-trace", small(toys)), pictures = measured("zhou-table-4", small(toys));
  REQUIRE(traces.size() == 3);
  for (const ExperimentRow& row : traces) {
    INFO(row.series);
    CHECK(row.measured());
    CHECK(row.samples.median() > 0);
    CHECK(detail("zhou-table-2-trace", row, "lights") == "1");
    CHECK(detail("zhou-table-2-trace", row, "bounces") == "0");
  }
  // A tree with a cost visits fewer nodes than one without.
  CHECK(std::stod(detail("zhou-table-2-trace", traces[0], "nodes_per_ray")) <
        std::stod(detail("zhou-table-2-trace", traces[2], "nodes_per_ray")));
  const auto moving = measured("zhou-fig-6", small(47'000));
  REQUIRE(moving.size() == 1);
  CHECK(moving[0].samples.median() > 0);
  CHECK(detail("zhou-fig-6", moving[0], "bounces") == "2");
  const auto caustics = measured("zhou-fig-7", small(3'000));
  REQUIRE(caustics.size() == 1);
  CHECK(caustics[0].measured());
  CHECK(caustics[0].samples.median() > 0);
  REQUIRE(pictures.size() == 1);
  CHECK(pictures[0].measured());
  CHECK(pictures[0].samples.median() > 0);
  CHECK(pictures[0].samples.median() < 1000 / traces[0].samples.least());  // the build takes time too
}

TEST_CASE("density and normals of a cloud are measured at rest and deformed, a spanning tree only at rest") {
  const auto rows = measured("zhou-fig-8", small(12'700));
  REQUIRE(rows.size() == 5);
  std::map<std::string, Texts> steps;
  for (const ExperimentRow& row : rows) {
    INFO(row.series << " " << row.facet);
    CHECK(row.measured());
    CHECK(row.samples.median() > 0);
    steps[row.series].push_back(row.facet);
    const double low = std::stod(detail("zhou-fig-8", row, "density_5")),
                 high = std::stod(detail("zhou-fig-8", row, "density_95"));
    CHECK(low > 0);
    CHECK(low < high);
    if (row.series == "rest") {
      CHECK(detail("zhou-fig-8", row, "mean_turn").empty());
    } else {
      // Pulling the ear spreads points, and turns normals without reversing them.
      CHECK(low < std::stod(detail("zhou-fig-8", rows[0], "density_5")));
      CHECK(std::stod(detail("zhou-fig-8", row, "mean_turn")) > 0);
      CHECK(std::stod(detail("zhou-fig-8", row, "mean_turn")) < 45);
    }
  }
  CHECK(steps == std::map<std::string, Texts>{{"rest", {"kd-tree", "KNN", "MST"}}, {"deformed", {"kd-tree", "KNN"}}});
}

TEST_CASE("the strength field of a deformation is measured") {
  const auto rows = measured("zhou-fig-9", small(17'000));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].measured());
  CHECK(rows[0].samples.median() > 0);
  // Both handles lie on the bunny.
  CHECK(std::stoi(detail("zhou-fig-9", rows[0], "active")) > 100);
  CHECK(std::stoi(detail("zhou-fig-9", rows[0], "static")) > 100);
}

TEST_CASE("rows of Zhou et al.'s tables are scenes of exactly as many triangles") {
  for (const char* id : {"zhou-table-2", "zhou-table-2-sah", "zhou-table-3", "zhou-memory"}) {
    CHECK(spec_of(id).counted == "triangles");
    for (const ExperimentRow& row : spec_of(id).rows) {
      INFO(id << " " << row.specification());
      CHECK(row.what.subject == "zhou-sah");
      if (row.n > 30'000) continue;  // the tests of the scenes count the others
      const auto data = open_data_set(row.specification()).value();
      CHECK(data->triangles.size() == 3 * row.n);
    }
  }
}

TEST_CASE("Zhou et al.'s Table 3 runs on the source's numbers of processors, and its speedups are those printed") {
  const auto on_gpu = [](const char* scene) {
    return [scene](const ExperimentRow& row) { return row.facet == "GPU" && row.series == scene; };
  };
  CHECK(printed("zhou-table-3", 0, on_gpu("toys")) == Texts{"37", "22", "18", "16", "15", "14", "13", "12"});
  CHECK(printed("zhou-table-3", 0, on_gpu("museum")) == Texts{"57", "34", "26", "22", "20", "19", "18", "17"});
  CHECK(printed("zhou-table-3", 0, on_gpu("robots")) == Texts{"197", "107", "77", "63", "55", "49", "46", "39"});
  CHECK(printed("zhou-table-3", 0, on_gpu("kitchen")) == Texts{"260", "139", "98", "79", "68", "60", "56", "53"});
  CHECK(printed("zhou-table-3", 0, on_gpu("fairy-forest")) ==
        Texts{"463", "242", "169", "133", "113", "100", "91", "77"});
  CHECK(printed("zhou-table-3", 0, on_gpu("dragon")) == Texts{"564", "292", "202", "157", "132", "116", "105", "93"});
  std::map<std::string, std::vector<double>> counts;
  std::map<std::string, std::string> speedups;
  for (const ExperimentRow& row : spec_of("zhou-table-3").rows) {
    CHECK(row.x == row.what.processors);
    CHECK(row.backend == (row.facet == "GPU" ? Backend::cuda : Backend::cpu));
    counts[row.facet + row.series].push_back(row.x);
    if (row.x == 128 && row.facet == "GPU") speedups[row.series] = detail("zhou-table-3", row, "paper_speedup");
  }
  REQUIRE(counts.size() == 12);
  for (const auto& [series, count] : counts)
    CHECK(count == (series.starts_with("GPU") ? std::vector<double>{16, 32, 48, 64, 80, 96, 112, 128}
                                              : std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128}));
  // The bottom row: 3.08, 3.35, 5.05, 4.90, 6.01, 6.06.
  CHECK(speedups == std::map<std::string, std::string>{{"toys", "3.1"},
                                                       {"museum", "3.4"},
                                                       {"robots", "5.1"},
                                                       {"kitchen", "4.9"},
                                                       {"fairy-forest", "6.0"},
                                                       {"dragon", "6.1"}});
}

TEST_CASE("Zhou et al.'s Table 2, measured: times of both builders, costs within 25 %, Embree where the build has it") {
  const auto rows = measured("zhou-table-2", small(toys));
  REQUIRE(rows.size() == 3);
  for (const ExperimentRow& row : rows) {
    INFO(row.series);
    CHECK(detail("zhou-table-2", row, "scene") == "toys");
    if (row.series == "Embree's BVH") continue;
    REQUIRE(row.measured());
    CHECK(row.samples.count() == 2);
    CHECK(row.samples.median() > 0);
    CHECK(row.facts.hash != 0);
    CHECK(std::stod(detail("zhou-table-2", row, "sah")) > 1);
  }
  const double percent = std::stod(detail("zhou-table-2", rows[0], "sah_percent"));
  CHECK(percent == Approx(100 * std::stod(detail("zhou-table-2", rows[0], "sah")) /
                          std::stod(detail("zhou-table-2", rows[1], "sah")))
                       .margin(0.5));
  CHECK(std::abs(percent - 100) < 25);
  CHECK(detail("zhou-table-2", rows[0], "remark") == "within 25 %");
  const auto data = open_data_set("toys").value();
  const bool there = static_cast<bool>(embree_build(data));
  CHECK(rows[2].measured() == there);
  CHECK(rows[2].reason == (there ? "" : "this build has no Embree: its control row is missing"));
}

TEST_CASE("a tree whose cost is far from the exact builder's has a sentence about it", "[slow]") {
  const auto rows = measured("zhou-table-2", small(toys, {{"small", "1"}, {"empty", "100"}}));
  INFO(detail("zhou-table-2", rows[0], "sah_percent"));
  REQUIRE(std::stod(detail("zhou-table-2", rows[0], "sah_percent")) > 125);
  CHECK(detail("zhou-table-2", rows[0], "remark").starts_with("over 25 % above: "));
}

TEST_CASE("the cost in percent is that of the table's costs, and memory is what a build reports") {
  const auto times = measured("zhou-table-2", small(toys)), costs = measured("zhou-table-2-sah", small(toys)),
             memory = measured("zhou-memory", small(toys));
  REQUIRE(costs.size() == 1);
  REQUIRE(memory.size() == 1);
  CHECK(zhou_2008::decimal(costs[0].samples.median()) == detail("zhou-table-2", times[0], "sah_percent"));
  CHECK(detail("zhou-table-2-sah", costs[0], "exact_sah") == detail("zhou-table-2", times[1], "sah"));
  RunRequest request;
  request.algorithm = "zhou-sah";
  request.points = *open_data_set("toys");
  const auto report = build(request).value();
  CHECK(memory[0].samples.median() == Approx(static_cast<double>(report.peak_bytes) / 1e6));
  CHECK(memory[0].facts.hash == report.tree_hash);
}

TEST_CASE("Zhou et al.'s Table 3, measured: one tree whatever the processors; others have a reason") {
  int threads = 0, multiprocessors = 0;
  for (const Device& d : find_devices().devices) (d.backend == Backend::cpu ? threads : multiprocessors) = d.processors;
  std::uint64_t hash = 0;
  const auto rows = measured("zhou-table-3", small(toys));
  REQUIRE(rows.size() == 16);
  for (const ExperimentRow& row : rows) {
    INFO(row.facet << " " << row.x << " " << row.reason);
    const int there = row.facet == "CPU" ? threads : multiprocessors;
    REQUIRE(row.measured() == (row.x <= there));
    if (row.measured()) {
      if (hash == 0) hash = row.facts.hash;
      CHECK(row.facts.hash == hash);
      CHECK(row.device.processors == row.x);
      CHECK(std::stod(detail("zhou-table-3", row, "speedup")) > 0);
    } else {
      CHECK(row.reason == (there == 0 ? "no CUDA device"
                                      : "there are only " + std::to_string(there) +
                                            (row.facet == "CPU" ? " threads" : " multiprocessors")));
      CHECK(detail("zhou-table-3", row, "speedup").empty());
    }
  }
}

TEST_CASE("Zhou et al.'s Table 1: each operator's identity, usage and result, with and without segments") {
  const std::map<std::string, Texts> table{
      {"min", {"+inf", "bounding boxes"}}, {"max", {"-inf", "bounding boxes"}}, {"+", {"0", "numbers of triangles"}}};
  const auto rows = measured("zhou-table-1", small(1 << 14));
  REQUIRE(rows.size() == 3 * 2 * 3);
  std::map<std::pair<std::string, double>, std::string> first;  // by facet and size: the first result
  for (const ExperimentRow& row : rows) {
    INFO(row.facet << " " << row.series << " " << row.n);
    REQUIRE(row.measured());
    CHECK(Texts{detail("zhou-table-1", row, "identity"), detail("zhou-table-1", row, "usage")} == table.at(row.facet));
    CHECK(row.facts.hash == 0);
    const bool whole = row.series == "unsegmented";
    CHECK((detail("zhou-table-1", row, "segments") == "1") == whole);
    if (whole) CHECK(detail("zhou-table-1", row, "times_unsegmented") == "1.00");
    if (whole) continue;
    auto& result = first[{row.facet, row.x}];
    if (result.empty()) result = detail("zhou-table-1", row, "first_result");
    CHECK(detail("zhou-table-1", row, "first_result") == result);
  }
}

TEST_CASE("an experiment of Zhou et al. is cancelled, and refuses what it has not") {
  std::stop_source stop;
  stop.request_stop();
  ExperimentOptions options;
  options.max_n = toys;
  RunControl control;
  control.stop = stop.get_token();
  for (const char* id : {"zhou-table-1", "zhou-table-2", "zhou-table-2-sah", "zhou-table-3", "zhou-memory"}) {
    std::size_t rows = 0;
    const auto cancelled = run_experiment(
        *find_experiment(id), options, [&](std::size_t, const ExperimentRow&) { ++rows; }, control);
    REQUIRE(!cancelled);
    CHECK(cancelled.error().kind == ErrorKind::cancelled);
    CHECK(rows == 0);
  }
  options.max_n = 100;
  const auto none = run_experiment(*find_experiment("zhou-memory"), options, [](std::size_t, const ExperimentRow&) {});
  REQUIRE(!none);
  CHECK(none.error().message().find("no row of 100 triangles or fewer") != std::string::npos);
}
