// Tests the display list of a partition in the plane: what a click finds, and what a question hides.

#include "visualizer/figure/partition_drawing.hpp"

#include <set>

#include "tests/support/catch.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

using namespace kdscope;

namespace {

using Shape = DisplayItem::Shape;

PartitionDrawing drawn(const Cursor& now, const PartitionRoom& room = {}, const Concealment& concealed = {}) {
  return PartitionDrawing::of(PartitionPicture::at(now, {}, {}, concealed), room);
}

PartitionDrawing drawn(const Cursor& now, const Overlay& above, const PartitionRoom& room = {}) {
  PartitionPicture picture = PartitionPicture::at(now);
  picture.lay_over(above);
  return PartitionDrawing::of(picture, room);
}

std::vector<const DisplayItem*> items_in(const DisplayList& list, Rgb Theme::*ink, Shape shape) {
  const Theme& t = theme(ThemeId::light);
  std::vector<const DisplayItem*> found;
  for (const DisplayItem& item : list.items)
    if (item.shape == shape && item.ink && item.ink(t) == t.*ink) found.push_back(&item);
  return found;
}

const DisplayItem& marks_of(const DisplayList& list) {
  const auto marks = std::ranges::find(list.items, Shape::marks, &DisplayItem::shape);
  REQUIRE(marks != list.items.end());
  return *marks;
}

}  // namespace

TEST_CASE("a click in the plane finds the nearest point, and a place is a coordinate") {
  for (const PartitionRoom& room : {PartitionRoom{}, PartitionRoom{.width = 300, .height = 900, .lower = true}}) {
    const PartitionDrawing drawing = drawn(ten_points_at(4), room);
    const DisplayItem& marks = marks_of(drawing.list);
    REQUIRE(marks.glyphs.size() == 10);
    REQUIRE(marks.cells.size() == 10);
    for (std::uint32_t point = 0; point < 10; ++point) {
      const double x = marks.at[2 * point], y = marks.at[2 * point + 1];
      CHECK(x > 0);
      CHECK(x < drawing.list.width);
      CHECK(y > 0);
      CHECK(y < drawing.list.height);
      CHECK(drawing.list.hit(x, y, 0) == point);
      CHECK(drawing.list.hit(x + 0.9 * marks.size, y, 0) == point);
      for (std::size_t axis = 0; axis < 2; ++axis)
        CHECK(std::abs(drawing.axes[axis].origin + drawing.axes[axis].unit * marks.at[2 * point + axis] -
                       ten_points()[2 * point + axis]) < 1e-9);
    }
    CHECK_FALSE(drawing.list.hit(0, 0, 0));
    CHECK(drawing.list.hit(0, 0, 1e9));
  }
  CHECK(drawn(ten_points_at(4), {.width = 300, .height = 900, .lower = true}).list.height < 400);
}

TEST_CASE("marks have the numbers of their points where not all are drawn") {
  const PartitionPicture picture = PartitionPicture::at(ten_points_at(4), {.most_marks = 4});
  const PartitionDrawing drawing = PartitionDrawing::of(picture, {});
  const DisplayItem& marks = marks_of(drawing.list);
  CHECK(marks.glyphs.size() == 4);
  CHECK(drawing.list.hit(marks.at[4], marks.at[5], 0) == 6);
}

TEST_CASE("what a question hides is not in the picture of the plane") {
  const Cursor now = ten_points_at(4);
  Concealment splits;
  splits.splits = true;
  const auto fresh = [](const DisplayList& list) {
    return items_in(list, &Theme::new_plane, Shape::line).size() + items_in(list, &Theme::changed, Shape::line).size() +
           items_in(list, &Theme::plane, Shape::line).size();
  };
  CHECK(fresh(drawn(now).list) == 3);
  CHECK(fresh(drawn(now, {}, splits).list) == 0);
  // The class knows the partition of the stop before; where the answer is a place in it, that would help too much.
  Concealment later = splits;
  later.before = 1;
  CHECK(fresh(drawn(now, {}, later).list) == 1);
  const PartitionPicture before = PartitionPicture::at(now, {}, {}, later),
                         then = PartitionPicture::at(ten_points_at(1));
  CHECK(before.note.starts_with("The picture before."));
  for (std::size_t i = 0; i < before.marks.size(); ++i) CHECK(before.marks[i].node == then.marks[i].node);
  later.place = true;
  CHECK(fresh(drawn(now, {}, later).list) == 0);
  const auto glyphs = [](const DisplayList& list) {
    const DisplayItem& marks = marks_of(list);
    return std::set<Glyph>(marks.glyphs.begin(), marks.glyphs.end()).size();
  };
  CHECK(glyphs(drawn(now, {}, splits).list) == 1);
  const DisplayList shown = drawn(now).list;
  CHECK(items_in(shown, &Theme::pivot, Shape::circle).size() + items_in(shown, &Theme::pivot, Shape::polygon).size() ==
        static_cast<std::size_t>(std::ranges::count_if(PartitionPicture::at(now).marks, &PointMark::pivot)));
}

TEST_CASE("while a question hides roles, no dimmed mark reveals what is settled") {
  const Cursor now = ten_points_at(4);
  Concealment roles;
  roles.marks = true;
  const auto colours = [&](const Concealment& concealed) {
    const DisplayList list = drawn(now, {}, concealed).list;
    std::vector<Rgb> all;
    for (const DisplayInk& ink : marks_of(list).cells) all.push_back(ink(theme(ThemeId::light)));
    return all;
  };
  const auto places = PartitionPicture::at(now).marks;
  CHECK(colours({}) != colours(roles));
  for (std::size_t i = 0; i < places.size(); ++i)
    CHECK(colours(roles)[i] == mark_colour(theme(ThemeId::light), {.place = places[i].place}, true));
}

TEST_CASE("the half of a cell in which no child will ever be is hatched, unless it would reveal what is hidden") {
  const Cursor last = ten_points_at(9);
  const auto hatches = [&](const Concealment& concealed) {
    const DisplayList list = drawn(last, {}, concealed).list;
    return std::ranges::count_if(list.items, [](const DisplayItem& item) {
      const Theme& t = theme(ThemeId::light);
      return item.shape == Shape::line && item.ink(t) == hatching_colour(t);
    });
  };
  Concealment tags;
  tags.rows = {"tags"};
  CHECK(hatches({}) > 3);
  CHECK(hatches(tags) == 0);
}

TEST_CASE("points that a lesson reads have a line above them, and points of faded cells fade") {
  const Cursor now = ten_points_at(9);
  const std::vector<Highlight> read{{Role::read, Space::point, {{4, 6}}, {}}};
  Concealment roles;
  roles.marks = true;
  const auto lines = [&](const Concealment& concealed) {
    const DisplayList list = PartitionDrawing::of(PartitionPicture::at(now, {}, read, concealed), {}).list;
    const Theme& t = theme(ThemeId::light);
    return std::ranges::count_if(list.items, [&](const DisplayItem& item) {
      return item.shape == Shape::line && item.ink(t) == role_colour(t, Role::read);
    });
  };
  CHECK(lines({}) >= 2);
  CHECK(lines(roles) == 0);

  Overlay overlay;
  overlay.faded_cells.push_back(NodeId{2});
  const PartitionPicture picture = PartitionPicture::at(now);
  const DisplayList plain = drawn(now).list, faded = drawn(now, overlay).list;
  const Theme& t = theme(ThemeId::light);
  std::size_t fading = 0;
  for (std::size_t i = 0; i < picture.marks.size(); ++i) {
    const Rgb before = marks_of(plain).cells[i](t), after = marks_of(faded).cells[i](t);
    const std::uint32_t node = picture.marks[i].node;
    const bool below = node == 2 || node == 5 || node == 6;
    CHECK(after == (below ? faded_mark(t, before) : before));
    CHECK(marks_of(faded).faint[i] == below);
    fading += below;
  }
  CHECK(fading == 3);
  // A pruned cell fades as a whole, with the splits in it.
  const auto pale_lines = [&](const DisplayList& list) {
    return std::ranges::count_if(list.items, [&](const DisplayItem& item) {
      return item.shape == Shape::line && std::ranges::any_of(picture.partition.planes(), [&](const auto& plane) {
               return item.ink(t) == mix(plane_colour(t, plane), t.base, faded_share(t));
             });
    });
  };
  CHECK(pale_lines(plain) == 0);
  CHECK(pale_lines(faded) == std::ranges::count_if(picture.partition.planes(), [](const PartitionPlane& plane) {
          return plane.node.value == 2 || plane.node.value == 5 || plane.node.value == 6;
        }));
}

TEST_CASE("names of many points in a small picture do not lie on one another") {
  for (std::uint32_t step : {0u, 4u, 9u}) {
    const DisplayList list = drawn(ten_points_at(step), {.width = 300, .height = 320}).list;
    std::vector<std::array<double, 4>> names;
    for (const DisplayItem& item : list.items) {
      if (item.shape != Shape::text || item.text[0] != 'p') continue;
      const double wide = text_width(item.text, 1.17 * item.size, item.bold), half = item.size / 2,
                   left = item.at[0] - wide * static_cast<int>(item.anchor) / 2;
      names.push_back({left, item.at[1] - half, left + wide, item.at[1] + half});
    }
    REQUIRE(names.size() == 10);
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        CAPTURE(step, i, j);
        const auto &a = names[i], &b = names[j];
        CHECK_FALSE((a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]));
      }
  }
}

TEST_CASE("the selection and what a search has reached are in the picture of the plane") {
  Overlay overlay;
  overlay.balls.push_back({{44, 58}, 5, {Ink::plain, 2, true}});
  overlay.boxes.push_back({{{-1e300, 20}, {1e300, 30}}, {Ink::changed, 3, false}});
  overlay.rings.push_back({PointId{4}, {Ink::failed, 2, false}});
  overlay.labels.push_back({{44, 58}, "query", Ink::plain});
  PartitionRoom room;
  room.selected = {false, true};
  room.framed = NodeId{0};
  const DisplayList list = drawn(ten_points_at(4), overlay, room).list;
  CHECK(items_in(list, &Theme::selection, Shape::circle).size() == 1);
  CHECK(items_in(list, &Theme::selection, Shape::box).size() == 1);
  REQUIRE(items_in(list, &Theme::failed, Shape::circle).size() == 1);
  const DisplayItem &ring = *items_in(list, &Theme::failed, Shape::circle).front(), &marks = marks_of(list);
  CHECK(ring.at[0] == marks.at[8]);
  CHECK(ring.at[1] == marks.at[9]);
  const auto boxes = items_in(list, &Theme::changed, Shape::line);
  REQUIRE(boxes.size() == 1);
  CHECK(boxes.front()->bounds()[0] >= 0);  // an infinite side ends at the frame
  CHECK(boxes.front()->bounds()[2] <= list.width);
  std::size_t dashed = 0, queries = 0;
  for (const DisplayItem& item : list.items)
    dashed += item.dash == DisplayItem::Dash::dashed, queries += item.text == "query";
  CHECK(dashed == 1);
  CHECK(queries == 1);
  // As in the window, a plane ends with its box, a split with its node, and an arrow has a head.
  overlay = {.segments = {{{10, 20}, {60, 20}, {Ink::failed, 3}, true}},
             .planes = {{{{30, 30}, {50, 60}}, 0, 40, {Ink::changed, 3}}},
             .splits = {{NodeId{0}, {Ink::muted, 3}}}};
  const DisplayList more = drawn(ten_points_at(1), overlay, room).list;
  const auto arrow = items_in(more, &Theme::failed, Shape::line), plane = items_in(more, &Theme::changed, Shape::line);
  REQUIRE(arrow.size() == 2);
  CHECK(arrow[1]->at[2] == arrow[0]->at[2]);
  CHECK(arrow[1]->at[0] < arrow[0]->at[2]);
  REQUIRE(plane.size() >= 1);
  CHECK(plane.back()->at[0] == plane.back()->at[2]);
  CHECK(std::abs(plane.back()->at[3] - plane.back()->at[1]) < 0.6 * more.height);
  CHECK(items_in(more, &Theme::muted_text, Shape::line).size() == 1);
}

TEST_CASE("the marks of a search leave the point that they mark clear, and its reach is a circle") {
  Overlay overlay;
  overlay.balls.push_back({{44, 48}, std::hypot(44 - 25, 48 - 54), {Ink::selected, 2}});
  overlay.segments.push_back({{44, 48}, {25, 54}, {Ink::changed, 2}, false, true});
  overlay.rings.push_back({PointId{2}, {Ink::changed, 2}});
  const DisplayList list = drawn(ten_points_at(4), overlay).list;
  REQUIRE(items_in(list, &Theme::changed, Shape::circle).size() == 1);
  const DisplayItem& ring = *items_in(list, &Theme::changed, Shape::circle).front();
  const auto reach = items_in(list, &Theme::selection, Shape::line);
  REQUIRE(reach.size() == 2);  // the ring of the point on it cuts it
  std::vector<double> xs, ys;
  for (const DisplayItem* piece : reach)
    for (std::size_t i = 0; i < piece->at.size(); i += 2) {
      CHECK(std::hypot(piece->at[i] - ring.at[0], piece->at[i + 1] - ring.at[1]) >= ring.bounds()[2] - ring.at[0] - 2);
      xs.push_back(piece->at[i]), ys.push_back(piece->at[i + 1]);
    }
  CHECK(xs.size() > 150);
  const auto [left, right] = std::ranges::minmax(xs);
  const auto [above, below] = std::ranges::minmax(ys);
  const double radius = (below - above) / 2, x = right - radius, y = (above + below) / 2;
  CHECK(left > x - radius - 1e-6);
  for (std::size_t i = 0; i < xs.size(); ++i) CHECK(std::abs(std::hypot(xs[i] - x, ys[i] - y) / radius - 1) < 1e-3);
  for (const DisplayItem* line : items_in(list, &Theme::changed, Shape::line)) {
    const double away = std::hypot(line->at[2] - ring.at[0], line->at[3] - ring.at[1]);
    CHECK(away >= ring.bounds()[2] - ring.at[0] - 2);  // it ends at the ring
  }
  // What leaves the frame would cross the axes' texts.
  overlay.balls.front().radius = 45;
  const DisplayList large = drawn(ten_points_at(4), overlay).list;
  const auto frames = items_in(large, &Theme::axis, Shape::box);
  REQUIRE(frames.size() == 1);
  const auto [frame_left, frame_top, frame_right, frame_bottom] = frames.front()->bounds();
  REQUIRE_FALSE(items_in(large, &Theme::selection, Shape::line).empty());
  for (const DisplayItem* piece : items_in(large, &Theme::selection, Shape::line)) {
    const auto [l, t, r, b] = piece->bounds();
    CHECK((l >= frame_left - 1e-6 && t >= frame_top - 1e-6 && r <= frame_right + 1e-6 && b <= frame_bottom + 1e-6));
  }
}

TEST_CASE("the middle of a triangle bears its name, in ink that stands out, unless they are many") {
  const std::vector<std::uint32_t> corners{0, 1, 2, 3, 4, 5};
  const std::vector<TreePlace> places(2);
  const DisplayList list = drawn(ten_points_at(4), {.corners = corners, .triangles = places}).list;
  std::vector<const DisplayItem*> polygons;
  for (const DisplayItem& item : list.items)
    if (item.shape == Shape::polygon && item.width == 0) polygons.push_back(&item);
  REQUIRE(polygons.size() == 4);
  for (std::size_t i = 0; i < 2; ++i) {
    const DisplayItem &shadow = *polygons[2 * i], &triangle = *polygons[2 * i + 1];
    const std::vector<double>& at = triangle.at;
    for (std::size_t k = 0; k < 6; ++k) CHECK(shadow.at[k] > at[k]);
    const auto label = std::ranges::find_if(list.items, [&](const DisplayItem& item) {
      return item.shape == Shape::text && item.text == "t" + std::to_string(i) &&
             std::abs(item.at[0] - (at[0] + at[2] + at[4]) / 3) < 1e-9 &&
             std::abs(item.at[1] - (at[1] + at[3] + at[5]) / 3) < 1e-9;
    });
    REQUIRE(label != list.items.end());
    for (const ThemeId id : all_themes) CHECK(contrast(label->ink(theme(id)), triangle.ink(theme(id))) >= 4.5);
  }
  std::vector<std::uint32_t> many;
  for (std::size_t i = 0; i < 51; ++i) many.insert(many.end(), corners.begin(), corners.begin() + 3);
  const DisplayList plain = drawn(ten_points_at(4), {.corners = many, .triangles = std::vector<TreePlace>(51)}).list;
  CHECK(
      std::ranges::none_of(plain.items, [](const DisplayItem& item) { return item.size > 19 && item.text == "t50"; }));
}
