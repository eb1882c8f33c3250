#include "visualizer/web/baked_lists.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace kdscope {
namespace {

/// Composes a list that ends before fields of which all are at their defaults. A field without one is always there.
std::string json_fields(const std::vector<std::pair<std::string, const char*>>& fields) {
  std::size_t count = fields.size();
  while (fields[count - 1].second && fields[count - 1].first == fields[count - 1].second) --count;
  JsonList list;
  for (std::size_t i = 0; i < count; ++i) list.add(fields[i].first);
  return list.text();
}

/// Hundredths of a pixel.
std::int64_t hundredths(double pixels) { return std::isfinite(pixels) ? std::llround(100 * pixels) : 0; }
std::string json_hundredths(std::int64_t count) { return json_place(static_cast<double>(count) / 100); }

/// Shapes of so many corners name them among those that other lists share, and so do marks.
bool shares_corners(const DisplayItem& item) {
  constexpr std::size_t most_corners = 8;
  return item.shape == DisplayItem::Shape::marks || item.at.size() > 2 * most_corners;
}

}  // namespace

/// The shape, corners from an origin, ink, width, text, anchor, size, weight (1: bold, 2: with a rim), ground, dashes,
/// spoken name, cells, stride and angle. Marks name their colours and glyphs among those that other lists share. The
/// text is 0 if the place has it.
std::string BakedLists::bake_item(const DisplayItem& item, std::int64_t left, std::int64_t top, bool own_text) {
  const auto ink = [&](const DisplayInk& each) {
    return each ? static_cast<std::int64_t>(colours_.ink(each)) : std::int64_t(-1);
  };
  const bool marks = item.shape == DisplayItem::Shape::marks, line = item.shape == DisplayItem::Shape::line;
  const bool moves_all = line || item.shape == DisplayItem::Shape::polygon;  // others have one place, and sizes
  JsonList corners, cells;
  const bool is_sharp = item.shape == DisplayItem::Shape::box && item.at[4] == 0;  // has corners without a radius
  for (std::size_t i = 0; i < item.at.size() - is_sharp; ++i)
    corners.add(json_hundredths(hundredths(item.at[i]) - (i > 1 && !moves_all ? 0 : i % 2 ? top : left)));
  LookRuns looks;
  for (std::size_t i = 0; i < item.cells.size(); ++i)
    if (marks)
      looks.add(bake_look(item.cells[i], item.glyphs[i], i < item.faint.size() && item.faint[i]));
    else
      cells.add(ink(item.cells[i]));
  return json_fields({{std::to_string(static_cast<int>(item.shape)), nullptr},
                      {shares_corners(item) ? std::to_string(clouds_.put(corners.text())) : corners.text(), nullptr},
                      {std::to_string(ink(item.ink)), nullptr},
                      {json_place(item.width), "0"},
                      {own_text ? json_text(item.text) : "0", "\"\""},
                      {std::to_string(static_cast<int>(item.anchor)), "0"},
                      {json_place(item.size), "0"},
                      {std::to_string(item.bold + 2 * item.halo), "0"},
                      {item.ground ? "1" : "0", "0"},
                      {std::to_string(static_cast<int>(item.dash)), "0"},
                      {json_text(item.spoken), "\"\""},
                      {marks ? std::to_string(mark_lists_.put(looks.text())) : cells.text(), "[]"},
                      {std::to_string(item.stride), "1"},
                      {json_place(item.angle), "0"}});
}

/// A colour and a shape, and 1 if the mark is faint.
std::size_t BakedLists::bake_look(const DisplayInk& ink, Glyph glyph, bool faint) {
  return marks_.put(json_fields({{std::to_string(colours_.ink(ink)), nullptr},
                                 {std::to_string(static_cast<int>(glyph)), nullptr},
                                 {faint ? "1" : "0", "0"}}));
}

/// Items that belong together, apart from where they stand, what they are of, and their first text.
BakedLists::Placed BakedLists::place(std::span<const DisplayItem> items) {
  Placed placed;
  if (std::ranges::none_of(items, shares_corners))
    placed.left = hundredths(items[0].at[0]), placed.top = hundredths(items[0].at[1]);
  if (items[0].id) placed.id = *items[0].id;
  JsonList look;
  bool has_text = false;
  for (const DisplayItem& item : items) {
    const bool is_first = item.shape == DisplayItem::Shape::text && !has_text;
    if (is_first) placed.text = item.text, has_text = true;
    look.add(bake_item(item, placed.left, placed.top, !is_first));
  }
  placed.look = looks_.put(look.text());
  return placed;
}

/// A display list: its size, and its items in groups: an item with an id and what stands on it. Lines go past such
/// items. Groups that stand at equal distances are one run. Runs are shared: left, top, look, id (-1: none), text; of
/// more than one group their looks and texts, and the steps to the right, down, and of ids.
std::string BakedLists::bake_list(const DisplayList& list) {
  constexpr std::size_t shortest_run = 3;
  std::vector<Placed> groups;
  for (std::size_t i = 0; i < list.items.size();) {
    const std::size_t first = i++;
    if (list.items[first].id && list.items[first].shape != DisplayItem::Shape::marks)
      while (i < list.items.size() && !list.items[i].id && list.items[i].shape != DisplayItem::Shape::line) ++i;
    groups.push_back(place(std::span(list.items).subspan(first, i - first)));
  }
  JsonList runs;
  for (std::size_t first = 0, end; first < groups.size(); first = end) {
    const Placed& begin = groups[first];
    const auto step = [&](std::size_t i) {
      const Placed &from = groups[i - 1], &to = groups[i];
      return std::array{to.left - from.left, to.top - from.top, (to.id < 0) == (from.id < 0) ? to.id - from.id : -1};
    };
    for (end = first + 1; end < groups.size() && step(end) == step(first + 1) && step(end)[2] >= 0;) ++end;
    const std::string left = json_hundredths(begin.left), top = json_hundredths(begin.top),
                      id = std::to_string(begin.id);
    if (end - first < shortest_run) {
      end = first + 1;
      runs.add(runs_.put(json_fields({{left, nullptr},
                                      {top, nullptr},
                                      {std::to_string(begin.look), nullptr},
                                      {id, "-1"},
                                      {json_text(begin.text), "\"\""}})));
      continue;
    }
    LookRuns looks;
    JsonList texts;
    for (std::size_t i = first; i < end; ++i) looks.add(groups[i].look), texts.add(json_text(groups[i].text));
    const auto [right, down, ids] = step(first + 1);
    runs.add(runs_.put(json_fields({{left, nullptr},
                                    {top, nullptr},
                                    {std::to_string(mark_lists_.put(looks.text())), nullptr},
                                    {id, nullptr},
                                    {std::to_string(texts_.put(texts.text())), nullptr},
                                    {json_hundredths(right), nullptr},
                                    {json_hundredths(down), "0"},
                                    {std::to_string(ids), "0"}})));
  }
  return JsonList().add(json_place(list.width)).add(json_place(list.height)).add(runs.text()).text();
}

void BakedLists::add_parts(JsonObject& page) const {
  JsonList glyphs;
  for (int glyph = 0; glyph < glyph_count; ++glyph) {
    JsonList corners;
    for (const auto& [x, y] : glyph_outline(static_cast<Glyph>(glyph))) corners.add(json_place(x)).add(json_place(y));
    glyphs.add(corners.text());
  }
  page.add("glyphs", glyphs.text())
      .add("looks", looks_.text())
      .add("texts", texts_.text())
      .add("places", runs_.text())
      .add("marks", marks_.text())
      .add("mark_lists", mark_lists_.text())
      .add("clouds", clouds_.text());
}

}  // namespace kdscope
