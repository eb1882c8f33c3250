// The shipped sets and the simulated scan.

#include <algorithm>
#include <cmath>
#include <set>

#include "datasets/datasets.hpp"
#include "datasets/generators/workbench_scan.hpp"
#include "tests/datasets/points_hash.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("Wald's points are the paper's, in its order") {
  const DataSet ten = opened("wald-10");
  CHECK(ten.points.words == points_from_rows<std::int32_t>(
                                2, {10, 15, 46, 63, 68, 21, 40, 33, 25, 54, 15, 43, 44, 58, 45, 40, 62, 69, 53, 67})
                                .words);
  CHECK(ten.points.type == ScalarType::int32);
  CHECK(ten.points.dim == 2);
  CHECK(ten.column_names == std::vector<std::string>{"x", "y"});
  const DataSet six = opened("wald-6");
  CHECK(six.points.words == points_from_rows<std::int32_t>(2, {2, 3, 5, 4, 9, 6, 4, 7, 8, 1, 7, 2}).words);
  CHECK(six.points.type == ScalarType::int32);
}

TEST_CASE("The ten points after Hu et al.'s example are floats, in the example's order") {
  const DataSet ten = opened("hu-10");
  CHECK(ten.points.words ==
        points_from_rows<float>(2, {24, 27, 39, 28, 29, 3, 11, 16, 5, 20, 18, 7, 26, 23, 35, 8, 14, 11, 4, 30}).words);
  CHECK(ten.points.type == ScalarType::float32);
  CHECK(ten.points.dim == 2);
  CHECK(ten.provenance.find("Hu et al. 2015") != std::string::npos);
}

TEST_CASE("Sixteen points have every coordinate from 0 to 15 once in x and once in y") {
  const DataSet sixteen = opened("sixteen");
  REQUIRE(sixteen.points.size() == 16);
  CHECK(sixteen.points.type == ScalarType::int32);
  std::set<double> seen[2];
  for (std::uint32_t i = 0; i < 16; ++i)
    for (std::uint32_t d = 0; d < 2; ++d) seen[d].insert(sixteen.points.value(i, d));
  for (const auto& values : seen) {
    CHECK(values.size() == 16);
    CHECK(*values.begin() == 0);
    CHECK(*values.rbegin() == 15);
  }
}

TEST_CASE("Twelve points have ties in every dimension and in two at once, and one point twice") {
  const PointSet points = opened("ties-12").points;
  REQUIRE(points.size() == 12);
  CHECK(points.dim == 3);
  CHECK(points.type == ScalarType::int32);
  std::size_t equal[3] = {}, in_two = 0, twice = 0;
  for (std::uint32_t a = 0; a < 12; ++a)
    for (std::uint32_t b = 0; b < a; ++b) {
      std::size_t shared = 0;
      for (std::uint32_t d = 0; d < 3; ++d)
        if (points.value(a, d) == points.value(b, d)) ++equal[d], ++shared;
      in_two += shared == 2;
      twice += shared == 3;
      if (shared == 3) CHECK((b == 0 && a == 8));
    }
  for (const std::size_t pairs : equal) CHECK(pairs > 2);
  CHECK(in_two > 2);
  CHECK(twice == 1);
}

TEST_CASE("The triangles of the lessons on split planes lie in the plane z = 0, each with an area") {
  for (const auto& [name, count] : {std::pair{"zhou-4", 4u}, {"zhou-8", 8u}}) {
    const DataSet set = opened(name);
    CAPTURE(name);
    REQUIRE(set.triangles.size() == 3 * count);
    REQUIRE(set.points.dim == 3);
    const auto at = [&](std::size_t corner, std::uint32_t d) { return set.points.value(set.triangles[corner], d); };
    for (std::size_t c = 0; c < set.triangles.size(); c += 3) {
      CHECK((at(c, 2) == 0 && at(c + 1, 2) == 0 && at(c + 2, 2) == 0));
      CHECK((at(c + 1, 0) - at(c, 0)) * (at(c + 2, 1) - at(c, 1)) !=
            (at(c + 2, 0) - at(c, 0)) * (at(c + 1, 1) - at(c, 1)));
    }
  }
}

TEST_CASE(
    "The tents have four sides each, and the middle plane of those in front passes through the second one's top") {
  const DataSet set = opened("tents-16");
  REQUIRE(set.triangles.size() == 3 * 16);
  double low = 1e300, high = -1e300;
  for (std::size_t side = 0; side < 16; ++side) {
    const std::uint32_t top = set.triangles[3 * side + 2];
    CHECK(top == set.triangles[3 * (side / 4 * 4) + 2]);
    for (std::size_t c = 3 * side; c < 3 * side + 3; ++c) {
      CHECK((set.points.value(set.triangles[c], 2) > 0) == (set.triangles[c] == top));
      if (side >= 12) continue;
      low = std::min(low, set.points.value(set.triangles[c], 0));
      high = std::max(high, set.points.value(set.triangles[c], 0));
    }
  }
  CHECK(set.points.value(set.triangles[3 * 4 + 2], 0) == (low + high) / 2);
}

TEST_CASE("The bunny has its vertices and triangles, and is a closed surface") {
  const DataSet bunny = opened("bunny");
  CHECK(bunny.name == "bunny");
  CHECK(bunny.provenance.find("Stanford Computer Graphics Laboratory") != std::string::npos);
  REQUIRE(bunny.points.size() == 1839);
  REQUIRE(bunny.triangles.size() == 3 * 3674);
  const Box box = bounding_box(bunny.points);
  const std::vector<double> lo = {-4.958475, -0.003149, -3.729833}, hi = {4.94885, 9.654748, 3.810639};
  for (int d = 0; d < 3; ++d) {
    CHECK(box.lo[d] == static_cast<float>(lo[d]));
    CHECK(box.hi[d] == static_cast<float>(hi[d]));
  }
  // Each edge belongs to two triangles, which traverse it in opposite directions.
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::size_t i = 0; i < bunny.triangles.size(); ++i) {
    const std::size_t next = i % 3 == 2 ? i - 2 : i + 1;
    CHECK(edges.insert({bunny.triangles[i], bunny.triangles[next]}).second);
  }
  for (const auto& [a, b] : edges) CHECK(edges.contains({b, a}));
}

TEST_CASE("Points sampled on the bunny lie on it, spread by area, and are the same everywhere") {
  const DataSet samples = opened("bunny:sample=36000,seed=1");
  CHECK(samples.name == "bunny:sample=36000,seed=1");
  REQUIRE(samples.points.size() == 36000);
  CHECK(samples.triangles.empty());
  CHECK(points_hash(samples.points) == 0xc4ac3454521e730dull);
  CHECK(points_hash(opened("bunny:sample=36000,seed=2").points) != points_hash(samples.points));
  CHECK(points_hash(opened("bunny:sample=36000").points) == points_hash(samples.points));

  // The share of samples on one side of a plane equals the share of the area.
  const DataSet bunny = opened("bunny");
  const auto coordinate = [](const PointSet& p, std::size_t i, std::uint32_t d) { return p.value(i, d); };
  double area = 0, area_left = 0;
  for (std::size_t t = 0; t < bunny.triangles.size(); t += 3) {
    double e[2][3], centre_x = 0;
    for (std::uint32_t d = 0; d < 3; ++d)
      for (int k = 0; k < 2; ++k)
        e[k][d] =
            coordinate(bunny.points, bunny.triangles[t + k + 1], d) - coordinate(bunny.points, bunny.triangles[t], d);
    for (int k = 0; k < 3; ++k) centre_x += coordinate(bunny.points, bunny.triangles[t + k], 0) / 3;
    const double n[] = {e[0][1] * e[1][2] - e[0][2] * e[1][1], e[0][2] * e[1][0] - e[0][0] * e[1][2],
                        e[0][0] * e[1][1] - e[0][1] * e[1][0]};
    const double twice = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    area += twice;
    if (centre_x < -1) area_left += twice;
  }
  std::size_t left = 0;
  for (std::size_t i = 0; i < samples.points.size(); ++i) left += samples.points.value(i, 0) < -1;
  CHECK(static_cast<double>(left) / 36000 == Approx(area_left / area).margin(0.02));
}

TEST_CASE("The workbench scan has exactly the points that were asked for, of a desk in a room") {
  for (const std::uint32_t n : {0u, 1u, 2u, 7u, 1000u, 4096u, 100000u})
    CHECK(opened(std::string("workbench:n=") + std::to_string(n)).points.size() == n);
  const DataSet scan = opened("workbench");
  CHECK(scan.name == "workbench:n=300000,seed=1");
  REQUIRE(scan.points.size() == 300000);
  CHECK(points_hash(scan.points) == 0x6e06dd7bdfdbdc45ull);
  CHECK(points_hash(opened("workbench:seed=2").points) != points_hash(scan.points));
  CHECK(opened("workbench:n=100,frame=7").name == "workbench:n=100,seed=1,frame=7");
  const Box box = bounding_box(scan.points);
  CHECK(box.lo[2] > -0.05);
  CHECK(box.hi[1] < 2.3);
  // The desk's top is the densest horizontal layer, and the floor below it is also visible.
  std::size_t on_desk = 0, on_floor = 0;
  for (std::size_t i = 0; i < scan.points.size(); ++i) {
    on_desk += std::abs(scan.points.value(i, 2) - 0.75) < 0.02;
    on_floor += scan.points.value(i, 2) < 0.02;
  }
  CHECK(on_desk > 30000);
  CHECK(on_floor > 10000);
}

TEST_CASE("The piston moves a little from one scan of the workbench to the next") {
  const auto angle = [](const Placement& one, const Placement& other) {
    const double trace = dot(one.x, other.x) + dot(one.y, other.y) + dot(one.z, other.z);
    return std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0)) * 180 / 3.14159265358979;
  };
  for (std::uint32_t frame = 0; frame < workbench_frames; ++frame) {
    const Placement here = piston_place(frame), next = piston_place(frame + 1);
    CHECK(length(next.origin - here.origin) < 0.011);
    CHECK(angle(here, next) < 4);
  }
  CHECK(length(piston_place(50).origin - piston_place(0).origin) > 0.15);
  CHECK(angle(piston_place(0), piston_place(25)) > 45);
  // Its highest vertex is that of the rod's big end, and it stands on its base
  const DataSet piston = opened("piston");
  const Box box = bounding_box(piston.points);
  CHECK(box.lo[2] == Approx(0).margin(1e-6));
  CHECK(box.hi[2] == Approx(0.42));
}

TEST_CASE("The photons of a caustic lie on the table inside the ring, dense along a cardioid") {
  const DataSet photons = opened("caustic");
  CHECK(photons.name == "caustic:n=200000,seed=1");
  REQUIRE(photons.points.size() == 200000);
  CHECK(points_hash(photons.points) == 0x9d4bf0801b41cdf6ull);
  // The cardioid is the path of a point of a circle that rolls around another; both have a third of the ring's radius.
  std::size_t inside = 0, near_cardioid = 0, elsewhere = 0;
  for (std::size_t i = 0; i < photons.points.size(); i += 20) {
    const double x = photons.points.value(i, 0), y = photons.points.value(i, 1);
    inside += std::hypot(x, y) <= 1.000001 && photons.points.value(i, 2) == 0;
    double nearest = 2;
    for (int step = 0; step < 360; ++step) {
      const double turn = step * 3.14159265358979 / 180;
      const double of_x = -(2 * std::cos(turn) * (1 + std::cos(turn)) - 1) / 3,
                   of_y = 2 * std::sin(turn) * (1 + std::cos(turn)) / 3;
      nearest = std::min(nearest, std::hypot(x - of_x, y - of_y));
    }
    (nearest < 0.05 ? near_cardioid : elsewhere) += 1;
  }
  CHECK(inside == photons.points.size() / 20);
  CHECK(near_cardioid > elsewhere / 3);  // on less than a sixth of the area
}
