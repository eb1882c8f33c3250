// Tests generated scenes and degenerate triangles: their counts, their animation, and golden hashes of their bytes.

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "datasets/datasets.hpp"
#include "datasets/generators/direction.hpp"
#include "datasets/generators/scenes.hpp"
#include "tests/datasets/points_hash.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::triangles_test {

namespace {

Vector3 corner(const DataSet& set, std::size_t c) {
  const std::uint32_t v = set.triangles[c];
  return {set.points.value(v, 0), set.points.value(v, 1), set.points.value(v, 2)};
}

double twice_area(const DataSet& set, std::size_t t) {
  return length(cross(corner(set, 3 * t + 1) - corner(set, 3 * t), corner(set, 3 * t + 2) - corner(set, 3 * t)));
}

}  // namespace

TEST_CASE("Directions are those of the circle, exact at its quarters") {
  for (int i = -1000; i <= 1000; ++i) {
    const double turns = i * 0.0137;
    const Direction d = direction(turns);
    CHECK(std::abs(d.cosine - std::cos(turns * 2 * M_PI)) < 1e-12);
    CHECK(std::abs(d.sine - std::sin(turns * 2 * M_PI)) < 1e-12);
  }
  CHECK(direction(0.25).cosine == 0);
  CHECK(direction(0.5).cosine == -1);
  CHECK(direction(-0.25).sine == -1);
}

TEST_CASE("Scenes make the same bytes on every machine") {
  struct Golden {
    const char* id;
    std::uint64_t first, later;  // frames 0 and 37
  };
  const Golden golden[] = {
      {"toys", 0x00a118479d0608afull, 0x78418d7a493a8decull},
      {"museum", 0x20619a71676c6bf9ull, 0x0f3785d31bf726beull},
      {"robots", 0x9ffa290b1d2aa0b3ull, 0xe84678c28f1fd6d6ull},
      {"kitchen", 0x370b90bee041d5bcull, 0x17a4e0d01bb24cfbull},
      {"fairy-forest", 0x64455c3e12b52b45ull, 0xc39780d78b2c596full},
      {"dragon", 0x320e8520a852ec8eull, 0xc183355bcbc90c75ull},
      {"metal-ring", 0x2cbfa068ce6cea1dull, 0xf761fb1cbe918f29ull},
      {"champagne", 0x02bb77b0810362b2ull, 0x64fb759371e6f9e2ull},
  };
  REQUIRE(std::size(golden) == scene_models().size());
  for (const Golden& g : golden) {
    INFO(g.id);
    CHECK(mesh_hash(opened(g.id)) == g.first);
    CHECK(mesh_hash(opened(std::string(g.id) + ":frame=37")) == g.later);
  }
}

TEST_CASE("A scene has exactly its number of triangles in every frame, over vertices that exist and are used") {
  for (const SceneModel& model : scene_models()) {
    INFO(model.id);
    const DataSet first = scene_frame(model, 0);
    CHECK(first.triangles.size() == 3 * std::size_t{model.triangles});
    CHECK(first.points.type == ScalarType::float32);
    CHECK(first.points.dim == 3);
    std::vector<bool> used(first.points.size());
    for (const std::uint32_t v : first.triangles) {
      REQUIRE(v < used.size());
      used[v] = true;
    }
    CHECK(std::ranges::count(used, false) == 0);
    for (const std::uint32_t frame : {1u, 50u, scene_frames - 1}) {
      const DataSet later = scene_frame(model, frame);
      CHECK(later.triangles == first.triangles);
      CHECK(later.points.size() == first.points.size());
      CHECK((later.points.words != first.points.words) == model.animated);
      for (std::size_t i = 0; i < later.points.words.size(); ++i)
        REQUIRE(std::isfinite(later.points.value(i / 3, i % 3)));
    }
  }
}

TEST_CASE("A scene of more triangles has exactly so many, and the same surface") {
  const auto more = opened("toys:triangles=40001"), usual = opened("toys");
  CHECK(more.name == "toys:frame=0,triangles=40001");
  CHECK(usual.name == "toys:frame=0");
  CHECK(more.triangles.size() == 3 * std::size_t{40001});
  const auto area = [](const DataSet& set) {
    double sum = 0;
    for (std::size_t t = 0; t < set.triangles.size() / 3; ++t) sum += twice_area(set, t);
    return sum;
  };
  CHECK(std::abs(area(more) / area(usual) - 1) < 1e-6);
  const auto fewer = open_data_set("toys:triangles=10999");
  REQUIRE(!fewer);
  CHECK(fewer.error().message().find("11000") != std::string::npos);
}

TEST_CASE("Scenes are of triangles with area, very different in size, with much empty space") {
  for (const SceneModel& model : scene_models()) {
    INFO(model.id);
    const DataSet set = scene_frame(model, 0);
    std::vector<double> areas;
    std::size_t flat = 0;
    for (std::size_t t = 0; t < model.triangles; ++t) {
      areas.push_back(twice_area(set, t));
      flat += areas.back() == 0;
    }
    CHECK(flat == 0);
    std::ranges::sort(areas);
    CHECK(areas[areas.size() * 99 / 100] > 5 * areas[areas.size() / 10]);

    // Only a few of the bounding box's 16^3 cubes contain the middle of a triangle.
    const Box box = bounding_box(set.points);
    std::set<int> cubes;
    for (std::size_t t = 0; t < model.triangles; ++t) {
      const Vector3 m = (1.0 / 3) * (corner(set, 3 * t) + corner(set, 3 * t + 1) + corner(set, 3 * t + 2));
      const auto slab = [&](double c, int d) {
        return std::min(15, static_cast<int>(16 * (c - box.lo[d]) / (box.hi[d] - box.lo[d])));
      };
      cubes.insert((slab(m.x, 0) * 16 + slab(m.y, 1)) * 16 + slab(m.z, 2));
    }
    CHECK(cubes.size() < 16 * 16 * 16 / 3);
  }
}

TEST_CASE("Sets of triangles are what their kind says, the same everywhere") {
  const auto set = [](const std::string& kind) { return opened("triangles:kind=" + kind + ",n=500"); };
  CHECK(set("none").triangles.empty());
  CHECK(set("none").points.size() == 0);
  CHECK(set("one").triangles.size() == 3);
  CHECK(set("two").triangles.size() == 6);
  for (const char* kind : {"soup", "equal", "flat", "one-point", "no-area"}) {
    INFO(kind);
    CHECK(set(kind).triangles.size() == 1500);
    CHECK(opened(std::string("triangles:n=0,kind=") + kind).triangles.empty());
  }
  for (std::size_t t = 0; t < 500; ++t) {
    CHECK(twice_area(set("soup"), t) > 0);
    CHECK(twice_area(set("no-area"), t) == 0);
    for (std::size_t c = 0; c < 3; ++c) CHECK(corner(set("flat"), 3 * t + c).z == 0.5);
    const DataSet star = set("one-point");
    const Vector3 sum = corner(star, 3 * t) + corner(star, 3 * t + 1) + corner(star, 3 * t + 2);
    CHECK((sum.x == 1.5 && sum.y == 1.5 && sum.z == 1.5));
  }
  const DataSet equal = set("equal");
  for (std::size_t i = 9; i < equal.points.words.size(); ++i) CHECK(equal.points.words[i] == equal.points.words[i - 9]);
  CHECK(mesh_hash(opened("triangles:n=200000")) == 0xe5bf0ccf05f7e820ull);
  CHECK(mesh_hash(opened("triangles:kind=one-point,n=1000,seed=9")) == 0xd276dcef680a95c8ull);
  CHECK(opened("triangles").name == "triangles:kind=soup,n=1000,seed=1");
}

}  // namespace kdscope::triangles_test
