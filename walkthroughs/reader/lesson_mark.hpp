#pragma once
// Marks that a stop of a lesson draws into the view, above what its step shows. No Qt here.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kdscope {

/// What a mark draws.
enum class MarkShape : std::uint8_t {
  points,  ///< a small circle at each place
  line,    ///< from place to place
  arrows,  ///< from each place at an even index to the next one
  ball     ///< around its only place
};
enum class MarkInk : std::uint8_t { plain, muted, changed, selected };

/// A mark. Places are in the points' units, with a coordinate for each dimension of the points.
struct LessonMark {
  MarkShape shape = MarkShape::points;
  std::vector<std::vector<double>> places;
  double radius = 0;                ///< of a ball
  std::vector<std::string> labels;  ///< one per circle or arrow, one for a line or a ball; or none
  MarkInk ink = MarkInk::plain;
  bool dashed = false;
  bool operator==(const LessonMark&) const = default;
};

inline constexpr std::array mark_shapes{MarkShape::points, MarkShape::line, MarkShape::arrows, MarkShape::ball};
inline constexpr std::array mark_inks{MarkInk::plain, MarkInk::muted, MarkInk::changed, MarkInk::selected};
const char* name_of(MarkShape shape);
const char* name_of(MarkInk ink);

/// Returns how many labels a mark may have: what it draws with a place for a label each.
std::size_t label_count(const LessonMark& mark);

/// More places in the marks of one stop would cover the picture.
inline constexpr std::size_t most_marked_places = 500;

}  // namespace kdscope
