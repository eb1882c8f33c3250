#pragma once
// Search in the tables of arrays for an index, a value of a row, a node or a point, as the user types it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/error.hpp"
#include "visualizer/model/array_table.hpp"

namespace kdscope {

/// A parsed search.
struct ElementQuery {
  enum class Kind : std::uint8_t { index, value, node, point };
  enum class Comparison : std::uint8_t { equal, unequal, less, at_most, greater, at_least };
  Kind kind = Kind::index;
  std::uint64_t number = 0;  ///< the index, node or point
  std::string row;           ///< for a value: the row's label or name
  Comparison comparison = Comparison::equal;
  std::string value;  ///< as typed: "30", "-0.5", "0b101", or "none" for an element without a value
  bool operator==(const ElementQuery&) const = default;
};

/// Parses `983`, `tags == 30` (or !=, <, <=, >, >=; a single = counts as ==), `node 12`, `p7` or `point 7`. Errors:
/// text that cannot be parsed; the error describes the problem in one sentence and gives an example.
Result<ElementQuery> parse_element_query(std::string_view text);

/// The elements found, all in one row of a table.
class ElementMatches {
 public:
  /// `columns`: ascending, disjoint.
  ElementMatches(std::size_t row, std::vector<IndexRange> columns);
  /// Returns the row of the table that was searched; for an index, this is 0, the index row.
  std::size_t row() const { return row_; }
  std::uint64_t size() const { return before_.empty() ? 0 : before_.back(); }
  /// Returns the column of the n-th match; n < size(). Work O(log ranges).
  std::uint64_t at(std::uint64_t n) const;
  const std::vector<IndexRange>& columns() const { return columns_; }

 private:
  std::size_t row_;
  std::vector<IndexRange> columns_;
  std::vector<std::uint64_t> before_;  // matches up to the end of each range
};

/// Returns the elements that a query finds in a table of index space `space` at the cursor's step. Nodes and points are
/// found through the spaces that the arrays declare. Numbers are compared in the row's own type, so 0.1 finds the float
/// that the table prints as 0.1; elements without a value match only `none`. Errors: an index beyond the table, an
/// unknown row, a value that is not a number, a table whose columns name no nodes or points. Work O(columns) over typed
/// arrays: a few milliseconds per million.
Result<ElementMatches> find_elements(const Cursor& cursor, const ArrayTable& table, Space space,
                                     const ElementQuery& query);

}  // namespace kdscope
