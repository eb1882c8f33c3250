// Tests Robinson's performance lines as an experiment: the printed numbers, their processors, and the results of
// measuring.

#include <algorithm>
#include <map>

#include "tests/experiments/experiment_runs.hpp"

using namespace kdscope;
using namespace kdscope::test;

TEST_CASE("Robinson's printed times stand at 16,777,216 points, beside their processor") {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> texts;  // by facet and machine
  const ExperimentSpec& spec = spec_of("brown-performance");
  for (const ExperimentRow& row : spec.rows)
    for (std::size_t p = 0; p < row.printed.size(); ++p) {
      if (row.printed[p].text.empty()) continue;
      CHECK(row.n == 16'777'216);
      texts[{row.facet, spec.printed[p].id}].push_back(row.printed[p].text);
    }
  REQUIRE(texts.size() == 5);
  CHECK(texts[{"CPU", "macbook_i7"}] == Texts{"120", "5560", "5970", "220", "11880"});
  CHECK(texts[{"CPU", "desktop_i7"}] == Texts{"60", "7600", "6920", "190", "14770"});
  CHECK(texts[{"CPU", "g2_cpu"}] == Texts{"50", "8700", "8860", "170", "17790"});
  CHECK(texts[{"GPU", "k520"}] == Texts{"81", "823", "1365", "101", "2371"});
  CHECK(texts[{"GPU", "titan_black"}] == Texts{"48", "388", "920", "80", "1437"});
  for (const auto& [machine, ms] : texts) {
    INFO(machine.second);
    double sum = 0;
    for (std::size_t part = 0; part < 4; ++part) sum += std::stod(ms[part]);
    CHECK(sum == Approx(std::stod(ms[4])).margin(11));  // the parts are rounded to 10 ms on the CPUs
  }
}

TEST_CASE("Robinson's lines run on the processor of their facet, as one run a size") {
  std::map<int, std::size_t> parts;
  for (const ExperimentRow& row : spec_of("brown-performance").rows) {
    CHECK(row.backend == (row.facet == "CPU" ? Backend::cpu : Backend::cuda));
    CHECK(row.what.given.at("parts") == (row.facet == "2 GPUs" ? "2" : "1"));
    CHECK(row.facts.dim == 4);
    CHECK(row.specification().find("n=" + std::to_string(row.n) + ",dim=4") != std::string::npos);
    ++parts[row.run];
  }
  CHECK(parts.size() == 15);
  for (const auto& [run, count] : parts) CHECK(count == 5);
}

TEST_CASE("measured, every part takes time and all add up; the tree is the same whatever the parameters") {
  const auto& devices = find_devices().devices;
  const auto gpus =
      std::count_if(devices.begin(), devices.end(), [](const Device& d) { return d.backend == Backend::cuda; });
  std::uint64_t hash = 0;
  for (const Parameters& parameters :
       {Parameters{}, {{"sort", "merge"}, {"sorted", "first"}, {"compare", "tuples"}, {"warps", "64"}}}) {
    const auto rows = measured("brown-performance", small(1 << 16, parameters));
    REQUIRE(rows.size() == 15);
    for (std::size_t i = 0; i < 15; ++i) {
      const ExperimentRow& row = rows[i];
      INFO(row.facet << " " << row.series);
      REQUIRE(row.measured() == (row.facet == "CPU" || gpus >= (row.facet == "GPU" ? 1 : 2)));
      CHECK(row.reason == (row.measured() ? "" : row.facet == "GPU" ? "no CUDA device" : "no second CUDA device"));
      if (!row.measured()) continue;
      CHECK(row.samples.count() == 2);
      CHECK(row.samples.least() > 0);
      if (hash == 0) hash = row.facts.hash;
      CHECK(row.facts.hash == hash);
      for (const auto& [name, value] : parameters) CHECK(row.facts.parameters.at(name) == value);
      if (i % 5 < 4) continue;
      // The mean of sums is the sum of means.
      CHECK(rows[i - 4].samples.mean() + rows[i - 3].samples.mean() + rows[i - 2].samples.mean() +
                rows[i - 1].samples.mean() ==
            Approx(row.samples.mean()));
    }
  }
}
