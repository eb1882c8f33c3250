#pragma once
// Compares searches with brute force that shares no code with them: indices, ties by index, and distances bit for bit.

#include <algorithm>
#include <cmath>
#include <random>

#include "algorithms/registry/answer_check.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/trees/median_stores/tree.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::tests {

struct Neighbour {
  double squared_distance;
  std::uint32_t point;
  bool operator<(const Neighbour& other) const {
    return squared_distance != other.squared_distance ? squared_distance < other.squared_distance : point < other.point;
  }
};

/// Returns a squared distance in which every difference, square and sum is rounded to a Number. From 64 dimensions on,
/// there are 32 sums of every 32nd square, and the upper half of the sums is added to the lower until one is left.
template <class Number>
inline double distance_between(const PointSet& a, std::size_t i, const PointSet& b, std::size_t j, bool box) {
  const auto joined = [box](Number one, Number other) {
    volatile Number sum = one + other;
    return !box ? Number(sum) : one > other ? one : other;
  };
  std::vector<Number> sums(a.dim < 64 ? 1 : 32, 0);
  for (std::uint32_t d = 0; d < a.dim; ++d) {
    volatile Number difference = static_cast<Number>(a.value(i, d)) - static_cast<Number>(b.value(j, d));
    volatile Number square = difference * difference;
    sums[d % sums.size()] = joined(sums[d % sums.size()], square);
  }
  for (; sums.size() > 1; sums.resize(sums.size() / 2))
    for (std::size_t s = 0; s < sums.size() / 2; ++s) sums[s] = joined(sums[s], sums[s + sums.size() / 2]);
  return sums[0];
}

/// Returns the largest squared distance within a radius: for integers, the largest whose root is at most the radius;
/// for floats, the square of the radius and what the rounding of coordinates may add to it.
inline double squared_reach(const PointSet& queries, std::size_t query, double radius) {
  if (queries.type == ScalarType::int32) {
    double squared = radius * radius;
    while (std::sqrt(squared) <= radius && squared < 1e300) squared = std::nextafter(squared, 1e308);
    while (std::sqrt(squared) > radius) squared = std::nextafter(squared, 0.0);
    return squared;
  }
  volatile float rounded_up = static_cast<float>(radius);
  if (static_cast<double>(rounded_up) < radius) rounded_up = std::nextafter(rounded_up, 3e38f);
  float largest = 0;
  for (std::uint32_t d = 0; d < queries.dim; ++d)
    largest = std::max(largest, static_cast<float>(std::abs(queries.value(query, d))));
  volatile float sum = largest + rounded_up, by_size = sum / 4194304.0f, by_radius = rounded_up / 1024.0f;
  volatile float reach = rounded_up + (by_size < by_radius ? by_size : by_radius);
  volatile float squared = reach * reach;
  return static_cast<double>(squared);
}

inline std::vector<Neighbour> neighbours_of(const PointSet& queries, std::size_t query, const PointSet& points,
                                            bool box) {
  std::vector<Neighbour> all;
  for (std::uint32_t point = 0; point < points.size(); ++point)
    all.push_back({points.type == ScalarType::float32 ? distance_between<float>(queries, query, points, point, box)
                                                      : distance_between<double>(queries, query, points, point, box),
                   point});
  std::sort(all.begin(), all.end());
  return all;
}

inline std::shared_ptr<const DataSet> data_of(const std::string& spec) {
  const auto data = open_data_set(spec);
  INFO(spec);
  REQUIRE(data);
  return *data;
}

inline std::shared_ptr<const Tree> tree_over(const std::string& algorithm, const std::shared_ptr<const DataSet>& data,
                                             const Parameters& parameters = {}) {
  RunRequest request{{}, algorithm, parameters, Backend::cpu, false, data};
  auto report = build(request).value();
  return std::make_shared<const Tree>(std::move(report.tree));
}

/// Returns a request for a search among the points of a tree.
inline SearchRequest search_over(std::shared_ptr<const Tree> tree, std::shared_ptr<const DataSet> queries,
                                 std::uint32_t k = 1, Backend backend = Backend::cpu) {
  SearchRequest request;
  request.tree = std::move(tree);
  request.queries = std::move(queries);
  request.k = k;
  request.backend = backend;
  return request;
}

/// Returns the first wrong result by the check that the product makes of answers.
inline std::string difference_of(const SearchRequest& request, const SearchReport& found, const DataSet& data) {
  return check_answer(request, found, data.points).value().difference;
}
/// Returns the share of the expected results that were found.
inline double recall_of(const SearchRequest& request, const SearchReport& found, const DataSet& data) {
  return check_answer(request, found, data.points).value().recall;
}

/// Queries on points, inside the points' box, and far outside of it.
inline std::shared_ptr<const DataSet> queries_for(const DataSet& data, std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  auto queries = std::make_shared<DataSet>();
  queries->name = "queries";
  PointSet& points = queries->points;
  points.type = data.points.type, points.dim = data.points.dim;
  const Box box = bounding_box(data.points);
  for (std::size_t i = 0; i < count; ++i)
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      const std::size_t on = i * 7919 % data.points.size();
      double value = data.points.value(on, d);
      const double share = static_cast<double>(random() % 1000) / 999;
      if (i % 3 == 1) value = box.lo[d] + share * (box.hi[d] - box.lo[d]);
      if (i % 3 == 2) value = box.hi[d] + (share + 5) * std::min(1e8, box.hi[d] - box.lo[d]) + 1;
      points.words.push_back(points.type == ScalarType::float32
                                 ? word_of(static_cast<float>(value))
                                 : word_of(static_cast<std::int32_t>(std::min(value, 2147483647.0))));
    }
  return queries;
}

/// Compares all searches of the tree's kind with brute force over the points that the tree keeps. A search that chooses
/// its own radius must find everything within it, and at least k points. Returns the number of results compared.
inline std::size_t check_all(const DataSet& data, SearchRequest request) {
  std::size_t compared = 0;
  const PointSet& queries = request.queries->points;
  std::vector<bool> kept(data.points.size(), true);
  if (request.tree->is<MedianStoreTree>())
    for (const PointId removed : request.tree->as<MedianStoreTree>().removed) kept[removed.value] = false;
  std::vector<std::vector<Neighbour>> expected;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    expected.push_back(neighbours_of(queries, query, data.points, request.question == SearchQuestion::box));
    std::erase_if(expected.back(), [&](const Neighbour& n) {
      return !kept[n.point] || (request.radius && n.squared_distance > squared_reach(queries, query, *request.radius));
    });
  }
  for (const Search* each : searches_of(request.tree->kind().id())) {
    if (std::ranges::count(each->spec.questions, request.question) == 0 || request.k > each->spec.most_k) continue;
    INFO(each->spec.id << ", " << name_of(request.question) << ", k " << request.k << ", " << data.name);
    request.search = each->spec.id;
    const auto found = search(request).value();
    CHECK(difference_of(request, found, data) == "");
    REQUIRE(found.offsets.size() == queries.size() + 1);
    REQUIRE(found.offsets.back() == found.found.size());
    REQUIRE(found.distances.size() == found.found.size());
    for (std::size_t query = 0; query < queries.size(); ++query) {
      const std::uint64_t begin = found.offsets[query];
      std::size_t there = expected[query].size();
      if (!found.reaches.empty()) {
        const double reach = found.reaches[query];
        CHECK(found.offsets[query + 1] - begin >= std::min<std::size_t>(there, request.k));
        there = std::ranges::count_if(expected[query], [&](const Neighbour& n) { return n.squared_distance <= reach; });
      } else if (request.question == SearchQuestion::nearest) {
        there = std::min<std::size_t>(there, request.k);
      }
      REQUIRE(found.offsets[query + 1] - begin == there);
      for (std::size_t rank = 0; rank < there; ++rank, ++compared) {
        if (found.found[begin + rank] == expected[query][rank].point &&
            found.distances[begin + rank] == expected[query][rank].squared_distance)
          continue;
        INFO("query " << query << ", rank " << rank << ": " << found.found[begin + rank]);
        FAIL("another result than that of brute force");
      }
      CHECK((found.visited[query] >= 1 || there == 0));  // the root's box may be beyond the reach
      const std::size_t range_searches = found.reaches.empty() ? 1 : 3;
      // Leaves may hold one point each, and those of split planes none.
      const std::size_t nodes =
          request.tree->is<SplitPlaneTree>() ? request.tree->as<SplitPlaneTree>().size() : 2 * data.points.size();
      CHECK(found.visited[query] <= range_searches * nodes);
    }
  }
  return compared;
}

inline const std::vector<std::string> kinds{"uniform:n=500,dim=2,seed=1",
                                            "uniform:n=333,dim=3,seed=2",
                                            "uniform:n=200,dim=8,seed=3",
                                            "uniform:n=1000,dim=1,seed=4",
                                            "clustered:n=600,dim=3,seed=5",
                                            "grid:n=400,dim=2,side=5",
                                            "uniform:n=400,dim=3,seed=6,type=int",
                                            "line:n=300,dim=3",
                                            "equal:n=100,dim=2",
                                            "wald-10",
                                            "uniform:n=1,dim=2,seed=1",
                                            "uniform:n=2,dim=2,seed=1"};

}  // namespace kdscope::tests
