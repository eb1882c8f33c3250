// The public library against a comparison of all pairs, with every builder of points.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "algorithms/library/kdscope.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

std::atomic<std::size_t> largest_allocation = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
  std::size_t before = largest_allocation;
  while (before < bytes && !largest_allocation.compare_exchange_weak(before, bytes)) {
  }
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

}  // namespace

// Executors and vectors allocate through these.
void* operator new(std::size_t bytes) {
  if (void* data = counted(bytes, alignof(std::max_align_t))) return data;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
// Not inlined: GCC 12 would warn of free() for memory of new.
[[gnu::noinline]] void operator delete(void* data) noexcept { std::free(data); }
[[gnu::noinline]] void operator delete(void* data, std::size_t) noexcept { std::free(data); }
[[gnu::noinline]] void operator delete(void* data, std::align_val_t) noexcept { std::free(data); }

namespace {

using kdscope::ErrorKind;
using kdscope::Points;

/// Returns coordinates on a grid of `sides` lines per dimension, so that there are many ties.
template <class Scalar>
std::vector<Scalar> on_grid(std::size_t n, std::uint32_t dimensions, int sides, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Scalar> coordinates(n * dimensions);
  for (Scalar& each : coordinates) each = static_cast<Scalar>(static_cast<int>(random() % sides));
  return coordinates;
}

struct Neighbour {
  double squared_distance;
  std::uint32_t point;
  auto operator<=>(const Neighbour&) const = default;
};

/// Returns all points by their distance to a query; whole numbers have exact squares.
template <class Scalar>
std::vector<Neighbour> all_by_distance(const std::vector<Scalar>& points, const Scalar* query, std::uint32_t dimensions,
                                       bool box = false) {
  std::vector<Neighbour> all;
  for (std::size_t i = 0; i < points.size() / dimensions; ++i) {
    double sum = 0;
    for (std::uint32_t d = 0; d < dimensions; ++d) {
      const double difference = double(query[d]) - double(points[i * dimensions + d]), square = difference * difference;
      sum = box ? std::max(sum, square) : sum + square;
    }
    all.push_back({sum, static_cast<std::uint32_t>(i)});
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Points that the tree holds: builders of trees without duplicates leave out the later ones of equal points.
template <class Scalar>
std::vector<Scalar> without_duplicates(const std::vector<Scalar>& points, std::uint32_t dimensions) {
  std::vector<Scalar> some;
  for (std::size_t i = 0; i < points.size(); i += dimensions) {
    bool known = false;
    for (std::size_t j = 0; j < some.size() && !known; j += dimensions)
      known = std::equal(&some[j], &some[j] + dimensions, &points[i]);
    if (!known) some.insert(some.end(), &points[i], &points[i] + dimensions);
  }
  return some;
}

template <class Scalar>
void check_searches(const std::string& builder, std::uint32_t dimensions) {
  const auto points = without_duplicates(on_grid<Scalar>(700, dimensions, 40, 1), dimensions);
  const auto queries = on_grid<Scalar>(50, dimensions, 44, 2);
  const std::size_t n = points.size() / dimensions;
  INFO(builder << ", " << dimensions << " dimensions, " << n << " points");
  const auto tree = kdscope::build(Points(points, dimensions), {.builder = builder}).value();
  CHECK(tree.size() == n);
  CHECK(tree.builder() == builder);
  const Points asked(queries, dimensions);
  const double radius = 6;
  const auto nearest = tree.nearest(asked, 5), near = tree.nearest(asked, 5, {.max_distance = radius});
  const auto ball = tree.within(asked, radius), box = tree.within(asked, radius, {.region = kdscope::Region::box});
  const auto in_ball = tree.count(asked, radius), in_box = tree.count(asked, radius, {.region = kdscope::Region::box});
  REQUIRE((nearest && near && ball && box && in_ball && in_box));
  for (std::size_t query = 0; query < 50; ++query) {
    const auto all = all_by_distance(points, &queries[query * dimensions], dimensions);
    for (std::size_t rank = 0; rank < 5; ++rank) {
      const std::size_t at = query * 5 + rank;
      if (rank < n) {
        CHECK(nearest->indices[at] == all[rank].point);
        CHECK(nearest->squared_distances[at] == all[rank].squared_distance);
      }
      const bool is_near = rank < n && all[rank].squared_distance <= radius * radius;
      CHECK(near->indices[at] == (is_near ? all[rank].point : kdscope::no_point));
      CHECK(std::isinf(near->squared_distances[at]) == !is_near);
    }
    const auto check_region = [&](const kdscope::PointsWithin& found, const std::vector<std::uint32_t>& counts,
                                  const std::vector<Neighbour>& expected) {
      std::vector<Neighbour> listed;
      for (std::uint64_t at = found.offsets[query]; at < found.offsets[query + 1]; ++at)
        listed.push_back({found.squared_distances[at], found.indices[at]});
      const auto end = std::ranges::find_if(
          expected, [&](const Neighbour& each) { return each.squared_distance > radius * radius; });
      CHECK(listed == std::vector<Neighbour>(expected.begin(), end));
      CHECK(counts[query] == listed.size());
    };
    check_region(*ball, *in_ball, all);
    check_region(*box, *in_box, all_by_distance(points, &queries[query * dimensions], dimensions, true));
  }
}

TEST_CASE("library: searches of every builder's tree find what a comparison of all pairs finds") {
  REQUIRE(kdscope::builders().size() >= 7);
  for (const kdscope::BuilderInfo& builder : kdscope::builders())
    for (const std::uint32_t dimensions : {1u, 2u, 3u, 7u, 20u}) {
      if (dimensions < builder.least_dimensions || dimensions > builder.most_dimensions) continue;
      check_searches<float>(builder.id, dimensions);
      const auto takes_integers =
          kdscope::build(Points(std::vector<std::int32_t>(dimensions), dimensions), {.builder = builder.id});
      if (takes_integers) check_searches<std::int32_t>(builder.id, dimensions);
    }
}

TEST_CASE("library: equally distant points come by index, and missing ones are marked") {
  const std::vector<float> points{1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 0, 0}, origin{0, 0};
  for (const char* builder : {"rank", "wald", "hu", "textbook"}) {
    const auto tree = kdscope::build(Points(points, 2), {.builder = builder}).value();
    const auto found = tree.nearest(Points(origin, 2), 8).value();
    CHECK(found.indices == std::vector<std::uint32_t>{4, 5, 0, 1, 2, 3, kdscope::no_point, kdscope::no_point});
    CHECK(found.squared_distances[5] == 1);
    CHECK(std::isinf(found.squared_distances[6]));
  }
}

TEST_CASE("library: few and many queries get the same answers as from one search, bit for bit") {
  constexpr std::uint32_t n = 3000;
  for (const std::uint32_t dimensions : {1u, 2u, 3u, 5u}) {
    const auto points = on_grid<float>(n, dimensions, 50, dimensions);
    const auto tree = kdscope::build(Points(points, dimensions)).value();
    for (const std::uint32_t k : {1u, 8u, 40u})
      for (const std::size_t count : {1u, 30u, n / 3, n}) {
        INFO(dimensions << " dimensions, k " << k << ", " << count << " queries");
        const auto of_fifths = on_grid<float>(count, dimensions, 250, k);
        std::vector<float> queries;
        for (const float each : of_fifths) queries.push_back(each / 5);
        const auto found = tree.nearest(Points(queries, dimensions), k, {.max_distance = 9}),
                   expected = tree.nearest(Points(queries, dimensions), k, {.max_distance = 9, .search = "stack"});
        REQUIRE((found && expected));
        CHECK(found->indices == expected->indices);
        CHECK(found->squared_distances == expected->squared_distances);
      }
  }
}

TEST_CASE("library: a tree has its points in level order with their original indices") {
  const auto points = on_grid<float>(1000, 3, 1000, 3);
  const auto tree = kdscope::build(Points(points, 3), {.backend = "cpu"}).value();
  CHECK(tree.builder() == "rank");
  CHECK(tree.kind() == "left-balanced");
  CHECK(tree.backend() == "cpu");
  CHECK(tree.processors() >= 1);
  CHECK(tree.int_coordinates().empty());
  const auto order = tree.permutation();
  const auto coordinates = tree.float_coordinates();
  const auto splits = tree.split_dimensions();
  REQUIRE(splits.size() == 1000);
  REQUIRE(order.size() == 1000);
  REQUIRE(coordinates.size() == 3000);
  for (std::size_t node = 0; node < 1000; ++node)
    for (std::size_t d = 0; d < 3; ++d) CHECK(coordinates[3 * node + d] == points[3 * order[node] + d]);
  // Each node splits its subtrees
  for (std::size_t node = 1; node < 1000; ++node)
    for (std::size_t below = node; below > 0; below = (below - 1) / 2) {
      const std::size_t above = (below - 1) / 2;
      const float plane = coordinates[3 * above + splits[above]], mine = coordinates[3 * node + splits[above]];
      if (below % 2 == 1)
        CHECK(mine <= plane);
      else
        CHECK(mine >= plane);
    }
  std::vector<std::uint32_t> sorted(order.begin(), order.end()), all(1000);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), 0u);
  CHECK(sorted == all);
  const auto same = kdscope::build(Points(points, 3), {.builder = "wald", .backend = "cpu", .processors = 1}).value();
  CHECK(same.hash() == tree.hash());
  CHECK(same.processors() == 1);
}

TEST_CASE("library: a second search copies neither the tree nor its points") {
  constexpr std::size_t n = 200'000;
  std::mt19937 random(5);
  std::vector<float> points(3 * n);
  for (float& each : points) each = static_cast<float>(random()) * 0x1p-32f;
  for (const char* builder : {"rank", "hu"}) {
    const auto tree = kdscope::build(Points(points, 3), {.builder = builder}).value();
    const Points ten(std::span<const float>(points).subspan(0, 30), 3);
    REQUIRE((tree.nearest(ten, 8) && tree.within(ten, 0.01) && tree.count(ten, 0.01)));
    largest_allocation = 0;
    REQUIRE((tree.nearest(ten, 8) && tree.within(ten, 0.01) && tree.count(ten, 0.01)));
    INFO(builder << " allocated " << largest_allocation << " bytes at once");
    CHECK(largest_allocation > 0);
    CHECK(largest_allocation < n / 10);
  }
}

TEST_CASE("library: several threads search a tree at once") {
  const auto points = on_grid<float>(5000, 2, 3000, 6), queries = on_grid<float>(2000, 2, 3000, 7);
  const auto tree = kdscope::build(Points(points, 2), {.backend = "cpu"}).value();
  std::vector<kdscope::Neighbours> found(4);
  {
    std::vector<std::jthread> threads;
    for (auto& each : found)
      threads.emplace_back([&] {
        if (auto nearest = tree.nearest(Points(queries, 2), 3)) each = std::move(*nearest);
      });
  }
  const auto alone = tree.nearest(Points(queries, 2), 3, {.search = "stack-free", .processors = 1}).value();
  for (const auto& each : found) {
    CHECK(each.indices == alone.indices);
    CHECK(each.squared_distances == alone.squared_distances);
  }
}

template <class T>
void check_error(const kdscope::Result<T>& result, ErrorKind kind, const std::string& part) {
  REQUIRE(!result);
  INFO(result.error().message());
  CHECK(result.error().kind == kind);
  CHECK(result.error().message().find(part) != std::string::npos);
  CHECK(!result.error().remedy.empty());
}

TEST_CASE("library: each wrong input gets a sentence that says what to do") {
  const std::vector<float> points{0, 0, 4, 0, 4, 3}, odd{1, 2, 3, 4, 5},
      infinite{0, 0, 1, std::numeric_limits<float>::infinity()}, nan{std::nanf(""), 1};
  check_error(kdscope::build(Points(odd, 2)), ErrorKind::bad_usage, "5 coordinates are no whole number of points");
  check_error(kdscope::build(Points(odd, 0)), ErrorKind::bad_usage, "of 0 dimensions");
  check_error(kdscope::build(Points(infinite, 2)), ErrorKind::bad_input, "coordinate 1 of point 1 is not finite");
  check_error(kdscope::build(Points(points, 2), {.builder = "walt"}), ErrorKind::bad_usage, "wald");
  check_error(kdscope::build(Points(points, 2), {.backend = "gpu"}), ErrorKind::bad_usage, "auto, cpu or cuda");
  check_error(kdscope::build(Points(points, 2), {.parameters = {{"speed", "high"}}}), ErrorKind::bad_usage, "speed");
  check_error(kdscope::build(Points(points, 2), {.processors = 100'000}), ErrorKind::no_device, "there are only");
  const auto tree = kdscope::build(Points(points, 2)).value();
  check_error(tree.nearest(Points(points, 3), 1), ErrorKind::bad_input, "the queries have 3 dimensions");
  check_error(tree.nearest(Points(nan, 2), 1), ErrorKind::bad_input, "the queries: coordinate 0 of point 0");
  check_error(tree.nearest(Points(points, 2), 0), ErrorKind::bad_usage, "k is 0");
  check_error(tree.nearest(Points(points, 2), 1, {.search = "stak"}), ErrorKind::bad_usage, "stack");
  check_error(tree.within(Points(points, 2), -1), ErrorKind::bad_usage, "the radius is -1");
  check_error(tree.count(Points(points, 2), std::nan("")), ErrorKind::bad_usage, "the radius is");
  const std::vector<float> many(2000);
  const auto larger = kdscope::build(Points(many, 2)).value();
  check_error(larger.nearest(Points(points, 2), 4'000'000'000u), ErrorKind::bad_usage,
              "k is 4000000000; give 1 to 128");
  const std::vector<float> far{1e30f, 0};
  check_error(tree.nearest(Points(far, 2), 1), ErrorKind::bad_input,
              "the queries: queries and points extend over 1e+30, and floats cannot hold the squares of such large "
              "distances; give queries that are closer to the points.");
  std::vector<std::uint32_t> indices(3);
  std::vector<double> distances(2);
  check_error(tree.nearest_into(Points(points, 2), 1, indices, distances), ErrorKind::bad_usage,
              "3 indices and 2 distances");
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = kdscope::build(Points(points, 2), {.stop = stop.get_token()});
  REQUIRE(!stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
  const auto stopped_search = tree.nearest(Points(points, 2), 1, {.stop = stop.get_token()});
  REQUIRE(!stopped_search);
  CHECK(stopped_search.error().kind == ErrorKind::cancelled);
}

TEST_CASE("library: a query's coordinate that its type does not hold gets a sentence of its own") {
  const std::vector<std::int32_t> whole{0, 0, 4, 0, 4, 3};
  const std::vector<float> floats{0, 0, 4, 0, 4, 3};
  const auto refused = [](const Points& points, const std::string& query, const char* sentence) {
    kdscope::RecordOptions options;
    options.search = {{"question", "nearest"}, {"query", query}};
    check_error(kdscope::record(points, options), ErrorKind::bad_usage, sentence);
  };
  refused(Points(whole, 2), "1,0.5",
          "coordinate 1 of the query is 0.5, and the points have whole coordinates; give a whole number, or make the "
          "points floats.");
  refused(Points(whole, 2), "3e9,1",
          "coordinate 0 of the query is 3e+09, which no 32-bit integer holds; give one from -2147483648 to "
          "2147483647, as the points have.");
  refused(Points(floats, 2), "1,-1e39",
          "coordinate 1 of the query is -1e+39, which no 32-bit float holds; give one from -3.4e38 to 3.4e38, as the "
          "points have.");
}

TEST_CASE("library: no points make a tree in which nothing is found") {
  const std::vector<float> none, query{1, 2};
  const auto tree = kdscope::build(Points(none, 2)).value();
  CHECK(tree.size() == 0);
  CHECK(tree.permutation().empty());
  const auto found = tree.nearest(Points(query, 2), 2).value();
  CHECK(found.indices == std::vector<std::uint32_t>(2, kdscope::no_point));
  const auto within = tree.within(Points(query, 2), 5).value();
  CHECK(within.offsets == std::vector<std::uint64_t>{0, 0});
  const auto no_queries = tree.nearest(Points(none, 2), 2).value();
  CHECK(no_queries.indices.empty());
}

TEST_CASE("library: a recording has steps and typed arrays, and files hold it") {
  const std::vector<float> points{10, 46, 15, 25, 40, 62, 44, 53, 25, 63, 45, 12};
  const auto run = kdscope::record(Points(points, 2), {{.builder = "wald"}}).value();
  CHECK(run.builder() == "wald");
  REQUIRE(run.step_count() > 3);
  const kdscope::Step last = run.step(run.step_count() - 1);
  CHECK(last.path.back() == last.name);
  REQUIRE(!last.checks.empty());
  for (const kdscope::Check& check : last.checks) CHECK(check.passed);
  const kdscope::RecordedState first = run.state_after(0), end = run.state_after(run.step_count() - 1);
  REQUIRE(end.array("tags"));
  const kdscope::ArrayView tags = *end.array("tags");
  CHECK(tags.shape == std::vector<std::size_t>{6});
  CHECK(std::ranges::equal(tags.as<std::uint32_t>(), std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  CHECK(tags.as<float>().empty());
  CHECK(tags.as<std::int32_t>().empty());
  CHECK(std::ranges::equal(first.array("tags")->as<std::uint32_t>(), std::vector<std::uint32_t>(6, 0)));
  const auto given = end.array("points");
  REQUIRE(given);
  CHECK(given->shape == std::vector<std::size_t>{6, 2});
  CHECK(std::ranges::equal(given->as<float>(), points));
  // Rows that the trace derives from others are arrays, too
  for (const std::string& name : end.names()) CHECK(end.array(name));
  check_error(end.array("tag"), ErrorKind::bad_usage, "no array 'tag'");

  const kdscope::test::TemporaryFolder folder;
  const std::string path = folder.file("six.kdtrace");
  if (const auto saved = run.save(path)) {
    const auto loaded = kdscope::load_trace(path).value();
    CHECK(loaded.step_count() == run.step_count());
    CHECK(std::ranges::equal(loaded.state_after(2).array("tags")->as<std::uint32_t>(),
                             run.state_after(2).array("tags")->as<std::uint32_t>()));
  }
  const auto missing = kdscope::load_trace(folder.file("missing.kdtrace"));
  REQUIRE(!missing);
  CHECK(missing.error().message().find("missing.kdtrace: cannot be opened") != std::string::npos);

  const auto search =
      kdscope::record(Points(points, 2),
                      {{.builder = "wald"}, {}, {}, {}, {{"question", "nearest"}, {"query", "20,30"}, {"k", "2"}}})
          .value();
  CHECK(search.state_after(search.step_count() - 1).array("search.found"));
  check_error(kdscope::record(Points(points, 2), {{.builder = "wald"}, {}, {}, {}, {{"question", "nearest"}}}),
              ErrorKind::bad_usage, "query");
}

TEST_CASE("library: a tree whose search works on the host leaves no answers on a device") {
  const std::vector<float> points{10, 46, 15, 25, 40, 62, 44, 53, 25};
  const auto tree = kdscope::build(Points(points, 3), {.builder = "zhou-vvh", .backend = "cpu"}).value();
  CHECK(tree.kind() == "split-planes");
  std::vector<std::uint32_t> indices(3);
  std::vector<float> distances(3);
  check_error(tree.nearest_on_cuda(Points(points, 3), 1, indices, distances), ErrorKind::bad_usage,
              "split-planes leaves its answers on the host");
  CHECK(tree.nearest(Points(points, 3), 1));
}

TEST_CASE("library: the version is that of the build") { CHECK(std::string(kdscope::version()) == KDSCOPE_VERSION); }

}  // namespace
