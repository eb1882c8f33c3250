#pragma once
// The name of an element, in texts and marks for people.

#include "algorithms/text/point_name.hpp"
#include "algorithms/trace/space.hpp"

namespace kdscope {

inline constexpr char triangle_letter = 't';

/// Returns the letter in front of the numbers of a space's elements; 0 if they are plain numbers.
constexpr char letter_of(const Space& space) {
  return space == Space::point ? point_letter : space == Space::triangle ? triangle_letter : '\0';
}

/// Returns a value of a row, by what its values are: "p7" in rows of points, "t7" in rows of triangles, otherwise the
/// text itself.
inline std::string value_name(const Space& values, const std::string& text) {
  return letter_of(values) != 0 && !text.empty() ? letter_of(values) + text : text;
}

/// Returns the name of an element of a space: "p7" for points, "t7" for triangles, "7" for nodes, positions and others.
inline std::string element_name(const Space& space, std::uint64_t index) {
  return value_name(space, std::to_string(index));
}

/// Returns a typed name of an element without its letter: of a triangle, "7" for "t7", "T7" and "7". Other texts stay
/// as they are.
constexpr std::string_view without_letter(const Space& space, std::string_view text) {
  const char letter = letter_of(space);
  const bool named = letter != 0 && text.size() > 1 && (text[0] == letter || text[0] == letter - 'a' + 'A') &&
                     text[1] >= '0' && text[1] <= '9';
  return named ? text.substr(1) : text;
}

}  // namespace kdscope
