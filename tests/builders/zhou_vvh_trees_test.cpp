// Trees of the zhou-vvh builder compared with the simple recursive reference and the committed hashes: every generator,
// one to three dimensions, sizes around T, every parameter, and points that coincide.
#include <algorithm>
#include <fstream>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/split_planes/reference.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "tests/builders/golden_hashes.hpp"
#include "tests/builders/split_plane_runs.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::zhou_vvh_trees_test {
using test::every;
using test::text_of;

namespace {

const std::vector<std::string> generators{"uniform", "clustered", "grid", "equal", "presorted", "line"};

std::string specification(std::uint64_t number, std::uint32_t n) {
  return generators[number % generators.size()] + ":n=" + std::to_string(n) +
         ",dim=" + std::to_string(1 + number / 6 % 3) + ",seed=" + std::to_string(number % 50) +
         (number % 4 == 3 ? ",type=int" : "");
}

std::uint32_t number_of(const Parameters& parameters, const char* name, std::uint32_t usual) {
  return parameters.contains(name) ? static_cast<std::uint32_t>(std::stoul(parameters.at(name))) : usual;
}

SplitPlaneTree reference(const std::shared_ptr<const DataSet>& data, const Parameters& p) {
  return reference_vvh_tree(
      data, {number_of(p, "small", 32), number_of(p, "empty", 10), number_of(p, "traversal", 100) / 100.0,
             number_of(p, "depth", 64), ScalarType::float32, number_of(p, "radius", 10)});
}

SplitPlaneTree built(const std::shared_ptr<const DataSet>& data, const Parameters& parameters, Backend backend) {
  return test::split_plane_tree("zhou-vvh", data, parameters, backend);
}

std::string compare(const std::string& specification, const Parameters& parameters, Backend backend) {
  const auto data = test::data(specification);
  const char* const differs = test::difference(built(data, parameters, backend), reference(data, parameters));
  return differs ? specification + text_of(parameters) + ": " + differs + " differ\n" : "";
}

/// Returns the number-th choice of parameters; the defaults for 0.
Parameters way(std::uint64_t number) {
  if (number == 0) return {};
  const std::uint64_t mixed = mix64(number + 11);
  const auto pick = [&](int shift, std::vector<std::string> of) { return of[(mixed >> shift) % of.size()]; };
  return {{"small", pick(0, {"32", "1", "2", "8", "63", "64"})},
          {"radius", pick(8, {"10", "0", "1", "100", "1000"})},
          {"empty", pick(16, {"10", "25", "0", "50", "100"})},
          {"traversal", pick(24, {"100", "0", "75", "350"})},
          {"depth", pick(32, {"64", "250", "20", "8", "3", "1"})}};
}

const std::string golden_path = test::golden_path("zhou-vvh-trees.txt");

/// Returns specifications and numbers of parameter choices.
std::vector<std::pair<std::string, std::uint64_t>> golden_cases() {
  std::vector<std::pair<std::string, std::uint64_t>> cases;
  for (std::uint64_t number = 0; number < 18; ++number)
    for (const std::uint32_t n : {0u, 1u, 2u, 32u, 33u, 200u, 3000u})
      cases.emplace_back(specification(number, n), cases.size() % 3 ? 0 : cases.size());
  for (std::uint64_t number = 0; number < 18; ++number) cases.emplace_back(specification(number, 50000), 0);
  return cases;
}

void check_against_golden(Backend backend, std::size_t step) {
  test::GoldenComparison golden{test::golden_hashes(golden_path)};
  const auto cases = golden_cases();
  for (std::size_t i = 0; i < cases.size(); i += step)
    golden.compare(cases[i].first + " " + std::to_string(cases[i].second),
                   tree_hash(built(test::data(cases[i].first), way(cases[i].second), backend)));
  CHECK(golden.differences == "");
}

}  // namespace

TEST_CASE("zhou-vvh: CPU trees equal the reference, sizes to 140 and around powers of two", "[share]") {
  std::string failures;
  std::vector<std::uint32_t> sizes{255, 256, 257, 1023, 1024, 1025, 3000};
  for (std::uint32_t n = 0; n <= 140; n += n < 40 || (n > 60 && n < 70) ? 1 : 7) sizes.push_back(n);
  std::size_t number = 0;
  for (const std::uint32_t n : sizes)
    for (std::size_t kind = 0; kind < 18; ++kind)
      if (++number % every == 0)
        failures += compare(specification(kind + 18 * (number % 4), n), way(number % 3 ? 0 : number), Backend::cpu);
  CHECK(failures == "");
}

TEST_CASE("zhou-vvh: every point is listed once, and points that coincide end at a bound, which the tree counts") {
  for (std::uint64_t kind = 0; kind < 18; ++kind) {
    const auto data = test::data(specification(kind, 500));
    const SplitPlaneTree tree = built(data, {}, Backend::cpu);
    INFO(data->name);
    auto listed = tree.primitive_of_position;
    std::sort(listed.begin(), listed.end());
    REQUIRE(listed.size() == 500);
    for (std::uint32_t i = 0; i < 500; ++i) CHECK(listed[i] == i);
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
      const auto first = tree.primitive_of_position.begin() + tree.first[node];
      CHECK((!tree.is_leaf(node) || std::is_sorted(first, first + tree.count[node])));
    }
    if (const std::string& generator = generators[kind % 6]; generator == "equal")
      CHECK(tree.depth_bounded == 1);
    else if (generator == "uniform" || generator == "clustered")
      CHECK(tree.depth_bounded == 0);
  }
}

TEST_CASE("zhou-vvh: integers that floats do not tell apart are refused") {
  auto data = std::make_shared<DataSet>();
  data->points = points_from_rows<std::int32_t>(2, {0, 0, 1, 16777215});
  CHECK(build({{}, "zhou-vvh", {}, Backend::cpu, false, data}).has_value());
  auto large = std::make_shared<DataSet>();
  large->points = points_from_rows<std::int32_t>(2, {0, 0, 1, 16777216});
  const auto refused = build({{}, "zhou-vvh", {}, Backend::cpu, false, large});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message().find("16777215") != std::string::npos);
}

TEST_CASE("zhou-vvh: CPU trees have the golden hashes", "[share]") { check_against_golden(Backend::cpu, every); }

DEVICE_CASE("zhou-vvh: CUDA trees have the golden hashes") { check_against_golden(Backend::cuda, 1); }

// Only few and small cases, because sanitizers turn a tenth of a second into minutes.
DEVICE_CASE("zhou-vvh: CUDA trees equal the reference", "[sanitize]") {
  std::string failures;
  for (std::uint32_t number = 1, n = 20; number <= 20; ++number, n += 51)
    failures += compare(specification(number, n), way(number), Backend::cuda);
  CHECK(failures == "");
}

// Rewrites the golden file from the reference: run with [.zhou-golden] after a deliberate change of the trees.
TEST_CASE("write zhou-vvh golden hashes", "[.zhou-golden]") {
  std::ofstream file(golden_path);
  for (const auto& [specification, number] : golden_cases())
    file << specification << ' ' << number << ' ' << std::hex
         << tree_hash(reference(test::data(specification), way(number))) << std::dec << '\n';
}

}  // namespace kdscope::zhou_vvh_trees_test
