#include "visualizer/figure/display_list.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kdscope {

DisplayItem& DisplayList::box(double left, double top, double wide, double high, DisplayInk ink, double line,
                              double round) {
  return add(
      {.shape = DisplayItem::Shape::box, .at = {left, top, wide, high, round}, .ink = std::move(ink), .width = line});
}

DisplayItem& DisplayList::line(std::vector<double> corners, DisplayInk ink, double width) {
  return add({.shape = DisplayItem::Shape::line, .at = std::move(corners), .ink = std::move(ink), .width = width});
}

DisplayItem& DisplayList::ring(double x, double y, double radius, DisplayInk ink, double line) {
  return add({.shape = DisplayItem::Shape::circle, .at = {x, y, radius}, .ink = std::move(ink), .width = line});
}

DisplayItem& DisplayList::words(double x, double y, std::string text, DisplayInk ink, double size,
                                DisplayItem::Anchor anchor) {
  return add({.shape = DisplayItem::Shape::text,
              .at = {x, y},
              .ink = std::move(ink),
              .text = std::move(text),
              .anchor = anchor,
              .size = size});
}

void DisplayList::cross(double x, double y, double arm) {
  const double thick = std::max(1.6, arm * 0.45);
  for (const auto& [colour, width] : {std::pair{&Theme::base, 2.2 * thick}, std::pair{&Theme::failed, thick}}) {
    line({x - arm, y - arm, x + arm, y + arm}, of_theme(colour), width);
    line({x - arm, y + arm, x + arm, y - arm}, of_theme(colour), width);
  }
}

const DisplayItem* DisplayList::circle(std::uint32_t id) const {
  for (const DisplayItem& item : items)
    if (item.shape == DisplayItem::Shape::circle && item.id == id) return &item;
  return nullptr;
}

std::optional<std::uint32_t> DisplayList::hit(double x, double y, double reach) const {
  std::optional<std::uint32_t> best;
  double nearest = std::numeric_limits<double>::infinity();
  for (const DisplayItem& item : items) {
    if (!item.id) continue;
    if (item.shape == DisplayItem::Shape::marks) {
      for (std::size_t i = 0; i < item.glyphs.size(); ++i)
        if (const double away = std::hypot(item.at[2 * i] - x, item.at[2 * i + 1] - y);
            away < std::max(reach, item.size) && away < nearest)
          nearest = away, best = *item.id + static_cast<std::uint32_t>(i) * item.stride;
      continue;
    }
    const auto [left, top, right, bottom] = item.bounds();
    const double from_middle = std::hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
    const double away = item.shape == DisplayItem::Shape::circle ? from_middle - item.at[2]
                                                                 : std::max({left - x, x - right, top - y, y - bottom});
    if (away < std::max(reach, 1e-9) && from_middle < nearest) nearest = from_middle, best = item.id;
  }
  return best;
}

std::array<double, 4> DisplayItem::bounds() const {
  if (shape == Shape::circle) return {at[0] - at[2], at[1] - at[2], at[0] + at[2], at[1] + at[2]};
  if (shape == Shape::box || shape == Shape::cells) return {at[0], at[1], at[0] + at[2], at[1] + at[3]};
  std::array<double, 4> around{at[0], at[1], at[0], at[1]};
  for (std::size_t i = 2; i + 1 < at.size(); i += 2) {
    around[0] = std::min(around[0], at[i]), around[2] = std::max(around[2], at[i]);
    around[1] = std::min(around[1], at[i + 1]), around[3] = std::max(around[3], at[i + 1]);
  }
  return around;
}

double text_width(std::string_view text, double line_height, bool bold) {
  double width = 0;
  for (const char letter : text)
    if ((letter & 0xc0) != 0x80)  // one for every character of UTF-8
      width += letter == '.' || letter == ' ' || letter == 'i' || letter == 'l' ? 0.29
               : letter == 'm' || letter == 'w'                                 ? 0.8
                                                                                : 0.55;
  return width * line_height * (bold ? 1.1 : 1);
}

}  // namespace kdscope
