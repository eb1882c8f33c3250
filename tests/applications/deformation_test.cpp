// Tests the strength field of a deformation against brute force.
#include "algorithms/applications/point_clouds/deformation.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

namespace {

/// Both handles are points of the whole cloud: every third, and those after them.
StrengthRequest request_over(const char* data, Backend backend) {
  StrengthRequest request;
  request.points = *open_data_set(data);
  request.backend = backend;
  for (std::uint32_t i = 0; i < 40; ++i) request.active.push_back(3 * i), request.fixed.push_back(3 * i + 1);
  return request;
}

double distance_to(const PointSet& points, std::size_t i, const std::vector<std::uint32_t>& handle) {
  double least = HUGE_VAL;
  for (const std::uint32_t j : handle) {
    double square = 0;
    for (std::uint32_t d = 0; d < 3; ++d) square += std::pow(points.value(i, d) - points.value(j, d), 2);
    least = std::min(least, square);
  }
  return std::sqrt(least);
}

double strength_of(double share) { return 1 - share * share * (3 - 2 * share); }

}  // namespace

TEST_CASE("deformation: strength follows the distances to the handles by brute force") {
  for (const bool fixed : {false, true}) {
    StrengthRequest request = request_over("clustered:n=3000,dim=3,seed=4", Backend::cpu);
    if (!fixed) request.fixed.clear();
    const PointSet& points = request.points->points;
    const auto field = strength_field(request).value();
    REQUIRE(field.strength.size() == points.size());
    double side = 0;
    for (std::uint32_t d = 0; d < 3; ++d) {
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (std::size_t i = 0; i < points.size(); ++i)
        low = std::min(low, points.value(i, d)), high = std::max(high, points.value(i, d));
      side = std::max(side, high - low);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double a = distance_to(points, i, request.active),
                   f = fixed ? distance_to(points, i, request.fixed) : side / 2;
      CHECK(std::abs(field.strength[i] - strength_of(a / (a + f))) <= 1e-5);
    }
    for (const std::uint32_t i : request.active) CHECK(field.strength[i] == 1);
    for (const std::uint32_t i : request.fixed) CHECK(field.strength[i] == 0);
  }
}

TEST_CASE("deformation: a point moves by its strength times the translation, its payload remains") {
  const auto data = *open_data_set("bunny:sample=50");
  const PointSet& points = data->points;
  std::vector<float> strength(points.size(), 0);
  strength[7] = 1, strength[8] = 0.5F;
  const PointSet moved = deformed(points, strength, {1, -2, 4});
  CHECK(moved.stride() == points.stride());
  CHECK(moved.word(6, 0) == points.word(6, 0));
  CHECK(moved.value(7, 1) == Approx(points.value(7, 1) - 2));
  CHECK(moved.value(8, 2) == Approx(points.value(8, 2) + 2));
  std::vector<float> normals{0, 0, 1, 0, 1, 0};
  keep_sides({0, 0, -1, 0, 1, 0}, normals);
  CHECK(normals == std::vector<float>{0, 0, -1, 0, 1, 0});
}

TEST_CASE("deformation: what has no handle is refused with one sentence") {
  StrengthRequest request = request_over("uniform:n=200,dim=3", Backend::cpu);
  request.active.clear();
  REQUIRE(!strength_field(request));
  CHECK(strength_field(request).error().message().find("the active handle holds no points") != std::string::npos);
  request.active = {200};
  CHECK(strength_field(request).error().kind == ErrorKind::bad_usage);
  request = request_over("uniform:n=200,dim=2", Backend::cpu);
  CHECK(strength_field(request).error().kind == ErrorKind::bad_input);
}

DEVICE_CASE("deformation: strength on CUDA is that of the CPU, bit for bit", "[sanitize]") {
  const auto expected = strength_field(request_over("bunny:sample=3000,seed=2", Backend::cpu)),
             field = strength_field(request_over("bunny:sample=3000,seed=2", Backend::cuda));
  REQUIRE(expected);
  REQUIRE(field);
  CHECK(field->strength == expected->strength);
}

DEVICE_CASE("deformation: no static handle, and handles of one point, on CUDA", "[sanitize]") {
  StrengthRequest request = request_over("clustered:n=500,dim=3,seed=4", Backend::cpu);
  request.repeat = 2;
  for (const std::vector<std::uint32_t>& fixed : {std::vector<std::uint32_t>{}, {7}, {3}}) {
    INFO(fixed.size() << " static points");
    request.active = {3};
    request.fixed = fixed;
    const auto expected = strength_field(request);
    StrengthRequest on_cuda = request;
    on_cuda.backend = Backend::cuda;
    const auto field = strength_field(on_cuda);
    REQUIRE(expected);
    REQUIRE(field);
    CHECK(field->strength == expected->strength);
    CHECK(field->build_ms.size() == 2);
  }
}
