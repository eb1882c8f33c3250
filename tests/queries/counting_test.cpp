// Tests the searches that count the points of boxes against a count of whole numbers.
#include "tests/queries/brute_force.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// Points with whole coordinates in [0, side)^dim from integer hashes.
std::shared_ptr<const DataSet> lattice(std::uint32_t n, std::uint32_t dim, std::uint32_t side, ScalarType type) {
  auto data = std::make_shared<DataSet>();
  data->name = "lattice";
  data->points.type = type, data->points.dim = dim;
  for (std::uint32_t i = 0; i < n * dim; ++i) {
    const auto at = static_cast<std::int32_t>((i * 2654435761u >> 7) % side);
    data->points.words.push_back(type == ScalarType::int32 ? word_of(at) : word_of(static_cast<float>(at)));
  }
  return data;
}

/// How many points differ from a query by at most `radius` in every dimension: whole numbers, and no rounding.
std::uint32_t counted(const PointSet& points, const PointSet& queries, std::size_t query, std::int64_t radius) {
  std::uint32_t inside = 0;
  for (std::size_t point = 0; point < points.size(); ++point) {
    bool is_inside = true;
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      const auto apart =
          static_cast<std::int64_t>(points.value(point, d)) - static_cast<std::int64_t>(queries.value(query, d));
      is_inside = is_inside && apart <= radius && -apart <= radius;
    }
    inside += is_inside;
  }
  return inside;
}

SearchRequest counting(const std::string& algorithm, const std::shared_ptr<const DataSet>& data, double radius,
                       Backend backend = Backend::cpu) {
  SearchRequest request = search_over(tree_over(algorithm, data), data, 1, backend);
  request.question = SearchQuestion::count;
  request.radius = radius;
  return request;
}

/// Compares the counts of lattices with those of whole numbers.
void check_counts(Backend backend, std::initializer_list<std::uint32_t> sizes) {
  for (const auto& [algorithm, id] :
       {std::pair{"wald", "box-count"}, {"rank", "box-count"}, {"zhou-vvh", "cell-count"}, {"hu", "bucket-count"}})
    for (const ScalarType type : {ScalarType::float32, ScalarType::int32})
      for (const std::uint32_t dim : {1u, 2u, 3u})
        for (const std::uint32_t n : sizes) {
          const auto data = lattice(n, dim, 12, type);
          for (const int radius : {0, 1, 3, 20}) {
            INFO(algorithm << ", " << n << " points of " << dim << " dimensions, radius " << radius);
            const SearchRequest request = counting(algorithm, data, radius, backend);
            const auto found = search(request).value();
            REQUIRE(found.counts.size() == n);
            CHECK(found.found.empty());
            CHECK(found.offsets == std::vector<std::uint64_t>(n + 1, 0));
            for (std::uint32_t query = 0; query < n; ++query)
              CHECK(found.counts[query] == counted(data->points, data->points, query, radius));
            CHECK(difference_of(request, found, *data) == "");
            const auto checked = checked_request(request).value();
            CHECK(checked.search == id);
          }
        }
}

}  // namespace

TEST_CASE("counting: the points of a box are as many as a count of whole numbers finds") {
  check_counts(Backend::cpu, {1, 2, 7, 64, 500});
}

DEVICE_CASE("counting: boxes on CUDA hold as many points, too", "[sanitize]") { check_counts(Backend::cuda, {7, 500}); }

TEST_CASE("counting: a box around everything visits the root alone, and a large one fewer nodes than it counts") {
  for (const char* algorithm : {"wald", "zhou-vvh", "hu"}) {
    INFO(algorithm);
    SearchRequest request = counting(algorithm, data_of("uniform:n=20000,dim=2,seed=4"), 2);
    request.queries = data_of("uniform:n=200,dim=2,seed=5");
    const auto all = search(request).value();
    for (std::size_t query = 0; query < 200; ++query) {
      CHECK(all.counts[query] == 20000);
      CHECK(all.visited[query] == 1);
    }
    request.radius = 0.25;
    const auto half = search(request).value();
    std::uint64_t visited = 0, points = 0;
    for (std::size_t query = 0; query < 200; ++query) visited += half.visited[query], points += half.counts[query];
    CHECK(4 * visited < points);
  }
}

TEST_CASE("counting: boxes of many dimensions are counted, where lanes of a warp share them") {
  const auto data = lattice(300, 70, 4, ScalarType::float32);
  for (const int radius : {0, 2, 3}) {
    const auto found = search(counting("hu", data, radius)).value();
    for (std::uint32_t query = 0; query < 300; ++query)
      CHECK(found.counts[query] == counted(data->points, data->points, query, radius));
  }
}

TEST_CASE("counting: the neighbours in a lattice that floats cannot hold are counted") {
  auto data = std::make_shared<DataSet>();
  data->name = "tenths";
  data->points.dim = 2;
  for (int i = 0; i < 64; ++i)
    for (const int at : {i % 8, i / 8}) data->points.words.push_back(word_of(static_cast<float>(at) * 0.1f));
  for (const char* algorithm : {"wald", "zhou-vvh", "hu"}) {
    const auto found = search(counting(algorithm, data, 0.1)).value();
    CHECK(found.counts[0] == 4);       // a corner
    CHECK(found.counts[3] == 6);       // an edge
    CHECK(found.counts[9 + 18] == 9);  // inside
  }
}

TEST_CASE("counting: a wrong count is called wrong") {
  const auto data = lattice(200, 2, 12, ScalarType::float32);
  const SearchRequest request = counting("wald", data, 3);
  auto found = search(request).value();
  const auto right = counted(data->points, data->points, 17, 3);
  for (const int change : {-1, 1}) {
    auto wrong = found;
    wrong.counts[17] = right + static_cast<std::uint32_t>(change);
    CHECK(difference_of(request, wrong, *data) ==
          "query 17 counts " + std::to_string(wrong.counts[17]) + " points, and should count " + std::to_string(right));
    CHECK(first_difference(wrong, found) != "");
  }
}

TEST_CASE("counting: a recorded count shows whole subtrees, and ends with the number") {
  for (const auto& [algorithm, data] : {std::pair{"wald", "wald-10"},
                                        {"zhou-vvh", "uniform:n=300,dim=2,seed=1"},
                                        {"hu", "uniform:n=300,dim=2,seed=1"}}) {
    SearchOfRun asked;
    asked.question = SearchQuestion::count;
    const bool ten = std::string_view(data) == "wald-10";
    asked.query = ten ? std::vector<double>{50, 40} : std::vector<double>{0.5, 0.5};
    asked.radius = ten ? 30 : 0.3;
    RunRequest request{data, algorithm, {}, Backend::cpu};
    request.points = data_of(data);
    request.search = texts_of(asked);
    const auto trace = record(request);
    INFO(algorithm << (trace ? "" : trace.error().message()));
    REQUIRE(trace);
    const Step& last = (*trace)->steps.back();
    REQUIRE(last.checks.size() == 1);
    CHECK(last.checks[0].passed);
    Cursor end(*trace);
    end.seek(end.step_count());
    const TypedArray* count = end.array(search_arrays::count);
    REQUIRE(count);
    const PointSet& points = request.points->points;
    std::uint32_t inside = 0;
    for (std::size_t point = 0; point < points.size(); ++point)
      inside += std::abs(points.value(point, 0) - asked.query[0]) <= *asked.radius &&
                std::abs(points.value(point, 1) - asked.query[1]) <= *asked.radius;
    CHECK(count->as<std::uint32_t>()[0] == inside);
    CHECK(last.title.find(std::to_string(inside) + " points lie in the box") != std::string::npos);
    CHECK(std::ranges::count_if((*trace)->steps, [](const Step& step) {
            return step.title.find("its whole domain lies in the box") != std::string::npos;
          }) > 0);
  }
}

TEST_CASE("counting: what is not counted is refused in a sentence") {
  SearchRequest request = counting("wald", lattice(20, 2, 5, ScalarType::float32), 1);
  request.radius.reset();
  const auto no_radius = search(request);
  REQUIRE_FALSE(no_radius);
  CHECK(no_radius.error().message() == "a box needs a radius; give one.");
  request.radius = 1;
  request.search = "stack";
  const auto other = search(request);
  REQUIRE_FALSE(other);
  CHECK(other.error().message() == "stack does not answer the question 'count'; ask for nearest, ball or box.");
}
