#include "algorithms/slabs/slab_build.hpp"

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>

#include "algorithms/builders/rank/options.hpp"
#include "algorithms/core/input_file.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/slabs/slab_verify.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trees/npy_array.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::slabs;
using kdscope::test::TemporaryFolder;

namespace {

void write_points(const std::string& path, const PointSet& points) {
  std::ofstream out(path, std::ios::binary);
  tree_files::write_npy_header(out, std::string("{'descr': '") + (points.type == ScalarType::float32 ? "<f4" : "<i4") +
                                        "', 'fortran_order': False, 'shape': (" + std::to_string(points.size()) + ", " +
                                        std::to_string(points.dim) + "), }");
  out.write(reinterpret_cast<const char*>(points.words.data()), static_cast<std::streamsize>(4 * points.words.size()));
}

std::string bytes_of_file(const std::string& path) { return InputFile::open(path)->read().value(); }

/// Writes the tree that one process builds in memory.
void write_tree_in_memory(const std::string& path, const PointSet& points) {
  auto data = std::make_shared<DataSet>();
  data->points = points;
  const auto report = build(RunRequest{{}, "rank", {}, Backend::cpu, false, data});
  REQUIRE(report);
  REQUIRE(write_tree(report->tree, path));
}

/// Returns the least memory in which a set can be built in slabs.
std::uint64_t least_memory(const Shape& shape) {
  std::uint64_t low = 0, high = 1ull << 40;
  while (low + 1 < high) {
    const std::uint64_t middle = (low + high) / 2;
    (plan_build(shape, middle, true, "") ? high : low) = middle;
  }
  return high;
}

/// Points of every kind that is hard for brackets: ties, equal points, zeros of both signs, extreme numbers.
PointSet hard_points(std::uint32_t number, std::mt19937_64& random) {
  const std::uint32_t sizes[] = {1, 2, 3, 5, 9, 31, 64, 100, 257, 1000, 4099, 9000, 20000, 40001};
  PointSet points{number % 2 == 0 ? ScalarType::float32 : ScalarType::int32, 1 + number % 8, 0, {}};
  const std::uint32_t n = sizes[number % 14] + (number > 28 ? number : 0), values = number % 3 == 0 ? 3 : 1u << 20;
  for (std::uint32_t i = 0; i < n * points.dim; ++i) {
    const auto value = static_cast<std::int32_t>(random() % values) - static_cast<std::int32_t>(values / 2);
    if (points.type == ScalarType::int32)
      points.words.push_back(number % 7 == 1 && i % 5 == 0 ? (i % 2 ? 0x80000000u : 0x7fffffffu) : word_of(value));
    else if (number % 5 == 0 && i % 3 == 0)
      points.words.push_back(word_of(i % 2 == 0 ? 0.0f : -0.0f));
    else
      points.words.push_back(word_of(number % 4 == 2 ? std::ldexp(1.0f, value % 120) : static_cast<float>(value) / 8));
  }
  if (number % 11 == 4) std::fill(points.words.begin(), points.words.end(), word_of(1.0f));  // all in one place
  return points;
}

SlabRequest request_in(const TemporaryFolder& folder, std::uint64_t memory) {
  return {
      .points = folder.file("points.npy"), .tree = folder.file("tree.npy"), .memory = memory, .backend = Backend::cpu};
}

}  // namespace

TEST_CASE("slabs build the file of the tree that one process builds in memory") {
  std::mt19937_64 random(48);
  std::uint32_t deepest = 0, repeated = 0;
  for (std::uint32_t number = 0; number < 50; ++number) {
    const TemporaryFolder folder;
    const PointSet points = hard_points(number, random);
    write_points(folder.file("points.npy"), points);
    write_tree_in_memory(folder.file("in-memory.npy"), points);
    const std::string wanted = bytes_of_file(folder.file("in-memory.npy"));
    const Shape shape{points.size(), points.dim, points.type};
    const std::uint64_t least = least_memory(shape);
    for (const std::uint64_t memory : {least, least + random() % (4 * least), std::uint64_t{1} << 28}) {
      INFO("set " << number << ", " << points.size() << " points of " << points.dim << " dimensions, " << memory
                  << " bytes");
      const auto prepared = prepare(request_in(folder, memory));
      REQUIRE(prepared);
      const Plan& plan = prepared->plan;
      deepest = std::max(deepest, static_cast<std::uint32_t>(plan.upper));
      const auto report = build_in_slabs(*prepared);
      REQUIRE(report);
      CHECK(report->peak_bytes <= plan.subtree_bytes);
      CHECK(report->passes >= plan.passes);
      repeated += report->passes > plan.passes;
      const bool same = bytes_of_file(folder.file("tree.npy")) == wanted;
      CHECK(same);
      const auto verified = verify_in_slabs(folder.file("tree.npy"), folder.file("points.npy"), 1u << 20);
      REQUIRE(verified);
      CHECK(verified->tree_hash == report->tree_hash);
      for (const CheckResult& check : verified->findings) CHECK(check.passed);
      REQUIRE(folder.names() == std::vector<std::string>{"in-memory.npy", "points.npy", "tree.npy"});
      std::filesystem::remove(folder.file("tree.npy"));
    }
  }
  CHECK(deepest == 10);
  CHECK(repeated > 5);  // windows were longer than the memory for them
}
