// Tests the display lists of parallel coordinates: one line per point, through its coordinates, and names that fit.

#include "visualizer/figure/coordinates_drawing.hpp"

#include <set>

#include "tests/support/catch.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

using namespace kdscope;

TEST_CASE("a line goes through the coordinates of its point, and is named after it") {
  const auto trace = ten_point_trace();
  ParallelCoordinates model(trace);
  Cursor now(trace);
  now.seek(4);
  model.show(now, {}, {});
  CoordinateLook look;
  look.drawn = model.lines().size();
  const CoordinateDrawing::Place area{0, 0, 500, 300};
  const CoordinateFrame frame = frame_in(model, area, look.line_height);
  const CoordinateDrawing drawing(model, frame, area, look);
  std::set<std::uint32_t> points;
  for (const DisplayItem& item : drawing.lines().items) {
    REQUIRE(item.id);
    REQUIRE(item.at.size() == 4);
    const PointId point{*item.id};
    for (std::size_t axis = 0; axis < 2; ++axis) {
      CHECK(item.at[2 * axis] == frame.x(axis));
      CHECK(item.at[2 * axis + 1] ==
            frame.y(model.share(axis, model.coordinate(point, static_cast<std::uint32_t>(axis)))));
    }
    if (item.shape != DisplayItem::Shape::line) continue;
    CHECK(item.spoken == "p" + std::to_string(point.value));
    CHECK(points.insert(point.value).second);
    CHECK(item.opacity == 1);
  }
  CHECK(points.size() == 10);
}

TEST_CASE("names, numbers, splits and a selected point stand above the lines, inside the picture") {
  const auto trace = ten_point_trace();
  ParallelCoordinates model(trace);
  Cursor now(trace);
  now.seek(1);
  const std::vector<PointId> chosen{PointId{4}};
  model.show(now, chosen, {});
  CoordinateLook look;
  look.drawn = model.lines().size();
  look.axes = {0, 1, -1};
  look.selected = {model.line_of(now, PointId{4})};
  const CoordinateDrawing::Place area{20, 10, 500, 300};
  const CoordinateFrame frame = frame_in(model, area, look.line_height);
  const CoordinateDrawing drawing(model, frame, area, look);
  const DisplayList list = drawing.axes();
  std::multiset<std::string> texts;
  std::set<std::string> spoken;
  std::size_t selected = 0;
  for (const DisplayItem& item : list.items) {
    if (!item.text.empty()) {
      texts.insert(item.text);
      CHECK(item.at[0] >= area.left);
      CHECK(item.at[0] <= area.right());
      CHECK(item.at[1] >= area.top);
      CHECK(item.at[1] <= area.bottom());
    }
    if (!item.spoken.empty()) spoken.insert(item.spoken);
    selected +=
        item.shape == DisplayItem::Shape::line && item.ink(theme(ThemeId::light)) == theme(ThemeId::light).selection;
  }
  for (const char* words : {"x \u2192", "y \u2191", "10", "68", "15", "69", "44", "58", "46"}) {
    INFO(words);
    CHECK(texts.count(words) > 0);
  }
  CHECK(spoken.count("node 0: x = 46") == 1);
  CHECK(selected == 1);
}
