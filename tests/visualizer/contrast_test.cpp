// Tests that texts of figures are readable on what lies behind them, also where a search has passed by.

#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/figure/partition_drawing.hpp"
#include "visualizer/figure/tree_picture.hpp"

namespace kdscope::contrast_test {
namespace {

using Shape = DisplayItem::Shape;

/// Whether a filled shape covers a place.
bool covers(const DisplayItem& item, double x, double y) {
  if (item.shape == Shape::text || item.shape == Shape::line || item.width > 0 || !item.ink) return false;
  if (item.shape == Shape::circle) return std::hypot(item.at[0] - x, item.at[1] - y) < item.at[2];
  if (item.shape == Shape::polygon) {
    bool inside = false;
    for (std::size_t i = 0, j = item.at.size() - 2; i < item.at.size(); j = i, i += 2)
      if ((item.at[i + 1] > y) != (item.at[j + 1] > y) &&
          x < item.at[i] + (item.at[j] - item.at[i]) * (y - item.at[i + 1]) / (item.at[j + 1] - item.at[i + 1]))
        inside = !inside;
    return inside;
  }
  const auto [left, top, right, bottom] = item.bounds();
  return item.shape == Shape::box && x > left && x < right && y > top && y < bottom;
}

/// Checks every text of a list against the last shape below its middle, as WCAG asks. Returns their number.
std::size_t check_texts(const DisplayList& list, const Theme& t) {
  std::size_t texts = 0;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const DisplayItem& text = list.items[i];
    if (text.shape != Shape::text) continue;
    const double wide = text_width(text.text, 1.17 * text.size, text.bold),
                 x = text.at[0] + wide * (0.5 - 0.5 * static_cast<int>(text.anchor));
    Rgb ground = t.base;
    for (std::size_t below = text.ground ? i : 0; below < i; ++below)
      if (covers(list.items[below], x, text.at[1])) ground = list.items[below].ink(t);
    const bool large = text.size >= 24 || (text.bold && text.size >= 18.66);
    CAPTURE(t.name, text.text);
    CHECK(contrast(text.ink(t), ground) >= (large ? 3 : 4.5));
    ++texts;
  }
  return texts;
}

}  // namespace

TEST_CASE("every text of a search's pictures is readable, whatever has faded behind it") {
  const Cursor now = ten_points_at(6);
  const TreeDiagram diagram = TreeDiagram::at(now);
  TreePicture tree;
  tree.fit(diagram, {.width = 900, .height = 600}, 1);
  tree.scroll_to(0);
  for (const ThemeId id : all_themes) {
    for (std::uint8_t state = 0; state < 5; ++state) {
      TreeMarks marks;
      marks.searched.assign(10, SearchState{state});
      marks.searched[0] = SearchState::visited;
      const DisplayList list = tree.draw(marks);
      CHECK(check_texts(list, theme(id)) > 20);
      // What fades is paler, not smaller, and its number is thin.
      const bool fades = state != 1 && state != 2;
      for (const DisplayItem& item : list.items)
        if (item.shape == Shape::text && item.text == "7") CHECK(item.bold == !fades);
    }
    // Where no node stands out, none fades.
    TreeMarks untouched;
    untouched.searched.assign(10, SearchState::untouched);
    const DisplayList plain = tree.draw({}), list = tree.draw(untouched);
    REQUIRE(plain.items.size() == list.items.size());
    for (std::size_t i = 0; i < list.items.size(); ++i)
      if (list.items[i].ink) CHECK(list.items[i].ink(theme(id)) == plain.items[i].ink(theme(id)));
    for (const std::uint32_t step : {1u, 4u, 6u})
      for (std::uint32_t node = 0; node < 10; ++node) {
        PartitionPicture plane = PartitionPicture::at(ten_points_at(step));
        plane.lay_over({.faded_cells = {NodeId{node}}});
        CHECK(check_texts(PartitionDrawing::of(plane, {}).list, theme(id)) >= 10);
      }
  }
}

TEST_CASE("points that no split has given a colour stand out from their cell") {
  for (const ThemeId id : all_themes) {
    const Theme& t = theme(id);
    const Rgb mark = mark_colour(t, {}, false);
    CAPTURE(t.name);
    for (const Rgb ground : {t.base, area_colour(t, {}, false), area_colour(t, {}, true)})
      CHECK(contrast(mark, ground) >= 3);
  }
}

}  // namespace kdscope::contrast_test
