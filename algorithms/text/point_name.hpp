#pragma once
// The names of points. Nodes and positions are plain numbers, so a point has a letter before its number: "p7" is a
// point, 7 is a node or a position. Every text and mark that names a point takes its name from here.

#include <cstdint>
#include <string>
#include <string_view>

namespace kdscope {

inline constexpr char point_letter = 'p';

/// Returns the name of the point with this original index: "p7".
inline std::string point_name(std::uint64_t point) { return point_letter + std::to_string(point); }

/// Returns a typed name without its letter: "7" for "p7", "P7" and "7". Other texts stay as they are.
constexpr std::string_view without_point_letter(std::string_view text) {
  const bool named = text.size() > 1 && (text[0] == point_letter || text[0] == point_letter - 'a' + 'A') &&
                     text[1] >= '0' && text[1] <= '9';
  return named ? text.substr(1) : text;
}

/// Returns the names of points with commas between them: "p0, p3, p7". `most` limits their number; a longer list ends
/// in "and 5 more".
template <class Points>
std::string point_names(const Points& points, std::size_t most = ~std::size_t(0)) {
  const std::size_t named = points.size() > most ? most - 1 : points.size();
  std::string text;
  for (std::size_t i = 0; i < named; ++i) text += (i ? ", " : "") + point_name(points[i]);
  if (named < points.size()) text += " and " + std::to_string(points.size() - named) + " more";
  return text;
}

}  // namespace kdscope
