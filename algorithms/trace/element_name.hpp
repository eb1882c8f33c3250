#pragma once
// The name of an element, in texts and marks for people.

#include "algorithms/text/point_name.hpp"
#include "algorithms/trace/space.hpp"

namespace kdscope {

/// Returns the name of an element of a space: "p7" for points, "7" for nodes, positions and others.
inline std::string element_name(const Space& space, std::uint64_t index) {
  return space == Space::point ? point_name(index) : std::to_string(index);
}

/// Returns a value of a row, by what its values are: "p7" in rows of points, otherwise the text itself.
inline std::string value_name(const Space& values, const std::string& text) {
  return values == Space::point && !text.empty() ? point_letter + text : text;
}

}  // namespace kdscope
