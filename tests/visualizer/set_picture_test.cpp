// Tests the display list of sets: rows say what a child gets, every bit stands where a click finds it, also in a
// scrolled picture, and bits that do not count are struck out.

#include "visualizer/figure/set_picture.hpp"

#include <algorithm>
#include <bit>

#include "tests/support/catch.hpp"
#include "tests/visualizer/candidates_trace.hpp"

using namespace kdscope;

namespace {

using Shape = DisplayItem::Shape;

Cursor split_at(std::uint32_t step) {
  Cursor cursor(candidates_trace());
  cursor.seek(step);
  return cursor;
}

}  // namespace

TEST_CASE("a child's set is what its parent's set and the candidate's side have in common, in the child's colour") {
  const Cursor now = split_at(4);
  const auto node = node_candidates(now, NodeId{1}).value();
  const std::vector<SetRow> rows = set_rows(now, node, node.chosen);
  REQUIRE(rows.size() == 6 + 2 * node.tried.size());
  for (const std::size_t first : {0, 3}) CHECK(rows[first + 2].mask == (rows[first].mask & rows[first + 1].mask));
  CHECK(rows[2].mask == node.left_set);
  CHECK(rows[2].label == "s AND left: node 3");
  CHECK(rows[5].label == "s AND right: node 4");
  CHECK(rows[2].ink(theme(ThemeId::light)) != rows[5].ink(theme(ThemeId::light)));
  CHECK(rows[6].candidate == 0u);
  CHECK(rows[9].candidate == 1u);
  CHECK(set_rows(now, node, std::nullopt).size() == 1 + 2 * node.tried.size());
}

TEST_CASE("a bit stands where a click finds its row and column, also in a scrolled picture") {
  const Cursor now = split_at(4);
  const auto node = node_candidates(now, NodeId{3}).value();
  const std::vector<SetRow> rows = set_rows(now, node, 0);
  for (const double scrolled : {0.0, 21.0}) {
    const SetPicture picture(rows, node.primitives, node.primitive_space,
                             {.width = 230, .height = 150, .scrolled_x = scrolled, .scrolled_y = scrolled});
    const DisplayList list = picture.draw();
    std::size_t found = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (std::size_t column = 0; column < node.primitives.size(); ++column) {
        const auto cell = picture.cell(row, column);
        if (!cell) continue;
        ++found;
        const double x = (*cell)[0] + (*cell)[2] / 2, y = (*cell)[1] + (*cell)[3] / 2;
        const auto place = picture.place_at(x, y);
        REQUIRE(place);
        CHECK(place->row == row);
        CHECK(place->column == column);
        CHECK(list.hit(x, y, 0) == column);
      }
    CHECK(found > 3);
    CHECK(found < rows.size() * node.primitives.size());  // the others are out of sight
    CHECK_FALSE(picture.place_at(100, 3));                // a head
    CHECK_FALSE(picture.place_at(2, 60)->column);         // a label
  }
}

TEST_CASE("bits outside the node's set are struck out, and a row says which primitives count") {
  const Cursor now = split_at(4);
  const auto node = node_candidates(now, NodeId{3}).value();
  const std::vector<SetRow> rows = set_rows(now, node, 0);
  const DisplayList list = SetPicture(rows, node.primitives, node.primitive_space, {}).draw();
  const Theme& light = theme(ThemeId::light);
  std::size_t outside = 0, painted = 0;
  for (const SetRow& row : rows) outside += static_cast<std::size_t>(std::popcount(row.mask & ~row.within & 0b111));
  REQUIRE(outside > 0);
  CHECK(std::ranges::count(list.items, Shape::line, &DisplayItem::shape) == static_cast<std::ptrdiff_t>(outside));
  for (const DisplayItem& item : list.items) {
    if (item.shape != Shape::cells) continue;
    const SetRow& row = rows.at(painted++);
    REQUIRE(item.cells.size() == node.primitives.size());
    std::string words = row.label + ":";
    for (std::size_t column = 0; column < item.cells.size(); ++column) {
      const bool counts = row.mask & row.within & 1u << column;
      CHECK((item.cells[column](light) == row.ink(light)) == counts);
      if (counts) words += " p" + std::to_string(node.primitives[column]);
    }
    CHECK(item.spoken == words);
  }
  CHECK(painted == rows.size());
}
