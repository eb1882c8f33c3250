#pragma once
// What charts of measurements share: the frame of a plot with grid, ticks, labels and titles, and the width of texts.

#include <functional>
#include <string>
#include <string_view>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {

/// The room of a chart, and how wide its texts are.
struct ChartRoom {
  double width = 720, height = 460;
  double line_height = 17.5;
  /// As a font measures texts; by default an estimate.
  std::function<double(std::string_view text, bool bold)> measure = {};

  double text_width(std::string_view text, bool bold = false) const;
  /// Returns the text, or as much of its beginning as fits before an ellipsis.
  std::string elided(std::string text, double width, bool bold = false) const;
};

/// A place in a chart, y downwards.
struct ChartPlace {
  double x = 0, y = 0;
};

struct ChartBox {
  double left = 0, top = 0, right = 0, bottom = 0;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
  bool contains(const ChartBox& o) const {
    return o.left >= left && o.right <= right && o.top >= top && o.bottom <= bottom;
  }
  bool contains(ChartPlace at) const { return at.x >= left && at.x <= right && at.y >= top && at.y <= bottom; }
  bool intersects(const ChartBox& o) const {
    return o.left < right && o.right > left && o.top < bottom && o.bottom > top;
  }
  ChartBox grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
};

/// What the frame shows. The axes end at places within `plot`.
struct ChartFrame {
  ChartBox plot;
  const PlotAxis &x, &y;
  std::function<std::string(double)> x_text, y_text;  ///< the texts of ticks
  std::string x_title, y_title;                       ///< y_title is not drawn where y has no labels
  bool labels_y = true;
};

/// Draws the frame. Labels without room are left out.
void draw_axes(DisplayList& list, const ChartFrame& frame, const ChartRoom& room);

/// Returns the width of the widest label of an axis.
double label_width(const ChartRoom& room, const PlotAxis& axis, const std::function<std::string(double)>& text);

/// Draws a mark with a rim.
DisplayItem& draw_mark(DisplayList& list, ChartPlace at, Glyph glyph, double radius, DisplayInk fill, DisplayInk rim,
                       double width);
/// Draws a text whose anchor stands at the middle of its height.
DisplayItem& draw_words(DisplayList& list, ChartPlace at, std::string text, DisplayInk ink = of_theme(&Theme::text),
                        DisplayItem::Anchor anchor = DisplayItem::Anchor::left);

}  // namespace kdscope
