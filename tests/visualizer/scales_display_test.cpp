// Tests scales: ticks, the frame of coordinates, and views whose axes are scaled separately.
#include <cctype>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/recorded.hpp"
#include "tests/visualizer/offscreen_picture.hpp"
#include "visualizer/figure/frame.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope::scales_display_test {

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

TEST_CASE("marks and texts grow with the plot, and a low plot of large text has three ticks on each axis") {
  const Cursor ten(recorded("uniform:n=10,dim=2,seed=5"));
  struct Look {
    double mark, text;
    std::size_t ticks;
  };
  const auto look = [&](int width, int height, double text_scale) {
    OffscreenScene view(width, height);
    view.scene.set_text_scale(text_scale);
    REQUIRE(view.scene.show(ten));
    view.draw();
    Look at{view.scene.mark_diameter(), 0, 0};
    for (const auto& [words, size] : view.scene.texts())
      if (std::isdigit(static_cast<unsigned char>(words[0])) && words.find('.') != std::string::npos)
        at.text = size, ++at.ticks;
    return at;
  };
  const Look small = look(400, 400, 1), usual = look(480, 480, 1), large = look(1280, 960, 1);
  CHECK(small.text == 16);
  CHECK(usual.text == 16);
  CHECK(large.text > 22);
  CHECK(large.mark > 1.3 * usual.mark);
  const Look low = look(730, 200, 2);
  CHECK(low.text > 20);
  CHECK(low.ticks >= 6);
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
  return recorded(points_in_plane({2, 0, 3, 12, 5, 81, 6, 74, 7, 30, 8, 55, 9, 63, 4, 44, 6, 20}));
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

}  // namespace kdscope::scales_display_test
