#pragma once
// The colours of a page: each is a pair, one for light and one for dark displays, computed by the window's own rules.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "visualizer/style/theme.hpp"

namespace kdscope {

/// Collects colours while a page is baked, and writes them as a style sheet.
class PageColours {
 public:
  /// Returns the number n of a colour that a function of the theme gives; the style sheet calls it --c<n>.
  template <class ColourOf>
  std::size_t ink(ColourOf colour_of) {
    return put(colour_of(theme(ThemeId::light)), colour_of(theme(ThemeId::dark)));
  }
  /// Returns the rules of all colours so far.
  std::string css() const;

 private:
  std::size_t put(Rgb light, Rgb dark);
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
  std::vector<std::pair<std::string, std::string>> inks_;  // light, dark
};

/// Returns "#rrggbb".
std::string hex_text(Rgb colour);

}  // namespace kdscope
