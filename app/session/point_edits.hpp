#pragma once
// Edits of points as small values for undo, and the identity of points across edits. No Qt.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// A change of some points, with the data to revert it. Its size is that of the change, not of the point set.
struct PointChange {
  enum class Kind : std::uint8_t { move, insert, erase };
  Kind kind = Kind::move;
  std::vector<std::uint32_t> indices;  ///< ascending; for inserted points, their indices afterwards
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

/// An id per point. A point keeps its id when it moves, when other points are erased, and when undo restores it.
struct PointIds {
  std::uint64_t first = 0;  ///< id of point 0 if none are listed; the others follow it
  std::uint64_t count = 0;
  std::vector<std::uint64_t> listed;  ///< [count] or empty
  std::uint64_t at(std::size_t i) const { return listed.empty() ? first + i : listed[i]; }
};

PointIds changed(const PointIds& ids, const PointChange& change);

/// Returns, for each point of `now`, its index in `then`, or no_id. Empty if all indices are the same. Work O(n).
std::vector<std::uint32_t> earlier_indices(const PointIds& then, const PointIds& now);

/// The points that were moved, added and erased between two runs, in ascending order.
struct PointDifferences {
  struct Move {
    std::uint32_t then = 0, now = 0;  ///< indices
  };
  std::vector<Move> moved;
  std::vector<std::uint32_t> added;   ///< indices now
  std::vector<std::uint32_t> erased;  ///< indices then
};

/// `earlier`: the result of earlier_indices(). Work O(n).
PointDifferences differences(const PointSet& then, const PointSet& now, const std::vector<std::uint32_t>& earlier);

/// Returns whether two data sets have the same points: type, dimensions and all words.
bool equal_points(const DataSet& a, const DataSet& b);

/// Returns the name of the user's own points: "own points (pasted)".
std::string own_points_name(const std::string& origin);
/// Returns the name after another edit: "wald-10" -> "own points (from wald-10, 1 edit)" -> "own points (from wald-10,
/// 2 edits)".
std::string edited_name(const std::string& name);

/// Parses a coordinate that the user typed. Errors: not a number, NaN, not a whole number, or too large for the type.
Result<std::uint32_t> coordinate_word(std::string_view text, ScalarType type);
/// Returns the nearest coordinate of the type, clamped to its range.
std::uint32_t nearest_word(double value, ScalarType type);
/// Returns the shortest text that reads back as the same coordinate.
std::string coordinate_text(std::uint32_t word, ScalarType type);

/// Reads rows of 1 to `most_dimensions` numbers separated by commas, tabs or blanks, which the first row may name, by
/// the rules of CSV files. Errors name the line.
Result<DataSet> parse_pasted_points(std::string_view text, std::uint32_t most_dimensions);
/// Returns points as rows of numbers separated by tabs, for a spreadsheet or to paste again.
std::string text_of_points(const PointSet& points, const std::vector<std::uint32_t>& indices);
/// Converts other points to the type of these. Errors: other dimensions, or fractions where the type is int.
Result<std::vector<std::uint32_t>> words_as(const PointSet& target, const PointSet& pasted);

}  // namespace kdscope
