// Tests which points lie within a radius, which points are compared, and what data searches refuse.
#include <cmath>
#include <random>

#include "algorithms/text/numbers.hpp"
#include "tests/queries/brute_force.hpp"

namespace kdscope::radius_test {
using namespace kdscope::tests;

namespace {

std::shared_ptr<DataSet> points_of(std::uint32_t dim, const std::vector<double>& values,
                                   ScalarType type = ScalarType::float32) {
  auto data = std::make_shared<DataSet>();
  data->name = "points";
  data->points.type = type;
  data->points.dim = dim;
  for (const double value : values)
    data->points.words.push_back(type == ScalarType::float32 ? word_of(static_cast<float>(value))
                                                             : word_of(static_cast<std::int32_t>(value)));
  return data;
}

/// A square lattice whose coordinates are written as decimals: i * spacing, rounded as a file would be read.
std::shared_ptr<DataSet> lattice(int side, double spacing) {
  std::vector<double> values;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) values.insert(values.end(), {i * spacing, j * spacing});
  return points_of(2, values);
}

SearchRequest request_on(const std::string& algorithm, std::shared_ptr<const DataSet> data, SearchQuestion question,
                         double radius) {
  SearchRequest request = search_over(tree_over(algorithm, data), data, question == SearchQuestion::nearest ? 5 : 1);
  request.question = question;
  request.radius = radius;
  return request;
}

/// The number of points of a lattice within a radius of its spacing, the point itself included.
std::size_t lattice_neighbours(int side, SearchQuestion question) {
  std::size_t count = 0;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      const int rows = 1 + (i > 0) + (i + 1 < side), columns = 1 + (j > 0) + (j + 1 < side);
      count += static_cast<std::size_t>(question == SearchQuestion::box ? rows * columns : rows + columns - 1);
    }
  return count;
}

}  // namespace

TEST_CASE("radius: a lattice finds its neighbours at the radius of its spacing") {
  std::vector<double> spacings;
  for (int h = 1; h <= 1000; ++h) spacings.push_back(h / 100.0);
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) spacings.push_back(std::exp(std::uniform_real_distribution<double>(-12, 12)(random)));
  for (std::size_t i = 0; i < spacings.size(); ++i) {
    INFO("spacing " << shortest(spacings[i]));
    const std::string algorithm = std::vector<std::string>{"wald", "wehr", "hu", "brown", "zhou-vvh"}[i % 5];
    if (algorithm == "zhou-vvh") continue;  // over three dimensions, below
    const auto data = lattice(6, spacings[i]);
    for (const SearchQuestion question : {SearchQuestion::ball, SearchQuestion::box, SearchQuestion::nearest}) {
      const SearchRequest request = request_on(algorithm, data, question, spacings[i]);
      const auto found = search(request).value();
      CHECK(found.found.size() == lattice_neighbours(6, question));
      CHECK(difference_of(request, found, *data) == "");
    }
  }
}

TEST_CASE("radius: a lattice far from the origin, of more dimensions, and of many points finds its neighbours") {
  for (const double spacing : {0.1, 0.33, 0.7, 1.19, 3.3}) {
    const auto large = lattice(100, spacing);
    const SearchRequest request = request_on("wald", large, SearchQuestion::ball, spacing);
    const auto found = search(request).value();
    CHECK(found.found.size() == lattice_neighbours(100, SearchQuestion::ball));
    for (const auto& [algorithm, dim] : {std::pair{"zhou-vvh", 3u}, {"hu", 5u}, {"brown", 3u}}) {
      INFO(algorithm << ", spacing " << spacing);
      std::vector<double> values;
      for (int i = 0; i < 27; ++i)
        for (std::uint32_t d = 0; d < dim; ++d)
          values.push_back(d < 3 ? spacing * (i / (d == 0 ? 1 : d == 1 ? 3 : 9) % 3) : spacing * 17);
      const auto cube = points_of(dim, values);
      const auto near = search(request_on(algorithm, cube, SearchQuestion::ball, spacing)).value();
      CHECK(near.found.size() == 27 + 2 * 54);  // 54 edges between neighbours
    }
  }
}

TEST_CASE("radius: a distance that was printed finds its point") {
  std::vector<double> whole;
  for (int x = 0; x < 20; ++x) whole.insert(whole.end(), {double(x), double(x * x % 17)});
  for (const auto& data :
       {points_of(2, whole, ScalarType::int32), std::make_shared<DataSet>(*data_of("uniform:n=40,dim=2,seed=3")),
        std::make_shared<DataSet>(*data_of("uniform:n=40,dim=7,seed=4"))}) {
    SearchRequest request = request_on("wald", data, SearchQuestion::nearest, 1);
    request.radius.reset();
    request.k = 10;
    const auto nearest = search(request).value();
    request.question = SearchQuestion::ball;
    request.k = 1;
    for (std::size_t query = 0; query < data->points.size(); ++query) {
      const std::uint64_t last = nearest.offsets[query] + 9;
      request.radius = std::sqrt(nearest.distances[last]);
      const auto ball = search(request).value();
      const auto from = ball.found.begin() + static_cast<std::ptrdiff_t>(ball.offsets[query]),
                 to = ball.found.begin() + static_cast<std::ptrdiff_t>(ball.offsets[query + 1]);
      CHECK(std::find(from, to, nearest.found[last]) != to);
    }
  }
}

TEST_CASE("radius: points beyond it by a thousandth are not found, however large the coordinates are") {
  for (const double offset : {0.0, 1.0, 1e3, 1e5}) {
    INFO(offset);
    const double step = offset < 1e4 ? 1 : 1000;
    const auto data = points_of(1, {offset, offset + step, offset + 2 * step});
    SearchRequest request = request_on("wald", data, SearchQuestion::ball, step * 0.998);
    const auto found = search(request).value();
    CHECK(found.found.size() == 3);
    request.radius = 0;
    CHECK(search(request)->found.size() == 3);
  }
}

TEST_CASE("answers: of equal points, brown's tree holds the first, and the check expects no other") {
  for (const char* spec : {"ties-12", "grid:n=100,dim=2,side=5", "equal:n=100,dim=2"}) {
    INFO(spec);
    const auto data = data_of(spec);
    SearchRequest request = request_on("brown", data, SearchQuestion::ball, 3);
    for (const SearchQuestion question : {SearchQuestion::nearest, SearchQuestion::ball, SearchQuestion::box}) {
      request.question = question;
      request.k = question == SearchQuestion::nearest ? 3 : 1;
      const auto found = search(request).value();
      CHECK(difference_of(request, found, *data) == "");
      CHECK(recall_of(request, found, *data) == 1);
      // A point that the tree left out is no right answer, even at the right distance.
      auto wrong = found;
      const auto left_out = request.tree->kind().left_out(*request.tree);
      REQUIRE_FALSE(left_out.empty());
      wrong.found[0] = left_out[0];
      CHECK(difference_of(request, wrong, *data).find("a point of the tree") != std::string::npos);
    }
  }
  const auto ties = data_of("ties-12");
  CHECK(
      left_out_text(*tree_over("brown", ties)).starts_with("1 point of 12, because others have the same coordinates"));
  CHECK(left_out_text(*tree_over("wald", ties)).empty());
}

TEST_CASE("answers: planted errors of every kind are found, exact ties by index") {
  const auto data = data_of("grid:n=200,dim=2,side=9");
  SearchRequest request = request_on("wald", data, SearchQuestion::nearest, 1);
  request.radius.reset();
  request.k = 6;
  const auto right = search(request).value();
  REQUIRE(difference_of(request, right, *data).empty());
  std::size_t ties = 0;
  for (std::size_t at = 0; at + 1 < right.found.size(); ++at) {
    // The last result of a query replaced by an equally distant point of a higher index.
    if (at % 6 != 5) continue;
    const std::size_t query = at / 6;
    for (std::uint32_t point = right.found[at] + 1; point < 200; ++point) {
      const double x = data->points.value(query, 0) - data->points.value(point, 0),
                   y = data->points.value(query, 1) - data->points.value(point, 1);
      if (x * x + y * y != right.distances[at]) continue;
      auto wrong = right;
      wrong.found[at] = point;
      CHECK(difference_of(request, wrong, *data).starts_with("result 6 of query " + std::to_string(query)));
      CHECK(recall_of(request, wrong, *data) < 1);
      ++ties;
      break;
    }
  }
  CHECK(ties > 50);
  auto wrong = right;
  wrong.distances[7] = std::nextafter(wrong.distances[7], 1e9);
  CHECK(difference_of(request, wrong, *data).starts_with("result 2 of query 1 is "));
  wrong = right;
  wrong.found[13] = wrong.found[12];
  CHECK_FALSE(difference_of(request, wrong, *data).empty());
  // A result too few at the end.
  wrong = right;
  wrong.found.pop_back(), wrong.distances.pop_back(), --wrong.offsets.back();
  CHECK(difference_of(request, wrong, *data).starts_with("result 6 of query 199 is nothing"));
  request.question = SearchQuestion::ball, request.k = 1, request.radius = 2;
  wrong = *search(request);
  wrong.found.pop_back(), wrong.distances.pop_back(), --wrong.offsets.back();
  CHECK(difference_of(request, wrong, *data).find("of query 199 is nothing") != std::string::npos);
}

TEST_CASE("searches: coordinates whose squares leave the floats are refused") {
  const auto message = [](std::shared_ptr<const DataSet> data, std::shared_ptr<const DataSet> queries,
                          SearchQuestion question = SearchQuestion::nearest, double radius = 1) {
    SearchRequest request = request_on("wald", data, question, radius);
    if (question == SearchQuestion::nearest) request.k = 1, request.radius.reset();
    request.queries = std::move(queries);
    const auto found = search(request);
    if (found)
      for (const double distance : found->distances) CHECK(std::isfinite(distance));
    return found ? std::string() : found.error().message();
  };
  const auto large = points_of(3, {0.5, 0, 0, 1e20, 0, 0, 3e20, 0, 0});
  CHECK(message(large, points_of(3, {2.5e20, 0, 0.5})).find("cannot hold the squares of such large") !=
        std::string::npos);
  CHECK(message(large, large, SearchQuestion::ball, 1e20).find("by 1e-20, as scale= does") != std::string::npos);
  // Far queries beside near points.
  CHECK(message(points_of(1, {1, 2, 3}), points_of(1, {3e19})).find("large distances") != std::string::npos);
  const auto tiny = points_of(1, {0.5e-30, 1e-25, 3e-25});
  CHECK(message(tiny, points_of(1, {2.9e-25})).find("cannot hold the squares of such small") != std::string::npos);
  // A cluster that vanishes beside an ordinary extent.
  const auto mixed = points_of(1, {0.5e-30, 1e-25, 3e-25, 1, 2});
  CHECK(message(mixed, points_of(1, {2.9e-25})).find("query 0 is so close to point") != std::string::npos);
  CHECK(message(mixed, points_of(1, {1.9})) == "");
  CHECK(message(mixed, points_of(1, {0.1}), SearchQuestion::ball, 1e-26).find("cannot hold its square") !=
        std::string::npos);
  CHECK(message(mixed, points_of(1, {0.1}), SearchQuestion::ball, 0) == "");
  // A dimension of tiny numbers beside ordinary ones changes nothing.
  CHECK(message(points_of(2, {0, 1e-30, 1, 2e-30, 2, 3e-30}), points_of(2, {0, 1e-30, 1.1, 0})) == "");
  // Large whole numbers have doubles.
  CHECK(message(points_of(1, {-2147483647, 0, 2147483647}, ScalarType::int32),
                points_of(1, {-2147483647}, ScalarType::int32)) == "");
  for (const auto& [extent, n] : {std::pair{1e18, 3}, {1e-12, 3}}) {
    const auto data = points_of(1, {0, extent / 3, extent});
    SearchRequest request = request_on("wald", data, SearchQuestion::nearest, 1);
    request.radius.reset();
    request.k = static_cast<std::uint32_t>(n);
    const auto found = search(request).value();
    CHECK(difference_of(request, found, *data) == "");
  }
}

TEST_CASE("searches: a recorded search refuses points whose distances vanish, as a search at full speed does") {
  RunRequest build{{}, "wald", {}, Backend::cpu, false, points_of(2, {0, 0, 1, 1, 3e-24, 0})};
  const auto built = record(build).value();
  SearchOfRun one;
  one.query = {3e-24, 0};
  SearchOfRun all;
  all.all_points = true;
  for (const SearchOfRun& search : {one, all}) {
    const auto recorded = record_search(built, search, Backend::cpu);
    REQUIRE_FALSE(recorded);
    CHECK(recorded.error().message().find("is so close to point") != std::string::npos);
  }
}

}  // namespace kdscope::radius_test
