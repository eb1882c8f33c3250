// Tests overlays: each kind of mark lies where its geometry is, and nothing below it is drawn again.

#include <set>

#include "algorithms/core/vector3.hpp"
#include "tests/support/recorded.hpp"
#include "tests/visualizer/offscreen_picture.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/figure/partition_drawing.hpp"
#include "visualizer/model/search_overlay.hpp"

using namespace kdscope;

namespace {

/// The ten points at a step, without labels, and the places of the picture in the points' units.
struct TenPoints : OffscreenScene {
  const Theme& t = theme(ThemeId::light);
  TenPoints() {
    scene.set_options({.labels = PointLabels::none, .planes = false, .cells = false, .axes = false});
    REQUIRE(scene.show(ten_points_at(0)));
    draw();
  }
  std::array<double, 2> at(double x, double y) const { return *scene.place_of({x, y}); }
};

int count_near(const Picture& picture, std::array<double, 2> at, Rgb colour, int reach = 3) {
  return picture.count(at[0], at[1], reach, colour, 0.06);
}

}  // namespace

TEST_CASE("marks lie where their geometry is") {
  TenPoints view;
  const Rgb ink = view.t.changed;
  const MarkStyle stroke{Ink::changed, 3};
  const auto shown = [&](Overlay overlay) {
    view.scene.show_overlay("test", std::move(overlay));
    return view.draw();
  };
  const Picture empty = view.draw();
  const unsigned long drawn = view.scene.times_drawn();

  const Picture ball = shown({.balls = {{{40, 40}, 12, stroke}}});
  for (const auto& [x, y] : {std::pair{52.0, 40.0}, {28.0, 40.0}, {40.0, 52.0}, {40.0, 28.0}})
    CHECK(count_near(ball, view.at(x, y), ink) > 0);
  CHECK(count_near(ball, view.at(40, 40), ink) == 0);
  CHECK(count_near(ball, view.at(49, 49), ink) == 0);  // outside the ball, though within its box

  const Picture segment = shown({.segments = {{{20, 60}, {60, 20}, stroke}}});
  CHECK(count_near(segment, view.at(40, 40), ink) > 0);
  CHECK(count_near(segment, view.at(40, 50), ink) == 0);
  const auto arrow_head = [&](bool arrow) {
    const auto tip = view.at(60, 20);
    return shown({.segments = {{{20, 60}, {60, 20}, stroke, arrow}}}).count(tip[0], tip[1], 12, ink, 0.06);
  };
  CHECK(arrow_head(true) > arrow_head(false) + 20);

  const Picture box = shown({.boxes = {{{{30, 30}, {50, 60}}, stroke}}});
  for (const auto& [x, y] : {std::pair{30.0, 45.0}, {50.0, 45.0}, {40.0, 30.0}, {40.0, 60.0}})
    CHECK(count_near(box, view.at(x, y), ink) > 0);
  CHECK(count_near(box, view.at(40, 45), ink) == 0);

  const Picture plane = shown({.planes = {{{{30, 30}, {50, 60}}, 0, 40, stroke}}});
  CHECK(count_near(plane, view.at(40, 32), ink) > 0);
  CHECK(count_near(plane, view.at(40, 64), ink) == 0);  // the plane ends with its box
  const Picture dashed = shown({.planes = {{{{30, 30}, {50, 60}}, 0, 40, {Ink::changed, 3, true}}}});
  CHECK(dashed.count(view.at(40, 45)[0], view.at(40, 45)[1], 60, ink) <
        plane.count(view.at(40, 45)[0], view.at(40, 45)[1], 60, ink) * 3 / 4);

  const auto point = *view.scene.place_of_point(PointId{3});
  CHECK(shown({.rings = {{PointId{3}, stroke}}}).count(point[0], point[1], 30, ink, 0.06) > 40);
  shown({.labels = {{{40, 40}, "query", Ink::changed}}});
  CHECK(std::any_of(view.scene.texts().begin(), view.scene.texts().end(),
                    [](const auto& text) { return text.first == "query"; }));

  CHECK(shown({}) == empty);
  CHECK(view.scene.times_drawn() == drawn);
}

TEST_CASE("marks of a search enter one after the other, and its reach shrinks from the one before") {
  Cursor now(recorded("wald-10", "wald", {}, {{"search", "stack"}, {"query", "60,40"}}));
  OffscreenScene view;
  view.scene.set_options({.labels = PointLabels::none, .cells = false, .axes = false});
  REQUIRE(view.scene.show(now));
  std::size_t looked_at = 0, most_moments = 0;
  for (std::uint32_t step = 1; step < now.step_count(); ++step) {
    now.seek(step);
    view.scene.set_growth({.time = 0});  // a motion begins before the step is shown
    REQUIRE(view.scene.show(now));
    const DisplayList begin = (view.draw(), view.scene.annotations());
    const auto marks_at = [&](double time) {
      view.scene.set_growth({.time = time});
      view.draw();
      std::multiset<std::vector<double>> marks;
      for (const DisplayItem& item : view.scene.annotations().items)
        if (item.shape != DisplayItem::Shape::text) marks.insert(item.at);
      return marks;
    };
    const auto all = marks_at(1);
    const auto first = marks_at(0);
    CHECK(begin.items.size() == view.scene.annotations().items.size());
    if (first == all) continue;  // nothing is new
    ++looked_at;
    std::set<std::multiset<std::vector<double>>> moments;
    for (const double time : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}) moments.insert(marks_at(time));
    most_moments = std::max(most_moments, moments.size());
    CHECK(first.size() <= all.size());
    CHECK(marks_at(1) == all);
  }
  CHECK(looked_at >= 4);
  CHECK(most_moments == 6);
}

TEST_CASE("what a search finds has the colour of its query: only a step's changes have that of changes") {
  Cursor now(recorded("wald-10", "wald", {}, {{"search", "stack"}, {"query", "60,40"}}));
  now.seek(now.step_count() - 1);
  const Overlay overlay = search_overlay(now);
  REQUIRE(overlay.rings.size() == 1);
  CHECK(overlay.rings[0].style.ink == Ink::selected);
  for (const Overlay::Segment& line : overlay.segments) CHECK(line.style.ink != Ink::changed);
}

TEST_CASE("a search in a space that repeats itself goes across its ends, and so does its reach") {
  Cursor now(recorded("wald-10", "wald", {}, {{"search", "stack"}, {"query", "69,7"}, {"period", "70,80"}}));
  now.seek(now.step_count() - 1);
  const Overlay overlay = search_overlay(now);
  std::set<std::vector<double>> lines, centres;
  for (const Overlay::Segment& line : overlay.segments)
    lines.insert({line.from[0], line.from[1], line.to[0], line.to[1]});
  CHECK(lines == std::set<std::vector<double>>{{69, 7, 80, 15}, {-1, 7, 10, 15}});
  for (const Overlay::Ball& ball : overlay.balls)
    if (ball.radius > 0) centres.insert(ball.centre);
  CHECK(centres == std::set<std::vector<double>>{{69, 7}, {-1, 7}, {69, 87}, {-1, 87}});
  CHECK(overlay.reach.lo == std::vector<double>{0, 0});
  CHECK(overlay.reach.hi == std::vector<double>{70, 80});
  // Both parts of the line end at the frame, where it continues on the other side.
  const DisplayList list = PartitionDrawing::of(PartitionPicture::at(now, {}), {}).list;
  const Theme& t = theme(ThemeId::light);
  const auto drawn_as = [&](DisplayItem::Shape shape, Rgb ink) {
    std::vector<double> across;  // left and right
    for (const DisplayItem& item : list.items)
      if (item.shape == shape && (shape == DisplayItem::Shape::box || item.at.size() == 4) && item.ink &&
          item.ink(t) == ink)
        across.insert(across.end(), {item.bounds()[0], item.bounds()[2]});
    std::ranges::sort(across);
    return across;
  };
  const auto frame = drawn_as(DisplayItem::Shape::box, t.axis), line = drawn_as(DisplayItem::Shape::line, t.selection);
  REQUIRE(frame.size() == 2);
  REQUIRE(line.size() == 4);
  const double side = frame[1] - frame[0];
  CHECK((line[0] > frame[0] - 2 && line[1] < frame[0] + 0.2 * side));
  CHECK((line[2] > frame[1] - 0.1 * side && line[3] < frame[1] + 2 && line[3] > frame[1] - 2));
}

TEST_CASE(
    "a ray's picture has room for its origin, outlines the triangle that it hits, and names those in sight "
    "that it has not skipped") {
  RunRequest request{{},           "zhou-sah", {{"small", "8"}, {"traversal", "200"}},
                     Backend::cpu, false,      open_data_set("tents-16").value()};
  request.search = {{"search", "ray-stack"}, {"question", "nearest-hit"}, {"query", "15,3.5,3.4,-8,1,-1"}};
  Cursor now(record(request).value());
  now.seek(now.step_count() - 1);
  const Overlay overlay = search_overlay(now);
  CHECK(overlay.reach.hi == std::vector<double>{15, 14.5, 4});
  std::set<std::vector<double>> corners;
  for (const Overlay::Segment& line : overlay.segments)
    if (line.style.width == 3) corners.insert(line.from);
  CHECK(corners == std::set<std::vector<double>>{{8.5, 2.5, 0}, {8.5, 6.5, 0}, {6.5, 4.5, 4}});

  const auto texts_in = [&](OffscreenScene& view) {
    REQUIRE(view.scene.show(now));
    view.draw();
    std::set<std::string> texts;
    for (const auto& [words, size] : view.scene.texts()) texts.insert(words);
    return texts;
  };
  OffscreenScene view, low(440, 330);
  const std::set<std::string> texts = texts_in(view);
  for (const char* seen : {"t4", "t9"}) CHECK(texts.contains(seen));
  for (const char* behind : {"t3", "t6", "t7", "t14"}) CHECK_FALSE(texts.contains(behind));
  for (const char* skipped : {"t12", "t13"}) CHECK_FALSE(texts.contains(skipped));
  // The label of the hit covers no number of a triangle, also in little room.
  for (OffscreenScene* each : {&view, &low}) {
    std::set<std::string> numbers = texts_in(*each);
    each->scene.show_overlay("search", overlay);
    const std::set<std::string> all = texts_in(*each);
    CHECK(all.contains("hit at 0.9647"));
    CHECK(std::ranges::includes(all, numbers));
    CHECK(illegible_texts(each->scene, each == &low ? 440 : 640, each == &low ? 330 : 480).empty());
  }
}

TEST_CASE("a search that counts points by distance has a ring for every bin") {
  Cursor now(
      recorded("wald-10", "zhou-vvh", {{"small", "4"}},
               {{"search", "radius-histogram"}, {"query", "40,50"}, {"k", "3"}, {"bins", "4"}, {"levels", "0"}}));
  now.seek(now.step_count() / 2);
  std::set<double> rings;
  for (const Overlay::Ball& ball : search_overlay(now).balls)
    if (ball.radius > 0) rings.insert(ball.radius);
  const TypedArray& edges = *now.array(search_arrays::bin_radius);
  CHECK(rings.size() == 4);
  for (std::size_t bin = 0; bin < 4; ++bin) CHECK(rings.count(edges.number(bin)) == 1);
}

TEST_CASE("labels of a query neither overprint one another nor leave the picture") {
  TenPoints view;
  for (const auto& [x, y] : {std::pair{40.0, 40.0}, {10.0, 15.0}, {68.0, 69.0}, {68.0, 15.0}, {10.0, 69.0}}) {
    CAPTURE(x, y);
    view.scene.show_overlay("search",
                            {.labels = {{{x, y}, "hit at 0.543", Ink::changed}, {{x, y + 0.3}, "ray", Ink::selected}}});
    view.draw();
    CHECK(view.scene.texts().size() == 2);
    CHECK(illegible_texts(view.scene, 640, 480).empty());
  }
}

TEST_CASE("a label of an overlay covers nothing but its letters") {
  TenPoints view;
  view.scene.show_overlay("search", {.labels = {{{46, 63}, "query", Ink::selected}}});
  view.draw();
  REQUIRE(view.scene.texts().size() == 1);
  const DisplayList list = view.scene.annotations();
  for (const DisplayItem& item : list.items) CHECK(item.shape != DisplayItem::Shape::box);
  CHECK(list.items.back().halo);
}

TEST_CASE("a ball in space is whole beyond the box, and its far side is dashed") {
  OffscreenScene view;
  view.scene.set_options({.labels = PointLabels::none, .axes = false});
  REQUIRE(view.scene.show(Cursor(recorded("uniform:n=30,dim=3,seed=2"))));
  view.draw();
  const auto lines = [&](double radius, double x) {
    view.scene.show_overlay("search", {.balls = {{{x, 0.5, 0.5}, radius, {Ink::selected, 3}}}});
    view.draw();
    std::vector<DisplayItem> found;
    for (const DisplayItem& item : view.scene.annotations().items)
      if (item.shape == DisplayItem::Shape::line && item.at.size() > 8) found.push_back(item);
    return found;
  };
  for (const double x : {0.5, 0.05}) {  // within the box, and across its side
    const auto ball = lines(0.25, x);
    std::size_t rims = 0, dashed = 0;
    for (const DisplayItem& item : ball) {
      const std::size_t last = item.at.size() - 2;
      const bool closed = std::hypot(item.at[0] - item.at[last], item.at[1] - item.at[last + 1]) < 1;
      rims += closed, dashed += item.dash == DisplayItem::Dash::dashed;
      // Every line ends where another one begins: nothing is cut off
      const auto meets = [&](std::size_t end) {
        return std::ranges::any_of(ball, [&](const DisplayItem& other) {
          const std::size_t far = other.at.size() - 2;
          const auto near = [&](std::size_t at) {
            return std::hypot(other.at[at] - item.at[end], other.at[at + 1] - item.at[end + 1]) < 1;
          };
          return &other != &item && (near(0) || near(far));
        });
      };
      CHECK((closed || (meets(0) && meets(last))));
    }
    CHECK(rims == 1);
    CHECK(dashed >= 3);
  }
  for (const DisplayItem& item : lines(2, 0.5)) CHECK(item.dash == DisplayItem::Dash::solid);  // around the box
}

TEST_CASE("what does not belong to the picture is left out") {
  TenPoints view;
  const Picture empty = view.draw();
  const MarkStyle stroke{Ink::failed, 3};
  const double far = 1e30, none = std::nan("");
  view.scene.show_overlay("test", {.balls = {{{40}, 5, stroke}, {{40, 40}, none, stroke}, {{40, 40}, -1, stroke}},
                                   .segments = {{{1}, {2, 3}, stroke}},
                                   .boxes = {{{{200, 200}, {300, 300}}, stroke}, {{{1}, {2}}, stroke}},
                                   .planes = {{{{30, 30}, {50, 60}}, 7, 40, stroke}},
                                   .splits = {{NodeId{4000}, stroke}, {NodeId{no_id}, stroke}},
                                   .rings = {{PointId{10}, stroke}, {PointId{no_id}, stroke}},
                                   .hatched_cells = {NodeId{no_id}},
                                   .faded_cells = {NodeId{4000}}});
  CHECK(view.draw() == empty);
  // A box without limits covers the whole picture.
  view.scene.show_overlay("test", {.boxes = {{{{-far, -far}, {far, far}}, stroke}}});
  CHECK_FALSE(view.draw() == empty);
}

TEST_CASE("writers do not touch one another's marks") {
  TenPoints view;
  const Picture empty = view.draw();
  view.scene.show_overlay("search", {.balls = {{{40, 40}, 12, {Ink::changed, 3}}}});
  const Picture one = view.draw();
  view.scene.show_overlay("difference", {.rings = {{PointId{3}, {Ink::failed, 3}}}});
  CHECK_FALSE(view.draw() == one);
  view.scene.show_overlay("difference", {});
  CHECK(view.draw() == one);
  view.scene.show_overlay("search", {});
  CHECK(view.draw() == empty);
}

TEST_CASE("the picture makes room for what an overlay reaches") {
  TenPoints view;
  const auto inside = [&](double x, double y) {
    const auto place = view.at(x, y);
    return place[0] > 0 && place[1] > 0 && place[0] < 640 && place[1] < 480;
  };
  CHECK_FALSE(inside(40, -60));
  view.scene.show_overlay("test", {.balls = {{{40, -60}, 0, {Ink::changed, 3}}}, .reach = {{40, -60}, {40, -60}}});
  const Picture picture = view.draw();
  CHECK(inside(40, -60));
  CHECK(picture.count(view.at(40, -60)[0], view.at(40, -60)[1], 8, view.t.changed, 0.06) > 8);
  view.scene.show_overlay("test", {});
  view.draw();
  CHECK_FALSE(inside(40, -60));
  // A new point beside the others, too, once nobody holds it.
  view.scene.show_edits({{std::nullopt, {40, -60}, "p10", "", true}});
  view.draw();
  CHECK_FALSE(inside(40, -60));
  view.scene.show_edits({{std::nullopt, {40, -60}, "p10", "", false}});
  view.draw();
  CHECK(inside(40, -60));
}

TEST_CASE("a mark fades as a whole, and the cell behind it does not cover it") {
  OffscreenScene view;
  REQUIRE(view.scene.show(ten_points_at(1)));
  view.scene.show_overlay("search", {.faded_cells = {NodeId{1}}});
  const Picture picture = view.draw();
  const Rgb base = theme(ThemeId::light).base;
  const auto darkest = [&](std::uint32_t point) {
    const auto at = *view.scene.place_of_point({point});
    const int reach = static_cast<int>(view.scene.mark_diameter() / 2);
    double most = 0;
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x)
        most = std::max(most, colour_distance(picture.at(at[0] + x, at[1] + y), base));
    return most;
  };
  // Points 0 and 3 belong to node 1, points 7 and 8 to node 2: outlines fade, too.
  for (const std::uint32_t faded : {0u, 3u})
    for (const std::uint32_t plain : {7u, 8u, 9u}) {
      CAPTURE(faded, plain, darkest(plain));
      CHECK(darkest(faded) < 0.5 * darkest(plain));
    }
}

TEST_CASE("the name of a point keeps off the lines of an overlay, if there is room beside them") {
  OffscreenScene view;
  REQUIRE(view.scene.show(ten_points_at(1)));
  view.draw();
  const auto room_of = [&](std::uint32_t point) {
    const auto& names = view.scene.names();
    const auto found = std::ranges::find(names, PointId{point}, &WrittenName::point);
    REQUIRE(found != names.end());
    return found->room;
  };
  for (const std::uint32_t point : {2u, 4u}) {  // away from others
    CAPTURE(point);
    const auto mark = *view.scene.place_of_point({point});
    const auto before = room_of(point);
    const double x = (before[0] + before[2]) / 2, y = (before[1] + before[3]) / 2;
    const auto from = *view.scene.coordinates_at(mark[0], mark[1]), to = *view.scene.coordinates_at(x, y);
    view.scene.show_overlay("search", {.segments = {{from, to, {}}}});
    view.draw();
    const auto after = room_of(point);
    for (int i = 0; i <= 100; ++i) {
      const double px = mark[0] + i * (x - mark[0]) / 100, py = mark[1] + i * (y - mark[1]) / 100;
      CHECK_FALSE((after[0] < px && px < after[2] && after[1] < py && py < after[3]));
    }
    view.scene.show_overlay("search", {});
    view.draw();
    CHECK(room_of(point) == before);
  }
}

TEST_CASE("in space, the triangles and outlines of pruned cells fade, and these triangles have no names") {
  Cursor cursor(recorded("tents-16", "zhou-sah", {{"small", "8"}}));
  cursor.seek(cursor.step_count() - 1);
  OffscreenScene view;
  REQUIRE(view.scene.show(cursor));
  const Picture before = view.draw();
  const auto names = [&] {
    return std::ranges::count_if(view.scene.texts(), [](const auto& text) { return text.first.starts_with('t'); });
  };
  const auto all = names();
  REQUIRE(all > 6);
  const auto ink = [&](const Picture& picture) {
    double sum = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) sum += colour_distance(picture.at(x, y), theme(ThemeId::light).base);
    return sum;
  };
  view.scene.show_overlay("search", {.faded_cells = {NodeId{1}}});
  CHECK(ink(view.draw()) < 0.9 * ink(before));
  CHECK(names() < all);
  CHECK(names() > 0);
  view.scene.show_overlay("search", {});
  CHECK(view.draw() == before);
}

TEST_CASE("pruned cells fade, in 3D their points") {
  OffscreenScene flat;
  flat.scene.set_options({.labels = PointLabels::none});
  REQUIRE(flat.scene.show(ten_points_at(1)));
  const auto left = [&] { return *flat.scene.place_of({28, 50}); };
  const auto right = [&] { return *flat.scene.place_of({57, 50}); };
  Picture before = flat.draw();
  const auto l = left(), r = right();
  flat.scene.show_overlay("search", {.faded_cells = {NodeId{1}}});
  Picture after = flat.draw();
  const Rgb base = theme(ThemeId::light).base;
  CHECK(colour_distance(after.at(l[0], l[1]), base) < 0.5 * colour_distance(before.at(l[0], l[1]), base));
  CHECK(after.at(r[0], r[1]) == before.at(r[0], r[1]));

  // In the dark, where cells are near the ground, enough of them is left to be seen.
  const Rgb ground = theme(ThemeId::dark).base;
  flat.scene.set_theme(ThemeId::dark);
  after = flat.draw();
  flat.scene.show_overlay("search", {});
  before = flat.draw();
  const double plain = colour_distance(before.at(l[0], l[1]), ground),
               faded = colour_distance(after.at(l[0], l[1]), ground);
  CHECK(faded > 0.35 * plain);
  CHECK(faded < 0.6 * plain);

  Cursor cursor(recorded("uniform:n=200,dim=3,seed=5"));
  cursor.seek(cursor.step_count() - 1);
  OffscreenScene solid;
  solid.scene.set_options({.labels = PointLabels::none, .planes = false, .axes = false});
  REQUIRE(solid.scene.show(cursor));
  before = solid.draw();
  solid.scene.show_overlay("search", {.faded_cells = {NodeId{1}}});
  after = solid.draw();
  CHECK_FALSE(after == before);
  const auto inked = [&](const Picture& picture) {
    double ink = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) ink += colour_distance(picture.at(x, y), base);
    return ink;
  };
  CHECK(inked(after) < 0.8 * inked(before));  // half of the points are faded
  solid.scene.show_overlay("search", {});
  CHECK(solid.draw() == before);
}

TEST_CASE("clouds of an overlay lie in the space of the picture, behind what is in front of them") {
  OffscreenScene view;
  const auto trace = recorded("uniform:n=400,dim=3,seed=5", "textbook");
  view.scene.set_options({.labels = PointLabels::none, .planes = false, .axes = false});
  REQUIRE(view.scene.show(Cursor(trace)));
  view.scene.set_camera_preset(CameraPreset::along_y);
  const Picture run = view.draw();
  const int width = run.width(), height = run.height();
  REQUIRE(view.scene.points_drawn() == 400);
  const Rgb red{230, 20, 20}, blue{20, 20, 230};
  const auto shown = [&](Overlay overlay) {
    view.scene.show_overlay("test", std::move(overlay));
    return view.draw();
  };
  const auto at = [&](double x, double y, double z) { return *view.scene.place_of({x, y, z}); };
  const auto middle = at(0.5, 0.5, 0.5);
  const Rgb ground = theme(ThemeId::light).base;

  // In place of the run, nothing but the dots is left.
  const Picture dots =
      shown({.clouds = {{{0.5f, 0.5f, 0.5f, 0.9f, 0.5f, 0.5f}, {}, {}, {red}, 9}}, .replaces_run = true});
  CHECK(view.scene.points_drawn() == 0);
  CHECK(dots.count(middle[0], middle[1], 3, red, 0.1) > 20);
  const auto right = at(0.9, 0.5, 0.5);
  CHECK(dots.count(right[0], right[1], 3, red, 0.1) > 20);
  const int all = dots.count(width / 2.0, height / 2.0, width, ground, 0.02);
  CHECK(all > width * height - 300);

  // A disc that faces the eye is round, one that is seen from its side is a line.
  const auto disc = [&](float nx, float ny, float nz) {
    const Picture picture =
        shown({.clouds = {{{0.5f, 0.5f, 0.5f}, {nx, ny, nz}, {0.2f}, {red}}}, .replaces_run = true});
    return width * height - picture.count(width / 2.0, height / 2.0, width, ground, 0.02);
  };
  CHECK(disc(0, 1, 0) > 20 * std::max(1, disc(1, 0, 0)));
  CHECK(disc(0, 1, 0) > 1000);

  // The nearer of two hides the other. The eye is in front, where y is least.
  const auto two = [&](float red_y, float blue_y) {
    const Picture picture = shown(
        {.clouds = {{{0.5f, red_y, 0.5f}, {0, 1, 0}, {0.2f}, {red}}, {{0.5f, blue_y, 0.5f}, {0, 1, 0}, {0.2f}, {blue}}},
         .replaces_run = true});
    return picture.at(middle[0], middle[1]);
  };
  const Rgb first = two(0.2f, 0.8f), second = two(0.8f, 0.2f);
  CHECK((first.r > first.b) != (second.r > second.b));

  // Beside the run both are drawn; without the overlay the picture is that of the run again.
  CHECK(shown({.clouds = {{{0.5f, 0.5f, 0.5f}, {}, {}, {red}, 9}}}).count(middle[0], middle[1], 3, red, 0.1) > 0);
  CHECK(view.scene.points_drawn() == 400);
  CHECK(shown({}) == run);
}

TEST_CASE("a line of sight leads to what is drawn at its place, with perspective and without") {
  OffscreenScene view;
  const auto trace = recorded("uniform:n=400,dim=3,seed=2", "wald");
  REQUIRE(view.scene.show(Cursor(trace)));
  for (const CameraPreset preset : {CameraPreset::iso, CameraPreset::along_x}) {
    view.scene.set_camera_preset(preset);
    view.draw();
    for (const std::vector<double>& place : {std::vector{0.5, 0.5, 0.5}, {0.9, 0.1, 0.3}, {0.2, 0.8, 0.7}}) {
      const auto at = view.scene.place_of(place);
      REQUIRE(at);
      const auto line = view.scene.line_of_sight((*at)[0], (*at)[1]);
      REQUIRE(line);
      CHECK(line->parallel == (preset == CameraPreset::along_x));
      const auto vector = [](const std::vector<double>& c) { return Vector3{c[0], c[1], c[2]}; };
      const Vector3 along = vector(line->through) - vector(line->from), to = vector(place) - vector(line->from);
      CHECK(dot(along, to) > 0);
      const double pixel = length(vector(line->right));
      CHECK(pixel > 1e-4);
      CHECK(pixel < 0.1);
      CHECK(length(cross(along, to)) / length(along) < 0.1 * pixel);
      // The lines of neighbouring pixels pass beside it
      const auto right = view.scene.line_of_sight((*at)[0] + 1, (*at)[1]);
      REQUIRE(right);
      CHECK(length(vector(right->through) - vector(line->through) - vector(line->right)) < 1e-3 * pixel);
      const auto above = view.scene.line_of_sight((*at)[0], (*at)[1] + 1);
      REQUIRE(above);
      CHECK(length(vector(above->through) - vector(line->through) - vector(line->up)) < 1e-3 * pixel);
    }
  }
  REQUIRE(view.scene.set_axes({0, 1, -1}));
  view.draw();
  CHECK_FALSE(view.scene.line_of_sight(10, 10));
}
