// Compares trees of the zhou-sah builder with the simple recursive reference and the committed hashes: every kind of
// soup, sizes around T and around chunks, every parameter, and input on which the build would never end without a
// bound.
#include <algorithm>
#include <fstream>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/split_planes/reference.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/split_planes/verify.hpp"
#include "tests/builders/golden_hashes.hpp"
#include "tests/builders/split_plane_runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::zhou_sah_trees_test {
using test::Soup;

namespace {

using test::every;
using test::text_of;

SplitPlaneRules rules_of(const Parameters& parameters) {
  const auto number = [&](const char* name, std::uint32_t usual) {
    return parameters.contains(name) ? static_cast<std::uint32_t>(std::stoul(parameters.at(name))) : usual;
  };
  return {number("small", 64), number("empty", 25), number("traversal", 100) / 100.0, number("depth", 64)};
}

SplitPlaneTree built(const std::shared_ptr<const DataSet>& data, const Parameters& parameters, Backend backend) {
  return test::split_plane_tree("zhou-sah", data, parameters, backend);
}

/// Returns how a build of these triangles differs from the reference.
std::string compare(const std::shared_ptr<const DataSet>& data, const Parameters& parameters, Backend backend) {
  const char* const differs =
      test::difference(built(data, parameters, backend), reference_sah_tree(data, rules_of(parameters)));
  return differs ? data->name + text_of(parameters) + ": " + differs + " differ\n" : "";
}

/// Returns the largest number of triangles of a soup. Large triangles that all meet in one point cross most cells, so
/// many of them make millions of references.
std::uint32_t most_of(Soup soup) {
  return soup == Soup::fan ? 130 : soup == Soup::equal || soup == Soup::needles ? 1025 : ~0u;
}

/// Returns the number-th choice of parameters. For few triangles it chooses a small limit for small nodes, because
/// overlapping triangles are never separated.
Parameters way(std::uint64_t number, std::uint32_t n) {
  const std::uint64_t mixed = mix64(number + 5);
  const auto pick = [&](int shift, std::vector<std::string> of) { return of[(mixed >> shift) % of.size()]; };
  const bool few = n <= 100 && mixed % 2 == 0;
  return {{"small", few ? pick(0, {"1", "2", "8"}) : pick(0, {"64", "32", "63"})},
          {"chunk", pick(8, {"256", "2", "4", "8", "32", "1024"})},
          {"empty", pick(16, {"25", "10", "0", "50", "100"})},
          {"traversal", few ? pick(24, {"100", "75"}) : pick(24, {"100", "0", "350"})},
          {"depth", few ? pick(32, {"64", "20", "8", "3", "1"}) : pick(32, {"64", "250", "30", "8", "1"})}};
}

struct Golden {
  Soup soup;
  std::uint32_t n;
  std::uint64_t way;  ///< 0 for the defaults
};

std::vector<Golden> golden_cases() {
  std::vector<Golden> cases;
  for (const Soup soup : test::all_soups)
    for (const std::uint32_t n : {0u, 1u, 2u, 3u, 64u, 65u, 200u, 1000u, 5000u})
      if (n <= most_of(soup)) cases.push_back({soup, n, 0}), cases.push_back({soup, n, 1 + cases.size()});
  for (const Soup soup : {Soup::spread, Soup::clustered}) cases.push_back({soup, 60000, 0});
  for (const Soup soup : test::mixed_soups)
    for (const std::uint32_t n : {5u, 64u, 65u, 200u})
      cases.push_back({soup, n, 0}), cases.push_back({soup, n, 1 + cases.size()});
  return cases;
}
std::string name_of(const Golden& c) {
  return std::string(test::name_of(c.soup)) + ":" + std::to_string(c.n) + ":" + std::to_string(c.way);
}

const std::string golden_path = test::golden_path("zhou-sah-trees.txt");

void check_against_golden(Backend backend, std::size_t step) {
  test::GoldenComparison golden{test::golden_hashes(golden_path)};
  const auto cases = golden_cases();
  for (std::size_t i = 0; i < cases.size(); i += step)
    golden.compare(name_of(cases[i]),
                   tree_hash(built(test::triangle_soup(cases[i].soup, cases[i].n),
                                   cases[i].way ? way(cases[i].way, cases[i].n) : Parameters{}, backend)));
  CHECK(golden.differences == "");
}

}  // namespace

TEST_CASE("zhou-sah: CPU trees equal the reference, sizes to 140 and around powers of two", "[share]") {
  std::string failures;
  std::vector<std::uint32_t> sizes{255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 3000};
  for (std::uint32_t n = 0; n <= 140; n += n < 10 || (n > 60 && n < 70) || n > 125 ? 1 : 5) sizes.push_back(n);
  std::size_t number = 0;
  for (const std::uint32_t n : sizes)
    for (const Soup soup : test::all_soups)
      if (++number % every == 0 && n <= most_of(soup))
        failures +=
            compare(test::triangle_soup(soup, n, number), number % 3 ? Parameters{} : way(number, n), Backend::cpu);
  CHECK(failures == "");
}

TEST_CASE("zhou-sah: CPU trees equal the reference for every choice of parameters", "[share]") {
  std::string failures;
  for (std::uint32_t number = 1, n = 5; number <= 200; ++number, n = 5 + number % 29 * 5 + number % 7 * 60)
    if (const Soup soup = test::all_soups[number % 8]; number % every == 0)
      failures += compare(test::triangle_soup(soup, std::min(n, most_of(soup)), number), way(number, n), Backend::cpu);
  CHECK(failures == "");
}

TEST_CASE("zhou-sah: scenes of sizes that lie far apart lose nothing, and are the reference's trees", "[share]") {
  std::string failures;
  std::size_t number = 0;
  for (const Soup soup : test::mixed_soups)
    for (std::uint64_t seed = 1; seed <= 8; ++seed)
      for (const std::uint32_t n : {5u, 12u, 40u})
        for (const Parameters& parameters :
             {Parameters{{"small", "1"}, {"traversal", "20"}},
              Parameters{{"small", "2"}, {"traversal", "20"}, {"depth", "250"}}, Parameters{{"small", "8"}}}) {
          if (++number % every != 0) continue;
          const auto data = test::triangle_soup(soup, n, seed);
          failures += compare(data, parameters, Backend::cpu);
          const std::string failure =
              test::first_failure(verify_split_plane_tree(built(data, parameters, Backend::cpu), data->points));
          if (!failure.empty()) failures += data->name + text_of(parameters) + ": " + failure + "\n";
        }
  CHECK(failures == "");
}

TEST_CASE("zhou-sah: chunks do not change the tree") {
  for (const Soup soup : {Soup::spread, Soup::needles, Soup::fan}) {
    const auto data = test::triangle_soup(soup, std::min(4000u, most_of(soup)));
    const std::uint64_t usual = tree_hash(built(data, {}, Backend::cpu));
    for (const char* chunk : {"2", "4", "16", "64", "512", "1024"})
      CHECK(tree_hash(built(data, {{"chunk", chunk}}, Backend::cpu)) == usual);
  }
}

TEST_CASE(
    "zhou-sah: every triangle is listed, and input that splits cannot part ends at a bound, which the tree counts") {
  for (const Soup soup : test::all_soups) {
    const auto data = test::triangle_soup(soup, 500);
    const SplitPlaneTree tree = built(data, {}, Backend::cpu);
    INFO(data->name);
    std::vector<bool> listed(500);
    for (const std::uint32_t t : tree.primitive_of_position) listed.at(t) = true;
    CHECK(std::count(listed.begin(), listed.end(), false) == 0);
    CHECK((tree.depth_bounded > 0) == (soup == Soup::equal || soup == Soup::dots || soup == Soup::fan));
  }
  // All 500 triangles are at one place, so the cell around it cannot be halved.
  const SplitPlaneTree dots = built(test::triangle_soup(Soup::dots, 500), {{"small", "1"}}, Backend::cpu);
  CHECK(dots.depth_bounded == 3);
}

TEST_CASE("zhou-sah: no triangles are an empty leaf, points alone and wrong parameters are refused in a sentence") {
  const SplitPlaneTree none = built(test::triangle_soup(Soup::spread, 0), {}, Backend::cpu);
  CHECK(none.size() == 1);
  CHECK(none.is_leaf(0));
  CHECK(none.count[0] == 0);
  const auto points = build({{}, "zhou-sah", {}, Backend::cpu, false, test::data("uniform:n=10,dim=3")});
  REQUIRE_FALSE(points);
  CHECK(points.error().message().find("triangles") != std::string::npos);
  const auto chunk =
      build({{}, "zhou-sah", {{"chunk", "100"}}, Backend::cpu, false, test::triangle_soup(Soup::spread, 10)});
  REQUIRE_FALSE(chunk);
  CHECK(chunk.error().message().find("power of two") != std::string::npos);
}

TEST_CASE("zhou-sah: triangles that overlap everywhere end in a sentence, and with its remedy in a tree") {
  // Large random triangles in one plane: half of it is covered more than 64 times
  for (const std::uint32_t flat : {0u, 1u, 2u}) {
    auto data = std::make_shared<DataSet>();
    data->name = "overlapping triangles";
    data->points = {ScalarType::float32, 3, 0, {}};
    for (std::uint32_t corner = 0; corner < 3 * 600; ++corner) {
      for (std::uint32_t d = 0; d < 3; ++d) {
        const auto unit = static_cast<float>(mix64(3 * std::uint64_t{corner} + d) >> 40) / 16777216.0f;
        data->points.words.push_back(word_of(d == flat ? 0.25f : unit));
      }
      data->triangles.push_back(corner);
    }
    const auto refused = build({{}, "zhou-sah", {}, Backend::cpu, false, data});
    INFO("flat along " << flat);
    REQUIRE_FALSE(refused);
    const std::string sentence = refused.error().message();
    INFO(sentence);
    CHECK(refused.error().kind == ErrorKind::bad_input);
    CHECK(sentence.find("more than 4347904 references of these 600 triangles") != std::string::npos);  // 2^22 + 256 n
    const std::string remedy = "give depth=";
    REQUIRE(sentence.find(remedy) != std::string::npos);
    const int depth = std::stoi(sentence.substr(sentence.find(remedy) + remedy.size()));
    CHECK(build({{}, "zhou-sah", {{"depth", std::to_string(depth)}}, Backend::cpu, false, data}));

    // Not as deep, the tree is the reference's
    CHECK(compare(data, {{"depth", "9"}}, Backend::cpu) == "");
  }
}

TEST_CASE("zhou-sah: CPU trees have the golden hashes", "[share]") { check_against_golden(Backend::cpu, every); }

DEVICE_CASE("zhou-sah: CUDA trees have the golden hashes") { check_against_golden(Backend::cuda, 1); }

// Only few and small cases, because sanitizers turn a tenth of a second into minutes.
DEVICE_CASE("zhou-sah: CUDA trees equal the reference", "[sanitize]") {
  std::string failures;
  for (std::uint32_t number = 1, n = 57; number <= 20; ++number, n += 51)
    failures += compare(
        test::triangle_soup(test::all_soups[number % 8], std::min(n, most_of(test::all_soups[number % 8])), number),
        way(number, n), Backend::cuda);
  for (const Soup soup : test::mixed_soups)
    failures += compare(test::triangle_soup(soup, 40), {{"small", "4"}, {"depth", "100"}}, Backend::cuda);
  CHECK(failures == "");
}

TEST_CASE("zhou-sah and zhou-vvh: the memory asked for covers what a build takes", "[share]") {
  for (const char* id : {"zhou-sah", "zhou-vvh"})
    for (const Soup soup : {Soup::spread, Soup::clustered})
      for (const std::uint32_t n : {2000u, 30000u}) {
        const auto data = test::triangle_soup(soup, every > 1 ? 2000 : n);
        for (const Backend backend : {Backend::cpu, Backend::cuda}) {
          if (backend == Backend::cuda && !test::has_cuda()) continue;
          INFO(id << " " << data->name << " " << name_of(backend));
          test::check_memory({{}, id, {}, backend, false, data}, 8);
        }
      }
}

// Rewrites the golden file from the reference: run with [.zhou-golden] after a deliberate change of the trees.
TEST_CASE("write zhou-sah golden hashes", "[.zhou-golden]") {
  std::ofstream file(golden_path);
  for (const Golden& c : golden_cases()) {
    const auto data = test::triangle_soup(c.soup, c.n);
    file << name_of(c) << " " << std::hex
         << tree_hash(reference_sah_tree(data, rules_of(c.way ? way(c.way, c.n) : Parameters{}))) << std::dec << "\n";
  }
}

}  // namespace kdscope::zhou_sah_trees_test
