// Trees of the brown builder compared with the simple recursive reference, the verifiers and the committed hashes: from
// no to only duplicates, 1 to 8 dimensions, every sort, form, comparison and number of warps.
#include <algorithm>
#include <fstream>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/median_stores/reference.hpp"
#include "algorithms/trees/median_stores/tree.hpp"
#include "algorithms/trees/median_stores/verify.hpp"
#include "tests/builders/golden_hashes.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/share.hpp"

namespace kdscope::brown_trees_test {

namespace {

// Test only a share of the cases under sanitizers, which slow builds down, the thread sanitizer most of all.
#if defined(__SANITIZE_THREAD__)
constexpr std::size_t every = 101;
#elif defined(__SANITIZE_ADDRESS__)
constexpr std::size_t every = 11;
#else
const std::size_t every = test::every_nth(7);
#endif

const std::vector<std::string> generators{"uniform", "clustered", "grid", "equal", "presorted", "line"};
const std::vector<std::uint32_t> dims{1, 2, 3, 4, 8};

std::string specification(const std::string& generator, std::uint32_t n, std::uint32_t dim, std::uint64_t seed) {
  return generator + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dim) + ",seed=" + std::to_string(seed) +
         ",type=" + (seed % 2 ? "int" : "float");
}

/// Returns points with `kinds` different ones, from no duplicates (as many kinds as points) to only duplicates (one
/// kind).
std::shared_ptr<const DataSet> with_duplicates(std::uint32_t n, std::uint32_t dim, std::uint32_t kinds) {
  auto data = std::make_shared<DataSet>();
  data->name =
      std::to_string(n) + " points of " + std::to_string(kinds) + " kinds, " + std::to_string(dim) + " dimensions";
  data->points = {ScalarType::int32, dim, 0, {}};
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint64_t kind = mix64(i) % kinds;
    // Use few values, so that super keys are compared beyond their first coordinate.
    for (std::uint32_t d = 0; d < dim; ++d)
      data->points.words.push_back(word_of(static_cast<std::int32_t>(d + 1 == dim ? kind : mix64(kind * 8 + d) % 3)));
  }
  return data;
}

/// Returns the number-th choice of parameters. None of them may change the tree.
Parameters way(std::uint64_t number) {
  const std::uint64_t mixed = mix64(number + 77);
  const auto pick = [&](int shift, std::vector<std::string> of) { return of[(mixed >> shift) % of.size()]; };
  return {{"sort", pick(0, {"library", "merge"})},
          {"sorted", pick(8, {"all", "first"})},
          {"form", pick(16, {"nodes", "nodes", "stores"})},
          {"compare", pick(24, {"sides", "tuples"})},
          {"verify", pick(40, {"no", "yes"})},
          {"warps", pick(32, {"1", "2", "8", "64", "auto"})},
          {"parts", pick(44, {"1", "1", "2", "4", "8", "16"})}};
}
std::string text_of(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += " " + name + "=" + value;
  return text;
}

MedianStoreTree built(const std::shared_ptr<const DataSet>& data, const Parameters& parameters, Backend backend) {
  auto report = build({{}, "brown", parameters, backend, false, data});
  if (!report) FAIL(data->name << text_of(parameters) << ": " << report.error().message());
  return std::move(report->tree.as<MedianStoreTree>());
}

std::shared_ptr<const PointSet> points_of(const std::shared_ptr<const DataSet>& data) { return {data, &data->points}; }

/// Returns the error in a build of these points, or "".
std::string compare(const std::shared_ptr<const DataSet>& data, const Parameters& parameters, Backend backend) {
  const MedianStoreTree tree = built(data, parameters, backend),
                        reference = reference_median_store_tree(points_of(data));
  const std::string where = data->name + text_of(parameters) + ": ";
  if (const std::string f = test::first_failure(verify_median_store_tree(tree, data->points)); !f.empty())
    return where + f + "\n";
  const bool nodes = parameters.at("form") == "nodes";
  const bool same = tree.stores == reference.stores && tree.removed == reference.removed &&
                    tree.less == (nodes ? reference.less : std::vector<std::uint32_t>()) &&
                    tree.greater == (nodes ? reference.greater : std::vector<std::uint32_t>());
  return same ? "" : where + "differs from the reference\n";
}

std::vector<std::string> golden_cases() {
  std::vector<std::string> cases;
  for (const std::string& generator : generators)
    for (const std::uint32_t dim : dims)
      for (const std::uint32_t n : {0u, 1u, 2u, 3u, 4u, 7u, 8u, 100u, 1023u, 1024u, 1025u, 3000u})
        cases.push_back(specification(generator, n, dim, 7 + mix64(cases.size()) % 2));
  for (const std::string& generator : generators)
    for (const std::uint32_t n : {65536u, 100000u})
      cases.push_back(specification(generator, n, dims[cases.size() % dims.size()], 11 + cases.size() % 2));
  return cases;
}

const std::string golden_path = test::golden_path("brown-trees.txt");

void check_against_golden(Backend backend, std::size_t step) {
  test::GoldenComparison golden{test::golden_hashes(golden_path)};
  const auto cases = golden_cases();
  for (std::size_t i = 0; i < cases.size(); i += step)
    for (const Parameters& parameters : {way(2 * i), way(2 * i + 1)})
      golden.compare(cases[i], tree_hash(built(test::data(cases[i]), parameters, backend)), text_of(parameters));
  CHECK(golden.differences == "");
}

}  // namespace

TEST_CASE("brown: CPU trees equal the reference, every size to 130 and around powers of two", "[share]") {
  std::string failures;
  std::vector<std::uint32_t> sizes{255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049};
  for (std::uint32_t n = 0; n <= 130; ++n) sizes.push_back(n);
  std::size_t number = 0;
  for (const std::uint32_t n : sizes)
    for (const std::uint32_t dim : dims)
      for (const std::uint32_t kinds : {1u, 5u, n / 2 + 1, 100000u})
        if (++number % every == 0) failures += compare(with_duplicates(n, dim, kinds), way(number), Backend::cpu);
  CHECK(failures == "");
}

TEST_CASE("brown: every way of building gives the same tree", "[share]") {
  std::string failures;
  std::size_t number = 0;
  for (const auto& data :
       {with_duplicates(1500, 3, 1000), with_duplicates(700, 2, 100000), test::data("clustered:n=1025,dim=4,seed=3")})
    for (const char* sort : {"library", "merge"})
      for (const char* sorted : {"all", "first"})
        for (const char* form : {"nodes", "stores"})
          for (const char* compared : {"sides", "tuples"})
            for (const char* warps : {"1", "4", "32", "256", "4096"})
              if (++number % every == 0)
                failures += compare(
                    data, {{"sort", sort}, {"sorted", sorted}, {"form", form}, {"compare", compared}, {"warps", warps}},
                    Backend::cpu);
  CHECK(failures == "");
}

TEST_CASE("brown: any number of parts gives the same tree, with fewer points than parts and duplicates across them too",
          "[share]") {
  std::string failures;
  std::size_t number = 0;
  std::vector<std::uint32_t> sizes{255, 256, 257, 1023, 1025, 3000};
  for (std::uint32_t n = 0; n <= 70; ++n) sizes.push_back(n);
  for (const std::uint32_t n : sizes)
    for (const std::uint32_t dim : {1u, 2u, 3u, 16u})
      for (const std::uint32_t kinds : {1u, 5u, n / 2 + 1, 100000u})
        for (const char* parts : {"2", "4", "8", "16"})
          if (++number % every == 0) {
            Parameters parameters = way(number);
            parameters["parts"] = parts;
            failures += compare(with_duplicates(n, dim, kinds), parameters, Backend::cpu);
          }
  CHECK(failures == "");
}

TEST_CASE("brown: CPU trees have the committed hashes", "[share]") {
  check_against_golden(Backend::cpu, every == 1 ? 1 : 9);
}

DEVICE_CASE("brown: CUDA trees have the committed hashes") { check_against_golden(Backend::cuda, 1); }
DEVICE_CASE("brown: CUDA trees with duplicates from none to all equal the reference") {
  std::string failures;
  std::size_t number = 0;
  for (const std::uint32_t n : {0u, 1u, 2u, 31u, 32u, 33u, 1000u, 1024u, 20000u})
    for (const std::uint32_t dim : dims)
      for (const std::uint32_t kinds : {1u, 7u, n / 2 + 1, 1000000u})
        failures += compare(with_duplicates(n, dim, kinds), way(++number), Backend::cuda);
  CHECK(failures == "");
}
DEVICE_CASE("brown: CUDA trees of three million points equal the CPU's") {
  const auto data = test::data("clustered:n=3000000,dim=3,seed=3");
  const std::uint64_t wanted = tree_hash(built(data, {}, Backend::cpu));
  for (const Parameters& parameters : {Parameters{},
                                       {{"sort", "merge"}, {"sorted", "first"}},
                                       {{"compare", "tuples"}, {"warps", "512"}},
                                       {{"parts", "2"}},
                                       {{"parts", "8"}, {"verify", "yes"}, {"sort", "merge"}}})
    CHECK(tree_hash(built(data, parameters, Backend::cuda)) == wanted);
}
DEVICE_CASE("brown: a few CUDA trees of every partitioner, for the sanitizers", "[sanitize]") {
  std::string failures;
  std::size_t number = 0;
  for (const std::uint32_t n : {0u, 1u, 3u, 40u, 1025u, 3000u})
    for (int w = 0; w < 6; ++w) failures += compare(with_duplicates(n, 3, n / 2 + 1), way(++number), Backend::cuda);
  CHECK(failures == "");
}

TEST_CASE("brown: bad parameters are refused with the allowed range") {
  const auto data = test::data("wald-10");
  for (const char* bad : {"3", "100", "48"}) {
    const auto r = build({{}, "brown", {{"warps", bad}}, Backend::cpu, false, data});
    REQUIRE(!r);
    CHECK(r.error().message() ==
          "warps cannot be " + std::string(bad) + "; give auto or a power of two from 1 to 32768.");
  }
  for (const char* bad : {"0", "65536", "x"})
    CHECK_FALSE(build({{}, "brown", {{"warps", bad}}, Backend::cpu, false, data}));
  for (const char* bad : {"0", "32", "auto"})
    CHECK_FALSE(build({{}, "brown", {{"parts", bad}}, Backend::cpu, false, data}));
  CHECK(build({{}, "brown", {{"parts", "12"}}, Backend::cpu, false, data}).error().message() ==
        "parts cannot be 12; give a power of two from 1 to 16.");
}

TEST_CASE("brown: the memory asked for covers what a build takes", "[share]") {
#if defined(__SANITIZE_THREAD__)
  constexpr std::uint32_t words = 30'000;
#else
  const std::uint32_t words = test::everything() ? 300'000 : 30'000;
#endif
  std::size_t number = 0;
  for (const std::uint32_t dim : {1u, 3u, 16u})
    for (const char* sort : {"library", "merge"})
      for (const char* verify : {"no", "yes"})
        for (const char* parts : {"1", "2", "8"})
          for (const char* generator : {"uniform", "grid"}) {
            if (number++ % test::every_nth(7) != 0) continue;
            const auto data = test::data(std::string(generator) + ":n=" + std::to_string(words / dim) +
                                         ",dim=" + std::to_string(dim) + ",seed=1");
            for (const Backend backend : {Backend::cpu, Backend::cuda}) {
              // On one device, all parts are together. CUDA is tested with one part only.
              if (backend == Backend::cuda && (!test::has_cuda() || parts != std::string("1"))) continue;
              INFO(data->name << " sort=" << sort << " verify=" << verify << " parts=" << parts << " "
                              << name_of(backend));
              test::check_memory(
                  {{}, "brown", {{"sort", sort}, {"verify", verify}, {"parts", parts}}, backend, false, data}, 3);
            }
          }
}

// Rewrites the golden file from the reference: run with [.brown-golden] after a deliberate change of the trees.
TEST_CASE("write brown golden hashes", "[.brown-golden]") {
  std::ofstream file(golden_path);
  for (const std::string& c : golden_cases())
    file << c << ' ' << std::hex << tree_hash(reference_median_store_tree(points_of(test::data(c)))) << std::dec
         << '\n';
}

}  // namespace kdscope::brown_trees_test
