#pragma once
// Edits of points as small values: what undo keeps of them, and which point is which before and after. No Qt here.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// A change of some points with what takes it back: of the size of the change, not of the set.
struct PointChange {
  enum class Kind : std::uint8_t { move, insert, erase };
  Kind kind = Kind::move;
  std::vector<std::uint32_t> indices;  ///< ascending; of inserted points: where they stand afterwards
  std::vector<std::uint32_t> before;   ///< [indices x stride] words; empty for insert
  std::vector<std::uint32_t> after;    ///< likewise; empty for erase
  std::vector<std::uint64_t> ids;      ///< of inserted and erased points, see PointIds; else empty
};

/// Preconditions: ascending indices that exist, [indices x stride] words.
PointChange move_of(const PointSet& points, std::vector<std::uint32_t> indices, std::vector<std::uint32_t> after);
/// Appends points.
PointChange insertion_in(const PointSet& points, std::vector<std::uint32_t> words);
PointChange erasure_in(const PointSet& points, std::vector<std::uint32_t> indices);

PointChange inverse(PointChange change);
/// Work O(n) for insert and erase and for the copy.
PointSet changed(const PointSet& points, const PointChange& change);

/// An id for each point that stays its own when it moves, when others go, and when undo brings it back.
struct PointIds {
  std::uint64_t first = 0;  ///< id of point 0 while none are listed: the others count on from it
  std::uint64_t count = 0;
  std::vector<std::uint64_t> listed;  ///< [count] or empty
  std::uint64_t at(std::size_t i) const { return listed.empty() ? first + i : listed[i]; }
};

PointIds changed(const PointIds& ids, const PointChange& change);

/// For each point of `now` its index in `then`, no_id where it is not there. Empty where all are the same. Work O(n).
std::vector<std::uint32_t> earlier_indices(const PointIds& then, const PointIds& now);

/// What became of the points of a run, in ascending order.
struct PointDifferences {
  struct Move {
    std::uint32_t then = 0, now = 0;  ///< indices
  };
  std::vector<Move> moved;
  std::vector<std::uint32_t> added;   ///< indices now
  std::vector<std::uint32_t> erased;  ///< indices then
};

/// `earlier` as earlier_indices() gives it. Work O(n).
PointDifferences differences(const PointSet& then, const PointSet& now, const std::vector<std::uint32_t>& earlier);

/// The name of a set that a person makes: "own points (pasted)".
std::string own_points_name(const std::string& origin);
/// The name after one edit more: "wald-10" -> "own points (from wald-10, 1 edit)" -> "own points (from wald-10, 2
/// edits)".
std::string edited_name(const std::string& name);

/// The word of a coordinate as a person typed it. Errors: no number, NaN, no whole number or too large for the type.
Result<std::uint32_t> coordinate_word(std::string_view text, ScalarType type);
/// The nearest coordinate that the type has; clamped to its range.
std::uint32_t nearest_word(double value, ScalarType type);
/// A coordinate in the fewest characters that read back as the same.
std::string coordinate_text(std::uint32_t word, ScalarType type);

/// Reads rows of 1 to `most_dimensions` numbers separated by commas, tabs or blanks, which the first row may name, by
/// the rules of CSV files. Errors name the line.
Result<DataSet> parse_pasted_points(std::string_view text, std::uint32_t most_dimensions);
/// Points as rows of numbers separated by tabs, for a spreadsheet or to be pasted again.
std::string text_of_points(const PointSet& points, const std::vector<std::uint32_t>& indices);
/// The words of other points in the type of these. Errors: other dimensions, no whole number for int coordinates.
Result<std::vector<std::uint32_t>> words_as(const PointSet& target, const PointSet& pasted);

}  // namespace kdscope
