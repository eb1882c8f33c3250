// Tests the best-bin-first search of trees with leaf buckets against brute force, and with the example of Hu et al.
// 2015.
#include "algorithms/trees/leaf_buckets/tree.hpp"
#include "tests/queries/brute_force.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

SearchRequest request_for(const std::shared_ptr<const DataSet>& data, const char* leaf_size, std::size_t queries) {
  SearchRequest request =
      search_over(tree_over("hu", data, {{"leaf_size", leaf_size}}), queries_for(*data, queries, 7));
  request.search = "best-bin-first";
  return request;
}

std::size_t count(const SearchEvents& log, EventKind kind) {
  return static_cast<std::size_t>(std::ranges::count(log.events, kind, &SearchEvent::kind));
}

SearchEvents logged(const SearchRequest& request) {
  const auto log = log_search(request, 1u << 22).value();
  REQUIRE(log.total == log.events.size());
  return log;
}

/// Checks that the first query's events lead to its answer, that each node is visited or skipped once, and that every
/// node taken out has waited.
void check_log(const SearchRequest& request) {
  const SearchEvents log = logged(request);
  const auto found = search(request).value();
  CHECK(log.visited == found.visited[0]);
  CHECK(count(log, EventKind::enter) == log.visited);
  std::vector<Neighbour> accepted;
  std::vector<std::uint32_t> entered, waiting;
  for (const SearchEvent& event : log.events) {
    if (event.kind == EventKind::accept) accepted.push_back({event.number, event.item});
    if (event.kind == EventKind::enter || event.kind == EventKind::prune || event.kind == EventKind::drop)
      entered.push_back(event.node);
    if (event.kind == EventKind::push) waiting.push_back(event.node);
    if (event.kind == EventKind::pop) {
      REQUIRE(std::ranges::count(waiting, event.node) == 1);
      std::erase(waiting, event.node);
    }
  }
  std::sort(accepted.begin(), accepted.end());
  if (request.question == SearchQuestion::nearest) accepted.resize(std::min<std::size_t>(accepted.size(), request.k));
  REQUIRE(accepted.size() == found.offsets[1]);
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    CHECK(accepted[i].point == found.found[i]);
    CHECK(accepted[i].squared_distance == found.distances[i]);
  }
  std::ranges::sort(entered);
  CHECK(std::ranges::adjacent_find(entered) == entered.end());
}

double mean_of(const std::vector<std::uint32_t>& values) {
  double sum = 0;
  for (const std::uint32_t value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("hu: best bin first equals brute force on points of all kinds") {
  std::vector<std::string> all = kinds;
  all.insert(all.end(), {"uniform:n=150,dim=32,seed=1", "uniform:n=60,dim=512,seed=1", "uniform:n=90,dim=64,seed=2",
                         "uniform:n=90,dim=77,seed=3,type=int", "uniform:n=200,dim=16,seed=2,type=int", "hu-10",
                         "clustered:n=500,dim=2,seed=8"});
  std::size_t compared = 0;
  for (const std::string& kind : all) {
    const auto data = data_of(kind);
    for (const char* leaf_size : {"1", "4", "16"}) {
      SearchRequest request = request_for(data, leaf_size, 24);
      for (const std::uint32_t k : {1u, 4u, 8u, 9u, 64u}) {
        if (k > data->points.size()) continue;
        request.k = k;
        request.order = k % 2 == 0 ? QueryOrder::morton : QueryOrder::given;
        request.question = SearchQuestion::nearest;
        request.radius.reset();
        compared += check_all(*data, request);
        check_log(request);
      }
      for (const double radius : {0.0, 0.05, 0.7, 300.0}) {
        request.radius = radius;
        request.k = std::min<std::uint32_t>(4, static_cast<std::uint32_t>(data->points.size()));
        for (const SearchQuestion question : {SearchQuestion::nearest, SearchQuestion::ball, SearchQuestion::box}) {
          request.question = question;
          compared += check_all(*data, request);
          check_log(request);
        }
      }
    }
  }
  CHECK(compared > 20'000);
}

TEST_CASE("hu: subtrees for which there is no room are searched at once and not lost") {
  const auto data = data_of("uniform:n=1500,dim=12,seed=5");
  SearchRequest request = request_for(data, "1", 20);
  request.k = 4;
  CHECK(check_all(*data, request) == 80);
  const SearchEvents log = logged(request);
  CHECK(count(log, EventKind::leave) > 0);  // only the search of such a subtree goes back up
  CHECK(count(log, EventKind::drop) == 0);
  check_log(request);
}

TEST_CASE("hu: a tree far deeper than any stack") {
  // Each point halves the distance to the origin in one of 40 dimensions, so that each split takes off one point.
  auto data = std::make_shared<DataSet>();
  data->name = "deep";
  data->points.type = ScalarType::float32;
  data->points.dim = 40;
  for (int i = 0; i < 1600; ++i)
    for (int d = 0; d < 40; ++d)
      data->points.words.push_back(word_of(d == i % 40 ? std::ldexp(1.0f, 20 - i / 20) : 0.0f));
  SearchRequest request = request_for(data, "1", 12);
  const auto& tree = request.tree->as<BucketTree>();
  std::vector<int> depth(tree.size());
  for (std::uint32_t node = 1; node < tree.size(); ++node) depth[node] = depth[tree.parent[node]] + 1;
  CHECK(*std::ranges::max_element(depth) > 500);
  for (const std::uint32_t k : {1u, 30u}) {
    request.k = k;
    check_all(*data, request);
    check_log(request);
  }
}

TEST_CASE("hu: a limited queue gives up the farthest subtrees") {
  const auto data = data_of("uniform:n=4000,dim=8,seed=3");
  SearchRequest request = request_for(data, "4", 60);
  request.k = 4;
  const auto exact = search(request).value();
  double last_recall = 0, last_visited = 0;
  for (const char* limit : {"1", "8", "40", "128"}) {
    request.parameters = {{"queue", limit}};
    const auto found = search(request).value();
    const double share = recall_of(request, found, *data), visited = mean_of(found.visited);
    INFO("queue " << limit << ": recall " << share << ", " << visited << " nodes of " << mean_of(exact.visited));
    CHECK(found.found.size() == exact.found.size());
    CHECK(share >= last_recall);
    CHECK(visited >= last_visited);
    last_recall = share, last_visited = visited;
    const SearchEvents log = logged(request);
    std::size_t waiting = 0, most = 0;
    for (const SearchEvent& event : log.events) {
      if (event.kind == EventKind::push) ++waiting;
      if (event.kind == EventKind::pop || event.kind == EventKind::drop) --waiting;
      most = std::max(most, waiting);
    }
    CHECK(count(log, EventKind::leave) == 0);
  }
  CHECK(last_recall > 0.9);
  request.parameters = {{"queue", "1"}};
  const auto one = search(request).value();
  CHECK(recall_of(request, one, *data) < 1);
  CHECK(count(logged(request), EventKind::drop) > 0);
  // Balls and boxes are complete with any limit.
  request.radius = 0.4;
  for (const SearchQuestion question : {SearchQuestion::ball, SearchQuestion::box}) {
    request.question = question;
    CHECK(check_all(*data, request) > 0);
  }
}

TEST_CASE("hu: a search that ends when its queue is full tests one more leaf") {
  const auto data = data_of("uniform:n=4000,dim=70,seed=3");
  SearchRequest request = request_for(data, "8", 40);
  request.k = 4;
  const auto exact = search(request).value();
  double last_visited = 0;
  for (const char* limit : {"1", "12", "40"}) {
    request.parameters = {{"queue", limit}, {"when_full", "end"}};
    const auto found = search(request).value();
    const double visited = mean_of(found.visited);
    INFO("queue " << limit << ": " << visited << " nodes of " << mean_of(exact.visited));
    CHECK(visited > last_visited);
    CHECK(visited < mean_of(exact.visited) / 2);
    last_visited = visited;
    const SearchEvents log = logged(request);
    CHECK(count(log, EventKind::drop) >= 1);
    // From the moment at which there was no room, the walk only goes down: at most the tree's depth, to one leaf.
    const auto full = std::ranges::find(log.events, EventKind::drop, &SearchEvent::kind);
    CHECK(std::count_if(full, log.events.end(), [](const SearchEvent& e) { return e.kind == EventKind::pop; }) == 0);
    CHECK(std::count_if(full, log.events.end(), [](const SearchEvent& e) { return e.kind == EventKind::test; }) <= 8);
    check_log(request);
  }
  request.parameters = {{"queue", "0"}, {"when_full", "end"}};
  const auto unlimited = search(request).value();
  CHECK(first_difference(unlimited, exact) == "");
}

DEVICE_CASE("hu: queries of many dimensions have a warp each on CUDA and find what threads find") {
  for (const char* kind : {"uniform:n=900,dim=64,seed=2", "uniform:n=700,dim=77,seed=3,type=int",
                           "uniform:n=3000,dim=512,seed=1", "equal:n=300,dim=100"}) {
    const auto data = data_of(kind);
    SearchRequest request = request_for(data, "16", 100);
    for (const std::uint32_t k : {1u, 4u, 20u, 64u})
      for (const Parameters& parameters :
           {Parameters{}, Parameters{{"queue", "12"}}, Parameters{{"queue", "12"}, {"when_full", "end"}}}) {
        request.k = k;
        request.parameters = parameters;
        request.backend = Backend::cpu;
        const auto expected = search(request);
        request.backend = Backend::cuda;
        const auto found = search(request);
        REQUIRE(expected);
        REQUIRE(found);
        INFO(kind << ", k " << k);
        CHECK(first_difference(*found, *expected) == "");
        CHECK(found->visited == expected->visited);
        if (parameters.empty()) check_all(*data, request);
      }
    request.parameters = {};
    request.radius = 3;
    for (const SearchQuestion question : {SearchQuestion::ball, SearchQuestion::box}) {
      request.question = question;
      check_all(*data, request);
    }
  }
}

TEST_CASE("hu: the source's example finds point 4 in node 4 first, and then point 3 in node 8") {
  // The ten points are made after the text, as the figure's coordinates are not in it; so is the query (16, 21).
  const auto data = data_of("hu-10");
  SearchRequest request = request_for(data, "2", 1);
  auto query = std::make_shared<DataSet>();
  query->points = points_from_rows<float>(2, {16, 21});
  request.queries = query;
  const SearchEvents log = logged(request);
  using Kind = EventKind;
  const auto event = [](Kind kind, std::uint32_t node, double square) {
    return SearchEvent{kind, kind == Kind::prune ? PruneReason::box : PruneReason::none, node, no_id, square, 0};
  };
  const auto point = [](Kind kind, std::uint32_t id, double square) {
    return SearchEvent{kind, PruneReason::none, no_id, id, square, 0};
  };
  // Node 2 is 8 away, node 3 is 5 away; they wait while the walk is in node 4.
  const std::vector<SearchEvent> expected{
      event(Kind::enter, 0, 0),    event(Kind::push, 2, 64),  event(Kind::enter, 1, 0),    event(Kind::push, 3, 25),
      event(Kind::enter, 4, 121),  point(Kind::test, 9, 225), point(Kind::accept, 9, 225), point(Kind::test, 4, 122),
      point(Kind::accept, 4, 122), event(Kind::pop, 3, 25),   event(Kind::enter, 3, 25),   event(Kind::push, 7, 100),
      event(Kind::enter, 8, 50),   point(Kind::test, 3, 50),  point(Kind::accept, 3, 50),  event(Kind::prune, 7, 100),
      event(Kind::prune, 2, 64)};
  CHECK(log.visited == 5);
  REQUIRE(log.events.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("event " << i << ": kind " << static_cast<int>(log.events[i].kind) << ", node " << log.events[i].node
                  << ", item " << log.events[i].item << ", number " << log.events[i].number);
    CHECK(log.events[i] == expected[i]);
  }
  const auto found = search(request).value();
  CHECK(found.found == std::vector<std::uint32_t>{3});
}

TEST_CASE("hu: few nodes of many are visited") {
  const auto data = data_of("uniform:n=20000,dim=3,seed=1");
  SearchRequest request = request_for(data, "16", 1);
  request.queries = data;
  request.k = 4;
  const auto found = search(request).value();
  const double mean = mean_of(found.visited);
  INFO("mean " << mean << " of " << request.tree->as<BucketTree>().size() << " nodes");
  CHECK(mean < 40);
}

DEVICE_CASE("hu: best bin first on CUDA equals brute force") {
  for (const std::string& kind : kinds) {
    const auto data = data_of(kind);
    SearchRequest request = request_for(data, "4", 200);
    request.backend = Backend::cuda;
    for (const std::uint32_t k : {1u, 8u, 64u}) {
      if (k > data->points.size()) continue;
      request.k = k;
      check_all(*data, request);
    }
    request.radius = 0.05;
    for (const SearchQuestion question : {SearchQuestion::ball, SearchQuestion::box}) {
      request.question = question;
      check_all(*data, request);
    }
  }
}

TEST_CASE("hu: queues of other lengths are refused") {
  const auto data = data_of("uniform:n=20,dim=2,seed=1");
  SearchRequest request = request_for(data, "2", 3);
  for (const char* limit : {"-1", "129", "many"}) {
    request.parameters = {{"queue", limit}};
    CHECK_FALSE(search(request));
  }
}
