// Tests the nearest by other metrics and in space that repeats itself against whole numbers.
#include "tests/queries/brute_force.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

std::shared_ptr<const DataSet> whole_points(std::uint32_t n, std::uint32_t dim, std::uint32_t side, ScalarType type,
                                            std::uint32_t seed = 0) {
  auto data = std::make_shared<DataSet>();
  data->name = "whole numbers";
  data->points.type = type, data->points.dim = dim;
  for (std::uint32_t i = 0; i < n * dim; ++i) {
    const auto at = static_cast<std::int32_t>(((i + seed * 7919) * 2654435761u >> 9) % side);
    data->points.words.push_back(type == ScalarType::int32 ? word_of(at) : word_of(static_cast<float>(at)));
  }
  return data;
}

/// A distance of whole numbers; squared if Euclidean.
std::int64_t apart(const PointSet& queries, std::size_t query, const PointSet& points, std::size_t point,
                   const Measure& measure) {
  std::int64_t sum = 0;
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    std::int64_t size = std::abs(static_cast<std::int64_t>(queries.value(query, d)) -
                                 static_cast<std::int64_t>(points.value(point, d)));
    if (!measure.period.empty()) size = std::min(size, static_cast<std::int64_t>(measure.period[d]) - size);
    if (measure.metric == Metric::euclidean) sum += size * size;
    if (measure.metric == Metric::l1) sum += size;
    if (measure.metric == Metric::maximum) sum = std::max(sum, size);
  }
  return sum;
}

void check_measure(const std::shared_ptr<const DataSet>& data, const std::shared_ptr<const DataSet>& queries,
                   const std::shared_ptr<const Tree>& tree, const Measure& measure, std::uint32_t k,
                   std::optional<double> radius, Backend backend = Backend::cpu) {
  for (const char* id : {"stack-free", "stack", "closest-corner"}) {
    if (!measure.period.empty() && std::string_view(id) == "closest-corner") continue;
    SearchRequest request = search_over(tree, queries, k, backend);
    request.search = id;
    request.radius = radius;
    request.measure = measure;
    const auto found = search(request);
    INFO(id << ", " << name_of(measure.metric) << ", period " << measure.period.size() << ", k " << k
            << (found ? "" : ": " + found.error().message()));
    REQUIRE(found);
    for (std::size_t query = 0; query < queries->points.size(); ++query) {
      std::vector<std::pair<std::int64_t, std::uint32_t>> expected;
      for (std::uint32_t point = 0; point < data->points.size(); ++point)
        expected.push_back({apart(queries->points, query, data->points, point, measure), point});
      std::ranges::sort(expected);
      expected.resize(k);
      if (radius)
        std::erase_if(expected, [&](const auto& each) {
          const double reach = measure.metric == Metric::euclidean ? *radius * *radius : *radius;
          return static_cast<double>(each.first) > reach;
        });
      std::vector<std::pair<std::int64_t, std::uint32_t>> got;
      for (std::uint64_t at = found->offsets[query]; at < found->offsets[query + 1]; ++at)
        got.push_back({static_cast<std::int64_t>(found->distances[at]), found->found[at]});
      CHECK(got == expected);
    }
    CHECK(difference_of(request, *found, *data) == "");
    // A wrong answer is called wrong.
    if (found->found.empty()) continue;
    SearchReport wrong = *found;
    wrong.distances[0] += 1;
    CHECK(difference_of(request, wrong, *data) != "");
  }
}

constexpr Metric all_metrics[] = {Metric::euclidean, Metric::l1, Metric::maximum};

/// Compares the nearest by every metric, with and without a period, with those of whole numbers.
void check_measures(Backend backend, std::initializer_list<std::uint32_t> dims) {
  for (const ScalarType type : {ScalarType::float32, ScalarType::int32})
    for (const std::uint32_t dim : dims) {
      constexpr std::uint32_t side = 40;
      const auto data = whole_points(150, dim, side, type), queries = whole_points(40, dim, side, type, 3);
      const auto tree = tree_over("wald", data);
      for (const Metric metric : all_metrics)
        for (const bool periodic : {false, true}) {
          const Measure measure{metric, periodic ? std::vector<double>(dim, side) : std::vector<double>()};
          for (const std::uint32_t k : {1u, 6u, 100u}) check_measure(data, queries, tree, measure, k, {}, backend);
          check_measure(data, queries, tree, measure, 20, 9, backend);
        }
    }
}

}  // namespace

TEST_CASE("measures: the nearest by every metric, with and without a period, are those of whole numbers") {
  check_measures(Backend::cpu, {1, 2, 3, 5});
}

DEVICE_CASE("measures: the nearest by every metric on CUDA are those of whole numbers, too", "[sanitize]") {
  check_measures(Backend::cuda, {2, 5});
}

TEST_CASE("measures: trees of widest splits and of rank are searched so, too") {
  const auto data = whole_points(300, 2, 50, ScalarType::float32);
  const Measure measure{Metric::l1, {50, 60}};
  check_measure(data, data, tree_over("wald", data, {{"split", "widest"}}), measure, 4, {});
  check_measure(data, data, tree_over("rank", data), measure, 4, {});
}

TEST_CASE("measures: the nearest lie across the ends of a period") {
  auto data = std::make_shared<DataSet>();
  data->name = "ends";
  data->points.dim = 2;
  for (const float at : {0.5f, 5.0f, 9.5f, 5.0f, 4.0f, 4.0f}) data->points.words.push_back(word_of(at));
  auto query = std::make_shared<DataSet>(*data);
  query->points.words = {word_of(0.25f), word_of(5.0f)};
  SearchRequest request;
  request.tree = tree_over("wald", data);
  request.queries = query;
  request.k = 2;
  request.measure.period = {10, 10};
  request.backend = Backend::cpu;
  const auto found = search(request).value();
  CHECK(found.found == std::vector<std::uint32_t>{0, 1});
  CHECK(found.distances == std::vector<double>{0.0625, 0.5625});  // 0.25 and 0.75 away
}

TEST_CASE("measures: random floats are answered as the comparison finds") {
  for (const std::uint32_t dim : {2u, 3u, 8u}) {
    const auto data = data_of("uniform:n=700,dim=" + std::to_string(dim) + ",seed=3");
    SearchRequest request =
        search_over(tree_over("wald", data), data_of("uniform:n=100,dim=" + std::to_string(dim) + ",seed=8"), 9);
    for (const Metric metric : all_metrics)
      for (const double side : {0.0, 1.0, 1.25}) {
        request.measure = {metric, side > 0 ? std::vector<double>(dim, side) : std::vector<double>()};
        for (const char* id : {"stack-free", "stack"}) {
          request.search = id;
          const auto found = search(request).value();
          INFO(id << ", " << name_of(metric) << ", " << side);
          CHECK(difference_of(request, found, *data) == "");
        }
      }
  }
}

TEST_CASE("measures: recorded searches are checked, and say why they skip") {
  SearchOfRun asked;
  asked.k = 2;
  asked.query = {50, 40};
  for (const Metric metric : all_metrics)
    for (const bool periodic : {false, true}) {
      asked.measure = {metric, periodic ? std::vector<double>{80, 100} : std::vector<double>()};
      RunRequest request{"wald-10", "wald", {}, Backend::cpu};
      request.points = data_of(request.data);
      request.search = texts_of(asked);
      const auto trace = record(request);
      INFO(name_of(metric) << (trace ? "" : trace.error().message()));
      REQUIRE(trace);
      REQUIRE((*trace)->steps.back().checks.size() == 1);
      CHECK((*trace)->steps.back().checks[0].passed);
      const auto again = search_in((*trace)->header.search).value();
      CHECK(again.measure.metric == metric);
      CHECK(again.measure.period == asked.measure.period);
    }
}

TEST_CASE("measures: what a search cannot measure is refused in a sentence") {
  const auto data = whole_points(60, 2, 20, ScalarType::float32);
  SearchRequest request = search_over(tree_over("wald", data), data);
  const auto refused = [&] {
    const auto found = search(request);
    REQUIRE_FALSE(found);
    return found.error().message();
  };
  request.measure = {Metric::l1, {}};
  request.search = "bucket-packets";
  CHECK(refused() == "bucket-packets measures Euclidean distances alone; choose stack-free, stack or closest-corner.");
  request.search = "closest-corner";
  request.measure = {Metric::euclidean, {20, 20}};
  CHECK(refused() == "closest-corner does not search a space that repeats itself; choose stack-free or stack.");
  request.search = "";
  request.measure.period = {20};
  CHECK(refused().starts_with("the period has 1 side, and the points have 2 dimensions"));
  request.measure.period = {20, 0};
  CHECK(refused() == "a side of the period is 0; give numbers greater than 0.");
  request.measure.period = {20, 5};
  CHECK(refused().find("extend over 19 in dimension 1, more than the period 5") != std::string::npos);
  request.measure = {Metric::maximum, {}};
  request.question = SearchQuestion::ball;
  request.radius = 1;
  CHECK(refused() == "the question 'ball' has no metric and no period; ask for nearest.");
  request.question = SearchQuestion::nearest;
  request.search = "";
  request.tree = tree_over("hu", data);
  CHECK(refused().starts_with("best-bin-first measures Euclidean distances alone"));
  CHECK(measure_in("l2", "").error().message() == "there is no metric 'l2'; choose euclidean, l1 or max.");
  CHECK_FALSE(measure_in("", "10,x"));
}
