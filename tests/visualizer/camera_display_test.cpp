// Tests cameras, axes and depth.

#include <cmath>
#include <map>
#include <set>

#include "algorithms/text/point_name.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/recorded.hpp"
#include "tests/visualizer/offscreen_picture.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope::camera_display_test {

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
  for (int i = 0; i < 60; ++i) {
    view.scene.rotate(70, 220 * std::cos(0.7 * i));  // also from below
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

TEST_CASE("a drag begins from the size that is seen, and the texts of the axes stay in the picture") {
  for (const auto& [width, height] : {std::pair{640, 480}, {500, 800}, {1200, 400}}) {
    OffscreenScene view(width, height);
    REQUIRE(view.scene.show(Cursor(recorded("uniform:n=500,dim=3,seed=2"))));
    view.draw();
    auto before = view.scene.frame_room();
    for (int i = 0; i < 40; ++i) {
      view.scene.rotate(2, i % 3);
      view.draw();
      const auto now = view.scene.frame_room();
      CAPTURE(width, i);
      for (std::size_t side = 0; side < 4; ++side) CHECK(std::abs(now[side] - before[side]) < 0.012 * (width + height));
      for (const auto& room : view.scene.text_rooms())
        CHECK((room[0] >= 0 && room[1] >= 0 && room[2] <= width && room[3] <= height));
      before = now;
    }
  }
}

TEST_CASE("a box in 3D and the texts of its axes fill the picture up to a small margin") {
  for (const auto& [width, height] : {std::pair{640, 480}, {500, 800}, {1200, 400}})
    for (const char* data : {"uniform:n=500,dim=3,seed=2", "triangles:n=16,seed=12"}) {
      OffscreenScene view(width, height);
      REQUIRE(view.scene.show(Cursor(recorded(data))));
      view.draw();
      auto [left, bottom, right, top] = view.scene.frame_room();
      const auto& texts = view.scene.texts();
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto room = view.scene.text_rooms()[i];
        left = std::min(left, room[0]), bottom = std::min(bottom, room[1]);
        right = std::max(right, room[2]), top = std::max(top, room[3]);
      }
      CAPTURE(width, height, data, left, bottom, right, top);
      CHECK((left >= 0 && bottom >= 0 && right <= width && top <= height));
      constexpr double margin = 36;  // at both ends, of the smaller way
      CHECK((width - (right - left) <= 2 * margin || height - (top - bottom) <= 2 * margin));
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

TEST_CASE("in 3D, an axis has a scale of three ticks or more, a name, and of many points those with rings have names") {
  OffscreenScene view;
  Cursor cursor(recorded("bunny", "wald"));
  cursor.seek(6);
  REQUIRE(view.scene.show(cursor));
  view.draw();
  std::size_t ticks = 0;
  std::set<std::string> others;
  for (const auto& [text, size] : view.scene.texts()) {
    const bool tick = text.find_first_not_of("\u2212.0123456789") == std::string::npos;
    ticks += tick;
    if (!tick) others.insert(text);
  }
  CHECK(ticks >= 9);
  for (const char* name : {"x", "y", "z"}) CHECK(others.contains(name));
  const auto pivots = points_with_role(cursor, Role::pivot, 100);
  CHECK(pivots.size() == 4);
  for (const PointId pivot : pivots) CHECK(others.contains(point_name(pivot.value)));  // one is behind the bunny
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

TEST_CASE("the cross of the axes stands in the lower left corner alone, however the box is turned") {
  OffscreenScene view;
  REQUIRE(view.scene.show(Cursor(recorded("uniform:n=500,dim=3,seed=2"))));
  int crosses = 0;
  for (int i = 0; i < 30; ++i) {
    view.scene.rotate(30, 0);
    const Picture picture = view.draw();
    std::map<std::string, std::vector<bool>> in_corner;
    for (std::size_t text = 0; text < view.scene.texts().size(); ++text) {
      const auto room = view.scene.text_rooms()[text];
      in_corner[view.scene.texts()[text].first].push_back(room[2] < picture.width() / 4.0 &&
                                                          room[3] < picture.height() / 4.0);
    }
    for (const char* axis : {"x", "y", "z"})
      if (const auto& names = in_corner[axis]; names.size() > 1) {
        CAPTURE(i, axis);
        CHECK(std::ranges::count(names, true) >= 1);
        ++crosses;
      }
  }
  CHECK(crosses > 10);
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

}  // namespace kdscope::camera_display_test
