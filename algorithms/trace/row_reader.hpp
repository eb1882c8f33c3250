#pragma once
// The one way to read a row of a table: an array's elements by column, stored or derived, at the step of a cursor or at
// another one.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The version of an array that holds at a step; null before its first. O(log versions).
const ArrayVersion* version_at(const Trace::Array& array, std::uint32_t step);
/// What one array held after a step, without a cursor: from the keyframe before it on. Empty before its first version.
TypedArray contents_at(const Trace::Array& array, std::uint32_t step);

/// Whether a value of an array is missing, so that tables print a dash: no_id in arrays of ids, indices and counts (a
/// key, a coordinate or a split value may be as large), NaN in all.
bool is_missing(const ArrayInfo& info, ElementType type, double value);

/// One component of an array. Looks the array up once; refers to the cursor's contents and is valid until it moves.
class RowReader {
 public:
  /// A row that is not written.
  RowReader() = default;
  RowReader(const Cursor& cursor, std::string_view array, std::uint32_t component = 0);
  /// The first component of an array as it was after `step`. Work O(array) where a copy is needed: where the version of
  /// that step is not the one at the cursor. A derived array counts as not written.
  RowReader(const Cursor& cursor, const Trace::Array* array, std::uint32_t step);
  /// The elements of an array that are named by column; null: not written.
  explicit RowReader(const TypedArray* elements);

  /// Whether the row is written at the step.
  explicit operator bool() const { return source_ != nullptr; }
  /// Columns; 0 for a row that is not written.
  std::uint64_t size() const { return size_; }
  /// Whether the values are integers.
  bool whole() const;

  /// NaN where there is no element.
  double number(std::uint64_t column) const;
  /// no_id where there is no element.
  std::uint32_t id(std::uint64_t column) const {
    if (column < ids_.size()) return ids_[column];
    return id_of(column);
  }
  /// The bits of a set of members, which may be more than a double has; 0 where there is no element.
  std::uint64_t bits(std::uint64_t column) const;
  /// In the fewest characters that read back as the same value; empty where there is no element.
  std::string text(std::uint64_t column) const;
  /// For display: coordinates and split values in as few digits as floats need.
  std::string short_text(std::uint64_t column) const;
  /// Whether the value is missing, or a derived element names none of its source's. False beyond the last column.
  bool is_missing(std::uint64_t column) const;

 private:
  /// The element of source_ that a column shows; ~0 for none.
  std::uint64_t element(std::uint64_t column) const;
  std::uint32_t id_of(std::uint64_t column) const;

  const ArrayInfo* info_ = nullptr;
  const TypedArray* source_ = nullptr;
  const TypedArray* through_ = nullptr;     ///< of a derived row: which element of the source a column shows
  std::shared_ptr<const TypedArray> copy_;  ///< of another step
  std::uint64_t size_ = 0;
  std::uint32_t stride_ = 1, component_ = 0;
  std::span<const std::uint32_t> ids_;  ///< where columns are elements of type uint32: nearly all rows of ids
};

}  // namespace kdscope
