#pragma once
// Reads a row of a table: an array's elements by column, stored or derived, at a cursor's step or at another step. All
// reads of rows go through this file.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Returns the version of an array that is valid at a step, or null before its first version. Work O(log versions).
const ArrayVersion* version_at(const Trace::Array& array, std::uint32_t step);
/// Returns an array's contents after a step without a cursor, starting from the last keyframe. Empty before the array's
/// first version.
TypedArray contents_at(const Trace::Array& array, std::uint32_t step);

/// Returns whether an element is missing, so that tables print a dash: no_id in arrays of ids, indices and counts, and
/// NaN in all arrays. In arrays of keys, coordinates and split values, no_id is an ordinary value.
bool is_missing(const ArrayInfo& info, ElementType type, double value);

/// Reads one component of an array. Looks up the array once. Refers to the cursor's contents and is valid until the
/// cursor moves.
class RowReader {
 public:
  /// Makes an unwritten row.
  RowReader() = default;
  RowReader(const Cursor& cursor, std::string_view array, std::uint32_t component = 0);
  /// Reads the first component of an array after `step`. Copies the array, with work O(array), if its version at that
  /// step is not the cursor's. A derived array counts as unwritten.
  RowReader(const Cursor& cursor, const Trace::Array* array, std::uint32_t step);
  /// Reads the elements of an array by column. null: unwritten.
  explicit RowReader(const TypedArray* elements);

  /// Returns whether the row is written at the step.
  explicit operator bool() const { return source_ != nullptr; }
  /// Returns the number of columns; 0 for an unwritten row.
  std::uint64_t size() const { return size_; }
  /// Returns whether the values are integers.
  bool whole() const;

  /// Returns NaN if there is no element.
  double number(std::uint64_t column) const {
    if (column < ids_.size()) return ids_[column];
    return number_of(column);
  }
  /// Returns NaN if there is no element, or if it is missing.
  double known_number(std::uint64_t column) const;
  /// Returns no_id if there is no element.
  std::uint32_t id(std::uint64_t column) const {
    if (column < ids_.size()) return ids_[column];
    return id_of(column);
  }
  /// Returns the bits of a set of members, which may not fit into a double; 0 if there is no element.
  std::uint64_t bits(std::uint64_t column) const;
  /// Returns the shortest text that reads back as the same value; empty if there is no element.
  std::string text(std::uint64_t column) const;
  /// Returns the text for display, with coordinates and split values in as few digits as floats need.
  std::string short_text(std::uint64_t column) const;
  /// Returns whether the value is missing, or whether a derived element refers to no element of its source. False
  /// beyond the last column.
  bool is_missing(std::uint64_t column) const;

 private:
  /// Returns the index of the element of source_ that a column shows, or ~0.
  std::uint64_t element(std::uint64_t column) const;
  double number_of(std::uint64_t column) const;
  std::uint32_t id_of(std::uint64_t column) const;

  const ArrayInfo* info_ = nullptr;
  const TypedArray* source_ = nullptr;
  const TypedArray* through_ = nullptr;     ///< derived rows: the source's element per column
  std::shared_ptr<const TypedArray> copy_;  ///< the contents at another step
  std::uint64_t size_ = 0;
  std::uint32_t stride_ = 1, component_ = 0;
  std::span<const std::uint32_t> ids_;  ///< set if columns are elements of type uint32, as in nearly all rows of ids
};

}  // namespace kdscope
