// Tests how left-balanced trees are cut into buckets for packets of queries.
#include <algorithm>
#include <random>

#include "algorithms/exec/sequential_exec.hpp"
#include "algorithms/queries/rank/rank.hpp"
#include "tests/queries/brute_force.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;
using namespace kdscope::queries::rank;
using namespace kdscope::tests;

namespace {

/// Compares the answers of packets and of single walks through buckets with those of the walk without a stack.
void check_against_walks(SearchRequest request) {
  request.search = "stack-free";
  const auto walks = search(request).value();
  for (const char* through_buckets : {"bucket-packets", "bucket-walk"}) {
    INFO(through_buckets);
    request.search = through_buckets;
    const auto found = search(request).value();
    CHECK(found.found == walks.found);
    CHECK(found.distances == walks.distances);
    CHECK(found.sort_ms.empty() == (request.order == QueryOrder::tree));
  }
}

/// Calls `check` with the points of data sets, trees over them, and a number of the type of their coordinates.
template <class Check>
void for_each_tree(const Check& check) {
  for (const char* spec : {"uniform:n=1,dim=3", "uniform:n=37,dim=2,type=int", "grid:n=700,dim=3,side=5",
                           "clustered:n=5000,dim=3", "uniform:n=2100,dim=5"}) {
    INFO(spec);
    const auto data = data_of(spec);
    const auto tree = tree_over("wald", data);
    if (data->points.type == ScalarType::float32)
      check(data->points, tree->as<LeftBalancedTree>(), 0.0f);
    else
      check(data->points, tree->as<LeftBalancedTree>(), 0.0);
  }
}

}  // namespace

TEST_CASE("buckets: each node is in one bucket, that of its subtree or the one before, and has a place of its own") {
  for (std::uint32_t n = 1; n <= 3000; ++n) {
    INFO("n = " << n);
    const BucketLayout layout(n);
    REQUIRE(layout.tiers <= most_tiers);
    REQUIRE(layout.subtrees(layout.tiers - 1) <= descendants);
    REQUIRE(layout.first_position(0) == 0);
    REQUIRE(layout.first_place(0) == 0);
    for (std::uint32_t bucket = 0; bucket < layout.subtrees(0); ++bucket) {
      const std::uint32_t begin = layout.first_position(bucket), end = std::min(layout.first_position(bucket + 1), n);
      REQUIRE(begin == in_order_begin(layout.node(0, bucket), n));
      REQUIRE(layout.bucket_of(begin) == bucket);
      REQUIRE(layout.bucket_of(end - 1) == bucket);
      REQUIRE(end - begin <= 1u << levels_in_bucket);
      REQUIRE(end > begin);
      REQUIRE(layout.first_place(bucket) % loaded_at_once == 0);
      REQUIRE(layout.first_place(bucket + 1) - layout.first_place(bucket) >= end - begin);
    }
    REQUIRE(layout.first_position(layout.subtrees(0)) >= n);
  }
  const BucketLayout largest(max_points_of_tree);
  CHECK(largest.tiers <= most_tiers);
  CHECK(largest.subtrees(largest.tiers - 1) <= descendants);
}

TEST_CASE("buckets: they hold every point once, and the boxes are the smallest around their points") {
  for_each_tree([]<class Number>(const PointSet& points, const LeftBalancedTree& tree, Number) {
    SequentialExec exec;
    const OnDevice<SequentialExec> there(exec, tree);
    auto view = there.template view<Number>();
    const auto kept = cut_into_buckets<0>(exec, view);
    const BucketLayout layout(view.n);
    const std::uint32_t words = view.dim + 1;
    std::vector<std::uint32_t> seen(view.n, 0);
    for (int tier = 0; tier < layout.tiers; ++tier)
      for (std::uint32_t subtree = 0; subtree < layout.subtrees(tier); ++subtree) {
        const std::uint32_t first = subtree << (levels_per_tier * tier), end = (subtree + 1)
                                                                               << (levels_per_tier * tier);
        for (std::uint32_t d = 0; d < view.dim; ++d) {
          double low = 1e300, high = -1e300;
          for (std::uint32_t place = layout.first_place(first); place < layout.first_place(end); ++place) {
            const std::uint32_t point = view.items[std::size_t(place) * words + view.dim];
            if (point == no_id) continue;
            if (tier == 0 && d == 0) ++seen.at(point);
            const double value = points.value(point, d);
            low = std::min(low, value), high = std::max(high, value);
          }
          const Number* const box = view.boxes[tier] + std::size_t(subtree) * 2 * box_stride(view.dim);
          REQUIRE(static_cast<double>(box[d]) == low);
          REQUIRE(static_cast<double>(box[box_stride(view.dim) + d]) == high);
        }
      }
    CHECK(std::ranges::count(seen, 1u) == static_cast<std::ptrdiff_t>(view.n));
  });
}

TEST_CASE("buckets: columns hold every point once, with the boxes of packets") {
  for_each_tree([]<class Number>(const PointSet&, const LeftBalancedTree& tree, Number) {
    SequentialExec exec;
    const ColumnsOnDevice<SequentialExec> there(exec, tree);
    auto columns = there.template view<Number>();
    View<Number> rows{columns};
    const auto kept = cut_into_columns<0>(exec, columns);
    const auto others = cut_into_buckets<0>(exec, rows);
    const BucketLayout layout(rows.n);
    const std::uint32_t dim = rows.dim;
    for (std::uint32_t place = 0; place < layout.first_place(layout.subtrees(0)); ++place) {
      const std::uint32_t* const item = rows.items + std::size_t(place) * (dim + 1);
      REQUIRE(columns.points[place].value == item[dim]);
      for (std::uint32_t d = 0; d < dim; ++d) {
        const Number here =
            columns.coordinates[(place / loaded_at_once * dim + d) * loaded_at_once + place % loaded_at_once];
        REQUIRE((item[dim] == no_id ? here != here : here == kdscope::queries::number_of<Number>(item[d])));
      }
    }
    for (int tier = 0; tier < layout.tiers; ++tier)
      for (std::uint32_t subtree = 0; subtree < layout.subtrees(tier); ++subtree)
        for (std::uint32_t d = 0; d < dim; ++d) {
          const Number* const box = rows.boxes[tier] + std::size_t(subtree) * 2 * box_stride(dim);
          const Number* const ends = columns.group(tier, subtree / descendants) + subtree % descendants;
          REQUIRE(ends[d * descendants] == box[d]);
          REQUIRE(ends[(dim + d) * descendants] == box[box_stride(dim) + d]);
        }
  });
}

TEST_CASE("buckets: a walk visits and finds the same without wide instructions") {
  const auto data = data_of("clustered:n=3000,dim=3,seed=5");
  SearchRequest request{"bucket-walk", tree_over("rank", data), data};
  request.backend = Backend::cpu;
  request.k = 5;
  const auto found = search(request).value();
  SequentialExec exec;
  const ColumnsOnDevice<SequentialExec> there(exec, request.tree->as<LeftBalancedTree>());
  auto view = there.view<float>();
  const auto kept = cut_into_columns<3>(exec, view);
  for (std::uint32_t query = 0; query < view.n; ++query) {
    kdscope::queries::ShortList<float, 8> list(5, std::numeric_limits<float>::infinity());
    kdscope::queries::NoLog log;
    const auto at = kdscope::queries::Coordinates<float, 3>::of(&data->points.words[3 * std::size_t(query)], 3);
    REQUIRE(BucketWalk<float, 3, decltype(list), decltype(log)>(view, at, list, log).run() == found.visited[query]);
    list.for_each([&](int rank, const auto& neighbour) {
      REQUIRE(neighbour.point.value == found.found[5 * query + static_cast<std::uint32_t>(rank)]);
      REQUIRE(neighbour.distance == found.distances[5 * query + static_cast<std::uint32_t>(rank)]);
    });
  }
}

TEST_CASE("buckets: a packet answers queries that lie together, apart and outside exactly") {
  for (const char* spec : {"uniform:n=3000,dim=3,seed=2", "grid:n=2500,dim=2,side=9", "clustered:n=4000,dim=4"}) {
    INFO(spec);
    const auto data = data_of(spec);
    SearchRequest request{"", tree_over("rank", data), queries_for(*data, 70, 3)};
    request.backend = Backend::cpu;
    for (const std::uint32_t k : {1u, 2u, 8u, 9u, 32u, 33u, 128u}) {
      request.k = k;
      for (const char* through_buckets : {"bucket-packets", "bucket-walk"})
        for (const QueryOrder order : {QueryOrder::given, QueryOrder::morton}) {
          request.search = through_buckets;
          request.order = order;
          check_all(*data, request);
        }
    }
    // All points as queries: the stack-free walk gives the answers.
    request.queries = data;
    request.k = 8;
    for (const QueryOrder order : {QueryOrder::given, QueryOrder::morton, QueryOrder::tree}) {
      request.order = order;
      check_against_walks(request);
    }
  }
}

TEST_CASE("buckets: a packet walks up and down through three tiers of boxes, at full speed and recorded") {
  const char* const spec = "uniform:n=40000,dim=2,seed=4";
  const auto data = data_of(spec);
  REQUIRE(BucketLayout(40000).tiers == 3);
  SearchRequest request{"bucket-packets", tree_over("rank", data), data};
  request.backend = Backend::cpu;
  request.k = 5;
  check_against_walks(request);

  // One query alone, event by event.
  for (const char* through_buckets : {"bucket-packets", "bucket-walk"}) {
    INFO(through_buckets);
    RunRequest recording{{}, "rank", {}, Backend::cpu, false, data};
    const SearchOfRun one{through_buckets, SearchQuestion::nearest, 40, {}, {0.5, 0.5}, {}};
    recording.search = texts_of(one);
    const auto trace = record(recording).value();
    for (const Step& step : trace->steps)
      for (const CheckResult& check : step.checks) CHECK(check.passed);
    Cursor end(trace);
    end.seek(end.step_count());
    auto query = std::make_shared<DataSet>();
    query->points.dim = 2;
    query->points.words = {word_of(0.5f), word_of(0.5f)};
    request.queries = query;
    request.search = through_buckets;
    request.k = 40;
    const auto at_speed = search(request).value();
    const auto found = end.array(search_arrays::found)->as<std::uint32_t>();
    CHECK(std::vector<std::uint32_t>(found.begin(), found.end()) == at_speed.found);
    CHECK(end.array(search_arrays::visited)->size() == at_speed.visited[0]);
    CHECK(at_speed.visited[0] > 8);
  }
}

TEST_CASE("buckets: neighbouring queries visit together, and one far away alone") {
  const auto data = data_of("uniform:n=3000,dim=2,seed=2");
  auto queries = std::make_shared<DataSet>();
  queries->name = "queries";
  queries->points.dim = 2;
  std::mt19937 random(7);
  for (int i = 0; i < 31; ++i)
    for (int d = 0; d < 2; ++d)
      queries->points.words.push_back(word_of(0.3f + 0.05f * static_cast<float>(random() % 1000) / 1000));
  for (const float far : {5.0f, 7.0f}) queries->points.words.push_back(word_of(far));
  SearchRequest request{"bucket-packets", tree_over("rank", data), queries};
  request.backend = Backend::cpu;
  request.k = 4;
  const auto found = search(request).value();
  const std::vector<std::uint32_t>& visited = found.visited;
  REQUIRE(visited.size() == 32);
  CHECK(std::ranges::count(visited, visited.front()) == 31);
  CHECK(visited.back() != visited.front());
}

DEVICE_CASE("buckets: packets on CUDA find what single walks find, for many queries of every order") {
  for (const char* spec : {"uniform:n=100000,dim=3,seed=2", "clustered:n=60000,dim=2", "grid:n=50000,dim=3,side=20",
                           "uniform:n=30000,dim=3,type=int", "equal:n=5000,dim=3", "uniform:n=20000,dim=6"}) {
    INFO(spec);
    const auto data = data_of(spec);
    for (const char* split : {"round-robin", "widest"}) {
      SearchRequest request{"", tree_over("rank", data, {{"split", split}}), data};
      request.backend = Backend::cuda;
      for (const std::uint32_t k : {1u, 7u, 30u, 100u})
        for (const QueryOrder order : {QueryOrder::given, QueryOrder::morton, QueryOrder::tree}) {
          request.k = k;
          request.order = order;
          check_against_walks(request);
        }
    }
  }
}
