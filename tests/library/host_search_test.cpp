// HostSearch against brute force. tests/python compares it with scipy.

#include "algorithms/library/host_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::library;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> some_numbers(std::size_t count, int values, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> numbers(count);
  for (double& number : numbers)
    number = values > 0 ? static_cast<double>(random() % static_cast<unsigned>(values)) : random() * 0x1p-32;
  return numbers;
}

/// What is compared: squares for p = 2.
double sum_of(const double* a, const double* b, std::uint32_t dim, double p) {
  double sum = 0;
  for (std::uint32_t d = 0; d < dim; ++d) {
    const double difference = std::abs(a[d] - b[d]);
    sum = std::isinf(p) ? std::max(sum, difference) : sum + (p == 2 ? difference * difference : difference);
  }
  return sum;
}
double reach_at(double radius, double p) { return p == 2 ? radius * radius : radius; }

template <class Number>
void compare_with_brute_force(std::uint32_t dim, std::size_t n, int values) {
  CAPTURE(dim, n, values);
  std::vector<double> exact = some_numbers(n * dim, values, 7);
  std::vector<Number> numbers;
  for (double& number : exact) number = static_cast<double>(numbers.emplace_back(static_cast<Number>(number)));
  const auto tree = HostSearch::build({std::span<const Number>(numbers), dim}).value();
  CHECK(tree.size() == n);
  const std::vector<double> queries = some_numbers(41 * dim, values, 8);
  for (const double p : {2.0, 1.0, infinity})
    for (const std::size_t k : {1, 8, 40}) {
      HostOptions options;
      options.p = p;
      options.max_distance = values > 0 ? values / 2.0 : 0.4;
      std::vector<std::int64_t> indices(41 * k);
      std::vector<double> distances(41 * k);
      REQUIRE(tree.nearest_into({std::span(queries), dim}, k, indices, distances, options));
      const double radius = options.max_distance / 2;
      const auto within = tree.within({std::span(queries), dim}, std::span(&radius, 1), options).value();
      std::vector<std::int64_t> counts(41);
      REQUIRE(tree.count_into({std::span(queries), dim}, std::span(&radius, 1), counts, options));
      for (std::size_t query = 0; query < 41; ++query) {
        std::vector<std::pair<double, std::int64_t>> near;
        std::vector<std::uint32_t> inside;
        for (std::size_t i = 0; i < n; ++i) {
          const double sum = sum_of(&queries[query * dim], &exact[i * dim], dim, p);
          if (sum < reach_at(options.max_distance, p)) near.emplace_back(sum, i);
          if (sum <= reach_at(radius, p)) inside.push_back(static_cast<std::uint32_t>(i));
        }
        std::sort(near.begin(), near.end());
        near.resize(k, {infinity, static_cast<std::int64_t>(n)});
        for (std::size_t rank = 0; rank < k; ++rank) {
          const double distance = p == 2 ? std::sqrt(near[rank].first) : near[rank].first;
          if (indices[query * k + rank] != near[rank].second || distances[query * k + rank] != distance)
            FAIL("query " << query << ", rank " << rank << ": " << indices[query * k + rank] << " at "
                          << distances[query * k + rank] << ", brute force " << near[rank].second << " at "
                          << distance);
        }
        CHECK(std::equal(inside.begin(), inside.end(),
                         within.indices.begin() + static_cast<std::ptrdiff_t>(within.offsets[query]),
                         within.indices.begin() + static_cast<std::ptrdiff_t>(within.offsets[query + 1])));
        CHECK(counts[query] == static_cast<std::int64_t>(inside.size()));
      }
    }
}

}  // namespace

TEST_CASE("a search on the host finds what brute force finds") {
  for (const std::uint32_t dim : {1u, 2u, 3u, 5u})
    for (const std::size_t n : {1u, 31u, 32u, 33u, 64u, 1000u}) {
      compare_with_brute_force<float>(dim, n, 0);
      compare_with_brute_force<double>(dim, n, 0);
      compare_with_brute_force<std::int32_t>(dim, n, 10);
    }
}

TEST_CASE("pairs are counted by distance as brute force counts them") {
  const std::vector<double> here = some_numbers(900, 12, 1), there = some_numbers(600, 12, 2);
  const std::vector<double> radii{0, 1, 1, 2.5, 7}, weights = some_numbers(300, 4, 3);
  const auto a = HostSearch::build({std::span(here), 3}), b = HostSearch::build({std::span(there), 3});
  REQUIRE(a);
  REQUIRE(b);
  std::vector<std::uint64_t> expected(radii.size());
  std::vector<double> heavy(radii.size());
  for (std::size_t i = 0; i < 300; ++i)
    for (std::size_t j = 0; j < 200; ++j) {
      const double sum = sum_of(&here[3 * i], &there[3 * j], 3, 2);
      for (std::size_t r = 0; r < radii.size(); ++r)
        if (sum <= radii[r] * radii[r]) {
          ++expected[r];
          heavy[r] += weights[i];
          break;
        }
    }
  for (const int threads : {1, 2}) {
    HostOptions options;
    options.threads = threads;
    const auto counted = a->count_pairs(*b, radii, options).value();
    CHECK(counted == expected);
    const auto weighed = a->weigh_pairs(*b, radii, weights, {}, options).value();
    CHECK(weighed == heavy);  // whole numbers
  }
  const std::vector<double> descending{2, 1};
  CHECK_FALSE(a->count_pairs(*b, descending));
}

TEST_CASE("many queries are served along a curve, on any number of threads, with the same answers") {
  const std::vector<double> points = some_numbers(15'000, 0, 5), queries = some_numbers(12'000, 0, 6);
  const auto tree = HostSearch::build({std::span(points), 3}).value();
  const auto answer = [&](std::span<const double> some, int threads) {
    HostOptions options;
    options.threads = threads;
    std::vector<std::int64_t> indices(some.size());
    std::vector<double> distances(some.size());
    REQUIRE(tree.nearest_into({some, 3}, 3, indices, distances, options));
    return indices;
  };
  const std::vector<std::int64_t> all = answer(queries, 1);
  CHECK(answer(queries, 2) == all);
  for (std::size_t first = 0; first < queries.size(); first += 1200) {
    const std::vector<std::int64_t> few = answer(std::span(queries).subspan(first, 300), 1);
    CHECK(std::equal(few.begin(), few.end(), all.begin() + static_cast<std::ptrdiff_t>(first)));
  }
  // The tree's own points are each the nearest of itself
  const std::vector<std::int64_t> own = answer(points, 2);
  for (std::size_t i = 0; i < 5000; ++i)
    if (own[3 * i] != static_cast<std::int64_t>(i)) FAIL("point " << i);
}

TEST_CASE("a search on the host refuses what it cannot answer, with a sentence") {
  const std::vector<double> points = some_numbers(30, 0, 5);
  const auto tree = HostSearch::build({std::span(points), 3}).value();
  const double nan = std::nan("");
  std::vector<std::int64_t> indices(1);
  std::vector<double> distances(1);
  const auto message = [](const auto& result) { return result ? std::string() : result.error().message(); };
  const auto says = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  const std::vector<double> query{1, 2, 3}, broken{1, nan, 3}, two{1, 2};
  CHECK(says(message(tree.nearest_into({std::span(two), 2}, 1, indices, distances)),
             "the queries have 2 dimensions, and the points 3"));
  CHECK(says(message(tree.nearest_into({std::span(broken), 3}, 1, indices, distances)),
             "coordinate 1 of point 0 must be finite"));
  CHECK(says(message(tree.nearest_into({std::span(query), 3}, 2, indices, distances)),
             "give arrays of queries times k elements"));
  CHECK(says(message(tree.within({std::span(query), 3}, std::span(&nan, 1))), "a radius is NaN"));
  CHECK(says(message(HostSearch::build({std::span(broken), 3})), "coordinate 1 of point 0 must be finite"));
  CHECK(says(message(HostSearch::build({std::span(points), 7})), "30 coordinates are no whole number of points"));
  std::stop_source stop;
  stop.request_stop();
  HostOptions options;
  options.stop = stop.get_token();
  const auto stopped = tree.nearest_into({std::span(query), 3}, 1, indices, distances, options);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
  const auto empty = HostSearch::build({std::span<const double>(), 3}).value();
  REQUIRE(empty.nearest_into({std::span(query), 3}, 1, indices, distances));
  CHECK(indices[0] == 0);
  CHECK(distances[0] == infinity);
}
