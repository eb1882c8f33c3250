// Tests Tables I and II of Hu et al. 2015 as experiments: the printed numbers, their processors, and the results of
// measuring.

#include <algorithm>
#include <sstream>

#include "tests/experiments/experiment_runs.hpp"

using namespace kdscope;
using namespace kdscope::test;

TEST_CASE("Hu et al.'s printed build times stand beside the series of their processor") {
  const Texts nothing(6);
  CHECK(printed_of_series("hu-table-1", "CPU", 0) == Texts{"12.6", "25.4", "53.6", "111.3", "232.9", "488.8"});
  CHECK(printed_of_series("hu-table-1", "GPU", 1) == Texts{"4.6", "7.2", "8.2", "8.8", "12.4", "20.2"});
  CHECK(printed_of_series("hu-table-2", "CPU", 0) ==
        Texts{"818.2", "1640.7", "3286.9", "6595.8", "13225.2", "26727.6"});
  CHECK(printed_of_series("hu-table-2", "GPU", 1) == Texts{"247.9", "315.5", "405.8", "519.4", "760.1", "876.3"});
  for (const char* id : {"hu-table-1", "hu-table-2"}) {
    CHECK(printed_of_series(id, "CPU", 1) == nothing);
    CHECK(printed_of_series(id, "GPU", 0) == nothing);
    CHECK(spec_of(id).notes.find("search times") != std::string::npos);
    CHECK(spec_of(id).parameters.size() == 2);
  }
}

TEST_CASE("the speedups of the builds that Hu et al. print are those of their times") {
  // S_cnst of Tables I and II. (The search speedup of 57.7 in Table I is wrong: 140.9 / 1.4 is 100.6.)
  const std::pair<const char*, std::vector<double>> tables[] = {{"hu-table-1", {2.7, 3.5, 6.5, 12.7, 18.8, 24.2}},
                                                                {"hu-table-2", {3.3, 5.2, 8.1, 12.7, 17.4, 30.5}}};
  for (const auto& [id, speedups] : tables)
    for (std::size_t i = 0; i < 6; ++i) {
      const auto& rows = spec_of(id).rows;
      INFO(id << " " << rows[i].n);
      CHECK(*rows[i].printed[0].value / *rows[6 + i].printed[1].value == Approx(speedups[i]).margin(0.06));
    }
}

TEST_CASE("rows of Hu et al.'s tables run on the processor of their series, with points of that dimension") {
  for (const auto& [id, dim] : {std::pair{"hu-table-1", 3u}, {"hu-table-2", 512u}}) {
    std::uint64_t n[2] = {3'200, 3'200};
    for (const ExperimentRow& row : spec_of(id).rows) {
      INFO(id << " " << row.series << " " << row.n);
      const bool gpu = row.series == "GPU";
      CHECK(row.build.backend == (gpu ? Backend::cuda : Backend::cpu));
      CHECK(row.build.dim == dim);
      CHECK(row.build.data == "uniform:n=" + std::to_string(row.n) + ",dim=" + std::to_string(dim) + ",seed=1");
      CHECK(row.n == n[gpu]);
      CHECK(row.x == static_cast<double>(row.n));
      n[gpu] *= 2;
    }
    CHECK(n[0] == 204'800);
    CHECK(n[1] == 204'800);
  }
}

TEST_CASE("measured, the CPU's rows have numbers, and the GPU's too or the reason why not") {
  const bool cuda = find_devices().devices.front().backend == Backend::cuda;
  for (const auto& [id, max_n] : {std::pair{"hu-table-1", 6'400u}, {"hu-table-2", 3'200u}}) {
    const auto rows = measured(id, small(max_n, {{"leaf_size", "8"}}));
    const std::size_t sizes = rows.size() / 2;
    REQUIRE(rows.size() == (max_n == 6'400 ? 4 : 2));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const ExperimentRow& row = rows[i];
      INFO(id << " " << row.series << " " << row.n);
      const bool gpu = row.series == "GPU";
      CHECK(row.device.backend == (gpu ? Backend::cuda : Backend::cpu));
      REQUIRE(row.measured == (!gpu || cuda));
      CHECK(row.reason == (row.measured ? "" : "no CUDA device"));
      if (!row.measured) continue;
      CHECK(row.median > 0);
      CHECK(row.parameters.at("leaf_size") == "8");
      CHECK(row.parameters.at("dimensions_at_once") != "auto");
      CHECK(row.tree_hash == rows[i % sizes].tree_hash);  // the tree is the same on both
    }
    if (cuda) continue;
    std::ostringstream csv;
    write_csv_row(csv, spec_of(id), rows.back());
    CHECK(csv.str().find(",cuda,,0,no CUDA device,") != std::string::npos);
  }
}
