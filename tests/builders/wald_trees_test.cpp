// Trees of the wald builder compared with the simple recursive reference, the verifier and the committed hashes: every
// generator, dimension, split rule and coordinate type, crossed with sizes around powers of two.
#include <fstream>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/left_balanced/reference.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/left_balanced/verify.hpp"
#include "tests/builders/golden_hashes.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/share.hpp"

namespace kdscope::wald_trees_test {

namespace {

struct Case {
  std::string specification, split;
};

const std::vector<const char*> generators{"uniform", "clustered", "sphere", "line", "grid", "equal", "presorted"};

// Test only a share of the cases under sanitizers, which slow sorts down, the thread sanitizer most of all. Steps of 11
// and 101 cover every generator, dimension and size.
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t every = 101;
const std::string large = "3000";  // cases of 100,000 points would take minutes
#elif defined(__SANITIZE_ADDRESS__)
constexpr std::size_t every = 11;
const std::string large = "100000";
#else
const std::size_t every = test::every_nth(7);
const std::string large = "100000";
#endif

std::vector<Case> thinned(const std::vector<Case>& cases) {
  std::vector<Case> kept;
  for (std::size_t i = 0; i < cases.size(); i += every) kept.push_back(cases[i]);
  return kept;
}

std::vector<Case> small_cases() {
  std::vector<Case> cases;
  for (const char* generator : generators)
    for (int dim : {1, 2, 3, 4, 8})
      for (const char* type : {"float", "int"})
        for (const char* split : {"round-robin", "widest"})
          for (int n : {0, 1, 2, 3, 6, 7, 8, 10, 1000, 1023, 1024, 1025})
            cases.push_back({std::string(generator) + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dim) +
                                 ",seed=7,type=" + type,
                             split});
  return cases;
}

/// Returns cases that cover every pair of generator, dimension, type and split, at 100,000 points except under the
/// thread sanitizer.
std::vector<Case> large_cases() {
  std::vector<Case> cases;
  const int dims[] = {1, 2, 3, 4, 8};
  int turn = 0;
  for (const char* generator : generators)
    for (int dim : dims) {
      const char* type = turn % 2 ? "int" : "float";
      const char* split = (turn / 2 + turn) % 2 ? "widest" : "round-robin";
      cases.push_back(
          {std::string(generator) + ":n=" + large + ",dim=" + std::to_string(dim) + ",seed=11,type=" + type, split});
      ++turn;
    }
  return cases;
}

std::string name_of(const Case& c) { return c.specification + " " + c.split; }
const std::string golden_path = test::golden_path("wald-trees.txt");

LeftBalancedTree built(const std::shared_ptr<const DataSet>& data, const std::string& split, const char* sort,
                       Backend backend) {
  auto report = build(test::wald_request(data, split, sort, backend)).value();
  return std::move(report.tree.as<LeftBalancedTree>());
}

bool same(const LeftBalancedTree& a, const LeftBalancedTree& b) {
  return a.points.words == b.points.words && a.point_of_node == b.point_of_node && a.split_dim == b.split_dim;
}

/// Collects failures as text, because one REQUIRE for each of several thousand builds would take longer than the
/// builds.
void check_against_reference(const std::vector<Case>& cases, const std::vector<const char*>& sorts) {
  std::string failures;
  for (const Case& c : cases) {
    const auto data = test::data(c.specification);
    const Split split = c.split == "widest" ? Split::widest : Split::round_robin;
    const LeftBalancedTree reference = reference_left_balanced_tree(data->points, split);
    if (const std::string f = test::first_failure(verify_left_balanced_tree(reference, data->points, split));
        !f.empty())
      failures += name_of(c) + ": reference: " + f + "\n";
    for (const char* sort : sorts)
      if (!same(built(data, c.split, sort, Backend::cpu), reference)) failures += name_of(c) + " " + sort + "\n";
  }
  CHECK(failures == "");
}

void check_against_golden(const std::vector<Case>& cases, const std::vector<const char*>& sorts, Backend backend) {
  test::GoldenComparison golden{test::golden_hashes(golden_path)};
  for (const Case& c : cases) {
    const auto data = test::data(c.specification);
    for (const char* sort : sorts)
      golden.compare(name_of(c), tree_hash(built(data, c.split, sort, backend)), std::string(" ") + sort);
  }
  CHECK(golden.differences == "");
}

}  // namespace

TEST_CASE("CPU trees equal the recursive reference, all sorts, around powers of two", "[share]") {
  check_against_reference(thinned(small_cases()), {"radix", "comparator", "bitonic"});
}
TEST_CASE("CPU trees equal the recursive reference at 100,000 points", "[slow]") {
  check_against_reference(thinned(large_cases()), {"radix", "comparator"});
}
TEST_CASE("the bitonic sort gives the same trees at 100,000 points on the CPU", "[slow]") {
  const auto cases = large_cases();
  check_against_reference(thinned({cases[2], cases[9], cases[24]}), {"bitonic"});
}
TEST_CASE("CPU trees have the committed hashes", "[share]") {
  check_against_golden(thinned(small_cases()), {"radix"}, Backend::cpu);
  if (large == "100000" && test::everything()) check_against_golden(thinned(large_cases()), {"radix"}, Backend::cpu);
}
// Returns values that the generators do not make: signs, both zeros, and the ends of both ranges.
std::vector<std::shared_ptr<const DataSet>> extreme_sets() {
  const float huge = 3.4028235e38f, tiny = 1e-45f;
  const std::vector<float> floats{-0.0f, 0.0f, -huge, huge, tiny, -tiny, -1.5f, 1.5f, 0.0f, -0.0f, -2.0f};
  const std::vector<std::int32_t> ints{-2147483647 - 1, 2147483647,      0,  -1, 1, -7, 7,
                                       2147483647,      -2147483647 - 1, -2, 3};
  std::vector<std::shared_ptr<const DataSet>> sets;
  for (std::uint32_t dim : {1u, 3u}) {
    std::vector<float> f;
    std::vector<std::int32_t> i;
    for (std::uint32_t c = 0; c < 200 * dim; ++c)
      f.push_back(floats[mix64(c) % floats.size()]), i.push_back(ints[mix64(c + 7) % ints.size()]);
    for (const PointSet& points : {points_from_rows(dim, f), points_from_rows(dim, i)}) {
      auto set = std::make_shared<DataSet>();
      set->name = "extremes";
      set->points = points;
      sets.push_back(set);
    }
  }
  return sets;
}

void check_extremes(Backend backend) {
  for (const auto& data : extreme_sets())
    for (const char* split : {"round-robin", "widest"}) {
      const LeftBalancedTree reference = reference_left_balanced_tree(
          data->points, split == std::string("widest") ? Split::widest : Split::round_robin);
      for (const char* sort : {"radix", "comparator", "bitonic"})
        CHECK(same(built(data, split, sort, backend), reference));
    }
}

TEST_CASE("negative, zero and extreme coordinates, on the CPU") { check_extremes(Backend::cpu); }
DEVICE_CASE("negative, zero and extreme coordinates, on CUDA", "[sanitize]") { check_extremes(Backend::cuda); }
DEVICE_CASE("CUDA trees of three million points equal the CPU's, every sort and split") {
  const auto data = test::data("clustered:n=3000000,dim=3,seed=3");
  for (const char* split : {"round-robin", "widest"}) {
    const std::uint64_t wanted = tree_hash(built(data, split, "radix", Backend::cpu));
    for (const char* sort : {"radix", "comparator", "bitonic"})
      CHECK(tree_hash(built(data, split, sort, Backend::cuda)) == wanted);
  }
}
DEVICE_CASE("CUDA trees have the committed hashes, all sorts, around powers of two") {
  check_against_golden(small_cases(), {"radix", "comparator", "bitonic"}, Backend::cuda);
}
DEVICE_CASE("CUDA trees have the committed hashes, all sorts, at 100,000 points") {
  check_against_golden(large_cases(), {"radix", "comparator", "bitonic"}, Backend::cuda);
}
DEVICE_CASE("a few CUDA trees of every sort and split, for the sanitizers", "[sanitize]") {
  std::vector<Case> few;
  for (const char* split : {"round-robin", "widest"})
    for (const char* specification : {"uniform:n=1,dim=3,seed=7,type=float", "grid:n=10,dim=2,seed=7,type=int",
                                      "clustered:n=1025,dim=8,seed=7,type=float"})
      few.push_back({specification, split});
  check_against_golden(few, {"radix", "comparator", "bitonic"}, Backend::cuda);
}

// Rewrites the golden file from the reference: run with [.golden] after a deliberate change of the trees.
TEST_CASE("write golden hashes", "[.golden]") {
  std::ofstream file(golden_path);
  for (const auto& cases : {small_cases(), large_cases()})
    for (const Case& c : cases)
      file << name_of(c) << ' ' << std::hex
           << tree_hash(reference_left_balanced_tree(test::data(c.specification)->points,
                                                     c.split == "widest" ? Split::widest : Split::round_robin))
           << '\n';
}

}  // namespace kdscope::wald_trees_test
