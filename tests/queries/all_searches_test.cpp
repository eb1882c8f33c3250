// Tests the searches of all kinds of trees over points against brute force.
#include "tests/queries/brute_force.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// Returns whether a builder takes these points, of which it may need more or others.
bool takes(const AlgorithmSpec& algorithm, const PointSet& points) {
  return !algorithm.takes_triangles && points.dim >= algorithm.min_dim && points.dim <= algorithm.max_dim &&
         std::ranges::count(algorithm.scalars, points.type) > 0;
}

/// Searches trees of all builders but Wald's, which nearest_test.cpp tests.
std::size_t check_builders(Backend backend, std::size_t queries, std::initializer_list<std::uint32_t> ks) {
  std::size_t compared = 0;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.id == "wald" || algorithm.id == "textbook") continue;
    for (const std::string& kind : kinds) {
      const auto data = data_of(kind);
      if (!takes(algorithm, data->points)) continue;
      INFO(algorithm.id << ", " << kind);
      SearchRequest request = search_over(tree_over(algorithm.id, data), queries_for(*data, queries, 7), 1, backend);
      for (const std::uint32_t k : ks) {
        if (k > data->points.size()) continue;
        request.k = k;
        request.order = k % 2 == 0 ? QueryOrder::morton : QueryOrder::given;
        compared += check_all(*data, request);
      }
      for (const SearchQuestion question : {SearchQuestion::ball, SearchQuestion::box})
        for (const double radius : {0.0, 0.05, 0.4}) {
          SearchRequest within = request;
          within.question = question;
          within.radius = radius;
          compared += check_all(*data, within);
        }
    }
  }
  return compared;
}

}  // namespace

TEST_CASE("searches: trees of all builders are searched exactly") {
  CHECK(check_builders(Backend::cpu, 12, {1, 3, 8, 20, 64, 128}) > 10'000);
}

TEST_CASE("searches: trees of more dimensions than Wald's are searched exactly") {
  for (const auto& [algorithm, spec] : {std::pair{"brown", "uniform:n=300,dim=9,seed=1"},
                                        {"brown", "uniform:n=300,dim=16,seed=2,type=int"},
                                        {"hu", "uniform:n=300,dim=63,seed=3"}}) {
    const auto data = data_of(spec);
    SearchRequest request = search_over(tree_over(algorithm, data), queries_for(*data, 30, 5), 7);
    CHECK(check_all(*data, request) == 210);
  }
}

TEST_CASE("searches: the points are served in the order of each kind of tree, and find the same") {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.takes_triangles) continue;
    INFO(algorithm.id);
    const auto data = data_of("grid:n=400,dim=3,side=9");
    SearchRequest request = search_over(tree_over(algorithm.id, data), data, 3);
    const auto given = search(request);
    request.order = QueryOrder::tree;
    const auto in_order = search(request);
    REQUIRE(given);
    REQUIRE(in_order);
    CHECK(first_difference(*in_order, *given) == "");
    CHECK(in_order->visited == given->visited);
    CHECK(in_order->sort_ms.empty());
    std::vector<std::uint32_t> order = in_order->order;
    CHECK(order == request.tree->kind().points_in_order(*request.tree));
    CHECK_FALSE(std::ranges::is_sorted(order));
    std::ranges::sort(order);
    CHECK(order == given->order);
    request.queries = queries_for(*data, 12, 5);
    const auto refused = search(request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message() ==
          "there are 12 queries and 400 points, and only the tree's points have the tree's order; take the points as "
          "queries, or another order.");
  }
}

TEST_CASE("searches: ten thousand random queries of small random trees are answered exactly") {
  std::mt19937 random(20261124);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  const char* const shapes[] = {"uniform", "clustered", "grid", "line", "equal"};
  constexpr std::size_t queries = 20;
  std::size_t cases = 0, compared = 0;
  while (cases < 10'000) {
    const AlgorithmSpec& algorithm = algorithms()[below(static_cast<std::uint32_t>(algorithms().size()))];
    const std::string shape = shapes[below(5)];
    const std::uint32_t n = 1 + below(60);
    std::string spec = shape + ":n=" + std::to_string(n) + ",dim=" + std::to_string(1 + below(3));
    spec += ",seed=" + std::to_string(below(1000));
    if (below(4) == 0) spec += ",type=int";
    const auto opened = open_data_set(spec);
    INFO(spec << (opened ? "" : opened.error().message()));
    REQUIRE(opened);
    if (!takes(algorithm, (*opened)->points)) continue;
    SearchRequest request;
    request.backend = Backend::cpu;
    request.tree = tree_over(algorithm.id, *opened);
    if (searches_of(request.tree->kind().id()).empty()) continue;
    request.queries = queries_for(**opened, queries, random());
    request.question = static_cast<SearchQuestion>(below(3));
    request.k = request.question == SearchQuestion::nearest ? 1 + below(std::min(n, 64u)) : 1;
    request.order = below(2) == 0 ? QueryOrder::morton : QueryOrder::given;
    if (request.question != SearchQuestion::nearest || below(3) == 0) {
      const Box box = bounding_box((*opened)->points);
      request.radius = (box.hi[0] - box.lo[0] + below(2)) * below(100) / 100.0;
    }
    // Brown's trees leave out duplicates, so that there may be fewer points than k.
    compared += check_all(**opened, request);
    cases += queries;
  }
  CHECK(compared > cases);
}

DEVICE_CASE("searches: trees of all builders are searched exactly on CUDA") {
  CHECK(check_builders(Backend::cuda, 100, {1, 8, 20, 128}) > 10'000);
}

TEST_CASE("searches: a limit of the queue costs recall, and a longer queue gains it") {
  for (const auto& [algorithm, limits] :
       {std::pair<std::string, std::vector<int>>{"wehr", {1, 4, 16, 64}}, {"hu", {1, 4, 16, 128}}}) {
    const auto data = data_of("uniform:n=20000,dim=3,seed=1");
    SearchRequest request = search_over(tree_over(algorithm, data), data_of("uniform:n=300,dim=3,seed=2"), 8);
    double before = 0;
    for (const int limit : limits) {
      INFO(algorithm << ", queue " << limit);
      request.parameters["queue"] = std::to_string(limit);
      const auto found = search(request).value();
      const double now = recall_of(request, found, *data);
      CHECK(now >= before);
      before = now;
      if (limit == limits.front()) CHECK(now < 0.95);
    }
    CHECK(before > 0.99);
    request.parameters["queue"] = "0";
    const auto exact = search(request).value();
    CHECK(difference_of(request, exact, *data) == "");
  }
}

TEST_CASE("searches: more nodes wait than a queue has room for, and the answer is exact") {
  // All points on a sphere around the query: nothing can be skipped until the end.
  auto data = std::make_shared<DataSet>();
  data->name = "sphere";
  data->points.dim = 3;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 6000; ++i) {
    const double x = normal(random), y = normal(random), z = normal(random), r = std::sqrt(x * x + y * y + z * z);
    for (const double c : {x / r, y / r, z / r}) data->points.words.push_back(word_of(static_cast<float>(c)));
  }
  auto centre = std::make_shared<DataSet>();
  centre->points.dim = 3;
  centre->points.words.assign(3, word_of(0.0f));
  for (const char* algorithm : {"wehr", "hu", "brown"}) {
    SearchRequest request = search_over(
        tree_over(algorithm, data, algorithm == std::string("hu") ? Parameters{{"leaf_size", "1"}} : Parameters{}),
        centre, 50);
    CHECK(check_all(*data, request) == 50);
  }
}

DEVICE_CASE("searches: every search on CUDA, on few points", "[sanitize]") {
  // Small enough for tools that watch every access; the answers are compared all the same.
  std::size_t compared = 0;
  for (const auto& [algorithm, spec] : {std::pair{"wald", "grid:n=200,dim=2,side=9"},
                                        {"wehr", "uniform:n=150,dim=3,seed=1"},
                                        {"hu", "uniform:n=150,dim=3,seed=2"},
                                        {"hu", "uniform:n=100,dim=70,seed=2"},
                                        {"brown", "grid:n=200,dim=2,side=9"},
                                        {"zhou-vvh", "uniform:n=150,dim=3,seed=1"}}) {
    const auto data = data_of(spec);
    INFO(algorithm << ", " << spec);
    SearchRequest request = search_over(tree_over(algorithm, data), queries_for(*data, 70, 3), 1, Backend::cuda);
    request.order = QueryOrder::morton;
    for (const std::uint32_t k : {3u, 20u}) {
      request.k = k;
      compared += check_all(*data, request);
    }
    request.question = SearchQuestion::box;
    request.radius = 0.2;
    compared += check_all(*data, request);
    if (algorithm != std::string("hu")) continue;
    request.question = SearchQuestion::nearest;
    request.radius.reset();
    for (const char* when_full : {"end", "give-up-farthest"}) {
      request.parameters = {{"queue", "3"}, {"when_full", when_full}};
      CHECK(search(request));
    }
  }
  CHECK(compared > 5000);
  const auto scene = data_of("zhou-8");
  SearchRequest rays;
  rays.backend = Backend::cuda;
  rays.tree = tree_over("zhou-sah", scene);
  rays.queries = open_queries("random-rays:n=300", *scene).value();
  for (const SearchQuestion question : {SearchQuestion::nearest_hit, SearchQuestion::any_hit})
    for (const char* id : {"ray-stack", "ray-packet"}) {
      rays.question = question;
      rays.search = id;
      const auto found = search(rays).value();
      CHECK(difference_of(rays, found, *scene) == "");
    }
}
