// Tests the display list of the array table: every text stands in its cell, only cells in sight are drawn, and moving
// elements are where the share of their way puts them.

#include "visualizer/figure/table_picture.hpp"

#include <cmath>
#include <map>

#include "tests/support/catch.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

using namespace kdscope;

namespace {

using Shape = DisplayItem::Shape;

TableFrame frame_of_columns(std::vector<IndexRange> columns) {
  return {.label_width = 70,
          .row_height = 30,
          .column_width = 40.4,
          .columns = std::move(columns),
          .gap = 25,
          .width = 500,
          .height = 200};
}

/// The texts that stand in boxes with ids.
std::map<std::uint32_t, std::string> texts_in_cells(const DisplayList& list) {
  std::map<std::uint32_t, std::string> texts;
  const DisplayItem* cell = nullptr;
  for (const DisplayItem& item : list.items) {
    if (item.id) cell = &item, texts[*item.id];
    if (!cell || item.shape != Shape::text || !texts[*cell->id].empty()) continue;
    const auto [left, top, right, bottom] = cell->bounds();
    if (item.at[0] > left && item.at[0] < right && item.at[1] > top && item.at[1] < bottom)
      texts[*cell->id] = item.text;
  }
  return texts;
}

/// The boxes with an ink of the light theme.
std::vector<const DisplayItem*> boxes_of(const DisplayList& list, Rgb Theme::*ink) {
  std::vector<const DisplayItem*> boxes;
  const Theme& light = theme(ThemeId::light);
  for (const DisplayItem& item : list.items)
    if (item.shape == Shape::box && item.ink(light) == light.*ink) boxes.push_back(&item);
  return boxes;
}

}  // namespace

TEST_CASE("every text of a table stands in its cell, which a click finds, also beside a gap") {
  const Cursor now = ten_points_at(3);
  const ArrayTable table(now);
  for (const std::vector<IndexRange>& columns : {std::vector<IndexRange>{{0, 10}}, {{2, 5}}, {{0, 3}, {6, 10}}}) {
    const TablePicture picture(table, frame_of_columns(columns));
    const DisplayList list = picture.cells({.ids = true});
    const auto texts = texts_in_cells(list);
    std::uint32_t id = 0;
    for (std::size_t row = 0; row < table.rows().size(); ++row)
      for (const IndexRange& range : columns)
        for (std::uint64_t column = range.begin; column < range.end; ++column, ++id) {
          REQUIRE(texts.count(id) == 1);
          CHECK(texts.at(id) == table.cell(row, column).text);
          const auto [left, top, width, height] = picture.place_of(row, column);
          CHECK(list.hit(left + width / 2, top + height / 2, 0) == id);
          CHECK(std::abs(left - picture.left_of(column)) <= 0.5);
        }
    CHECK(texts.size() == id);
    std::size_t gaps = 0;
    for (const DisplayItem& item : list.items) gaps += item.text == "\u2026";
    CHECK(gaps == (columns.size() - 1) * table.rows().size());
  }
}

TEST_CASE("names of rows stand to the left of the cells, and rows scroll under the index") {
  const Cursor now = ten_points_at(3);
  const ArrayTable table(now);
  TableFrame frame = frame_of_columns({{0, 10}});
  frame.scrolled = 30;  // a row
  const TablePicture picture(table, frame);
  const DisplayList labels = picture.labels({});
  std::vector<std::string> names;
  for (const DisplayItem& item : labels.items) {
    CHECK(item.bounds()[2] <= frame.label_width);
    if (item.shape == Shape::text) names.push_back(item.text);
  }
  // The row that is out of sight is not drawn; the index comes last, above the others.
  CHECK(names == std::vector<std::string>{table.rows()[4].label, table.rows()[3].label, table.rows()[2].label,
                                          table.rows()[0].label});
  for (const auto& [id, text] : texts_in_cells(picture.cells({.ids = true}))) CHECK((id < 10 || id >= 20));
  CHECK(picture.place_of(0, 3)[1] == 0);
  CHECK(picture.place_of(2, 3)[1] == 30);
}

TEST_CASE("elements of a table are between their columns by the share of their way, in two lanes half-way") {
  const auto trace = ten_point_trace();
  Cursor before(trace), now(trace);
  before.seek(1), now.seek(2);
  const ArrayTable table(now);
  const Motion motion(before, now, Space::position);
  REQUIRE_FALSE(motion.empty());
  std::size_t row = 1;
  while (row < table.rows().size() && !motion.of(table.rows()[row].name)) ++row;
  REQUIRE(row < table.rows().size());
  const Travel& travel = *motion.of(table.rows()[row].name);
  std::vector<double> heights;
  for (const double way : {0.0, 0.25, 0.5, 1.0}) {
    const TablePicture picture(table, frame_of_columns({{0, 10}}), &motion, way);
    const DisplayList list = picture.cells({});
    std::size_t shadows = 0, moving = 0;
    for (const DisplayItem& item : list.items) shadows += item.opacity < 1;
    for (std::size_t r = 1; r < table.rows().size(); ++r)
      for (std::uint64_t column = 0; column < 10; ++column)
        moving += motion.of(table.rows()[r].name) && motion.of(table.rows()[r].name)->came_from(column).has_value();
    CHECK(shadows == moving);
    for (std::uint64_t column = 0; column < 10; ++column) {
      const auto from = travel.came_from(column);
      const double left = picture.left_of(column), start = from ? picture.left_of(*from) : left;
      CHECK(std::abs(picture.place_of(row, column)[0] - (start + way * (left - start))) <= 0.5);
    }
    double lowest = 1e9;
    for (const DisplayItem* rim : boxes_of(list, &Theme::muted_text)) {
      lowest = std::min(lowest, rim->at[3]);
      CHECK(rim->at[1] >= picture.top_of(1));  // below the header
    }
    heights.push_back(lowest);
  }
  CHECK(heights[0] == heights[3]);
  CHECK(heights[2] < heights[1] - 1);
  CHECK(heights[1] < heights[0] - 1);
}

TEST_CASE("frames span the rows that select the same columns, and a text too long for its cell becomes smaller") {
  const Cursor now = ten_points_at(3);
  const ArrayTable table(now);
  const TablePicture picture(table, frame_of_columns({{0, 10}}));
  TableLook look;
  const std::vector<std::vector<IndexRange>> all{{{2, 4}, {7, 8}}};
  look.selected = all;
  CHECK(boxes_of(picture.cells(look), &Theme::selection).size() == 2);
  const std::vector<std::vector<IndexRange>> by_row{{}, {{2, 4}}, {{2, 4}}, {{5, 6}}, {{5, 6}}};
  look.selected = by_row;
  const DisplayList framed = picture.cells(look);
  const auto frames = boxes_of(framed, &Theme::selection);
  REQUIRE(frames.size() == 2);
  CHECK(std::abs(frames[0]->at[2] - 2 * 40.4) < 1e-9);
  CHECK(frames[0]->at[3] < 2 * 30);
  CHECK(frames[1]->at[1] > picture.top_of(3));
  look.selected = {};
  // Every text is twice as wide as the cell has room for.
  look.width_of = [](std::string_view text, bool) { return text == "0" ? 0.0 : 80.8; };
  for (const DisplayItem& item : picture.cells(look).items)
    if (item.shape == Shape::text && item.at[1] > 30 && item.text != "0")
      CHECK(std::abs(item.size - 0.97 * 0.5 * look.digits) < 0.2);
}

TEST_CASE("segments that a question hides are not drawn") {
  const Cursor now = ten_points_at(4);
  const ArrayTable table(now);
  REQUIRE_FALSE(table.columns_with(Role::segment).empty());
  const TablePicture picture(table, frame_of_columns({{0, 10}}));
  TableLook look;
  const std::size_t with = picture.cells(look).items.size();
  look.segments = false;
  CHECK(picture.cells(look).items.size() < with);
}
