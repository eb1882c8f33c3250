// Trees of the hu builder compared with the simple reference, the verifier and the committed hashes: 1 to 512
// dimensions, leaf sizes, batches of dimensions, degenerate points.
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/leaf_buckets/reference.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"
#include "algorithms/trees/leaf_buckets/verify.hpp"
#include "tests/builders/golden_hashes.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/share.hpp"

namespace kdscope::hu_trees_test {

namespace {

// Test only a share of the cases under sanitizers, which slow builds down, the thread sanitizer most of all.
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t every = 61;
#elif defined(__SANITIZE_ADDRESS__)
constexpr std::size_t every = 7;
#else
const std::size_t every = test::every_nth(7);
#endif

struct Case {
  std::string specification;
  std::uint32_t leaf_size;
  std::string name() const { return specification + " " + std::to_string(leaf_size); }
};

const std::vector<std::string> generators{"uniform", "clustered", "grid", "equal", "presorted", "line"};

std::string specification(const std::string& generator, std::uint32_t n, std::uint32_t dim, std::uint64_t seed) {
  return generator + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dim) + ",seed=" + std::to_string(seed) +
         ",type=" + (seed % 3 == 0 ? "int" : "float");
}

std::vector<Case> golden_cases() {
  std::vector<Case> cases;
  for (const std::string& generator : generators)
    for (const std::uint32_t dim : {1u, 2u, 3u, 8u, 64u, 512u})
      for (const std::uint32_t n : {0u, 1u, 2u, 3u, 10u, 17u, 100u, 1000u, 5000u}) {
        const std::uint64_t mixed = mix64(cases.size() + 5);
        if (std::size_t(n) * dim > 600'000) continue;
        cases.push_back(
            {specification(generator, n, dim, 7 + mixed % 3), std::vector<std::uint32_t>{1, 2, 5, 16}[mixed / 16 % 4]});
      }
  for (const char* large : {"uniform:n=102400,dim=3,seed=1", "clustered:n=100000,dim=2,seed=2",
                            "uniform:n=100000,dim=1,seed=3", "uniform:n=3200,dim=512,seed=1"})
    cases.push_back({large, 16});
  return cases;
}

BucketTree built(const std::shared_ptr<const DataSet>& data, std::uint32_t leaf_size, const std::string& at_once,
                 Backend backend) {
  const auto report = build(
      {{}, "hu", {{"leaf_size", std::to_string(leaf_size)}, {"dimensions_at_once", at_once}}, backend, false, data});
  if (!report) FAIL(data->name << ": " << report.error().message());
  CHECK(report->tree_hash == tree_hash(report->tree));
  return report->tree.as<BucketTree>();
}

bool same(const BucketTree& a, const BucketTree& b) {
  return a.point_of_position == b.point_of_position && a.parent == b.parent && a.left_child == b.left_child &&
         a.split_dim == b.split_dim && a.split_value == b.split_value && a.first == b.first && a.count == b.count &&
         a.box == b.box;
}

std::shared_ptr<const PointSet> points_of(const std::shared_ptr<const DataSet>& data) { return {data, &data->points}; }

/// Returns the error in a build of these points, or "".
std::string compare(const std::shared_ptr<const DataSet>& data, std::uint32_t leaf_size, const std::string& at_once,
                    Backend backend) {
  const BucketTree tree = built(data, leaf_size, at_once, backend);
  if (const std::string f = test::first_failure(verify_bucket_tree(tree, data->points, leaf_size)); !f.empty())
    return f + "\n";
  return same(tree, reference_middle_split_tree(points_of(data), leaf_size)) ? "" : "differs from the reference\n";
}

std::shared_ptr<const DataSet> own(PointSet points, std::string name) {
  auto data = std::make_shared<DataSet>();
  data->name = std::move(name);
  data->points = std::move(points);
  return data;
}

/// Returns points with which the arithmetic middle, or a careless comparison, would go wrong.
std::vector<std::shared_ptr<const DataSet>> awkward_sets() {
  constexpr float largest = std::numeric_limits<float>::max(), smallest = std::numeric_limits<float>::denorm_min();
  std::vector<float> halving, wide, zeros, neighbours, constant, ties;
  for (int i = 0; i < 150; ++i) halving.push_back(std::ldexp(1.0f, -i));
  for (int i = 0; i < 64; ++i) {
    wide.push_back(i % 2 ? largest : -largest), wide.push_back(std::ldexp(i % 3 ? 1.0f : -1.0f, 2 * i));
    zeros.push_back(i % 2 ? 0.0f : -0.0f), zeros.push_back(i % 3 ? smallest * static_cast<float>(i % 5) : -0.0f);
    neighbours.push_back(std::bit_cast<float>(std::bit_cast<std::uint32_t>(1.0f) + static_cast<std::uint32_t>(i % 3)));
    constant.insert(constant.end(), {static_cast<float>(i * 7 % 31), 5.0f, static_cast<float>(i % 4)});
    ties.insert(ties.end(), {static_cast<float>(i % 2), static_cast<float>(i / 60)});
  }
  return {own(points_from_rows<float>(1, halving), "halving"),
          own(points_from_rows<float>(2, wide), "wide"),
          own(points_from_rows<float>(2, zeros), "zeros"),
          own(points_from_rows<float>(1, neighbours), "neighbours"),
          own(points_from_rows<float>(3, constant), "one dimension constant"),
          own(points_from_rows<float>(2, ties), "ties"),
          own(points_from_rows<std::int32_t>(2, {-2147483647 - 1, 2147483647, 0, 1, 2147483647, -1, 5, 5, 5, 5, 6, 5}),
              "integers to the ends")};
}

const std::string golden_path = test::golden_path("hu-trees.txt");

void check_against_golden(Backend backend, std::size_t step) {
  test::GoldenComparison golden{test::golden_hashes(golden_path)};
  const auto cases = golden_cases();
  for (std::size_t i = 0; i < cases.size(); i += step)
    golden.compare(cases[i].name(), tree_hash(built(test::data(cases[i].specification), cases[i].leaf_size,
                                                    std::array{"1", "5", "auto"}[i % 3], backend)));
  CHECK(golden.differences == "");
}

}  // namespace

TEST_CASE("hu: CPU trees equal the reference, 0 to 20 points of every kind", "[share]") {
  std::string failures;
  std::size_t number = 0;
  for (const std::string& generator : generators)
    for (const std::uint32_t dim : {1u, 2u, 3u, 8u, 64u, 512u})
      for (std::uint32_t n = 0; n <= 20; ++n, ++number) {
        if (number % every != 0) continue;
        const auto data = test::data(specification(generator, n, dim, number));
        for (const std::uint32_t leaf_size : {1u, 3u})
          if (const std::string f = compare(data, leaf_size, number % 2 ? "auto" : "2", Backend::cpu); !f.empty())
            failures += data->name + ": " + f;
      }
  CHECK(failures == "");
}

TEST_CASE("hu: CPU trees equal the reference, larger sets, batches and leaves crossed", "[share]") {
  std::string failures;
  std::size_t number = 0;
  for (const std::string& generator : generators)
    for (const auto& [n, dim] : {std::pair{1000u, 1u}, {3000u, 2u}, {2047u, 3u}, {1025u, 8u}, {400u, 64u}, {90u, 512u}})
      for (const char* at_once : {"1", "3", "512", "auto"})
        for (const std::uint32_t leaf_size : {1u, 4u, 16u, 5000u}) {
          if (++number % every != 0) continue;
          const auto data = test::data(specification(generator, n, dim, number));
          if (const std::string f = compare(data, leaf_size, at_once, Backend::cpu); !f.empty())
            failures += data->name + " " + at_once + ": " + f;
        }
  CHECK(failures == "");
}

TEST_CASE("hu: points that middles trip over are parted as far as they differ") {
  for (const auto& data : awkward_sets())
    for (const std::uint32_t leaf_size : {1u, 2u}) {
      INFO(data->name << " " << leaf_size);
      CHECK(compare(data, leaf_size, "auto", Backend::cpu) == "");
      // With one point per leaf, only coinciding points share a leaf.
      if (leaf_size == 1) {
        const BucketTree tree = built(data, 1, "1", Backend::cpu);
        for (std::uint32_t i = 0; i < tree.size(); ++i)
          for (std::uint32_t d = 0; tree.is_leaf(i) && d < data->points.dim; ++d) {
            const std::uint32_t* box = tree.box.data() + std::size_t(i) * 2 * data->points.dim;
            CHECK(ordered_key(box[d], data->points.type) == ordered_key(box[data->points.dim + d], data->points.type));
          }
      }
    }
  CHECK(built(test::data("equal:n=50,dim=3"), 1, "auto", Backend::cpu).size() == 1);
}

TEST_CASE("hu: CPU trees have the committed hashes", "[share]") {
  check_against_golden(Backend::cpu, every == 1 ? 1 : 5);
}

DEVICE_CASE("hu: CUDA trees have the committed hashes") { check_against_golden(Backend::cuda, 1); }
DEVICE_CASE("hu: CUDA trees of awkward points equal the reference") {
  for (const auto& data : awkward_sets())
    for (const char* at_once : {"1", "auto"}) {
      INFO(data->name);
      CHECK(compare(data, 1, at_once, Backend::cuda) == "");
    }
}
DEVICE_CASE("hu: large CUDA trees equal the CPU's") {
  for (const char* specification :
       {"clustered:n=3000000,dim=3,seed=3", "uniform:n=20000,dim=512,seed=3", "grid:n=1000000,dim=8,seed=3"}) {
    INFO(specification);
    const auto data = test::data(specification);
    const BucketTree wanted = built(data, 16, "auto", Backend::cpu);
    for (const char* at_once : {"auto", "1"}) CHECK(same(built(data, 16, at_once, Backend::cuda), wanted));
  }
}
DEVICE_CASE("hu: a few CUDA trees, for the sanitizers", "[sanitize]") {
  for (const char* specification : {"uniform:n=0,dim=3", "uniform:n=1,dim=3", "grid:n=10,dim=2,seed=7,type=int",
                                    "clustered:n=1025,dim=3,seed=7", "uniform:n=300,dim=64,seed=2"})
    for (const char* at_once : {"1", "2", "auto"}) {
      INFO(specification);
      CHECK(compare(test::data(specification), 2, at_once, Backend::cuda) == "");
    }
}

TEST_CASE("hu: bad parameters are refused with the allowed range") {
  const auto data = test::data("wald-10");
  const auto refusal = [&](const Parameters& parameters) {
    const auto r = build({{}, "hu", parameters, Backend::cpu, false, data});
    REQUIRE(!r);
    CHECK(r.error().kind == ErrorKind::bad_usage);
    return r.error().message();
  };
  for (const char* bad : {"0", "-1", "x", "auto"})
    CHECK(refusal({{"leaf_size", bad}}) ==
          "leaf_size cannot be '" + std::string(bad) + "'; give an integer from 1 to 2147483647.");
  for (const char* bad : {"0", "513", "x"})
    CHECK(refusal({{"dimensions_at_once", bad}}) ==
          "dimensions_at_once cannot be '" + std::string(bad) + "'; give auto or an integer from 1 to 512.");
  PointSet wide{ScalarType::float32, 513, 0, std::vector<std::uint32_t>(513 * 2)};
  const auto refused = build({{}, "hu", {}, Backend::cpu, false, own(wide, "513 dimensions")});
  REQUIRE(!refused);
  CHECK(refused.error().message() ==
        "513 dimensions: hu builds points of 1 to 512 dimensions, these have 513; choose other data or another "
        "algorithm.");
  // A value above the number of dimensions means all of them.
  CHECK(build({{}, "hu", {{"dimensions_at_once", "512"}}, Backend::cpu, false, data}).value().tree_hash ==
        build({{}, "hu", {}, Backend::cpu, false, data}).value().tree_hash);
}

TEST_CASE("hu: the memory asked for covers what a build takes", "[share]") {
#if defined(__SANITIZE_THREAD__)
  constexpr std::uint32_t words = 30'000;
#else
  const std::uint32_t words = test::everything() ? 1'500'000 : 30'000;
#endif
  for (const char* generator : {"uniform", "clustered"})
    for (const std::uint32_t dim : {1u, 3u, 64u, 512u})
      for (const char* at_once : {"1", "auto"}) {
        const auto data = test::data(std::string(generator) + ":n=" + std::to_string(words / dim) +
                                     ",dim=" + std::to_string(dim) + ",seed=1");
        for (const Backend backend : {Backend::cpu, Backend::cuda}) {
          if (backend == Backend::cuda && !test::has_cuda()) continue;
          INFO(data->name << " " << at_once << " " << name_of(backend));
          test::check_memory({{}, "hu", {{"dimensions_at_once", at_once}}, backend, false, data}, 4);
        }
      }
}

// Rewrites the golden file from the reference: run with [.hu-golden] after a deliberate change of the trees.
TEST_CASE("write hu golden hashes", "[.hu-golden]") {
  std::ofstream file(golden_path);
  for (const Case& c : golden_cases())
    file << c.name() << ' ' << std::hex
         << tree_hash(reference_middle_split_tree(points_of(test::data(c.specification)), c.leaf_size)) << std::dec
         << '\n';
}

}  // namespace kdscope::hu_trees_test
