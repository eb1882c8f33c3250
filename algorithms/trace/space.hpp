#pragma once
// Spaces: what an index or a value of an array refers to. A space is a name, and a trace has the spaces that its arrays
// use. A builder or a search declares its own spaces next to its arrays, so no list here has to grow.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace kdscope {

/// The name of a space. Views join arrays whose spaces are equal, and the linked selection follows spaces.
class Space {
 public:
  static constexpr std::size_t longest_name = 23;

  constexpr Space() : Space("none") {}
  /// A longer name of a constant space is a compile-time error.
  explicit constexpr Space(const char* name) {
    std::size_t i = 0;
    for (; name[i] != 0; ++i) name_.at(i < longest_name ? i : name_.size()) = name[i];
  }
  constexpr const char* name() const { return name_.data(); }
  constexpr auto operator<=>(const Space&) const = default;

  static const Space none;  ///< refers to nothing: a plain number, or an array that no space indexes
  static const Space position, point, node, triangle;
  static const Space dimension, level, count, key, bit_mask;
  static const Space coordinate, split_value;  ///< measured in the points' units
  static const Space chunk;                    ///< the elements that one block processes
  static const Space candidate, evaluation;    ///< a split candidate; a candidate that was tried at a node
  static const Space cost;

 private:
  std::array<char, longest_name + 1> name_{};
};

inline constexpr Space Space::none{"none"};
inline constexpr Space Space::position{"position"};
inline constexpr Space Space::point{"point"};
inline constexpr Space Space::node{"node"};
inline constexpr Space Space::triangle{"triangle"};
inline constexpr Space Space::dimension{"dimension"};
inline constexpr Space Space::level{"level"};
inline constexpr Space Space::count{"count"};
inline constexpr Space Space::key{"key"};
inline constexpr Space Space::bit_mask{"bit_mask"};
inline constexpr Space Space::coordinate{"coordinate"};
inline constexpr Space Space::split_value{"split_value"};
inline constexpr Space Space::chunk{"chunk"};
inline constexpr Space Space::candidate{"candidate"};
inline constexpr Space Space::evaluation{"evaluation"};
inline constexpr Space Space::cost{"cost"};

inline const char* name_of(const Space& space) { return space.name(); }

/// Returns the space of that name, which has 1 to Space::longest_name lower-case letters, digits or underscores.
std::optional<Space> space_named(std::string_view name);

}  // namespace kdscope
