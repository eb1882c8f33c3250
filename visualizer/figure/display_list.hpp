#pragma once
// A picture as a list of shapes and texts. Its painter needs to know nothing else about it. It is made from models out
// of which a question has already taken what it hides.
//
// Texts have an anchor, and their painter chooses the font. Layouts estimate widths by text_width(), because a page is
// laid out where its browser's fonts are unknown; an estimate decides only which texts are left out or moved.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "visualizer/style/glyph.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// A colour by meaning: painters resolve it with the theme that they show.
using DisplayInk = std::function<Rgb(const Theme& theme)>;
/// Returns the ink of a colour that each theme has.
inline DisplayInk of_theme(Rgb Theme::*colour) {
  return [colour](const Theme& theme) { return theme.*colour; };
}

struct DisplayItem {
  enum class Shape : std::uint8_t { line, circle, text, box, polygon, cells, marks };
  enum class Anchor : std::uint8_t { left, middle, right };
  enum class Dash : std::uint8_t { solid, dashed, dotted, dash_dotted };
  Shape shape = Shape::line;
  std::vector<double> at;  ///< x and y of every corner; x, y and radius of a circle; x and y of a text's anchor, which
                           ///< stands at the middle of its height; left, top, width, height and the radius of the
                           ///< corners of a box; left, top, width and height of a row of equal cells; x and y of
                           ///< every mark
  DisplayInk ink = {};
  double width = 0;         ///< of the line; 0 for other shapes: filled
  Dash dash = Dash::solid;  ///< of the line
  std::string text = {};
  Anchor anchor = Anchor::left;
  bool bold = false, ground = false;     ///< the text; `ground`: on a ground of its own
  bool halo = false;                     ///< the letters have a rim in the colour of the ground
  double angle = 0;                      ///< of the text, clockwise about its anchor, in degrees
  double size = 0;                       ///< pixels of the text's font; 0: as the painter chooses. Radius of the marks
  std::optional<std::uint32_t> id = {};  ///< what a click selects; a number of the picture's own kind
  std::uint32_t stride = 1;              ///< from the id of a mark to that of the next
  std::string spoken = {};               ///< name for tips and screen readers
  std::vector<DisplayInk> cells = {};    ///< of a row of cells, where one without a colour stays empty; of marks,
                                         ///< whose rims, `width` wide, have the `ink`
  std::vector<Glyph> glyphs = {};        ///< of marks
  std::vector<bool> faint = {};          ///< of marks, whose rims have their own colours then; empty: none
  double opacity = 1;                    ///< of a line, a box or a text

  /// Left, top, right and bottom of the shape's corners, without its line.
  std::array<double, 4> bounds() const;
};

/// Items in the order in which they are painted and read.
struct DisplayList {
  double width = 0, height = 0;
  std::vector<DisplayItem> items;
  /// A picture that scrolls shows items from `scrolls_from` on between two borders alone, and moves none of their texts
  /// inside.
  std::size_t scrolls_from = ~std::size_t(0);
  double scrolls_left = 0, scrolls_right = 0;

  DisplayItem& add(DisplayItem item) { return items.emplace_back(std::move(item)); }
  /// A shape with a line of some width is an outline; without one, it is filled. `round`: the radius of the corners.
  DisplayItem& box(double left, double top, double wide, double high, DisplayInk ink, double line = 0,
                   double round = 0);
  DisplayItem& line(std::vector<double> corners, DisplayInk ink, double width);
  DisplayItem& ring(double x, double y, double radius, DisplayInk ink, double line = 0);
  DisplayItem& words(double x, double y, std::string text, DisplayInk ink, double size = 0,
                     DisplayItem::Anchor anchor = DisplayItem::Anchor::middle);
  /// The cross of a violated check, on a rim in the colour of the ground; it reaches `arm` pixels along each axis.
  void cross(double x, double y, double arm);
  /// Returns the circle that has an id, or null. Work O(items).
  const DisplayItem* circle(std::uint32_t id) const;
  /// Returns the id of the item whose middle is nearest to a place, among those that the place is in or closer to than
  /// `reach`. Work O(items).
  std::optional<std::uint32_t> hit(double x, double y, double reach) const;
};

/// Returns the width of a text in a font of this size, in pixels.
using TextWidth = std::function<double(std::string_view text, double size, bool bold)>;

/// Estimates the width of a text of digits and letters in a usual font with lines `line_height` high.
double text_width(std::string_view text, double line_height, bool bold = false);

}  // namespace kdscope
