#include <bit>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/share.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/visualizer/offscreen_picture.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/figure/frame.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope::scene_display_test {

namespace {

std::shared_ptr<const Trace> recorded(const std::string& specification) {
  RunRequest request;
  request.backend = Backend::cpu;
  auto data = open_data_set(specification);
  REQUIRE(data);
  request.points = *data;
  auto trace = record(request);
  REQUIRE(trace);
  return *trace;
}

Rgb colour_of_point(const Theme& t, std::uint32_t step, std::uint32_t point) {
  const PrintedState& state = printed_states()[step];
  for (std::size_t i = 0; i < state.index.size(); ++i) {
    if (state.index[i] != point) continue;
    const Rgb c = subtree_colour(t, NodeId{state.tags[i]});
    return state.tags[i] < state.settled && state.settled < 10 ? dimmed(t, c) : c;
  }
  return {};
}

}  // namespace

TEST_CASE("points have their names, beside small marks") {
  OffscreenScene view;
  for (std::uint32_t step = 0; step < printed_states().size(); ++step) {
    REQUIRE(view.scene.show(ten_points_at(step)));
    view.draw();
    std::set<std::string> points;
    for (const auto& [text, size] : view.scene.texts())
      if (text.size() == 2 && text[0] == 'p' && text[1] >= '0' && text[1] <= '9') {
        points.insert(text);
        CHECK(size >= 12);
      }
    for (const WrittenName& name : view.scene.names()) {
      const auto mark = *view.scene.place_of_point(name.point);
      const bool outside =
          mark[0] < name.room[0] || mark[0] > name.room[2] || mark[1] < name.room[1] || mark[1] > name.room[3];
      CHECK(outside);
    }
    CHECK(view.scene.mark_diameter() <= 14);
    CAPTURE(step);
    CHECK(points.size() == 10);
  }
  // Names of three characters are as large as each other.
  REQUIRE(view.scene.show(Cursor(recorded("uniform:n=24,dim=2,seed=5"))));
  view.draw();
  std::set<double> sizes;
  for (const auto& [text, size] : view.scene.texts())
    if (text[0] == 'p' && text.size() <= 3) sizes.insert(size);
  CHECK(sizes.size() == 1);
}

namespace {

/// Returns the middle of a text in a picture; nullopt if it is not drawn.
std::optional<std::array<double, 2>> place_of_text(const Scene& scene, const std::string& words) {
  for (std::size_t i = 0; i < scene.texts().size(); ++i) {
    if (scene.texts()[i].first != words) continue;
    const auto room = scene.text_rooms()[i];
    return std::array{(room[0] + room[2]) / 2, (room[1] + room[3]) / 2};
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a pivot and the selection keep their names, on top of their neighbours") {
  OffscreenScene view(260, 200);  // the root p6 and p4 overlap here
  for (const ThemeId id : all_themes) {
    view.scene.set_theme(id);
    for (const bool selected : {false, true}) {
      CAPTURE(theme(id).name, selected);
      REQUIRE(view.scene.show(ten_points_at(selected ? 0 : 1)));
      view.scene.select_point(selected ? std::optional(PointId{6}) : std::nullopt);
      const Picture picture = view.draw();
      const auto mark = *view.scene.place_of_point(PointId{6}), other = *view.scene.place_of_point(PointId{4});
      REQUIRE(std::hypot(mark[0] - other[0], mark[1] - other[1]) < 2 * view.scene.reach());
      const auto name = place_of_text(view.scene, selected ? " p6  (46, 63) " : "p6");
      REQUIRE(name);
      CHECK(std::hypot((*name)[0] - mark[0], (*name)[1] - mark[1]) < (selected ? 130 : 45));
      // Towards p4, the mark of p6 covers that of p4.
      const double share = 0.3 * view.scene.reach() / std::hypot(mark[0] - other[0], mark[1] - other[1]);
      const Rgb colour = colour_of_point(theme(id), selected ? 0 : 1, 6);
      CHECK(picture.count(mark[0] + share * (other[0] - mark[0]), mark[1] + share * (other[1] - mark[1]), 1, colour) >
            0);
      CHECK(illegible_texts(view.scene, 260, 200).empty());
    }
    view.scene.select_point(std::nullopt);
  }
}

TEST_CASE("the place of a child that there is not is hatched") {
  OffscreenScene view(800, 600);
  REQUIRE(view.scene.show(ten_points_at(static_cast<std::uint32_t>(printed_states().size()) - 1)));
  const Picture picture = view.draw();
  const Theme& t = theme(ThemeId::light);
  const auto hatched = [&](double x, double y) {
    const auto at = *view.scene.place_of({x, y});
    return picture.count(at[0], at[1], 9, mix(t.muted_text, t.base, 0.55), 0.04);
  };
  // Node 4, at (44, 58), has one child, on its left: 46 is the root's plane.
  CHECK(hatched(45, 50) > 4);
  CHECK(hatched(30, 62) == 0);
  CHECK(hatched(60, 40) == 0);
}

TEST_CASE("a step that colours by depth keeps its legend above the plot") {
  OffscreenScene view(480, 360);
  SceneOptions options;
  options.colouring = Colouring::depth;
  view.scene.set_options(options);
  REQUIRE(view.scene.show(ten_points_at(static_cast<std::uint32_t>(printed_states().size()) - 1)));
  view.draw();
  const double top = (*view.scene.place_of({40, 69}))[1];  // of the highest point
  int found = 0;
  for (std::size_t i = 0; i < view.scene.texts().size(); ++i)
    if (view.scene.texts()[i].first == "depth in the tree") {
      ++found;
      CHECK(view.scene.text_rooms()[i][1] - 2 * view.scene.texts()[i].second > top);
    }
  CHECK(found == 1);
}

TEST_CASE("names that are too small or have no room are left out") {
  DataSet points;
  points.name = "stacked";
  points.points.dim = 2;
  for (int i = 0; i < 40; ++i)
    for (const int c : {i % 8 * 13 % 50, i % 19 * 7 % 50})
      points.points.words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(c)));
  RunRequest request;
  request.backend = Backend::cpu;
  request.points = std::make_shared<DataSet>(std::move(points));
  const auto trace = record(request);
  REQUIRE(trace);
  Cursor cursor(*trace);
  for (const auto& [width, height] : {std::pair{390, 170}, {300, 300}, {640, 480}, {1280, 800}}) {
    OffscreenScene view(width, height);
    for (std::uint32_t step = 0; step < cursor.step_count(); step += 3) {
      CAPTURE(width, step);
      cursor.seek(step);
      REQUIRE(view.scene.show(cursor));
      view.draw();
      CHECK(illegible_texts(view.scene, width, height) == std::vector<std::string>());
      for (const auto& [words, size] : view.scene.texts()) CHECK(size >= 8.5);
    }
  }
}

TEST_CASE("few points in 3D have names, and every axis has its name") {
  for (const auto& [width, height] : {std::pair{485, 340}, {640, 480}, {1280, 800}}) {
    CAPTURE(width);
    OffscreenScene view(width, height);
    REQUIRE(view.scene.show(Cursor(recorded("uniform:n=11,dim=3,seed=4"))));
    view.draw();
    std::set<std::string> texts;
    for (const auto& [words, size] : view.scene.texts()) texts.insert(words);
    int named = 0;
    for (int i = 0; i < 11; ++i) named += texts.contains("p" + std::to_string(i));
    CHECK(named >= 9);  // the others have no room
    for (const char* axis : {"x", "y", "z"}) CHECK(texts.contains(axis));
    CHECK(illegible_texts(view.scene, width, height) == std::vector<std::string>());
    REQUIRE(view.scene.show(Cursor(recorded("uniform:n=21,dim=3,seed=4"))));
    view.draw();
    CHECK_FALSE(place_of_text(view.scene, "p0"));
  }
}

TEST_CASE("a box in 3D has walls behind it, and points further away are paler") {
  OffscreenScene view;
  const Cursor cursor(recorded("uniform:n=300,dim=3,seed=4"));
  const auto wall = [](const Theme& t) { return mix(t.base, t.text, 0.025); };
  for (const ThemeId id : all_themes) {
    view.scene.set_theme(id);
    for (const bool axes : {true, false}) {
      view.scene.set_options({.labels = PointLabels::none, .axes = axes});
      REQUIRE(view.scene.show(cursor));
      const Picture picture = view.draw();
      int walls = 0;
      for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) walls += picture.at(x, y) == wall(theme(id));
      CHECK((walls > picture.width() * picture.height() / 10) == axes);
      if (!axes) continue;
      std::vector<std::pair<double, double>> points;  // how near to the eye, and how far from the ground's colour
      const TypedArray& coordinates = *cursor.array(points_array);
      for (std::uint32_t i = 0; i < 300; ++i)
        if (const auto at = view.scene.place_of_point({i}))
          points.emplace_back(0.75 * coordinates.number(3 * i) - 1.15 * coordinates.number(3 * i + 1) +
                                  0.7 * coordinates.number(3 * i + 2),
                              colour_distance(picture.at((*at)[0], (*at)[1]), theme(id).base));
      std::ranges::sort(points);
      REQUIRE(points.size() > 200);
      double far = 0, near = 0;
      for (std::size_t i = 0; i < 30; ++i) {
        far += points[i].second;
        near += points[points.size() - 1 - i].second;
      }
      CHECK((far < 0.85 * near) == (id != ThemeId::high_contrast));
    }
  }
}

TEST_CASE("every point of every step wears its subtree's colour, in every theme") {
  OffscreenScene view;
  view.scene.set_options({.labels = PointLabels::none});
  for (ThemeId id : all_themes) {
    view.scene.set_theme(id);
    for (std::uint32_t step = 0; step < printed_states().size(); ++step) {
      REQUIRE(view.scene.show(ten_points_at(step)));
      const Picture picture = view.draw();
      CHECK(picture.at(2, 2) == theme(id).base);
      for (std::uint32_t point = 0; point < 10; ++point) {
        CAPTURE(theme(id).name, step, point);
        const auto at = view.scene.place_of_point(PointId{point});
        REQUIRE(at);
        CHECK(colour_distance(picture.at((*at)[0], (*at)[1]), colour_of_point(theme(id), step, point)) < 0.02);
      }
    }
  }
}

TEST_CASE("split planes are drawn where they belong, and nowhere else") {
  OffscreenScene view;
  view.scene.set_options({.labels = PointLabels::none});
  const Theme& t = theme(ThemeId::light);
  REQUIRE(view.scene.show(ten_points_at(3)));
  const Picture picture = view.draw();
  // Map data to the picture by two known points: (10, 15) and (68, 21).
  const auto a = *view.scene.place_of_point(PointId{0}), b = *view.scene.place_of_point(PointId{9});
  const double per_unit = (b[0] - a[0]) / 58;
  const auto place = [&](double x, double y) {
    return std::array{a[0] + (x - 10) * per_unit, a[1] + (y - 15) * per_unit};
  };
  const auto has_line = [&](double x, double y, Rgb colour) {
    const auto p = place(x, y);
    return picture.count(p[0], p[1], 3, colour, 0.06) > 0;
  };
  CHECK(has_line(30, 43, t.changed));  // y = 43, made by this step
  CHECK(has_line(57, 67, t.changed));  // y = 67
  CHECK_FALSE(has_line(57, 43, t.changed));
  CHECK_FALSE(has_line(30, 67, t.changed));
  CHECK(has_line(46, 25, mix(t.plane, t.new_plane, 0.35)));  // x = 46, older
  // Two steps later, the same planes are no longer new.
  REQUIRE(view.scene.show(ten_points_at(4)));
  const Picture later = view.draw();
  const auto p = place(30, 43);
  CHECK(later.count(p[0], p[1], 3, t.changed, 0.06) == 0);
  CHECK(later.count(p[0], p[1], 3, t.new_plane, 0.06) > 0);
}

TEST_CASE("cells are tinted by the subtree that they belong to") {
  OffscreenScene view;
  view.scene.set_options({.labels = PointLabels::none});
  const Theme& t = theme(ThemeId::light);
  REQUIRE(view.scene.show(ten_points_at(1)));
  const Picture picture = view.draw();
  const auto a = *view.scene.place_of_point(PointId{0}), b = *view.scene.place_of_point(PointId{9});
  const double y = (a[1] + b[1]) / 2, middle = a[0] + (b[0] - a[0]) * (46.0 - 10) / 58;
  const auto tint = [&](std::uint32_t node) { return mix(subtree_colour(t, NodeId{node}), t.base, 0.7); };
  CHECK(colour_distance(picture.at(middle - 40, y), tint(1)) < 0.02);
  CHECK(colour_distance(picture.at(middle + 40, y), tint(2)) < 0.02);
}

TEST_CASE("pivots are ringed and the selection is framed, without drawing the points again") {
  OffscreenScene view;
  view.scene.set_options({.labels = PointLabels::none});
  const Theme& t = theme(ThemeId::light);
  REQUIRE(view.scene.show(ten_points_at(2)));
  const Picture before = view.draw();
  const auto pivot = *view.scene.place_of_point(PointId{1}), other = *view.scene.place_of_point(PointId{0});
  CHECK(before.count(pivot[0], pivot[1], 20, t.pivot) > 30);
  CHECK(before.count(other[0], other[1], 12, t.pivot) < 10);
  CHECK(before.count(other[0], other[1], 24, t.selection) == 0);
  const unsigned long drawn = view.scene.times_drawn();

  view.scene.select_point(PointId{0});
  const Picture selected = view.draw();
  CHECK(selected.count(other[0], other[1], 24, t.selection) > 60);
  view.scene.select({}, NodeId{2});
  CHECK_FALSE(view.draw() == selected);
  CHECK(view.scene.times_drawn() == drawn);
  view.scene.select_point(std::nullopt);
  view.scene.select({}, std::nullopt);
  CHECK(view.draw() == before);
  CHECK(view.scene.times_drawn() == drawn);
}

TEST_CASE("clicking picks the point that is drawn there") {
  OffscreenScene view;
  REQUIRE(view.scene.show(ten_points_at(0)));
  view.draw();
  for (std::uint32_t point = 0; point < 10; ++point) {
    const auto at = *view.scene.place_of_point(PointId{point});
    CHECK(view.scene.pick(at[0] + 3, at[1] - 3) == PointId{point});
  }
  CHECK_FALSE(view.scene.pick(2, 2));
  CHECK_FALSE(view.scene.place_of_point(PointId{10}));

  // In 3D, the front one of two points in line is selected.
  const Cursor cursor(recorded("uniform:n=300,dim=3,seed=5"));
  REQUIRE(view.scene.show(cursor));
  view.draw();
  int found = 0;
  for (std::uint32_t point = 0; point < 300; ++point) {
    const auto at = view.scene.place_of_point(PointId{point});
    if (at) found += view.scene.pick((*at)[0], (*at)[1]) == PointId{point};
  }
  CHECK(found > 240);
}

TEST_CASE("the same step gives the same picture, whichever way one came") {
  OffscreenScene view;
  Cursor cursor(ten_point_trace());
  std::vector<Picture> forwards;
  for (std::uint32_t step = 0; step < cursor.step_count(); ++step) {
    cursor.seek(step);
    REQUIRE(view.scene.show(cursor));
    forwards.push_back(view.draw());
  }
  for (std::uint32_t step = cursor.step_count(); step-- > 0;) {
    cursor.seek(step);
    REQUIRE(view.scene.show(cursor));
    CHECK(view.draw() == forwards[step]);
    if (step > 0) CHECK_FALSE(forwards[step] == forwards[step - 1]);
  }
}

TEST_CASE("stepping in 3D from the start draws what opening at the step draws: planes never hide points") {
  const auto trace = recorded("bunny");
  Cursor cursor(trace);
  OffscreenScene stepped;
  for (std::uint32_t step = 0; step <= 11; ++step) {
    cursor.seek(step);
    REQUIRE(stepped.scene.show(cursor));
    const Picture picture = stepped.draw();
    if (step % 4 != 3) continue;
    CAPTURE(step);
    OffscreenScene fresh;
    REQUIRE(fresh.scene.show(cursor));
    CHECK(picture == fresh.draw());
  }
}

TEST_CASE("text grows with its scale and nothing of it is cut off") {
  for (double scale : {0.8, 1.0, 3.0}) {
    OffscreenScene view(1280, 800);
    view.scene.set_text_scale(scale);
    REQUIRE(view.scene.show(ten_points_at(3)));
    const Picture picture = view.draw();
    // A border of one pixel around the picture stays empty.
    int touched = 0;
    for (int x = 0; x < picture.width(); ++x)
      touched += !(picture.at(x, 0) == theme(ThemeId::light).base) +
                 !(picture.at(x, picture.height() - 1) == theme(ThemeId::light).base);
    for (int y = 0; y < picture.height(); ++y)
      touched += !(picture.at(0, y) == theme(ThemeId::light).base) +
                 !(picture.at(picture.width() - 1, y) == theme(ThemeId::light).base);
    CAPTURE(scale);
    CHECK(touched == 0);
  }
}

TEST_CASE("cameras move as asked, and presets bring the whole domain back") {
  OffscreenScene view;
  const Cursor cursor(recorded("uniform:n=500,dim=3,seed=2"));
  REQUIRE(view.scene.show(cursor));
  const Picture start = view.draw();
  const auto before = *view.scene.place_of_point(PointId{7});
  view.scene.rotate(60, 10);
  view.draw();
  const auto turned = *view.scene.place_of_point(PointId{7});
  CHECK(std::hypot(turned[0] - before[0], turned[1] - before[1]) > 5);
  view.scene.zoom(2, before[0], before[1]);
  view.scene.pan(30, -20);
  for (int i = 0; i < 200; ++i) {
    view.scene.rotate(97, 61);
    view.scene.zoom(i % 2 ? 1e9 : 1e-9, 10, 10);
    view.scene.pan(1000, 1000);
  }
  for (double v : view.scene.camera().position) CHECK(std::isfinite(v));
  view.scene.set_camera_preset(CameraPreset::reset);
  CHECK(view.draw() == start);
  for (CameraPreset preset :
       {CameraPreset::top, CameraPreset::iso, CameraPreset::along_x, CameraPreset::along_y, CameraPreset::along_z}) {
    view.scene.set_camera_preset(preset);
    view.draw();
    for (std::uint32_t point = 0; point < 500; ++point) CHECK(view.scene.place_of_point(PointId{point}));
  }
  const CameraState camera = view.scene.camera();
  const Picture there = view.draw();
  view.scene.rotate(10, 10);
  view.draw();
  view.scene.set_camera(camera);
  CHECK(view.draw() == there);
}

TEST_CASE("dragging moves a point with the mouse, and zooming keeps what is under it") {
  OffscreenScene view;
  REQUIRE(view.scene.show(ten_points_at(0)));
  view.draw();
  const auto before = *view.scene.place_of_point(PointId{3});
  view.scene.pan(25, -15);
  view.draw();
  const auto after = *view.scene.place_of_point(PointId{3});
  CHECK(after[0] - before[0] == Approx(25).margin(0.5));
  CHECK(after[1] - before[1] == Approx(-15).margin(0.5));
  view.scene.zoom(1.5, after[0], after[1]);
  view.draw();
  const auto zoomed = *view.scene.place_of_point(PointId{3});
  CHECK(zoomed[0] == Approx(after[0]).margin(0.5));
  CHECK(zoomed[1] == Approx(after[1]).margin(0.5));
}

TEST_CASE("the camera stays from step to step and leaves with the points") {
  OffscreenScene view;
  REQUIRE(view.scene.show(ten_points_at(0)));
  view.draw();
  view.scene.pan(40, 0);
  view.draw();
  const auto moved = *view.scene.place_of_point(PointId{3});
  REQUIRE(view.scene.show(ten_points_at(3)));
  view.draw();
  CHECK(*view.scene.place_of_point(PointId{3}) == moved);
  REQUIRE(view.scene.show(Cursor(recorded("uniform:n=10,dim=2,seed=1"))));
  view.draw();
  for (std::uint32_t point = 0; point < 10; ++point) CHECK(view.scene.place_of_point(PointId{point}));
}

TEST_CASE("any number of points in any number of dimensions is drawn at every step", "[share]") {
  OffscreenScene view(320, 240);
  int sets = 0;
  for (const char* generator : {"uniform", "equal", "grid", "line"}) {
    for (int dim : {1, 2, 3, 4, 8}) {
      for (int n : {1, 2, 3, 7, 60}) {
        const std::string specification =
            std::string(generator) + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dim) + ",seed=3";
        if (!open_data_set(specification)) continue;
        CAPTURE(specification);
        if (sets++ % test::every_nth(7) != 0) continue;
        Cursor cursor(recorded(specification));
        for (std::uint32_t step = 0; step < cursor.step_count(); ++step) {
          cursor.seek(step);
          REQUIRE(view.scene.show(cursor));
          view.draw();
          for (std::uint32_t point = 0; point < std::uint32_t(n); ++point)
            REQUIRE(view.scene.place_of_point(PointId{point}));
        }
        CHECK(view.scene.is_2d() == (dim != 3));
        // A dimension without extent hides nothing.
        const Box box = bounding_box(open_data_set(specification).value()->points);
        bool hides = false;
        for (std::size_t d = 2; d < std::size_t(dim) && dim > 3; ++d) hides = hides || box.hi[d] > box.lo[d];
        CHECK((view.scene.note().find("Not shown") != std::string::npos) == hides);
      }
    }
  }
  CHECK(sets >= 75);
}

TEST_CASE("other axes are shown when asked, and impossible ones are refused") {
  OffscreenScene view;
  REQUIRE(view.scene.show(Cursor(recorded("uniform:n=50,dim=5,seed=3"))));
  CHECK(view.scene.set_axes({4, 2, -1}));
  CHECK(view.scene.is_2d());
  CHECK(view.scene.note().find("x0, x1, x3") != std::string::npos);
  CHECK_FALSE(view.scene.set_axes({5, 0, -1}));
  CHECK_FALSE(view.scene.set_axes({1, 1, -1}));
  CHECK_FALSE(view.scene.set_axes({-1, 1, 2}));
  CHECK(view.scene.set_axes({0, 1, 4}));
  CHECK_FALSE(view.scene.is_2d());
  view.draw();
}

TEST_CASE("nothing to draw is an error that says so, and the next step draws again") {
  OffscreenScene view;
  const Cursor empty(std::make_shared<const Trace>());
  const auto shown = view.scene.show(empty);
  REQUIRE_FALSE(shown);
  CHECK(shown.error().message().find("points") != std::string::npos);
  CHECK(view.draw().count(320, 240, 400, theme(ThemeId::light).base, 0.01) > 300000);
  CHECK_FALSE(view.scene.pick(320, 240));
  REQUIRE(view.scene.show(ten_points_at(0)));
  view.draw();
  CHECK(view.scene.place_of_point(PointId{0}));
}

TEST_CASE("pictures are written at the size and in the theme asked for, and are the same each time") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("one.png"), again = folder.file("other.png");
  PngOptions options;
  options.width = 800;
  options.height = 500;
  options.theme = ThemeId::dark;
  options.selected = PointId{4};
  REQUIRE(render_to_png(ten_points_at(3), options, path));
  REQUIRE(render_to_png(ten_points_at(3), options, again));
  const Picture picture = read_picture(path);
  CHECK(picture.width() == 800);
  CHECK(picture.height() == 500);
  CHECK(picture.at(1, 1) == theme(ThemeId::dark).base);
  CHECK(picture.count(400, 250, 400, theme(ThemeId::dark).selection) > 50);
  CHECK(picture == read_picture(again));

  // Use a picture larger than the limit for drawing at double size.
  options.width = 4096;
  options.height = 2304;
  REQUIRE(render_to_png(ten_points_at(3), options, path));
  CHECK(read_picture(path).width() == 4096);
}

TEST_CASE("without an X server a picture is an error, not an abort", "[.no_display]") {
  REQUIRE_FALSE(display_answers());
  const test::TemporaryFolder folder;
  const auto drawn = render_to_png(ten_points_at(0), {}, folder.file("picture.png"));
  REQUIRE_FALSE(drawn);
  CHECK(drawn.error().kind == ErrorKind::no_device);
  CHECK(drawn.error().message().find("xvfb-run") != std::string::npos);
}

TEST_CASE("a picture that cannot be written is an error and leaves the old file alone") {
  CHECK(render_to_png(ten_points_at(0), {}, "/nowhere/at/all.png").error().kind == ErrorKind::io_failure);
  const test::TemporaryFolder temporary;
  PngOptions options;
  options.width = 1 << 20;
  CHECK(render_to_png(ten_points_at(0), options, temporary.file("large.png")).error().kind == ErrorKind::bad_usage);
  options.width = 0;
  CHECK_FALSE(render_to_png(ten_points_at(0), options, temporary.file("large.png")));
  const std::string folder = temporary.file("folder.png");
  std::filesystem::create_directories(folder + "/inside");
  CHECK_FALSE(render_to_png(ten_points_at(0), {}, folder));
  CHECK(std::filesystem::exists(folder + "/inside"));
  CHECK_FALSE(std::filesystem::exists(folder + ".part"));
}

TEST_CASE("a hundred thousand points: selection does not draw them again, a moving camera draws fewer of a million") {
  OffscreenScene view(938, 731);
  const auto trace = recorded("uniform:n=100000,dim=3,seed=7");
  Cursor cursor(trace);
  cursor.seek(cursor.step_count() / 2);
  REQUIRE(view.scene.show(cursor));
  view.draw();
  const unsigned long drawn = view.scene.times_drawn();
  const auto from = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < 20; ++i) {
    view.scene.select_point(PointId{i * 4000});
    view.window->Render();
  }
  const double each = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count() / 20;
  std::printf("selection among 100,000 points: %.1f ms\n", each);
  CHECK(view.scene.times_drawn() == drawn);
  const auto at = view.scene.place_of_point(PointId{123});
  REQUIRE(at);
  CHECK(view.scene.pick((*at)[0], (*at)[1]));
}

TEST_CASE("of a large cloud a sample is drawn while it moves, every point when it rests, and the note says so") {
  constexpr std::uint32_t n = 250000;
  TraceHeader header;
  header.n = n;
  header.dim = 3;
  TraceBuilder builder(header);
  ArrayInfo points, nodes;
  points.name = points_array;
  points.type = ElementType::float32;
  points.components = 3;
  nodes.name = partition_arrays::node_of_point;
  nodes.index_space = Space::point;
  builder.declare(points);
  builder.declare(nodes);
  for (const char* name : {partition_arrays::parent, partition_arrays::point}) {
    ArrayInfo info;
    info.name = name;
    info.index_space = Space::node;
    builder.declare(info);
  }
  std::vector<float> places;
  for (std::uint32_t i = 0; i < 3 * n; ++i) places.push_back(static_cast<float>((i * 2654435761u) >> 8) / 16777216.0f);
  builder.begin_step({});
  builder.write(points_array, TypedArray::of(places));
  builder.begin_step({});
  builder.write(partition_arrays::parent, TypedArray::of(std::vector<std::uint32_t>{no_id}));
  builder.write(partition_arrays::point, TypedArray::of(std::vector<std::uint32_t>{7}));
  builder.write(partition_arrays::node_of_point, TypedArray::of(std::vector<std::uint32_t>(n, 0)));
  Cursor cursor(builder.finish());

  OffscreenScene view;
  REQUIRE(view.scene.show(cursor));
  const Picture whole = view.draw();
  REQUIRE(view.scene.samples_while_moving());
  CHECK(view.scene.points_drawn() == n);
  CHECK(view.scene.note().find("1 of 3 points") != std::string::npos);
  CHECK(view.scene.note().find("all 250,000") != std::string::npos);

  unsigned long drawn = view.scene.times_drawn();
  view.scene.set_moving(true);
  const Picture sampled = view.draw();
  CHECK(view.scene.points_drawn() > 95000);
  CHECK(view.scene.points_drawn() < 105000);
  CHECK_FALSE(sampled == whole);
  CHECK(view.scene.times_drawn() == drawn + 1);
  view.scene.rotate(5, 0);
  view.draw();
  CHECK(view.scene.times_drawn() == drawn + 2);
  view.scene.select_point(PointId{3});
  view.draw();
  CHECK(view.scene.times_drawn() == drawn + 2);
  view.scene.select_point(std::nullopt);

  // Show a step during a movement: the final picture has the colours of that step, not of the previous one.
  cursor.seek(1);
  REQUIRE(view.scene.show(cursor));
  view.draw();
  CHECK(view.scene.points_drawn() < 105000);
  view.scene.set_camera_preset(CameraPreset::reset);
  view.scene.set_moving(false);
  const Picture after = view.draw();
  CHECK(view.scene.points_drawn() == n);
  OffscreenScene fresh;
  REQUIRE(fresh.scene.show(cursor));
  CHECK(fresh.draw() == after);

  // Draw as many points as the machine can, from the next movement on.
  view.scene.set_points_while_moving(50000);
  view.scene.set_moving(true);
  view.draw();
  CHECK(view.scene.points_drawn() < 55000);
  CHECK(view.scene.note().find("1 of 5 points") != std::string::npos);
  view.scene.set_moving(false);
  view.scene.set_points_while_moving(n);
  view.scene.set_moving(true);
  view.draw();
  CHECK_FALSE(view.scene.samples_while_moving());
  CHECK(view.scene.points_drawn() == n);
  CHECK(view.scene.note().empty());

  REQUIRE(view.scene.show(ten_points_at(3)));
  view.draw();
  CHECK(view.scene.points_drawn() == 10);
}

TEST_CASE("ticks are round, inside the range, and written with as many decimals as they need") {
  CHECK(tick_values(7.1, 70.9, 6) == std::vector<double>{20, 40, 60});
  CHECK(tick_texts({0, 0.5, 1}) == std::vector<std::string>{"0.0", "0.5", "1.0"});
  CHECK(tick_texts({0, 20}) == std::vector<std::string>{"0", "20"});
  CHECK(tick_values(3, 3, 5).empty());
  for (double size : {1e-6, 0.3, 17.0, 4e9}) {
    const auto values = tick_values(-size, size, 8);
    CHECK(values.size() >= 4);
    CHECK(values.size() <= 12);
    for (double v : values) CHECK(std::abs(v) <= 1.01 * size);
  }
}

TEST_CASE("coordinates far from zero and of unlike units keep their places") {
  const Frame shifted(Box{{2147480000.0, 2147480000.0}, {2147480100.0, 2147480050.0}}, {0, 1, -1});
  CHECK(shifted.to_scene(0, 2147480100.0) == 1);
  CHECK(shifted.to_scene(1, 2147480050.0) == 0.5);
  CHECK(shifted.proportional());
  const Frame unlike(Box{{0, 0}, {1, 1e6}}, {0, 1, -1});
  CHECK_FALSE(unlike.proportional());
  CHECK(unlike.to_scene(1, 1e6) == Approx(1));
  CHECK(unlike.to_world(1, unlike.to_scene(1, 12345)) == Approx(12345));
}

TEST_CASE("a frame says how unlike its sides are, and stretches without a trace of earlier stretches") {
  const Box student{{2, 0}, {9, 81}};
  const Frame equal(student, {0, 1, -1});
  CHECK(equal.proportional());
  CHECK_FALSE(equal.stretches());
  CHECK(equal.elongation() == Approx(81.0 / 7));
  CHECK(Frame(Box{{0, 5}, {3, 5}}, {0, 1, -1}).elongation() == 1);  // one side has no extent
  Frame fills(student, {0, 1, -1}, false);
  CHECK_FALSE(fills.proportional());
  CHECK(fills.to_scene(0, 9) == 1);
  CHECK(fills.to_scene(1, 81) == 1);
  Frame again = fills;
  again.set_stretch(0.3);
  CHECK(again.to_scene(1, 81) == Approx(0.3));
  CHECK(again.to_world(1, again.to_scene(1, 40)) == Approx(40));
  again.set_stretch(0.7);
  fills.set_stretch(0.7);
  CHECK(again == fills);
  CHECK_FALSE(Frame(student, {0, -1, -1}, false).stretches());
  const Frame solid(Box{{0, 0, 0}, {1, 2, 8}}, {0, 1, 2}, false);
  for (int axis = 0; axis < 3; ++axis) CHECK(solid.hi(axis) == 1);
}

namespace {

/// x from 2 to 9, y from 0 to 81.
std::shared_ptr<const Trace> student_points() {
  DataSet points;
  points.name = "student";
  points.points.dim = 2;
  for (const int c : {2, 0, 3, 12, 5, 81, 6, 74, 7, 30, 8, 55, 9, 63, 4, 44, 6, 20})
    points.points.words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(c)));
  RunRequest request;
  request.backend = Backend::cpu;
  request.points = std::make_shared<DataSet>(std::move(points));
  const auto trace = record(request);
  REQUIRE(trace);
  return *trace;
}

/// Checks that every place of a picture and every place of the plane lead to one another, and that points are picked
/// where they are drawn.
void check_round_trips(const Scene& scene, int width, int height) {
  for (const auto& [x, y] : {std::pair{0.5, 0.25}, {0.3, 0.7}, {0.9, 0.1}, {0.07, 0.93}}) {
    std::vector<double> pixel;
    const auto place = scene.coordinates_at(x * width, y * height, &pixel);
    REQUIRE(place);
    const auto back = scene.place_of(*place);
    REQUIRE(back);
    CHECK((*back)[0] == Approx(x * width));
    CHECK((*back)[1] == Approx(y * height));
    const auto right = scene.place_of({(*place)[0] + pixel[0], (*place)[1]}),
               above = scene.place_of({(*place)[0], (*place)[1] + pixel[1]});
    CHECK((*right)[0] - (*back)[0] == Approx(1).margin(1e-3));
    CHECK((*above)[1] - (*back)[1] == Approx(1).margin(1e-3));
  }
  for (std::uint32_t point = 0; point < 9; ++point)
    if (const auto at = scene.place_of_point({point})) CHECK(scene.pick((*at)[0], (*at)[1]) == PointId{point});
}

}  // namespace

TEST_CASE("without equal scales, the points fill the view, and places, picks, planes, ticks and balls are theirs") {
  Cursor cursor(student_points());
  cursor.seek(cursor.step_count() - 1);
  OffscreenScene view(800, 400);
  REQUIRE(view.scene.show(cursor));
  view.draw();
  const auto at = [&](double x, double y) { return *view.scene.place_of({x, y}); };
  CHECK(view.scene.elongation() == Approx(81.0 / 7));
  CHECK(at(9, 0)[0] - at(2, 0)[0] < 40);  // a strip

  SceneOptions options{.labels = PointLabels::none, .equal_scales = false};
  view.scene.set_options(options);
  view.draw();
  CHECK_FALSE(view.scene.elongation());
  CHECK(view.scene.note() == "Axes are scaled separately.");
  CHECK(at(9, 0)[0] - at(2, 0)[0] > 0.75 * 800);
  CHECK(at(2, 81)[1] - at(2, 0)[1] > 0.6 * 400);
  CHECK(at(5.5, 0)[0] == Approx((at(2, 0)[0] + at(9, 0)[0]) / 2));
  CHECK(at(2, 40.5)[1] == Approx((at(2, 0)[1] + at(2, 81)[1]) / 2));
  check_round_trips(view.scene, 800, 400);

  // The root splits x at point 8, (6, 20).
  const auto plane = view.scene.place_of_plane(NodeId{0});
  REQUIRE(plane);
  CHECK((*plane)[0] == Approx(at(6, 0)[0]));
  const auto picks = view.scene.pick_all((*plane)[0], at(6, 5)[1]);
  REQUIRE_FALSE(picks.empty());
  CHECK(picks.front() == ScenePick{Space::node, 0});

  // Ticks stand at their own coordinates.
  const auto forty = place_of_text(view.scene, "40"), four = place_of_text(view.scene, "4");
  REQUIRE(forty);
  REQUIRE(four);
  CHECK(std::abs((*forty)[1] - at(2, 40)[1]) < 3);
  CHECK(std::abs((*four)[0] - at(4, 0)[0]) < 3);
  CHECK(illegible_texts(view.scene, 800, 400).empty());

  // The outline of a ball goes through the places at its radius: an ellipse.
  options = {.labels = PointLabels::none, .planes = false, .cells = false, .axes = false, .equal_scales = false};
  view.scene.set_options(options);
  const double radius = 3;
  view.scene.show_overlay("test", {.balls = {{{5.5, 60}, radius, {Ink::changed, 2}}}});
  const Picture ball = view.draw();
  const Rgb ink = theme(ThemeId::light).changed;
  for (int i = 0; i < 16; ++i) {
    const double angle = i * M_PI / 8;
    const auto place = at(5.5 + radius * std::cos(angle), 60 + radius * std::sin(angle));
    CAPTURE(i);
    CHECK(ball.count(place[0], place[1], 2, ink, 0.06) > 0);
  }
  CHECK(at(8.5, 60)[0] - at(5.5, 60)[0] > 10 * (at(5.5, 63)[1] - at(5.5, 60)[1]));
  // The mark of a query is no ball: it stays round.
  view.scene.show_overlay("test", {.balls = {{{5.5, 60}, 0, {Ink::changed, 2}}}});
  const Picture mark = view.draw();
  const auto centre = at(5.5, 60);
  for (const auto& [x, y] : {std::pair{5, 0}, {-5, 0}, {0, 5}, {0, -5}})
    CHECK(mark.count(centre[0] + x, centre[1] + y, 1, ink, 0.06) > 0);
  CHECK(mark.count(centre[0], centre[1], 2, ink, 0.06) == 0);
}

TEST_CASE("a view that is filled keeps its part of the plane when it is resized, stepped and shown elsewhere") {
  Cursor cursor(student_points());
  OffscreenScene view(800, 400);
  view.scene.set_options({.equal_scales = false});
  REQUIRE(view.scene.show(cursor));
  view.draw();
  view.window->SetSize(400, 700);
  view.draw();
  CHECK((*view.scene.place_of({9, 0}))[0] - (*view.scene.place_of({2, 0}))[0] > 0.65 * 400);
  CHECK((*view.scene.place_of({2, 81}))[1] - (*view.scene.place_of({2, 0}))[1] > 0.75 * 700);
  check_round_trips(view.scene, 400, 700);

  view.scene.zoom(3, 200, 350);
  view.draw();
  const auto middle = *view.scene.coordinates_at(200, 350);
  cursor.seek(cursor.step_count() - 1);
  REQUIRE(view.scene.show(cursor));
  view.draw();
  CHECK_FALSE(view.scene.fitted_to());
  const auto seen = [&](const Scene& scene, double width, double height) {
    const auto corner = *scene.coordinates_at(0, 0), other = *scene.coordinates_at(width, height),
               centre = *scene.coordinates_at(width / 2, height / 2);
    CHECK(centre[0] == Approx(middle[0]));
    CHECK(centre[1] == Approx(middle[1]));
    return std::array{other[0] - corner[0], other[1] - corner[1]};
  };
  const auto before = seen(view.scene, 400, 700);
  view.window->SetSize(900, 300);
  view.draw();
  const auto after = seen(view.scene, 900, 300);
  CHECK(after[1] > 0.7 * before[1]);  // the margins of texts are not stretched
  CHECK(after[1] < 1.5 * before[1]);
  check_round_trips(view.scene, 900, 300);

  OffscreenScene other(300, 300);
  other.scene.set_options({.equal_scales = false});
  REQUIRE(other.scene.show(cursor));
  other.scene.set_camera(view.scene.camera());
  other.draw();
  seen(other.scene, 300, 300);
  other.scene.look_like(view.scene);
  other.draw();
  seen(other.scene, 300, 300);
  check_round_trips(other.scene, 300, 300);
  // Equal scales come back, and with them the fitted camera.
  view.scene.set_options({});
  view.draw();
  CHECK(view.scene.fitted_to() == CameraPreset::reset);
  const auto unit_x = (*view.scene.place_of({3, 0}))[0] - (*view.scene.place_of({2, 0}))[0],
             unit_y = (*view.scene.place_of({2, 1}))[1] - (*view.scene.place_of({2, 0}))[1];
  CHECK(unit_x == Approx(unit_y));
}

}  // namespace kdscope::scene_display_test
