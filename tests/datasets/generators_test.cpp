// Properties of the generators, and golden hashes of their bytes.

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "datasets/datasets.hpp"
#include "tests/datasets/points_hash.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

const std::vector<std::string> generator_ids = {"uniform", "clustered", "sphere", "line", "grid", "equal", "presorted"};

struct Golden {
  const char* specification;
  std::uint64_t hash;
};

}  // namespace

TEST_CASE("Generators make the same bytes on every machine") {
  // Several threads generate 200,000 points if they are available.
  const Golden golden[] = {
      {"uniform:n=200000,dim=3", 0xfa65a855a31128baull},
      {"uniform:n=1000,dim=2,seed=7,type=int", 0x13165e1336ffbd42ull},
      {"uniform:n=100,dim=17,seed=99", 0xa30644ddbd06c78full},
      {"clustered:n=200000,dim=3", 0xeedbf412401ffe06ull},
      {"clustered:n=1000,dim=2,seed=7,type=int", 0x4af352bb0b9bab1bull},
      {"clustered:n=100,dim=17,seed=99", 0x6185f6eca68ff768ull},
      {"sphere:n=200000,dim=3", 0xaa3e0505f8e0c8edull},
      {"sphere:n=1000,dim=2,seed=7,type=int", 0xdfab14f6e2e18e28ull},
      {"sphere:n=100,dim=17,seed=99", 0x04f7126fbfba93b4ull},
      {"line:n=200000,dim=3", 0x550e2db7f4df7c03ull},
      {"line:n=1000,dim=2,seed=7,type=int", 0xe57882844bdeefd8ull},
      {"line:n=100,dim=17,seed=99", 0x4bb0df52bdcb5503ull},
      {"grid:n=200000,dim=3", 0x16e72dbb989bdf95ull},
      {"grid:n=1000,dim=2,seed=7,type=int", 0x42eab78f2c35e026ull},
      {"grid:n=100,dim=17,seed=99", 0xd092437a96447a37ull},
      {"equal:n=200000,dim=3", 0xc80afbb52f23507cull},
      {"equal:n=1000,dim=2,seed=7,type=int", 0x318864c7bc2de60dull},
      {"equal:n=100,dim=17,seed=99", 0x528065189d3a1f85ull},
      {"presorted:n=200000,dim=3", 0x2abe02b51d4dc12cull},
      {"presorted:n=1000,dim=2,seed=7,type=int", 0xde104de9c7d0f503ull},
      {"presorted:n=100,dim=17,seed=99", 0x4a33190b64d0be99ull},
  };
  for (const Golden& g : golden) {
    INFO(g.specification);
    CHECK(points_hash(opened(g.specification).points) == g.hash);
  }
}

TEST_CASE("Every generator takes any n, dimension and type, and its name makes the set again") {
  for (const std::string& id : generator_ids)
    for (const int n : {0, 1, 2, 1000})
      for (const int dim : {1, 2, 3, 8, 512})
        for (const std::string type : {"float", "int"}) {
          const std::string specification =
              id + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dim) + ",seed=5,type=" + type;
          INFO(specification);
          const DataSet set = opened(specification);
          CHECK(set.points.size() == static_cast<std::size_t>(n));
          CHECK(set.points.dim == static_cast<std::uint32_t>(dim));
          CHECK(name_of(set.points.type) == type);
          CHECK(opened(set.name).points.words == set.points.words);
          const Box box = bounding_box(set.points);
          const double most = id == "grid" ? 9 : type == "int" ? 999'999 : 1;
          for (std::size_t d = 0; d < box.lo.size(); ++d) CHECK((box.lo[d] >= 0 && box.hi[d] <= most));
        }
}

TEST_CASE("Another seed makes other points, and a point does not depend on how many there are") {
  for (const std::string& id : generator_ids) {
    INFO(id);
    const DataSet some = opened(id + ":n=100"), other = opened(id + ":n=100,seed=2"), more = opened(id + ":n=200");
    CHECK(some.points.words != other.points.words);
    if (id != "presorted")
      CHECK(std::equal(some.points.words.begin(), some.points.words.end(), more.points.words.begin()));
  }
}

TEST_CASE("Uniform coordinates fill their range evenly") {
  const PointSet points = opened("uniform:n=100000,dim=2,type=int,range=10").points;
  std::vector<int> counts(10);
  for (const std::uint32_t word : points.words) ++counts.at(word);
  for (const int count : counts) CHECK(std::abs(count - 20000) < 700);
}

TEST_CASE("Clustered points are closer to each other than uniform ones") {
  const auto spread = [](const std::string& specification) {
    const PointSet points = opened(specification).points;
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      double nearest = 9;
      for (std::size_t j = 0; j < points.size(); ++j) {
        double square = 0;
        for (std::uint32_t d = 0; d < 2; ++d)
          square += (points.value(i, d) - points.value(j, d)) * (points.value(i, d) - points.value(j, d));
        if (j != i) nearest = std::min(nearest, square);
      }
      sum += std::sqrt(nearest);
    }
    return sum;
  };
  CHECK(spread("clustered:n=500,dim=2,clusters=5") < 0.5 * spread("uniform:n=500,dim=2"));
}

TEST_CASE("Sphere points have one distance from the centre and look in every direction") {
  const PointSet points = opened("sphere:n=10000,dim=3").points;
  int octants[8] = {};
  for (std::size_t i = 0; i < points.size(); ++i) {
    double square = 0;
    int octant = 0;
    for (std::uint32_t d = 0; d < 3; ++d) {
      const double c = points.value(i, d) - 0.5;
      square += c * c;
      octant = 2 * octant + (c > 0);
    }
    ++octants[octant];
    CHECK(std::sqrt(square) == Approx(0.5).epsilon(1e-6));
  }
  for (const int count : octants) CHECK(std::abs(count - 1250) < 150);
}

TEST_CASE("Line points are collinear") {
  const PointSet points = opened("line:n=1000,dim=3").points;
  const auto difference = [&](std::size_t i, std::uint32_t d) { return points.value(i, d) - points.value(0, d); };
  for (std::size_t i = 2; i < points.size(); ++i)
    for (std::uint32_t d = 1; d < 3; ++d)
      CHECK(difference(i, 0) * difference(1, d) == Approx(difference(i, d) * difference(1, 0)).margin(1e-6));
}

TEST_CASE("Grid points share coordinates, equal points are equal, presorted points ascend") {
  const PointSet grid = opened("grid:n=1000,dim=3,side=4").points;
  CHECK(std::set<std::uint32_t>(grid.words.begin(), grid.words.end()).size() == 4);
  const PointSet equal = opened("equal:n=1000,dim=3").points;
  for (std::size_t i = 0; i < equal.words.size(); ++i) CHECK(equal.words[i] == equal.words[i % 3]);
  for (const std::string type : {"float", "int"}) {
    const PointSet sorted = opened("presorted:n=1000,dim=3,type=" + type).points;
    for (std::size_t i = 1; i < sorted.size(); ++i) CHECK(sorted.value(i - 1, 0) <= sorted.value(i, 0));
    CHECK(sorted.value(0, 0) < sorted.value(999, 0));
  }
}
