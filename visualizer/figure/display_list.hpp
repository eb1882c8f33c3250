#pragma once
// A picture as a list of shapes and texts. Its painter needs to know nothing else about it. It is made from models out
// of which a question has already taken what it hides.
//
// Texts have an anchor, and their painter chooses the font. Layouts estimate widths by text_width(), because a page is
// laid out where its browser's fonts are unknown; an estimate decides only which texts are left out or moved.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "visualizer/style/theme.hpp"

namespace kdscope {

/// A colour by meaning: painters resolve it with the theme that they show.
struct DisplayInk {
  Rgb (*of)(const Theme& theme, int value) = nullptr;
  int value = 0;
  Rgb operator()(const Theme& theme) const { return of(theme, value); }
};

struct DisplayItem {
  enum class Shape : std::uint8_t { line, circle, text };
  enum class Anchor : std::uint8_t { left, middle, right };
  Shape shape = Shape::line;
  std::vector<double> at;  ///< x and y of every corner; x, y and radius of a circle; x and y of a text's anchor, which
                           ///< stands at the middle of its height
  DisplayInk ink = {};
  double width = 0;     ///< of the line; 0 for a circle: filled
  bool dashed = false;  ///< the line
  std::string text = {};
  Anchor anchor = Anchor::left;
  bool bold = false, ground = false;     ///< the text; `ground`: on a ground of its own
  std::optional<std::uint32_t> id = {};  ///< what a click selects; a number of the picture's own kind
  std::string spoken = {};               ///< name for tips and screen readers
};

/// Items in the order in which they are painted and read.
struct DisplayList {
  double width = 0, height = 0;
  std::vector<DisplayItem> items;

  /// Returns the circle that has an id, or null. Work O(items).
  const DisplayItem* circle(std::uint32_t id) const;
  /// Returns the id of the circle whose centre is nearest to a place and closer than `reach`. Work O(items).
  std::optional<std::uint32_t> hit(double x, double y, double reach) const;
};

/// Estimates the width of a text of digits and letters in a usual font with lines `line_height` high.
double text_width(std::string_view text, double line_height, bool bold = false);

}  // namespace kdscope
