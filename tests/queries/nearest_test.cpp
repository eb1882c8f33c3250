// Tests searches against brute force written here: indices, ties by index, and distances bit for bit.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

struct Neighbour {
  double squared_distance;
  std::uint32_t point;
  bool operator<(const Neighbour& other) const {
    return squared_distance != other.squared_distance ? squared_distance < other.squared_distance : point < other.point;
  }
};

/// Returns a squared distance in which every difference, square and sum is rounded to a Number.
template <class Number>
double distance_between(const PointSet& a, std::size_t i, const PointSet& b, std::size_t j) {
  volatile Number sum = 0;
  for (std::uint32_t d = 0; d < a.dim; ++d) {
    volatile Number difference = static_cast<Number>(a.value(i, d)) - static_cast<Number>(b.value(j, d));
    volatile Number square = difference * difference;
    sum = sum + square;
  }
  return sum;
}

std::vector<Neighbour> neighbours_of(const PointSet& queries, std::size_t query, const PointSet& points) {
  std::vector<Neighbour> all;
  for (std::uint32_t point = 0; point < points.size(); ++point)
    all.push_back({points.type == ScalarType::float32 ? distance_between<float>(queries, query, points, point)
                                                      : distance_between<double>(queries, query, points, point),
                   point});
  std::sort(all.begin(), all.end());
  return all;
}

std::shared_ptr<const DataSet> data_of(const std::string& spec) {
  const auto data = open_data_set(spec);
  INFO(spec);
  REQUIRE(data);
  return *data;
}

std::shared_ptr<const Tree> tree_over(const std::shared_ptr<const DataSet>& data, const Parameters& parameters = {}) {
  BuildRequest request;
  request.algorithm = "wald";
  request.data = data;
  request.parameters = parameters;
  request.backend = Backend::cpu;
  auto report = build(request);
  REQUIRE(report);
  return std::make_shared<const Tree>(std::move(report->tree));
}

/// Queries on points, inside the points' box, and far outside of it.
std::shared_ptr<const DataSet> queries_for(const DataSet& data, std::size_t count, std::uint32_t seed) {
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

/// Compares all searches with brute force. Returns the number of neighbours compared.
std::size_t check_all(const DataSet& data, SearchRequest request) {
  std::size_t compared = 0;
  const PointSet& queries = request.queries->points;
  std::vector<std::vector<Neighbour>> expected;
  for (std::size_t query = 0; query < queries.size(); ++query) {
    expected.push_back(neighbours_of(queries, query, data.points));
    if (request.radius)
      std::erase_if(expected.back(),
                    [&](const Neighbour& n) { return n.squared_distance > *request.radius * *request.radius; });
  }
  for (const Search& each : all_searches()) {
    INFO(each.spec.id << ", k " << request.k << ", " << data.name);
    request.search = each.spec.id;
    const auto found = search(request);
    INFO((found ? "" : found.error().message()));
    REQUIRE(found);
    REQUIRE(found->points.size() == queries.size() * request.k);
    REQUIRE(found->squared_distances.size() == queries.size() * request.k);
    for (std::size_t query = 0; query < queries.size(); ++query) {
      for (std::size_t rank = 0; rank < request.k; ++rank, ++compared) {
        const std::size_t at = query * request.k + rank;
        const bool there = rank < expected[query].size();
        if (found->points[at] == (there ? expected[query][rank].point : no_id) &&
            found->squared_distances[at] ==
                (there ? expected[query][rank].squared_distance : std::numeric_limits<double>::infinity()))
          continue;
        INFO("query " << query << ", rank " << rank << ": " << found->points[at]);
        FAIL("another neighbour than that of brute force");
      }
      CHECK(found->visited[query] >= 1);
      CHECK(found->visited[query] <= data.points.size());
    }
  }
  return compared;
}

const std::vector<std::string> kinds{"uniform:n=500,dim=2,seed=1",
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

}  // namespace

TEST_CASE("nearest: all searches equal brute force on points of all kinds") {
  std::size_t compared = 0;
  for (const std::string& kind : kinds) {
    const auto data = data_of(kind);
    for (const char* split : {"round-robin", "widest"}) {
      SearchRequest request;
      request.backend = Backend::cpu;
      request.tree = tree_over(data, {{"split", split}});
      request.queries = queries_for(*data, 30, 7);
      for (const std::uint32_t k : {1u, 2u, 5u, 8u, 9u, 50u, 128u}) {
        if (k > data->points.size()) continue;
        request.k = k;
        request.order = k % 2 == 0 ? QueryOrder::morton : QueryOrder::given;
        compared += check_all(*data, request);
      }
    }
  }
  CHECK(compared > 10'000);
}

TEST_CASE("nearest: a radius leaves out what is farther away") {
  for (const char* kind : {"uniform:n=500,dim=2,seed=1", "grid:n=400,dim=2,side=5"}) {
    const auto data = data_of(kind);
    SearchRequest request;
    request.backend = Backend::cpu;
    request.tree = tree_over(data);
    request.queries = queries_for(*data, 60, 8);
    request.k = 8;
    for (const double radius : {0.0, 1e-3, 0.05, 1.0, 2.0, 1e9}) {
      request.radius = radius;
      check_all(*data, request);
    }
  }
}

TEST_CASE("nearest: all searches on CUDA equal brute force") {
  if (find_devices().devices.front().backend != Backend::cuda) KDSCOPE_SKIP("no CUDA device");
  for (const std::string& kind : kinds) {
    const auto data = data_of(kind);
    SearchRequest request;
    request.backend = Backend::cuda;
    request.tree = tree_over(data);
    request.queries = queries_for(*data, 300, 9);
    for (const std::uint32_t k : {1u, 8u, 9u, 128u}) {
      if (k > data->points.size()) continue;
      request.k = k;
      for (const QueryOrder order : {QueryOrder::given, QueryOrder::morton}) {
        request.order = order;
        check_all(*data, request);
      }
    }
  }
}

TEST_CASE("nearest: sorted queries have the same answers in their own order") {
  for (const char* kind : {"uniform:n=3000,dim=3,seed=3", "uniform:n=2000,dim=2,seed=4,type=int", "equal:n=50,dim=8"}) {
    const auto data = data_of(kind);
    SearchRequest request;
    request.backend = Backend::cpu;
    request.tree = tree_over(data);
    request.queries = data;
    request.k = 5;
    const auto given = search(request);
    request.order = QueryOrder::morton;
    request.repeat = 2;
    const auto sorted = search(request);
    REQUIRE(given);
    REQUIRE(sorted);
    CHECK(sorted->points == given->points);
    CHECK(sorted->squared_distances == given->squared_distances);
    CHECK(sorted->visited == given->visited);
    CHECK(given->sort_ms.empty());
    CHECK(sorted->sort_ms.size() == 2);
  }
}

TEST_CASE("nearest: corners prune more than planes, and few nodes of many are visited") {
  const auto data = data_of("uniform:n=20000,dim=3,seed=1");
  SearchRequest request;
  request.backend = Backend::cpu;
  request.tree = tree_over(data);
  request.queries = data;
  request.k = 8;
  std::vector<double> mean;
  for (const char* id : {"stack", "stack-free", "closest-corner"}) {
    request.search = id;
    const auto found = search(request);
    REQUIRE(found);
    double sum = 0;
    for (const std::uint32_t visited : found->visited) sum += visited;
    mean.push_back(sum / 20000);
  }
  CHECK(mean[0] < 400);
  CHECK(mean[0] == mean[1]);  // the same order of visits
  CHECK(mean[2] < mean[0]);
}

TEST_CASE("nearest: what cannot be searched is one sentence") {
  const auto data = data_of("uniform:n=20,dim=2,seed=1");
  SearchRequest request;
  request.backend = Backend::cpu;
  request.tree = tree_over(data);
  request.queries = data;
  const auto with = [&](auto change) {
    SearchRequest changed = request;
    change(changed);
    const auto found = search(changed);
    REQUIRE_FALSE(found);
    return found.error().message();
  };
  CHECK(with([](auto& r) { r.k = 0; }).find("k is 0; give 1 to 128") != std::string::npos);
  CHECK(with([](auto& r) { r.k = 21; }).find("only 20 points") != std::string::npos);
  CHECK(with([](auto& r) { r.k = 129; }).find("give 1 to 128") != std::string::npos);
  CHECK(with([](auto& r) { r.radius = -1; }).find("the radius is -1") != std::string::npos);
  CHECK(with([](auto& r) { r.radius = std::nan(""); }).find("the radius is nan") != std::string::npos);
  CHECK(with([](auto& r) { r.search = "stak"; }).find("stack") != std::string::npos);
  CHECK(with([](auto& r) { r.queries = data_of("uniform:n=5,dim=3,seed=1"); }).find("3 dimensions, the points 2") !=
        std::string::npos);
  CHECK(with([](auto& r) { r.queries = data_of("uniform:n=5,dim=2,seed=1,type=int"); }).find("type int") !=
        std::string::npos);
  CHECK(with([](auto& r) { r.tree = nullptr; }).find("no tree") != std::string::npos);
}

TEST_CASE("nearest: the comparison of the command line finds a planted error") {
  const auto data = data_of("uniform:n=100,dim=3,seed=1");
  SearchRequest request;
  request.backend = Backend::cpu;
  request.tree = tree_over(data);
  request.queries = data;
  request.k = 3;
  auto found = search(request);
  REQUIRE(found);
  const auto expected = search_by_comparing_all(request, data->points);
  REQUIRE(expected);
  CHECK(first_difference(request, *found, *expected).empty());
  std::swap(found->points[7], found->points[8]);
  CHECK(first_difference(request, *found, *expected).starts_with("neighbour 2 of query 2 is point "));
}
