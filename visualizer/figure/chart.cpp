#include "visualizer/figure/chart.hpp"

#include <algorithm>

namespace kdscope {

double ChartRoom::text_width(std::string_view text, bool bold) const {
  return measure ? measure(text, bold) : kdscope::text_width(text, line_height, bold);
}

std::string ChartRoom::elided(std::string text, double width, bool bold) const {
  if (text_width(text, bold) <= width) return text;
  const std::string ellipsis = "\u2026";
  do {
    while (!text.empty() && (text.back() & 0xc0) == 0x80) text.pop_back();  // a character of UTF-8
    if (!text.empty()) text.pop_back();
  } while (!text.empty() && text_width(text + ellipsis, bold) > width);
  return text + ellipsis;
}

DisplayItem& draw_mark(DisplayList& list, ChartPlace at, Glyph glyph, double radius, DisplayInk fill, DisplayInk rim,
                       double width) {
  return list.add({.shape = DisplayItem::Shape::marks,
                   .at = {at.x, at.y},
                   .ink = std::move(rim),
                   .width = width,
                   .size = radius,
                   .cells = {std::move(fill)},
                   .glyphs = {glyph}});
}

DisplayItem& draw_words(DisplayList& list, ChartPlace at, std::string text, DisplayInk ink,
                        DisplayItem::Anchor anchor) {
  return list.words(at.x, at.y, std::move(text), std::move(ink), 0, anchor);
}

void draw_axes(DisplayList& list, const ChartFrame& frame, const ChartRoom& room) {
  using Anchor = DisplayItem::Anchor;
  const ChartBox& plot = frame.plot;
  const double line = room.line_height, unit = line / 18.0;
  const double thin = std::max(1.0, unit), thick = std::max(1.0, 1.4 * unit);
  const DisplayInk grid = of_theme(&Theme::line), axis = of_theme(&Theme::axis), muted = of_theme(&Theme::muted_text);
  double free_from = -1e300;
  for (const double tick : frame.x.ticks()) {
    const double x = frame.x(tick);
    list.line({x, plot.top, x, plot.bottom}, grid, thin);
    const std::string text = frame.x_text(tick);
    const double half = room.text_width(text) / 2 + 2;
    list.line({x, plot.bottom, x, plot.bottom + line * 0.3}, axis, thick);
    if (x - half < free_from) continue;
    free_from = x + half + line * 0.4;
    draw_words(list, {x, plot.bottom + line * 0.9}, text, of_theme(&Theme::text), Anchor::middle);
  }
  double free_above = 1e300;
  for (const double tick : frame.y.ticks()) {
    const double y = frame.y(tick);
    list.line({plot.left, y, plot.right, y}, grid, thin);
    list.line({plot.left - line * 0.3, y, plot.left, y}, axis, thick);
    if (y > free_above || !frame.labels_y) continue;
    free_above = y - line * 1.05;
    draw_words(list, {plot.left - line * 0.45, y}, frame.y_text(tick), of_theme(&Theme::text), Anchor::right);
  }
  list.line({plot.left, plot.top, plot.left, plot.bottom, plot.right, plot.bottom}, axis, thick);
  draw_words(list, {plot.right - line * 0.1, plot.bottom + line * 2.05}, frame.x_title + " \u2192", muted,
             Anchor::right);
  if (frame.labels_y) draw_words(list, {line * 0.7, plot.top - line * 0.95}, "\u2191 " + frame.y_title, muted);
}

double label_width(const ChartRoom& room, const PlotAxis& axis, const std::function<std::string(double)>& text) {
  double width = 0;
  for (const double tick : axis.ticks()) width = std::max(width, room.text_width(text(tick)));
  return width;
}

}  // namespace kdscope
