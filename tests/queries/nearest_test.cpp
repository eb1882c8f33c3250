// Tests the searches of left-balanced trees against brute force.
#include "tests/queries/brute_force.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;
using namespace kdscope::tests;

TEST_CASE("nearest: all searches equal brute force on points of all kinds") {
  std::size_t compared = 0;
  for (const std::string& kind : kinds) {
    const auto data = data_of(kind);
    for (const char* split : {"round-robin", "widest"}) {
      SearchRequest request = search_over(tree_over("wald", data, {{"split", split}}), queries_for(*data, 30, 7));
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

TEST_CASE("nearest: a radius leaves out what is farther away, and bounds balls and boxes") {
  for (const char* kind : {"uniform:n=500,dim=2,seed=1", "grid:n=400,dim=2,side=5"}) {
    const auto data = data_of(kind);
    SearchRequest request = search_over(tree_over("wald", data), queries_for(*data, 60, 8), 8);
    for (const double radius : {0.0, 1e-3, 0.05, 1.0, 2.0, 1e9}) {
      request.radius = radius;
      for (const SearchQuestion question : {SearchQuestion::nearest, SearchQuestion::ball, SearchQuestion::box}) {
        request.question = question;
        request.order = radius > 0.5 ? QueryOrder::morton : QueryOrder::given;
        check_all(*data, request);
      }
    }
  }
}

DEVICE_CASE("nearest: all searches on CUDA equal brute force") {
  for (const std::string& kind : kinds) {
    const auto data = data_of(kind);
    SearchRequest request = search_over(tree_over("wald", data), queries_for(*data, 300, 9), 1, Backend::cuda);
    for (const std::uint32_t k : {1u, 8u, 9u, 128u}) {
      if (k > data->points.size()) continue;
      request.k = k;
      for (const QueryOrder order : {QueryOrder::given, QueryOrder::morton}) {
        request.order = order;
        check_all(*data, request);
      }
    }
    request.radius = 0.05;
    for (const SearchQuestion question : {SearchQuestion::ball, SearchQuestion::box}) {
      request.question = question;
      check_all(*data, request);
    }
  }
}

TEST_CASE("nearest: sorted queries have the same answers in their own order") {
  for (const char* kind : {"uniform:n=3000,dim=3,seed=3", "uniform:n=2000,dim=2,seed=4,type=int", "equal:n=50,dim=8"}) {
    const auto data = data_of(kind);
    SearchRequest request = search_over(tree_over("wald", data), data, 5);
    const auto given = search(request);
    request.order = QueryOrder::morton;
    request.repeat = 2;
    const auto sorted = search(request);
    REQUIRE(given);
    REQUIRE(sorted);
    CHECK(sorted->found == given->found);
    CHECK(sorted->distances == given->distances);
    CHECK(sorted->visited == given->visited);
    CHECK(given->sort_ms.empty());
    CHECK(sorted->sort_ms.size() == 2);
  }
}

TEST_CASE("nearest: corners prune more than planes, and few nodes of many are visited") {
  const auto data = data_of("uniform:n=20000,dim=3,seed=1");
  SearchRequest request = search_over(tree_over("wald", data), data, 8);
  std::vector<double> mean;
  for (const char* id : {"stack", "stack-free", "closest-corner"}) {
    request.search = id;
    const auto found = search(request).value();
    double sum = 0;
    for (const std::uint32_t visited : found.visited) sum += visited;
    mean.push_back(sum / 20000);
  }
  CHECK(mean[0] < 400);
  CHECK(mean[0] == mean[1]);  // the same order of visits
  CHECK(mean[2] < mean[0]);
}

TEST_CASE("nearest: what cannot be searched is one sentence") {
  const auto data = data_of("uniform:n=20,dim=2,seed=1");
  SearchRequest request = search_over(tree_over("wald", data), data);
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
  CHECK(with([](auto& r) {
          r.queries = data_of("uniform:n=5,dim=2,seed=1,type=int,range=2147483647");
        }).find("which is no 32-bit float; open it with type=float") != std::string::npos);
  CHECK(with([](auto& r) { r.tree = nullptr; }).find("no tree") != std::string::npos);
}

TEST_CASE("nearest: the comparison of the command line finds a planted error") {
  const auto data = data_of("uniform:n=100,dim=3,seed=1");
  SearchRequest request = search_over(tree_over("wald", data), data, 3);
  auto found = search(request).value();
  CHECK(difference_of(request, found, *data) == "");
  std::swap(found.found[7], found.found[8]);
  CHECK(difference_of(request, found, *data).starts_with("result 2 of query 2 is "));
}
