// Estimated sizes of recordings compared with actual ones: every builder, full and thinned.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "algorithms/registry/trace_estimate.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::trace_estimates_test {

namespace {

RunRequest request_of(const std::string& algorithm, const std::string& specification, bool thin) {
  return {{}, algorithm, {}, Backend::cpu, thin, test::data(specification), ~0ull};
}

/// Returns the ratio of the estimated to the kept bytes of a recording. Prints it on request.
double ratio_of(const std::string& algorithm, const std::string& specification, bool thin, bool print) {
  const RunRequest request = request_of(algorithm, specification, thin);
  const auto kept = double(record(request).value()->stored_bytes()),
             estimated = double(estimated_trace_bytes(request).value());
  if (print) {
    std::printf("%-9s %-44s %-4s %9.2f MiB kept, %9.2f estimated, %.2f\n", algorithm.c_str(), specification.c_str(),
                thin ? "thin" : "full", kept / (1 << 20), estimated / (1 << 20), estimated / kept);
    std::fflush(stdout);
  }
  return kept == estimated ? 1 : estimated / kept;  // an empty trace keeps nothing
}

std::vector<std::string> inputs_of(const AlgorithmSpec& algorithm, std::uint32_t n) {
  if (algorithm.takes_triangles) return {"toys:triangles=" + std::to_string(std::max(11000u, n))};
  std::vector<std::string> inputs;
  for (const char* generator : {"uniform", "clustered", "equal"})
    for (const char* dim : {"2", "3"})
      inputs.push_back(std::string(generator) + ":n=" + std::to_string(n) + ",dim=" + dim + ",seed=3");
  return inputs;
}

void check_estimates(std::uint32_t n, bool print) {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.takes_triangles && n < 10'000) continue;
    for (const std::string& specification : inputs_of(algorithm, n))
      for (const bool thin : {false, true}) {
        INFO(algorithm.id << " " << specification << (thin ? " thin" : ""));
        const double ratio = ratio_of(algorithm.id, specification, thin, print);
        CHECK(ratio >= 1 / 1.5);
        CHECK(ratio <= 1.5);
      }
  }
}

}  // namespace

TEST_CASE("estimates: recordings of small sets are known exactly") {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.takes_triangles) continue;
    INFO(algorithm.id);
    CHECK(ratio_of(algorithm.id, "clustered:n=1000,dim=3,seed=3", false, false) == 1);
    CHECK(ratio_of(algorithm.id, "uniform:n=0,dim=2", false, false) == 1);
  }
}

TEST_CASE("estimates: every builder's recording of two thousand points is estimated within a factor of 1.5") {
  check_estimates(2'000, false);  // only points, because scenes of triangles are larger
}

TEST_CASE("estimates: every builder's recording of ten thousand points is estimated within a factor of 1.5", "[slow]") {
  check_estimates(10'000, false);
}

TEST_CASE("estimates: levels that samples lack are added", "[slow]") {
  // The sample is four halvings smaller and lacks four of the ten levels of the parallel sort. All levels keep the same
  // amount.
  const double ratio = ratio_of("wehr", "uniform:n=60000,dim=2,seed=3", false, false);
  CHECK(ratio > 0.95);
  CHECK(ratio < 1.15);
}

TEST_CASE("estimates: every builder's recording of a hundred thousand points", "[.minutes]") {
  check_estimates(100'000, true);
}

TEST_CASE("estimates: scenes of triangles", "[.minutes]") {
  for (const char* scene : {"metal-ring", "champagne", "toys", "museum", "robots", "kitchen", "bunny"})
    for (const bool thin : {false, true}) {
      INFO(scene);
      const double ratio = ratio_of("zhou-sah", scene, thin, true);
      CHECK(ratio >= 1 / 1.5);
      CHECK(ratio <= 1.5);
    }
}

TEST_CASE("estimates: a sample has one of each group of elements, and its triangles cover as much") {
  const auto points = test::data("presorted:n=1000,dim=2,seed=1");
  const DataSet sample = sample_of(*points, 3);
  REQUIRE(sample.points.size() == 125);
  for (std::size_t i = 0; i < 125; ++i) {
    bool found = false;
    for (std::size_t j = 8 * i; j < 8 * i + 8; ++j)
      found |= points->points.word(j, 0) == sample.points.word(i, 0) &&
               points->points.word(j, 1) == sample.points.word(i, 1);
    CHECK(found);
  }
  const auto mesh = test::data("metal-ring");
  const DataSet fewer = sample_of(*mesh, 2);
  CHECK(fewer.triangles.size() == mesh->triangles.size() / 12 * 3);
  CHECK(fewer.points.size() == fewer.triangles.size());
  const auto area = [](const DataSet& data) {
    double sum = 0;
    for (std::size_t t = 0; t < data.triangles.size(); t += 3) {
      const auto at = [&](std::size_t corner, std::uint32_t d) {
        return data.points.value(data.triangles[t + corner], d);
      };
      double normal = 0;
      for (std::uint32_t d = 0; d < 3; ++d) {
        const std::uint32_t e = (d + 1) % 3, f = (d + 2) % 3;
        const double c = (at(1, e) - at(0, e)) * (at(2, f) - at(0, f)) - (at(1, f) - at(0, f)) * (at(2, e) - at(0, e));
        normal += c * c;
      }
      sum += std::sqrt(normal) / 2;
    }
    return sum;
  };
  CHECK(area(fewer) / area(*mesh) > 0.8);
  CHECK(area(fewer) / area(*mesh) < 1.25);
}

}  // namespace kdscope::trace_estimates_test
