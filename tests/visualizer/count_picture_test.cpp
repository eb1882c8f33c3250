// Tests the display list of counts: every number stands in its cell, which a click finds, also where the picture is
// scrolled.

#include "visualizer/figure/count_picture.hpp"

#include <cmath>
#include <map>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/visualizer/counted_trace.hpp"

using namespace kdscope;

namespace {

using Shape = DisplayItem::Shape;

CountFrame frame_of(double scrolled_x = 0, double scrolled_y = 0) {
  return {.label_width = 60,
          .head_height = 40,
          .cell_width = 30.3,
          .cell_height = 20.7,
          .gap = 8,
          .scrolled_x = scrolled_x,
          .scrolled_y = scrolled_y,
          .width = 260,
          .height = 110};
}

std::map<std::uint32_t, std::array<double, 4>> cells_in(const DisplayList& list) {
  std::map<std::uint32_t, std::array<double, 4>> cells;
  for (const DisplayItem& item : list.items)
    if (item.id) CHECK(cells.emplace(*item.id, item.bounds()).second);  // one item per cell
  return cells;
}

}  // namespace

TEST_CASE("every number stands in its cell, which a click finds, also in a scrolled picture") {
  const Cursor now = counted_at(1);
  const auto counts = CountArray::at(now, "H");
  REQUIRE(counts);
  for (const double scrolled : {0.0, 25.4}) {
    const CountPicture picture(*counts, frame_of(scrolled, scrolled / 2));
    CountLook look;
    look.largest = counts->largest(), look.numbers = true;
    const DisplayList list = picture.draw(look);
    const auto cells = cells_in(list);
    CHECK(cells.size() == counts->size());
    std::size_t next = 0;
    for (const DisplayItem& item : list.items) {
      if (item.shape != Shape::text || next >= 12 || item.size != 0) continue;
      ++next;
      const auto flat = picture.cell_at(item.at[0], item.at[1]);
      if (item.at[0] < 60 || item.at[1] < 40) continue;  // below the labels
      REQUIRE(flat);
      CHECK(item.text == counts->text(*flat));
      CHECK(list.hit(item.at[0], item.at[1], 0) == *flat);
    }
    CHECK(next == 12);
    for (const auto& [flat, bounds] : cells) {
      const auto [left, top, width, height] = picture.place_of(flat);
      CHECK(bounds[0] == left);
      CHECK(bounds[3] == top + height);
      CHECK(left == std::round(left));
    }
  }
  const CountPicture picture(*counts, frame_of());
  CHECK_FALSE(picture.cell_at(10, 60));
  CHECK_FALSE(picture.cell_at(70, 10));
  CHECK_FALSE(picture.cell_at(60 + 2 * 30.3 + 4, 60));  // between the layers
  CHECK_FALSE(picture.cell_at(70, 109));
  CHECK(picture.words_of(counts->flat({1, 2, 1})) == "chunk 1, digit 2, block 2");
}

TEST_CASE("cells without numbers are one item per row of a sheet, and only those in sight are drawn") {
  const Cursor now = counted_at(1);
  const auto counts = CountArray::at(now, "H");
  REQUIRE(counts);
  CountLook look;
  look.largest = counts->largest();
  const auto rows = [&](const CountFrame& frame) {
    std::size_t found = 0;
    for (const DisplayItem& item : CountPicture(*counts, frame).draw(look).items) found += item.shape == Shape::cells;
    return found;
  };
  CHECK(rows(frame_of()) == 6);
  CountFrame first = frame_of();
  first.most_slots = 2;
  CHECK(rows(first) == 3);
  first.width = 70, first.height = 45;
  CHECK(rows(first) == 2);
}

TEST_CASE("new counts appear at once, and hidden ones read ? in cells without colours") {
  const Cursor now = counted_at(1);
  const auto counts = CountArray::at(now, "H");
  REQUIRE(counts);
  const Theme& t = theme(ThemeId::light);
  CountLook look;
  look.largest = counts->largest(), look.numbers = true;
  look.changed = [](std::uint64_t) { return true; };
  const auto columns_read = [&](auto&& reads) {  // by column of the picture, whether each cell reads so
    std::string columns;
    for (std::uint64_t slot = 0; slot < counts->slot_count(); ++slot) {
      bool all = true;
      for (const DisplayItem& item : CountPicture(*counts, frame_of()).draw(look).items) {
        const auto flat = item.shape == Shape::text && item.size == 0
                              ? CountPicture(*counts, frame_of()).cell_at(item.at[0], item.at[1])
                              : std::nullopt;
        if (!flat) continue;
        const CountCell cell = counts->cell(*flat);
        if (counts->first_slot(cell.layer) + cell.column == slot) all = all && reads(item, *flat);
      }
      columns += all ? 'x' : '.';
    }
    return columns;
  };
  const auto reads_value = [&](const DisplayItem& item, std::uint64_t flat) { return item.text == counts->text(flat); };
  for (const auto& [time, expected] : {std::pair{0.0, "...."}, {0.4, "...."}, {0.6, "xxxx"}, {1.0, "xxxx"}}) {
    look.growth.time = time;
    CHECK(columns_read(reads_value) == expected);
  }
  look.hidden = true;
  CHECK(columns_read([](const DisplayItem& item, std::uint64_t) { return item.text == "?"; }) == "xxxx");
  for (const auto& [flat, bounds] : cells_in(CountPicture(*counts, frame_of()).draw(look)))
    for (const DisplayItem& item : CountPicture(*counts, frame_of()).draw(look).items)
      if (item.id == flat) CHECK(item.ink(t) == t.base);
}

TEST_CASE("selected, walked and changed cells stand out") {
  const Cursor now = counted_at(1);
  const auto counts = CountArray::at(now, "H");
  REQUIRE(counts);
  const std::vector<std::uint64_t> marked{3, 4};
  CountLook look;
  look.largest = counts->largest();
  look.marked = marked;
  look.framed = 5;
  look.changed = [](std::uint64_t flat) { return flat == 7; };
  const DisplayList list = CountPicture(*counts, frame_of()).draw(look);
  const Theme& t = theme(ThemeId::light);
  std::size_t selected = 0, changed = 0, framed = 0;
  for (const DisplayItem& item : list.items) {
    if (item.shape != Shape::box) continue;
    selected += item.ink(t) == t.selection;
    (item.width > 0 ? framed : changed) += item.ink(t) == t.changed;
  }
  CHECK(selected == 2);
  CHECK(changed == 1);
  CHECK(framed == 1);
}

TEST_CASE("a histogram has a bar per bin with its count, its name and its end, and an axis that reaches the largest") {
  TraceHeader header;
  header.algorithm = header.title = "binned";
  header.n = 4, header.dim = 1;
  TraceBuilder builder(header);
  for (const auto& [name, values] : {std::pair{"counts", Space::count}, {"ends", Space::none}}) {
    ArrayInfo info;
    info.name = info.label = name;
    info.type = values == Space::count ? ElementType::uint32 : ElementType::float64;
    info.index_space = Space{"bin"}, info.value_space = values;
    if (values == Space::count) info.dimensions = {{"bin", "ends"}};
    builder.declare(info);
  }
  Step step;
  step.name = "count", step.path = {"build", "count"};
  builder.begin_step(step);
  builder.write("counts", TypedArray::of(std::vector<std::uint32_t>{0, 4, 2, 7}));
  builder.write("ends", TypedArray::of(std::vector<double>{1.5, 3, 4.5, 6}));
  const Cursor now(builder.finish());
  CHECK(CountArray::names(now.trace()) == std::vector<std::string>{"counts"});
  const auto counts = CountArray::at(now, "counts");
  REQUIRE(counts);
  CHECK(counts->is_histogram());
  CHECK(counts->elements(1).empty());  // which they are is not recorded
  CountFrame frame = frame_of();
  frame.cell_width = 40, frame.cell_height = 150, frame.height = 200;
  const CountPicture picture(*counts, frame);
  CHECK(picture.words_of(3) == "bin 3, up to 6");
  CountLook look;
  look.largest = counts->largest(), look.numbers = true;
  const DisplayList list = picture.draw(look);
  CHECK(cells_in(list).size() == 4);
  const auto height_of = [&](std::uint64_t bin) {
    for (const DisplayItem& item : list.items)
      if (const auto at = item.bounds(); item.shape == Shape::box && !item.id && at[0] > picture.left_of(bin) &&
                                         at[2] < picture.left_of(bin + 1) && at[3] == picture.top_of(1))
        return at[3] - at[1];
    return 0.0;
  };
  CHECK(height_of(0) == 0);
  CHECK(std::abs(height_of(1) - 2 * height_of(2)) <= 2);  // whole pixels
  CHECK(height_of(3) > height_of(1));
  double highest = 0;
  std::set<std::string> texts;
  for (const DisplayItem& item : list.items) {
    if (item.shape == Shape::text) texts.insert(item.text);
    if (item.shape == Shape::text && item.at[0] < frame.label_width && item.text.find_first_not_of("0123456789") > 9)
      highest = std::max(highest, std::stod(item.text));
  }
  for (const char* text : {"0", "4", "2", "7", "1", "3", "1.5", "4.5", "6", "up to", "bin \u2192"}) {
    INFO(text);
    CHECK(texts.contains(text));
  }
  CHECK(highest >= 6);  // ticks at round numbers
}
