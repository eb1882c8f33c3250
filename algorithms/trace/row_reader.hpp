#pragma once
// The only way to read a row of a table: an array's elements by column, stored or derived, at a cursor's step or at
// another one.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Returns the version of an array that is valid at a step; null before its first one. O(log versions).
const ArrayVersion* version_at(const Trace::Array& array, std::uint32_t step);
/// Returns an array's contents after a step without a cursor, from the last keyframe on. Empty before its first
/// version.
TypedArray contents_at(const Trace::Array& array, std::uint32_t step);

/// Returns whether an element is missing, so that tables print a dash: no_id in arrays of ids, indices and counts
/// (keys, coordinates and split values may take that value), NaN in all.
bool is_missing(const ArrayInfo& info, ElementType type, double value);

/// One component of an array. Looks the array up once; refers to the cursor's contents and is valid until it moves.
class RowReader {
 public:
  /// An unwritten row.
  RowReader() = default;
  RowReader(const Cursor& cursor, std::string_view array, std::uint32_t component = 0);
  /// The first component of an array after `step`. Work O(array) if a copy is needed, that is, if the array's version
  /// at that step is not the cursor's. A derived array counts as unwritten.
  RowReader(const Cursor& cursor, const Trace::Array* array, std::uint32_t step);
  /// The elements of an array, by column; null: unwritten.
  explicit RowReader(const TypedArray* elements);

  /// Returns whether the row is written at the step.
  explicit operator bool() const { return source_ != nullptr; }
  /// Number of columns; 0 for an unwritten row.
  std::uint64_t size() const { return size_; }
  /// Returns whether the values are integers.
  bool whole() const;

  /// NaN if there is no element.
  double number(std::uint64_t column) const;
  /// no_id if there is no element.
  std::uint32_t id(std::uint64_t column) const {
    if (column < ids_.size()) return ids_[column];
    return id_of(column);
  }
  /// The bits of a set of members, which may not fit a double; 0 if there is no element.
  std::uint64_t bits(std::uint64_t column) const;
  /// The shortest text that reads back as the same value; empty if there is no element.
  std::string text(std::uint64_t column) const;
  /// For display: coordinates and split values in as few digits as floats need.
  std::string short_text(std::uint64_t column) const;
  /// Returns whether the value is missing, or a derived element refers to no element of its source. False beyond the
  /// last column.
  bool is_missing(std::uint64_t column) const;

 private:
  /// The element of source_ that a column shows; ~0 for none.
  std::uint64_t element(std::uint64_t column) const;
  std::uint32_t id_of(std::uint64_t column) const;

  const ArrayInfo* info_ = nullptr;
  const TypedArray* source_ = nullptr;
  const TypedArray* through_ = nullptr;     ///< of a derived row: which element of the source a column shows
  std::shared_ptr<const TypedArray> copy_;  ///< for another step
  std::uint64_t size_ = 0;
  std::uint32_t stride_ = 1, component_ = 0;
  std::span<const std::uint32_t> ids_;  ///< where columns are elements of type uint32: nearly all rows of ids
};

}  // namespace kdscope
