
#include <cmath>
#include <set>

#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/recorded.hpp"
#include "tests/support/share.hpp"
#include "tests/visualizer/offscreen_picture.hpp"
#include "tests/visualizer/unclear_names.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/scene/off_screen.hpp"

namespace kdscope::scene_display_test {

namespace {

Rgb colour_of_point(const Theme& t, std::uint32_t step, std::uint32_t point) {
  const PrintedState& state = printed_states()[step];
  for (std::size_t i = 0; i < state.index.size(); ++i) {
    if (state.index[i] != point) continue;
    const Rgb c = mark_colour(t, {.place = place_of(NodeId{state.tags[i]})}, true);
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

TEST_CASE("names keep apart, and are nearer to their own marks than to others, or joined to them") {
  const auto photons = recorded("clustered:n=20,dim=2,clusters=7,seed=20386,type=int,range=150", "zhou-vvh",
                                {{"small", "12"}, {"empty", "10"}, {"radius", "125"}});
  const auto forty = recorded("uniform:n=40,dim=2,type=int,range=100,seed=47", "brown");
  std::size_t joined = 0;
  for (const auto& [width, height] : {std::pair(400, 380), std::pair(640, 480), std::pair(1280, 900)})
    for (const auto& trace : {photons, forty}) {
      OffscreenScene view(width, height);
      Cursor now(trace);
      for (std::uint32_t step = 0; step < now.step_count(); ++step) {
        now.seek(step);
        REQUIRE(view.scene.show(now));
        view.draw();
        CAPTURE(width, trace->header.n, step);
        CHECK(unclear_names(view.scene) == std::vector<std::string>());
        CHECK(view.scene.names().size() == trace->header.n);
        joined += static_cast<std::size_t>(std::ranges::count_if(view.scene.names(), &WrittenName::joined));
      }
    }
  CHECK(joined > 10);
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

}  // namespace kdscope::scene_display_test
