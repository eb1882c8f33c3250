// Tests triangles as a lit surface.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/point_algorithms.hpp"
#include "tests/support/recorded.hpp"
#include "tests/visualizer/offscreen_picture.hpp"
#include "visualizer/model/mesh.hpp"
#include "visualizer/model/motion.hpp"
#include "visualizer/scene/point_cloud.hpp"
#include "visualizer/scene/surface_cut.hpp"

namespace kdscope::surface_display_test {

namespace {

/// Returns the number of pixels that differ from the ground.
int drawn(const Picture& picture, const Theme& theme) {
  int count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) count += colour_distance(picture.at(x, y), theme.base) > 0.05;
  return count;
}

}  // namespace

TEST_CASE("every algorithm's run on a mesh holds its triangles and shows them as a surface in 3D, in every theme",
          "[share]") {
  const auto mesh = open_data_set("bunny").value();
  int of_points = 0, of_triangles = 0;
  for (const AlgorithmSpec& algorithm : test::shown_algorithms()) {
    INFO(algorithm.id);
    if (algorithm.max_dim < 3) continue;
    ++(algorithm.takes_triangles ? of_triangles : of_points);
    Cursor cursor(recorded("bunny", algorithm.id));
    CHECK(triangles_of(cursor) == mesh->triangles);
    CHECK(sorts_triangles(cursor.trace()) == algorithm.takes_triangles);
    cursor.seek(cursor.step_count() - 1);
    for (const ThemeId id : all_themes) {
      OffscreenScene view;
      view.scene.set_theme(id);
      REQUIRE(view.scene.show(cursor));
      SceneOptions options{.planes = false, .axes = false};  // nor the walls behind them
      view.scene.set_options(options);
      const int with = drawn(view.draw(), theme(id));
      options.surface = false;
      view.scene.set_options(options);
      const int without = drawn(view.draw(), theme(id));
      CHECK(with > without + 5000);
      CHECK(view.scene.points_drawn() == 1839);
      // Flat views show only points.
      REQUIRE(view.scene.set_axes({0, 1, -1}));
      const Picture flat = view.draw();
      options.surface = true;
      view.scene.set_options(options);
      CHECK(view.draw() == flat);
    }
  }
  CHECK(of_points > 0);
  CHECK(of_triangles > 0);
}

TEST_CASE("points on a surface are dark dots in every theme") {
  const Cursor cursor(recorded("bunny", "wald"));
  for (const ThemeId id : all_themes) {
    CAPTURE(theme(id).name);
    OffscreenScene view;
    view.scene.set_theme(id);
    REQUIRE(view.scene.show(cursor));
    const Picture dots = view.draw();
    view.scene.set_options({.point_size = 0.01});
    const Picture surface = view.draw();
    int darker = 0;
    for (int y = 0; y < dots.height(); ++y)
      for (int x = 0; x < dots.width(); ++x) {
        const Rgb dot = dots.at(x, y), behind = surface.at(x, y);
        darker += dot.g < behind.g && contrast(dot, behind) > 1.5;
      }
    CHECK(darker > 2000);
  }
}

TEST_CASE("a tree over triangles shows their surface instead of their corners, which cannot be picked then") {
  auto trace = std::make_shared<Trace>(*recorded("bunny", "brown"));
  Cursor points(trace);
  OffscreenScene view;
  REQUIRE(view.scene.show(points));
  view.draw();
  CHECK(view.scene.points_drawn() == 1839);
  const auto at = *view.scene.place_of_point(PointId{100});
  CHECK(view.scene.pick(at[0], at[1]));

  auto over = std::make_shared<Trace>(*trace);
  over->arrays.push_back({{"owner of triangle", "owner of triangle", ElementType::uint32, Space::triangle}, {}});
  over->index_arrays();
  REQUIRE(view.scene.show(Cursor(over)));
  view.draw();
  CHECK(view.scene.points_drawn() == 0);
  CHECK_FALSE(view.scene.pick(at[0], at[1]));
  view.scene.set_options({.surface = false});
  view.draw();
  CHECK(view.scene.points_drawn() == 1839);
}

TEST_CASE("a surface is lit: faces turned away from the light are darker, and it looks the same elsewhere") {
  Cursor cursor(recorded("bunny", "brown"));
  OffscreenScene view;
  view.scene.set_options({.planes = false, .axes = false, .point_size = 0.1});
  REQUIRE(view.scene.show(cursor));
  const Picture picture = view.draw();
  const auto brightness = [&](int x, int y) { return picture.at(x, y).r + picture.at(x, y).g + picture.at(x, y).b; };
  std::map<int, int> pixels;  // pixels of the surface, by brightness
  int all = 0, most = 0;
  for (int y = 0; y < picture.height(); y += 2)
    for (int x = 0; x < picture.width(); x += 2)
      if (brightness(x, y) != brightness(0, 0)) ++all, most = std::max(most, ++pixels[brightness(x, y)]);
  REQUIRE(all > 5000);
  // Without light, faces have one brightness, in more than a fifth of all pixels.
  INFO(most << " of " << all << " are as bright");
  CHECK(20 * most < all);
  OffscreenScene other;
  other.scene.look_like(view.scene);
  CHECK(other.draw() == picture);
}

TEST_CASE("a surface takes the colours of new nodes once half of the plane between them stands") {
  Cursor cursor(recorded("bunny", "wald"));
  OffscreenScene view;
  view.scene.set_options({.planes = false, .axes = false, .point_size = 0.1});
  const auto colourful = [&](double time) {
    view.scene.set_growth({.split = {{0}}, .time = time});
    const Picture picture = view.draw();
    int pixels = 0;
    for (int y = 0; y < picture.height(); y += 2)
      for (int x = 0; x < picture.width(); x += 2) {
        const Rgb at = picture.at(x, y);
        pixels += std::max({at.r, at.g, at.b}) - std::min({at.r, at.g, at.b}) > 60;
      }
    return pixels;
  };
  do cursor.seek(cursor.step() + 1);
  while (split_since(cursor, cursor.step() - 1) != std::vector<NodeId>{{0}});
  REQUIRE(view.scene.show(cursor));
  CHECK(colourful(0.5) == 0);
  const int all = colourful(1);
  CHECK(all > 2000);
  CHECK(colourful(0.65) < all);
}

TEST_CASE(
    "a surface is cut where the planes of the upper six levels are, and each piece lies in the cell of its node") {
  Cursor cursor(recorded("bunny", "wald"));
  cursor.seek(cursor.step_count() - 1);
  const Partition partition = Partition::at(cursor);
  const Frame frame(partition.domain(), {0, 1, 2});
  const std::vector<std::uint32_t> triangles = triangles_of(cursor);
  const std::vector<float> places = place_points(*cursor.array(points_array), 3, frame);
  std::vector<SurfaceCut> cuts;
  const auto area_of = [](const std::vector<SurfacePiece>& pieces) {
    double area = 0;
    for (const SurfacePiece& piece : pieces)
      for (std::size_t c = 1; c + 1 < piece.corners.size(); ++c) {
        std::array<double, 3> a{}, b{};
        for (std::size_t d = 0; d < 3; ++d)
          a[d] = piece.corners[c][d] - piece.corners[0][d], b[d] = piece.corners[c + 1][d] - piece.corners[0][d];
        area += std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]) / 2;
      }
    return area;
  };
  const std::vector<SurfacePiece> pieces = cut_surface(places, triangles, partition, frame, &cuts);
  const std::vector<SurfacePiece> whole = cut_surface(places, triangles, partition, frame, nullptr);
  CHECK(whole.size() == triangles.size() / 3);
  CHECK(pieces.size() == whole.size() + cuts.size());
  CHECK(cuts.size() > 500);
  CHECK(std::abs(area_of(pieces) / area_of(whole) - 1) < 1e-4);
  std::set<std::uint32_t> cells;
  bool inside = true;
  for (const SurfacePiece& piece : pieces) {
    cells.insert(piece.node);
    CHECK(partition.nodes()[piece.node].level == 6);
    Box box;
    REQUIRE(partition.box({piece.node}, box));
    for (const auto& corner : piece.corners)
      for (int d = 0; d < 3; ++d)
        inside = inside && corner[d] > frame.to_scene(d, box.lo[d]) - 1e-5 &&
                 corner[d] < frame.to_scene(d, box.hi[d]) + 1e-5;
  }
  CHECK(inside);
  CHECK(cells.size() > 55);
}

TEST_CASE("dark lines part the cells of a surface, once their planes stand") {
  Cursor cursor(recorded("bunny", "wald"));
  cursor.seek(cursor.step_count() - 1);
  OffscreenScene view;
  for (const ThemeId id : all_themes) {
    view.scene.set_theme(id);
    view.scene.set_options({.planes = false, .axes = false, .point_size = 0.1});
    REQUIRE(view.scene.show(cursor));
    const Theme& t = theme(id);
    const auto border = [&] {
      const Picture picture = view.draw();
      return picture.count(320, 240, 240, t.dark ? mix(t.base, t.text, 0.05) : mix(t.base, t.text, 0.8), 0.01);
    };
    std::vector<NodeId> all;
    for (std::uint32_t node = 0; node < 63; ++node) all.push_back({node});
    view.scene.set_growth({.split = all, .time = 0});
    const int before = border();
    view.scene.set_growth({});
    CHECK(border() > before + 800);
  }
}

TEST_CASE("a few triangles in 3D stand out in the colours of their nodes, each with its number") {
  Cursor cursor(recorded("triangles:n=16,seed=12", "zhou-sah"));
  cursor.seek(cursor.step_count() - 1);
  OffscreenScene view;
  view.scene.set_options({.planes = false, .axes = false});
  REQUIRE(view.scene.show(cursor));
  const Picture picture = view.draw();
  int coloured = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const Rgb at = picture.at(x, y);
      coloured += std::max({at.r, at.g, at.b}) - std::min({at.r, at.g, at.b}) > 60;
    }
  CHECK(coloured > 600);
  std::set<std::string> names;
  for (const auto& [words, size] : view.scene.texts()) names.insert(words);
  for (int triangle = 0; triangle < 16; ++triangle) CHECK(names.contains("t" + std::to_string(triangle)));
}

}  // namespace kdscope::surface_display_test
