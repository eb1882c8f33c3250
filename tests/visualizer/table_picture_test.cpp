// Tests the display list of the array table: every text stands in its cell, only cells in sight are drawn, and moving
// elements cover no text.

#include "visualizer/figure/table_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/orders_trace.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/figure/cell_look.hpp"

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

/// Left, top, right and bottom of a text's ink: capitals and digits, and what reaches below them.
std::array<double, 4> ink_of(const DisplayItem& text) {
  const double half = text_width(text.text, 1.17 * text.size, text.bold) / 2;
  const bool is_low = text.text.find('p') != std::string::npos;
  return {text.at[0] - half, text.at[1] - 0.33 * text.size, text.at[0] + half,
          text.at[1] + (is_low ? 0.6 : 0.39) * text.size};
}

/// Checks that at many moments of a motion no text covers another one in part, unless its element is lifted above it,
/// and that at most one element is; and that all texts are there, in full size and in their rows.
void check_texts_of_motion(const std::shared_ptr<const Trace>& trace, std::uint32_t from, std::uint32_t to,
                           IndexRange columns, std::size_t most_in_air = 1) {
  Cursor before(trace), now(trace);
  before.seek(from), now.seek(to);
  const ArrayTable table(now);
  const Motion motion(before, now, Space::position);
  TableFrame frame = frame_of_columns({columns});
  frame.width = 2000, frame.height = 400;
  const auto texts_at = [&](double time) {
    DisplayList list = TablePicture(table, frame, &motion, time).cells({});
    std::erase_if(list.items, [](const DisplayItem& item) {
      return item.shape != Shape::text || item.size == TableLook().indices;
    });
    return std::move(list.items);
  };
  const std::size_t at_rest = texts_at(1).size(), rows = table.rows().size() - 1;
  constexpr int moments = 60;
  for (int i = 0; i <= moments; ++i) {
    INFO("steps " << from << " to " << to << ", moment " << i);
    const auto texts = texts_at(static_cast<double>(i) / moments);
    CHECK(texts.size() >= at_rest);  // and those that leave to an edge
    std::size_t covered = 0;
    for (std::size_t a = 0; a < texts.size(); ++a) {
      const auto one = ink_of(texts[a]);
      CHECK(texts[a].size == TableLook().digits);
      const double row = texts[a].at[1] / frame.row_height - 1.5;
      CHECK(std::abs(row - std::round(row)) < 0.2);
      for (std::size_t b = 0; b < a; ++b) {
        const auto other = ink_of(texts[b]);
        covered += one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
      }
    }
    CHECK(covered <= 2 * most_in_air * rows);
  }
}

/// A step that brings an order of points in the order of their indices.
std::shared_ptr<const Trace> sort_of(const std::vector<std::uint32_t>& order) {
  TraceHeader header;
  header.n = order.size();
  header.dim = 1;
  TraceBuilder builder(header);
  builder.declare({"index", "index", ElementType::uint32, Space::position, Space::point});
  auto sorted = order;
  std::ranges::sort(sorted);
  for (const auto& each : {order, sorted}) {
    Step step;
    step.name = "sort", step.path = {"build", "sort"};
    builder.begin_step(step);
    builder.write("index", TypedArray::of(each));
  }
  return builder.finish();
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

TEST_CASE("the shapes of subtrees stand in all columns or in none, and in all whose numbers leave them room") {
  const Cursor now = ten_points_at(3);
  const ArrayTable table(now);
  // Cells on whole pixels differ by one: with columns of 127.6, some would be wide enough and some not
  for (const auto& [width, shapes] : std::map<double, std::size_t>{{40.4, 0}, {95.6, 10}, {127.6, 10}, {160, 10}}) {
    TableFrame frame{.label_width = 70, .row_height = 100, .column_width = width, .columns = {{0, 10}}};
    frame.width = 70 + 10 * width, frame.height = 100 * static_cast<double>(table.rows().size());
    const DisplayList list = TablePicture(table, frame).cells({.digits = 45, .indices = 38});
    CAPTURE(width);
    CHECK(std::ranges::count(list.items, Shape::marks, &DisplayItem::shape) == static_cast<std::ptrdiff_t>(shapes));
  }
}

TEST_CASE("a table without columns is one sentence, which fits its picture") {
  TraceHeader header;
  header.n = 1, header.dim = 1;
  TraceBuilder builder(header);
  builder.declare({"index", "index", ElementType::uint32, Space::position, Space::point});
  builder.begin_step({});
  builder.write("index", TypedArray::of(std::vector<std::uint32_t>{}));
  const Cursor now(builder.finish());
  const ArrayTable table(now);
  REQUIRE(table.column_count() == 0);
  const TablePicture picture(table, {.label_width = 70, .row_height = 30, .columns = {}, .width = 120, .height = 90});
  CHECK(picture.labels({}).items.empty());
  const DisplayList list = picture.cells({});
  REQUIRE(list.items.size() == 1);
  CHECK(text_width(list.items[0].text, list.items[0].size) <= 120);
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

TEST_CASE("elements that move keep a text of full size in their rows, and cover two others at most") {
  const auto trace = ten_point_trace();
  for (std::uint32_t step = 1; step < trace->steps.size(); ++step)
    for (const bool back : {false, true}) {
      check_texts_of_motion(trace, back ? step : step - 1, back ? step - 1 : step, {0, 10}, 2);
      check_texts_of_motion(trace, step - 1, step, {2, 7}, 2);
    }
  // Half of these points keep their order, as those of the lesson do in its first sort
  check_texts_of_motion(sort_of({0, 7, 2, 9, 8, 3, 4, 5, 6, 1}), 0, 1, {0, 10});
}

TEST_CASE("the values of an element move as one card") {
  const auto trace = ten_point_trace();
  Cursor before(trace), now(trace);
  before.seek(3), now.seek(4);  // the third sort
  const ArrayTable table(now);
  const Motion motion(before, now, Space::position);
  const Flights flights(*motion.of("index"), {0, 10}, false);
  for (const double time : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    const TablePicture picture(table, frame_of_columns({{0, 10}}), &motion, time);
    for (const Flight& flight : flights.all()) {
      INFO("column " << flight.column);
      const auto first = picture.place_of(1, flight.column);
      for (std::size_t row = 1; row < table.rows().size(); ++row) {
        const auto [left, top, width, height] = picture.place_of(row, flight.column);
        CHECK(left == first[0]);
        CHECK(height == 30);
        CHECK(std::abs(top - first[1] - 30 * static_cast<double>(row - 1)) < 1e-9);
      }
      const double lifted = 30 - first[1];
      CHECK((lifted > 0) == (flights.at(flight, time).lifted > 0));
      CHECK(lifted < 10);
    }
  }
}

TEST_CASE("outlines of pivots and of segments come once the elements have landed") {
  const auto trace = ten_point_trace();
  Cursor before(trace), now(trace);
  before.seek(3), now.seek(4);
  const ArrayTable table(now);
  const Motion motion(before, now, Space::position);
  const Theme& light = theme(ThemeId::light);
  for (const double time : {0.0, 0.5, 0.95, 1.0}) {
    const DisplayList list = TablePicture(table, frame_of_columns({{0, 10}}), &motion, time).cells({});
    const auto outlines = std::ranges::count_if(list.items, [&](const DisplayItem& item) {
      return item.width > 1 && ((item.shape == Shape::box && item.ink(light) == light.pivot) ||
                                (item.shape == Shape::line && item.ink(light) == light.text));
    });
    CAPTURE(time);
    CHECK((outlines > 2) == (time == 1));
    if (time < 1) CHECK(outlines == 0);
  }
}

TEST_CASE("no outline of a pivot covers the underline of a change") {
  const auto trace = ten_point_trace();
  Cursor before(trace), now(trace);
  std::size_t framed = 0;
  for (std::uint32_t step = 1; step < 10; ++step) {
    before.seek(step - 1), now.seek(step);
    const ArrayTable table(now, &before);
    for (const double outline : {2.0, 4.0}) {
      const DisplayList list = TablePicture(table, frame_of_columns({{0, 10}})).cells({.outline = outline});
      for (const DisplayItem* pivot : boxes_of(list, &Theme::pivot))
        for (const DisplayItem* line : boxes_of(list, &Theme::changed)) {
          const auto [left, top, right, bottom] = pivot->bounds();
          const auto under = line->bounds();
          if (under[0] < left || under[2] > right || under[1] < top || under[1] > bottom) continue;
          CHECK(under[3] <= bottom - pivot->width / 2 + 1e-9);
          ++framed;
        }
    }
  }
  CHECK(framed > 0);
}

TEST_CASE("cells of nodes that a step makes pass from the colours of their parents to their own") {
  const Cursor now = ten_points_at(3);  // nodes 1 and 2 get children
  const ArrayTable table(now);
  const TablePicture picture(table, frame_of_columns({{0, 10}}));
  const Theme& light = theme(ThemeId::light);
  Growth growth{{{1}, {2}}};
  const auto ground_at = [&](double time, std::uint64_t column) {
    growth.time = time;
    const DisplayList list = picture.cells({.growth = growth, .ids = true});
    const auto cell = std::ranges::find(list.items, 10 + column, &DisplayItem::id);
    REQUIRE(cell != list.items.end());
    return cell->ink(light);
  };
  for (const std::uint64_t column : {0, 1, 4}) {  // the root, a child of node 1, and node 1
    const TableCell cell = table.cell(1, column);
    const Rgb own = look_of(light, {cell.place, cell.settled, cell.changed}).ground;
    CHECK(ground_at(1, column) == own);
    CHECK((ground_at(0.25, column) == own) == (column != 1));
    const NodeId parent = table.parent_of(*cell.node);
    REQUIRE((growth.of(parent) < 1) == (column == 1));
    if (column == 1)
      CHECK(ground_at(0, column) == look_of(light, {table.place_of_node(parent), cell.settled, cell.changed}).ground);
  }
}

TEST_CASE("where a step changes all of a short row, its name is marked, and no cell") {
  std::size_t mostly = 0, partly = 0;
  for (std::uint32_t step = 1; step < ten_points_at(0).step_count(); ++step) {
    const Cursor before = ten_points_at(step - 1), now = ten_points_at(step);
    const ArrayTable table(now, &before);
    TableFrame frame = frame_of_columns({{0, 10}});
    frame.height = 30.0 * static_cast<double>(table.rows().size());
    const TablePicture picture(table, frame);
    std::map<std::size_t, std::size_t> bold;
    for (const DisplayItem& item : picture.cells({}).items)
      if (item.bold) ++bold[static_cast<std::size_t>(item.at[1] / frame.row_height)];
    std::size_t marked = 0;
    for (std::size_t row = 1; row < table.rows().size(); ++row) {
      std::size_t changed = 0;
      for (std::uint64_t column = 0; column < table.rows()[row].size; ++column)
        changed += table.cell(row, column).changed;
      const bool wholly = table.rows()[row].size > 1 && changed == table.rows()[row].size;
      CAPTURE(step, table.rows()[row].label);
      CHECK(table.is_mostly_changed(row) == wholly);
      CHECK(bold[row] == (wholly ? 0 : changed));
      marked += wholly, mostly += wholly, partly += !wholly && changed > 0;
    }
    CHECK(boxes_of(picture.labels({}), &Theme::changed).size() == marked);
  }
  CHECK(mostly > 0);
  CHECK(partly > 0);
}

TEST_CASE("where each dimension has its order, a pivot is outlined only beside a row that names it") {
  Cursor now(orders_trace());
  now.seek(3);
  const Highlight pivot{Role::pivot, Space::point, {{1, 2}}, {}};
  const auto outlines = [&](const std::vector<RowName>& rows) {
    const ArrayTable table(now, nullptr, Space::position, {}, std::span(&pivot, 1), {}, rows);
    TableFrame frame = frame_of_columns({{0, 4}});
    frame.height = 30.0 * static_cast<double>(table.rows().size());
    return boxes_of(TablePicture(table, frame).cells({}), &Theme::pivot).size();
  };
  CHECK(outlines({}) == 2);  // one in each order
  CHECK(outlines({{"mark(x)"}}) == 0);
  CHECK(outlines({{"sequence(x)"}, {"mark(x)"}}) == 1);
  CHECK(outlines({{"mark(x)"}, {"sequence(y)"}}) == 1);
}

TEST_CASE("a hidden value stands behind the one before it where a cell has room for both") {
  const Cursor now = ten_points_at(3);
  Concealment concealed;
  concealed.rows = {"tags"}, concealed.before = 2;
  const ArrayTable table(now, nullptr, Space::position, {}, {}, concealed);
  TableFrame frame = frame_of_columns({{0, 10}});
  TableLook look;
  look.ids = true;
  CHECK(texts_in_cells(TablePicture(table, frame).cells(look)).at(10) == "?");
  frame.column_width = 90, frame.width = 1000;
  const DisplayList list = TablePicture(table, frame).cells(look);
  CHECK(texts_in_cells(list).at(10) == "0 \u2192 ?");
  for (const ThemeId id : all_themes)  // on the colours of the nodes before
    for (std::size_t i = 1; i < list.items.size(); ++i)
      if (list.items[i].text.find('?') != std::string::npos)
        CHECK(contrast(list.items[i].ink(theme(id)), list.items[i - 1].ink(theme(id))) >= 4.5);
}

TEST_CASE("where one cell of a hidden row has no room for its value before, none shows it; numbers have a minus") {
  TraceBuilder builder(tests::header_of(3, 1));
  builder.declare({"sums", "", ElementType::float64});
  for (const double first : {-1.0, -1234.5}) {
    builder.begin_step({});
    builder.write("sums", TypedArray::of(std::vector<double>{first, 2, 3}));
  }
  builder.begin_step({});
  builder.write("sums", TypedArray::of(std::vector<double>{5, 6, 7}));
  Cursor now(builder.finish());
  TableLook look;
  look.ids = true;
  Concealment concealed;
  concealed.rows = {"sums"};
  TableFrame frame = frame_of_columns({{0, 3}});
  frame.column_width = 70;
  const auto texts = [&](std::uint32_t step, std::uint32_t before) {
    now.seek(step), concealed.before = before;
    const ArrayTable table(now, nullptr, Space::position, {}, {}, concealed);
    const auto all = texts_in_cells(TablePicture(table, frame).cells(look));
    return std::vector<std::string>{all.at(3), all.at(4), all.at(5)};
  };
  CHECK(texts(2, 0) == std::vector<std::string>{"\u22121 \u2192 ?", "2 \u2192 ?", "3 \u2192 ?"});
  CHECK(texts(2, 1) == std::vector<std::string>{"?", "?", "?"});
}

TEST_CASE("fractional numbers of different arrays stand in the middle each") {
  TraceBuilder builder(tests::header_of(2, 1));
  for (const char* name : {"x", "y"}) builder.declare({name, "", ElementType::float64});
  builder.begin_step({});
  builder.write("x", TypedArray::of(std::vector<double>{4, 23.345}));
  builder.write("y", TypedArray::of(std::vector<double>{1234.5, 0.25}));
  const Cursor now(builder.finish());
  const ArrayTable table(now);
  TableFrame frame = frame_of_columns({{0, 2}});
  frame.column_width = 200;
  std::map<std::string, double> at;
  for (const DisplayItem& item : TablePicture(table, frame).cells({}).items)
    if (item.shape == Shape::text && item.at[1] > frame.row_height) at[item.text] = item.at[0] - frame.label_width;
  for (const char* text : {"4", "1234.5"}) CHECK(at.at(text) == Approx(100));
  for (const char* text : {"23.345", "0.25"}) CHECK(at.at(text) == Approx(300));
}

TEST_CASE("decimal points of components stand below one another, where columns have room for it") {
  TraceBuilder builder(tests::header_of(2, 1));
  builder.declare({"p", "", ElementType::float64, Space::position, Space::none, 2});
  builder.begin_step({});
  builder.write("p", TypedArray::of(std::vector<double>{0.125, 1.5, -12.5, 3.25}));
  const Cursor now(builder.finish());
  const ArrayTable table(now);
  TableFrame frame = frame_of_columns({{0, 2}});
  TableLook look;
  look.width_of = [](std::string_view text, bool) {  // a point is half as wide as a digit
    const auto letters = std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
    return 10 * static_cast<double>(letters) - (text.find('.') < text.size() ? 5 : 0);
  };
  const auto points = [&](double column_width) {
    frame.column_width = column_width;
    std::map<std::string, double> at;  // the left edge of each point, in its column
    for (const DisplayItem& item : TablePicture(table, frame).cells(look).items)
      if (const auto point = item.text.find('.'); item.shape == Shape::text && item.at[1] > frame.row_height)
        at[item.text] = item.at[0] - look.width_of(item.text, false) / 2 +
                        look.width_of(std::string_view(item.text).substr(0, point), false) -
                        (item.at[0] > frame.label_width + column_width ? column_width : 0);
    return at;
  };
  const std::map<std::string, double> wide = points(120), narrow = points(50);
  REQUIRE(wide.size() == 4);
  CHECK(wide.at("0.125") == Approx(wide.at("1.5")));
  CHECK(wide.at("\u221212.5") == Approx(wide.at("3.25")));
  CHECK(narrow.at("0.125") != Approx(narrow.at("1.5")));
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
