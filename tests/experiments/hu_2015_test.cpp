// Tests Tables I and II of Hu et al. 2015 as experiments: the printed numbers, their processors, and the results of
// measuring.

#include <algorithm>
#include <sstream>

#include "tests/experiments/experiment_runs.hpp"

namespace kdscope::hu_2015_test {
using namespace kdscope::test;

namespace {

Texts printed(const std::string& id, const std::string& facet, const std::string& series, std::size_t place) {
  return test::printed(id, place, [&](const ExperimentRow& row) { return row.facet == facet && row.series == series; });
}

}  // namespace

TEST_CASE("Hu et al.'s printed times stand beside the series of their processor") {
  const Texts nothing(6);
  CHECK(printed("hu-table-1", "construction", "CPU", 0) == Texts{"12.6", "25.4", "53.6", "111.3", "232.9", "488.8"});
  CHECK(printed("hu-table-1", "construction", "GPU", 1) == Texts{"4.6", "7.2", "8.2", "8.8", "12.4", "20.2"});
  CHECK(printed("hu-table-1", "search", "CPU", 0) == Texts{"140.9", "292.2", "616.7", "1291.7", "2894.2", "6615.4"});
  CHECK(printed("hu-table-1", "search", "GPU", 1) == Texts{"1.4", "2.5", "4.7", "8.0", "15.3", "30.3"});
  CHECK(printed("hu-table-2", "construction", "CPU", 0) ==
        Texts{"818.2", "1640.7", "3286.9", "6595.8", "13225.2", "26727.6"});
  CHECK(printed("hu-table-2", "construction", "GPU", 1) == Texts{"247.9", "315.5", "405.8", "519.4", "760.1", "876.3"});
  CHECK(printed("hu-table-2", "search", "CPU", 0) == Texts{"428.7", "893.8", "1864.8", "3902.5", "8221.7", "17621.8"});
  CHECK(printed("hu-table-2", "search", "GPU", 1) == Texts{"3.9", "6.7", "13.9", "20.8", "41.1", "72.8"});
  for (const char* id : {"hu-table-1", "hu-table-2"})
    for (const char* facet : {"construction", "search"}) {
      CHECK(printed(id, facet, "CPU", 1) == nothing);
      CHECK(printed(id, facet, "GPU", 0) == nothing);
      CHECK(spec_of(id).parameters.size() == 2);
    }
}

TEST_CASE("the speedups that Hu et al. print are those of their times, except one") {
  for (const char* id : {"hu-table-1", "hu-table-2"}) {
    std::size_t compared = 0;
    for (const ExperimentRow& row : spec_of(id).rows) {
      if (row.series != "GPU") continue;
      const auto& rows = spec_of(id).rows;
      const auto cpu = std::ranges::find_if(rows, [&](const ExperimentRow& other) {
        return other.series == row.compared_with && other.facet == row.facet && other.x == row.x;
      });
      REQUIRE(cpu != rows.end());
      INFO(id << " " << row.facet << " " << row.n);
      const double ratio = *cpu->printed[0].value / *row.printed[1].value, speedup = std::stod(row.details[1]);
      const bool slip = speedup == 57.7;
      CHECK(slip == (id == std::string("hu-table-1") && row.facet == "search" && row.n == 3'200));
      CHECK((slip ? ratio : speedup) == Approx(slip ? 100.6 : ratio).epsilon(0.016));
      ++compared;
    }
    CHECK(compared == 12);
  }
  CHECK(spec_of("hu-table-1").notes.find("57.7") != std::string::npos);
}

TEST_CASE("rows of Hu et al.'s tables run on the processor of their series, with points of that dimension") {
  for (const auto& [id, dim] : {std::pair{"hu-table-1", 3u}, {"hu-table-2", 512u}}) {
    std::size_t searches = 0;
    for (const ExperimentRow& row : spec_of(id).rows) {
      INFO(id << " " << row.series << " " << row.n);
      CHECK(row.backend == (row.series == "GPU" ? Backend::cuda : Backend::cpu));
      CHECK(row.facts.dim == dim);
      CHECK(row.specification() == "uniform:n=" + std::to_string(row.n) + ",dim=" + std::to_string(dim) + ",seed=1");
      CHECK(row.x == static_cast<double>(row.n));
      CHECK(row.searching() == (row.facet == "search"));
      if (!row.searching()) continue;
      ++searches;
      CHECK(row.what.k == 4);
      CHECK(row.queries.empty());  // those of the tree
      CHECK(row.what.search_given == Parameters{{"queue", "40"}, {"when_full", "end"}});
    }
    CHECK(searches == 12);
  }
}

TEST_CASE("measured, the CPU's rows have numbers, and the GPU's too or the reason why not") {
  const bool cuda = find_devices().devices.front().backend == Backend::cuda;
  for (const auto& [id, max_n] : {std::pair{"hu-table-1", 6'400u}, {"hu-table-2", 3'200u}}) {
    const auto rows = measured(id, small(max_n, {{"leaf_size", "8"}}));
    const std::size_t rows_per_series = rows.size() / 2;
    REQUIRE(rows.size() == (max_n == 6'400 ? 8 : 4));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const ExperimentRow& row = rows[i];
      INFO(id << " " << row.facet << " " << row.series << " " << row.n);
      const bool gpu = row.series == "GPU";
      CHECK(row.device.backend == (gpu ? Backend::cuda : Backend::cpu));
      REQUIRE(row.measured() == (!gpu || cuda));
      CHECK(row.reason == (row.measured() ? "" : "no CUDA device"));
      CHECK(row.details[0].empty() == !(gpu && cuda));
      if (!row.measured()) continue;
      CHECK(row.samples.median() > 0);
      CHECK(row.samples.count() == 2);
      CHECK(row.facts.parameters.at("leaf_size") == "8");
      CHECK(row.facts.parameters.at("dimensions_at_once") != "auto");
      CHECK(row.facts.parameters.contains("queue") == (row.facet == "search"));
      CHECK(row.facts.hash == rows[i % rows_per_series].facts.hash);  // the tree is the same on both
      if (!gpu) continue;
      CHECK(std::stod(row.details[0]) ==
            Approx(rows[i % rows_per_series].samples.median() / row.samples.median()).epsilon(0.01));
    }
    if (cuda) continue;
    std::ostringstream csv;
    write_csv_row(csv, spec_of(id), rows.back());
    CHECK(csv.str().find(",cuda,,0,no CUDA device,") != std::string::npos);
  }
}

}  // namespace kdscope::hu_2015_test
