#pragma once
// The colours of a page: each is a pair, one for light and one for dark displays, computed by the window's own rules.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "visualizer/figure/cell_look.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// Collects colours and looks of cells while a page is baked, and writes them as a style sheet.
class PageColours {
 public:
  /// Returns the number n of a colour that a function of the theme gives; the style sheet calls it --c<n>.
  template <class ColourOf>
  std::size_t ink(ColourOf colour_of) {
    return put(colour_of(theme(ThemeId::light)), colour_of(theme(ThemeId::dark)));
  }
  /// Returns the number n of a cell's look; the style sheet has it as class k<n>.
  std::size_t look(const TableCell& cell);
  /// Returns the rules of all colours and looks so far.
  std::string css() const;

 private:
  std::size_t put(Rgb light, Rgb dark);
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
  std::vector<std::pair<std::string, std::string>> inks_;  // light, dark
  std::map<std::string, std::size_t> look_index_;
  std::vector<std::string> looks_;  // declarations
};

/// Returns "#rrggbb".
std::string hex_text(Rgb colour);
/// Returns the corners of a shape for CSS' polygon(), in per cent of its box.
std::string polygon_text(Glyph glyph);

}  // namespace kdscope
