#include "algorithms/slabs/slab_build.hpp"

#include <cmath>
#include <fstream>
#include <limits>
#include <random>

#include "algorithms/builders/rank/options.hpp"
#include "algorithms/core/input_file.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/slabs/slab_verify.hpp"
#include "algorithms/trees/npy_array.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/cases.hpp"
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
  const auto report = build(RunRequest{{}, "rank", {}, Backend::cpu, false, data}).value();
  REQUIRE(write_tree(report.tree, path));
}

/// Returns the least memory in which a set can be built in slabs.
std::uint64_t least_memory(const Shape& shape, bool on_cpu = true) {
  std::uint64_t low = 0, high = 1ull << 40;
  while (low + 1 < high) {
    const std::uint64_t middle = (low + high) / 2;
    (plan_build(shape, middle, on_cpu, "") ? high : low) = middle;
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
      auto prepared = prepare(request_in(folder, memory));
      REQUIRE(prepared);
      prepared->scratch_in_memory = memory % 2 == 0;  // as for a device
      const Plan& plan = prepared->plan;
      deepest = std::max(deepest, static_cast<std::uint32_t>(plan.upper));
      const auto report = build_in_slabs(*prepared).value();
      CHECK(report.peak_bytes <= plan.subtree_bytes);
      CHECK(report.passes >= plan.passes);
      repeated += report.passes > plan.passes;
      const bool same = bytes_of_file(folder.file("tree.npy")) == wanted;
      CHECK(same);
      const auto verified = verify_in_slabs(folder.file("tree.npy"), folder.file("points.npy"), 1u << 20).value();
      CHECK(verified.tree_hash == report.tree_hash);
      for (const CheckResult& check : verified.findings) CHECK(check.passed);
      REQUIRE(folder.names() == std::vector<std::string>{"in-memory.npy", "points.npy", "tree.npy"});
      std::filesystem::remove(folder.file("tree.npy"));
    }
  }
  CHECK(deepest == 10);
  CHECK(repeated > 5);  // windows were longer than the memory for them
}

DEVICE_CASE("slabs build the same file on CUDA, within the memory of the plan") {
  for (std::uint32_t dim = 1; dim <= 8; ++dim) {
    const TemporaryFolder folder;
    const std::uint32_t n = 400'000 + dim;
    const PointSet points = (*open_data_set((dim % 2 == 0 ? "grid:side=40,n=" : "uniform:n=") + std::to_string(n) +
                                            ",dim=" + std::to_string(dim)))
                                ->points;
    write_points(folder.file("points.npy"), points);
    write_tree_in_memory(folder.file("in-memory.npy"), points);
    // Subtrees that one block finishes, and some of several rounds
    for (const std::uint64_t memory : {least_memory({n, dim, points.type}, false), std::uint64_t{4} << 20}) {
      INFO(dim << " dimensions, " << memory << " bytes");
      SlabRequest request = request_in(folder, memory);
      request.backend = Backend::cuda;
      const auto prepared = prepare(request);
      REQUIRE(prepared);
      CHECK(prepared->scratch_in_memory);
      const auto report = build_in_slabs(*prepared).value();
      CHECK(report.peak_bytes <= prepared->plan.subtree_bytes);
      const bool same = bytes_of_file(folder.file("tree.npy")) == bytes_of_file(folder.file("in-memory.npy"));
      CHECK(same);
      std::filesystem::remove(folder.file("tree.npy"));
    }
  }
}

namespace {

/// Writes a set, and builds its tree within the least memory.
struct BuiltTree {
  TemporaryFolder folder;
  PointSet points;
  std::uint64_t memory = 0;
  explicit BuiltTree(std::uint32_t n, std::uint32_t dim = 3) {
    points = (*open_data_set("uniform:n=" + std::to_string(n) + ",dim=" + std::to_string(dim)))->points;
    write_points(folder.file("points.npy"), points);
    memory = least_memory({n, dim, points.type});
    const auto prepared = prepare(request_in(folder, memory));
    REQUIRE(prepared);
    REQUIRE(build_in_slabs(*prepared));
  }
  /// Changes bytes of a file.
  void alter(const std::string& name, std::uint64_t at, const std::string& bytes) const {
    std::fstream file(folder.file(name), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  std::string failed_checks(std::uint64_t within) const {
    const auto verified = verify_in_slabs(folder.file("tree.npy"), folder.file("points.npy"), within);
    if (!verified) return verified.error().what;
    std::string failed;
    for (const CheckResult& check : verified->findings)
      if (!check.passed) failed += check.name + ": " + check.detail + "\n";
    return failed;
  }
};

std::string as_bytes(std::uint32_t word) { return {reinterpret_cast<const char*>(&word), 4}; }

}  // namespace

TEST_CASE("a tree in slabs that was altered fails a check") {
  const std::uint32_t n = 3000;
  const BuiltTree built(n);
  const std::string whole = bytes_of_file(built.folder.file("tree.npy"));
  const std::uint64_t row_bytes = 17, begin = whole.size() - n * row_bytes;
  // The least memory of a check makes many subtrees; nodes of each region are altered
  for (const std::uint64_t memory : {std::uint64_t{4096}, std::uint64_t{1} << 20}) {
    CHECK(built.failed_checks(memory) == "");
    for (const std::uint32_t node : {0u, 1u, 60u, 700u, n - 1}) {
      INFO("node " << node << ", " << memory << " bytes");
      const std::uint64_t row = begin + node * row_bytes;
      const std::string name = "node " + std::to_string(node);
      built.alter("tree.npy", row + 4, std::string(1, '\7'));
      CHECK(built.failed_checks(memory).starts_with("split dimensions: " + name + " splits dimension 7"));
      built.alter("tree.npy", row, whole.substr(row, row_bytes));
      built.alter("tree.npy", row, as_bytes(n));
      CHECK(built.failed_checks(memory).find("has point 3000 of 3000") != std::string::npos);
      built.alter("tree.npy", row, whole.substr(begin + 5 * row_bytes, 4));
      CHECK(built.failed_checks(memory).find("is in several nodes") != std::string::npos);
      built.alter("tree.npy", row, whole.substr(row, row_bytes));
      built.alter("tree.npy", row + 5 + 8, as_bytes(word_of(std::numeric_limits<float>::quiet_NaN())));
      CHECK(built.failed_checks(memory).find("finite: " + name) != std::string::npos);
      built.alter("tree.npy", row + 5 + 8, as_bytes(word_of(0.5f)));
      CHECK(built.failed_checks(memory).find("records: " + name + " differs from point ") != std::string::npos);
      built.alter("tree.npy", row, whole.substr(row, row_bytes));
    }
    // Two nodes change their points
    built.alter("tree.npy", begin + 1 * row_bytes, whole.substr(begin + 2 * row_bytes, row_bytes));
    built.alter("tree.npy", begin + 2 * row_bytes, whole.substr(begin + 1 * row_bytes, row_bytes));
    CHECK(built.failed_checks(memory).find("kd-order: node 1 lies on the wrong side of node 0") != std::string::npos);
    built.alter("tree.npy", 0, whole);
  }
  CHECK(built.failed_checks(100).find("needs at least") != std::string::npos);
  std::filesystem::resize_file(built.folder.file("tree.npy"), whole.size() - 1);
  CHECK(built.failed_checks(4096) == "the header promises 3000 rows of 17 bytes, 50999 bytes follow");
  std::ofstream(built.folder.file("tree.npy")) << "no tree";
  CHECK(built.failed_checks(4096) == "this is no left-balanced tree in an NPY file");
}

TEST_CASE("a build in slabs that is stopped or fails leaves no file") {
  const BuiltTree built(3000);
  std::filesystem::remove(built.folder.file("tree.npy"));
  const auto left = [&] {
    const std::vector<std::string> names = built.folder.names();
    return names.size() == 1 && names[0] == "points.npy";
  };
  const auto prepared = prepare(request_in(built.folder, built.memory));
  REQUIRE(prepared);
  // A stop at every report of the progress
  std::uint32_t reports = 0;
  double last = 0;
  REQUIRE(build_in_slabs(*prepared, {.stop = {}, .progress = [&](double fraction, std::string_view) {
                                       CHECK(fraction >= last);
                                       CHECK(fraction <= 1);
                                       last = fraction;
                                       ++reports;
                                     }}));
  CHECK(last == 1);
  CHECK(reports > 100);
  std::filesystem::remove(built.folder.file("tree.npy"));
  for (std::uint32_t at = 1; at < reports; at += 1 + reports / 40) {
    std::stop_source stop;
    std::uint32_t seen = 0;
    const auto stopped =
        build_in_slabs(*prepared, {.stop = stop.get_token(), .progress = [&](double, std::string_view) {
                                     if (++seen == at) stop.request_stop();
                                   }});
    INFO("stopped at report " << at << " of " << reports);
    REQUIRE(!stopped);
    CHECK(stopped.error().kind == ErrorKind::cancelled);
    CHECK(left());
  }
  // A file that becomes shorter
  std::uint32_t seen = 0;
  const auto shorter =
      build_in_slabs(*prepared, {.stop = {}, .progress = [&](double, std::string_view) {
                                   if (++seen == 3) std::filesystem::resize_file(built.folder.file("points.npy"), 500);
                                 }});
  REQUIRE(!shorter);
  CHECK(shorter.error().kind == ErrorKind::bad_input);
  CHECK(shorter.error().what.starts_with("the file ends at byte "));
  CHECK(left());
}

TEST_CASE("a build in slabs refuses what it cannot build, in one sentence") {
  BuiltTree built(3000);
  const auto refusal = [&](const SlabRequest& request) {
    const auto prepared = prepare(request);
    if (!prepared) return prepared.error().message();
    const auto report = build_in_slabs(*prepared);
    return report ? std::string() : report.error().message();
  };
  const auto has = [](const std::string& text, const std::string& part) {
    INFO(text);
    return text.find(part) != std::string::npos;
  };
  SlabRequest request = request_in(built.folder, built.memory);
  CHECK(has(refusal(request), "tree.npy: there is something of this name already; remove it"));
  std::filesystem::remove(built.folder.file("tree.npy"));
  request.tree = built.folder.file("tree.csv");
  CHECK(has(refusal(request), "a build in slabs writes its tree as .npy"));
  request = request_in(built.folder, built.memory - 1);
  CHECK(has(refusal(request), "needs at least " + std::to_string(built.memory) + " bytes of memory"));
  request.memory = ~std::uint64_t{0} / 2;
  CHECK(has(refusal(request), "--memory is "));
  request = request_in(built.folder, built.memory);
  request.points = built.folder.file("missing.npy");
  CHECK(has(refusal(request), "missing.npy: there is no such file"));
  for (const char* header : {"{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2), }",
                             "{'descr': '<f4', 'fortran_order': True, 'shape': (4, 2), }",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 2), }", "x,y"}) {
    std::ofstream out(built.folder.file("other.npy"), std::ios::binary);
    tree_files::write_npy_header(out, header);
    out << std::string(32, '\0');
    out.close();
    request.points = built.folder.file("other.npy");
    CHECK(has(refusal(request), "other.npy: only NPY files of float32 or int32 in rows are built in slabs"));
  }
  PointSet nine{ScalarType::int32, 9, 0, std::vector<std::uint32_t>(18)};
  write_points(built.folder.file("other.npy"), nine);
  CHECK(has(refusal(request), "rank builds points of 1 to 8 dimensions, these have 9"));
  // Coordinates that are not finite: the first one's place
  for (const float wrong : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    PointSet points = built.points;
    points.words[3 * 2999 + 1] = word_of(wrong);
    write_points(built.folder.file("points.npy"), points);
    const std::uint64_t begin = std::filesystem::file_size(built.folder.file("points.npy")) - 4 * points.words.size();
    request.points = built.folder.file("points.npy");
    CHECK(has(refusal(request),
              "points.npy, byte " + std::to_string(begin + 4 * (3 * 2999 + 1)) + ": 1 point is not finite; remove it"));
    points.words[3 * 1000] = points.words[3 * 1000 + 2] = word_of(wrong);
    write_points(built.folder.file("points.npy"), points);
    CHECK(has(refusal(request), "points.npy, byte " + std::to_string(begin + 4 * 3 * 1000) +
                                    ": 2 points are not finite, the first of them here; remove them"));
  }
  CHECK(built.folder.names() == std::vector<std::string>{"other.npy", "points.npy"});
}

TEST_CASE("plans of builds in slabs hold what they promise") {
  // 8 GiB of float3 on a device of 2 GiB
  const auto plan = plan_build({715'827'882, 3, ScalarType::float32}, std::uint64_t{2} << 30, false, "").value();
  CHECK(plan.upper == 5);
  CHECK(plan.largest == (1u << 25) - 1);
  CHECK(plan.subtrees == 32);
  CHECK(plan.passes == 7);
  CHECK(plan.subtree_bytes <= plan.memory);
  CHECK(plan.scratch_bytes == 16 * plan.input.n);
  CHECK(plan.bytes_read == (7 * 12 + 16) * plan.input.n);
  CHECK(plan.slabs * plan.slab_points >= plan.input.n);
  CHECK(!plan_build({std::uint64_t{1} << 31, 3, ScalarType::float32}, std::uint64_t{1} << 40, false, ""));
  // No points, or one
  CHECK(plan_build({0, 3, ScalarType::float32}, std::uint64_t{1} << 30, true, "")->subtrees == 0);
  CHECK(plan_build({1, 3, ScalarType::float32}, std::uint64_t{1} << 30, true, "")->subtrees == 1);
}
