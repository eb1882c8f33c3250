#include <vtkCamera.h>
#include <vtkMatrix4x4.h>
#include <vtkRenderer.h>
#include <vtkShaderProperty.h>

#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include "algorithms/text/point_name.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/recorded.hpp"
#include "tests/support/share.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/offscreen_picture.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/scene/off_screen.hpp"
#include "visualizer/scene/point_cloud.hpp"

namespace kdscope::scene_display_test {

namespace {

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

TEST_CASE("the frame of a plot has lines of one width, on whole pixels, from corner to corner") {
  for (const auto& [width, height] : {std::pair(640, 480), std::pair(643, 431), std::pair(1117, 655)}) {
    OffscreenScene off(width, height);
    REQUIRE(off.scene.show(ten_points_at(3)));
    const Picture picture = off.draw();
    const Rgb ink = theme(off.scene.theme_id()).axis;
    // Lines are longer than half of a side
    int columns = 0, rows = 0;
    for (int x = 0; x < width; ++x) {
      int inked = 0;
      for (int y = 0; y < height; ++y) inked += picture.at(x, y) == ink;
      columns += inked > height / 2;
    }
    for (int y = 0; y < height; ++y) {
      int inked = 0;
      for (int x = 0; x < width; ++x) inked += picture.at(x, y) == ink;
      rows += inked > std::min(width, height) / 2;
    }
    CAPTURE(width);
    CHECK(columns == 4);
    CHECK(rows == 4);
  }
}

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
  const double top = (*view.scene.place_of({40, 71.7}))[1];  // of the frame
  const auto& texts = view.scene.texts();
  const auto title = std::ranges::find(texts, "depth in the tree", [](const auto& text) { return text.first; });
  REQUIRE(texts.end() - title >= 3);
  for (auto text = title; text != title + 3; ++text)  // and the range of its numbers
    CHECK(view.scene.text_rooms()[static_cast<std::size_t>(text - texts.begin())][1] > top - 1);
}

TEST_CASE("names that are too small or have no room are left out") {
  std::vector<float> stacked;
  for (int i = 0; i < 40; ++i)
    for (const int c : {i % 8 * 13 % 50, i % 19 * 7 % 50}) stacked.push_back(static_cast<float>(c));
  Cursor cursor(recorded(points_in_plane(stacked)));
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

TEST_CASE("in 3D, an axis has a scale of three ticks or more, a name, and of many points rings in sight have names") {
  OffscreenScene view;
  Cursor cursor(recorded("bunny", "wald"));
  cursor.seek(6);
  REQUIRE(view.scene.show(cursor));
  view.draw();
  std::size_t ticks = 0;
  std::set<std::string> others;
  for (const auto& [text, size] : view.scene.texts()) {
    const bool tick = text.find_first_not_of("-.0123456789") == std::string::npos;
    ticks += tick;
    if (!tick) others.insert(text);
  }
  CHECK(ticks >= 9);
  for (const char* name : {"x", "y", "z"}) CHECK(others.contains(name));
  CHECK_FALSE(others.contains("p391"));  // behind the bunny
  std::size_t named = 0;
  for (const PointId pivot : points_with_role(cursor, Role::pivot, 100))
    named += others.contains(point_name(pivot.value));
  CHECK(named > 0);
  CHECK(illegible_texts(view.scene, 640, 480).empty());
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
      CHECK((far < 0.7 * near) == (id != ThemeId::high_contrast));
    }
  }
}

TEST_CASE("in 3D, names of points that stand back are dimmed, and a cross in a corner names the axes") {
  OffscreenScene view;
  const Cursor cursor(recorded("uniform:n=11,dim=3,seed=4"));
  for (const ThemeId id : all_themes) {
    view.scene.set_theme(id);
    REQUIRE(view.scene.show(cursor));
    view.draw();
    std::vector<double> bold, dimmed;  // how near to the eye
    std::map<std::string, int> axes;
    const TypedArray& at = *cursor.array(points_array);
    for (const DisplayItem& item : view.scene.annotations().items) {
      if (item.shape != DisplayItem::Shape::text) continue;
      ++axes[item.text];
      if (item.text[0] != 'p') continue;
      const auto i = 3 * static_cast<std::size_t>(std::stoi(item.text.substr(1)));
      (item.bold ? bold : dimmed).push_back(0.75 * at.number(i) - 1.15 * at.number(i + 1) + 0.7 * at.number(i + 2));
    }
    for (const char* axis : {"x", "y", "z"}) CHECK(axes[axis] == 2);
    REQUIRE_FALSE(bold.empty());
    REQUIRE(dimmed.empty() == (id == ThemeId::high_contrast));
    if (!dimmed.empty()) CHECK(std::ranges::min(bold) + 0.1 > std::ranges::max(dimmed));
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

TEST_CASE("more pivots than can be told apart have no rings, and the note says so") {
  Cursor cursor(recorded("uniform:n=600,dim=3,seed=5", "wald"));
  OffscreenScene view;
  view.scene.set_options({.planes = false, .axes = false});
  int many = 0;
  for (std::uint32_t step = 0; step < cursor.step_count(); ++step) {
    cursor.seek(step);
    REQUIRE(view.scene.show(cursor));
    const std::size_t pivots = points_with_role(cursor, Role::pivot).size();
    CAPTURE(step, pivots);
    CHECK((view.scene.note().find("not ringed") != std::string::npos) == (pivots > 128));
    if (pivots <= 128) continue;
    ++many;
    const Picture picture = view.draw();
    int rings = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) rings += picture.at(x, y) == theme(ThemeId::light).pivot;
    CHECK(rings < 100);
  }
  CHECK(many > 0);
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

TEST_CASE("a box turned by hand fits the picture, and another window shows the same side") {
  OffscreenScene view, other;
  const Cursor cursor(recorded("uniform:n=500,dim=3,seed=2"));
  REQUIRE(view.scene.show(cursor));
  REQUIRE(other.scene.show(cursor));
  for (int i = 0; i < 8; ++i) {
    view.scene.rotate(70, i % 2 ? 60 : -45);
    const Picture picture = view.draw();
    const auto [left, bottom, right, top] = view.scene.frame_room();
    CHECK((left > 0 && bottom > 0 && right < picture.width() && top < picture.height()));
    for (const auto& room : view.scene.text_rooms()) {
      CAPTURE(i, room[0], room[1], room[2], room[3]);
      CHECK((room[0] >= 0 && room[1] >= 0 && room[2] <= picture.width() && room[3] <= picture.height()));
    }
  }
  CHECK_FALSE(view.scene.fitted_to());
  other.scene.set_camera(view.scene.camera());
  CHECK(other.draw() == view.draw());
}

TEST_CASE("in 3D, older planes are left out, the picture says so, and an option brings them") {
  OffscreenScene view;
  Cursor cursor(recorded("uniform:n=60,dim=3,seed=2"));
  cursor.seek(cursor.step_count() - 1);
  REQUIRE(view.scene.show(cursor));
  CHECK(view.scene.note().starts_with("Not drawn: "));
  const Picture newest = view.draw();
  view.scene.set_options({.all_planes = true});
  CHECK(view.scene.note().empty());
  CHECK_FALSE(view.draw() == newest);
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

TEST_CASE("pictures have the size asked for, and are the same each time") {
  for (const auto& [width, height, over] : {std::array{800, 500, 2}, {4096, 2304, 1}}) {
    const auto off_screen = OffScreen::of_size(width, height);
    REQUIRE(off_screen);
    REQUIRE((*off_screen)->scene().show(ten_points_at(3)));
    const DrawnScene picture = (*off_screen)->draw();
    CHECK(picture.width == over * width);
    CHECK(picture.height == over * height);
    CHECK(picture.rgb.size() == std::size_t(picture.width) * picture.height * 3);
    CHECK((*off_screen)->draw().rgb == picture.rgb);
  }
}

TEST_CASE("without an X server a picture is an error, not an abort", "[.no_display]") {
  REQUIRE_FALSE(display_answers());
  const auto off_screen = OffScreen::of_size(800, 500);
  REQUIRE_FALSE(off_screen);
  CHECK(off_screen.error().kind == ErrorKind::no_device);
  CHECK(off_screen.error().message().find("xvfb-run") != std::string::npos);
}

TEST_CASE("pictures without pixels and pictures that no window holds are refused") {
  for (const auto& [width, height] : {std::pair{1 << 20, 500}, {800, 0}})
    CHECK(OffScreen::of_size(width, height).error().kind == ErrorKind::bad_usage);
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

TEST_CASE("marks of all sizes and colours are drawn by the same program") {
  for (const auto shape : {PointMarks::Shape::disc, PointMarks::Shape::ball, PointMarks::Shape::ring}) {
    std::set<std::string> programs;
    for (const double size : {7.5, 20.25}) {
      PointMarks marks;
      marks.style(shape, size, size / 8, Rgb(10, 20, static_cast<std::uint8_t>(size)), true);
      marks.set_mist(Rgb(static_cast<std::uint8_t>(size), 0, 0), size / 100);
      std::string name, code;
      bool first = false, all = false;
      vtkShaderProperty* shader = marks.actor()->GetShaderProperty();
      REQUIRE(shader->GetNumberOfShaderReplacements() == 1);
      shader->GetNthShaderReplacement(0, name, first, code, all);
      programs.insert(code);
    }
    CHECK(programs.size() == 1);
  }
}

TEST_CASE("of a million points only those in sight are drawn, and the picture is that of all") {
  constexpr std::uint32_t n = 1000000;
  constexpr int width = 400, height = 300;
  auto random = [state = 1u]() mutable { return float((state = state * 1664525u + 1013904223u) >> 8) / 0x1p24f; };
  std::vector<float> cube(3 * std::size_t(n));
  for (float& coordinate : cube) coordinate = random();
  std::vector<Rgb> colours(n);
  for (Rgb& c : colours)
    c = Rgb(std::uint8_t(255 * random()), std::uint8_t(255 * random()), std::uint8_t(255 * random()));
  std::vector<float> plane = cube;
  for (std::size_t i = 2; i < plane.size(); i += 3) plane[i] = 0;

  OffscreenScene view(width, height);
  view.scene.attach(nullptr);
  vtkNew<vtkRenderer> renderer;
  view.window->AddRenderer(renderer);
  vtkCamera* camera = renderer->GetActiveCamera();
  const auto drawn = [&](const std::vector<float>& places, const std::vector<Rgb>& inks, double diameter) {
    PointMarks marks;
    marks.style(PointMarks::Shape::dot, diameter, 0, {}, false);
    marks.set_places(places);
    marks.set_colours(inks);
    renderer->AddActor(marks.actor());
    const Picture picture = view.draw();
    renderer->RemoveActor(marks.actor());
    return picture;
  };
  for (const bool flat : {true, false})
    for (const double near : {2.5, 0.9})  // the whole cloud, and a part of it that the window cuts off
      for (const double diameter : {1.0, 2.0, 2.6, 3.4}) {
        CAPTURE(flat, near, diameter);
        camera->SetFocalPoint(0.5, 0.5, flat ? 0 : 0.5);
        camera->SetPosition(flat ? 0.5 : 0.1, flat ? 0.5 : 0.3, near);
        camera->SetParallelProjection(flat);
        camera->SetParallelScale(near / 4);
        const std::vector<float>& places = flat ? plane : cube;
        renderer->ResetCameraClippingRange(0, 1, 0, 1, 0, flat ? 0 : 1);
        Projection projection{{}, width, height};
        vtkMatrix4x4* matrix = camera->GetCompositeProjectionTransformMatrix(double(width) / height, -1, 1);
        for (int i = 0; i < 16; ++i) projection.matrix[std::size_t(i)] = matrix->Element[i / 4][i % 4];
        const std::vector<std::uint32_t> seen = points_in_sight(places, projection, diameter, flat);
        CHECK(seen.size() < std::size_t(width * height) * 5 / 4);
        std::vector<float> seen_places;
        std::vector<Rgb> seen_colours;
        for (const std::size_t i : seen) {
          seen_places.insert(seen_places.end(), &places[3 * i], &places[3 * i] + 3);
          seen_colours.push_back(colours[i]);
        }
        CHECK(drawn(seen_places, seen_colours, diameter) == drawn(places, colours, diameter));
      }
}

TEST_CASE("of a large cloud a sample is drawn while it moves, every point when it rests, and the note says so") {
  constexpr std::uint32_t n = 250000;
  TraceBuilder builder(tests::header_of(n, 3));
  builder.declare({points_array, "", ElementType::float32, Space::position, Space::none, 3});
  builder.declare({partition_arrays::node_of_point, "", ElementType::uint32, Space::point});
  for (const char* name : {partition_arrays::parent, partition_arrays::point})
    builder.declare({name, "", ElementType::uint32, Space::node});
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
  CHECK(view.scene.dots_in_sight().size() < 100000);
  CHECK_FALSE(view.scene.samples_while_stepping());
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

}  // namespace kdscope::scene_display_test
