#pragma once
// Arrays of counts over several dimensions, each of which names a recorded row: for example, a histogram by digit,
// block and chunk. They are drawn as layers of rows and columns, and a cell is linked to the elements that it counts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/row_reader.hpp"

namespace kdscope {

/// One dimension, and the row whose values are the indices of elements along it.
struct CountDimension {
  std::string name;       ///< "block", "chunk_rel"
  std::string row;        ///< "block", "chunk"
  bool relative = false;  ///< ArrayDimension::from_least
  std::uint64_t size = 0;
};

/// The place of a value in the picture. `column` counts from the layer's first column: the index along the column
/// dimension is column + CountArray::first_column(layer).
struct CountCell {
  std::uint64_t layer = 0, row = 0, column = 0;
  bool operator==(const CountCell&) const = default;
};

/// An array of counts at a cursor's step; valid until the cursor moves.
///
/// A dense array is stored as [outermost .. innermost]. An array of dimensions {layer, row, column} that declares
/// offsets (`columns`, [layers + 1]) is ragged: its layers are stored one after another, each as [row][column] over the
/// columns that the layer overlaps. Neighbouring layers share one column, so value (l, r, c) is at index rows *
/// columns[l] + r * (columns[l+1] - columns[l]) + (c + l - columns[l]).
class CountArray {
 public:
  /// Returns the names of a trace's arrays with two or more dimensions that all name rows of one space (position or
  /// point).
  static std::vector<std::string> names(const Trace& trace);
  /// Returns the array at the cursor's step. Errors: not an array of counts, not written yet (the error names the first
  /// step that writes it), contents that no shape fits. Work O(n) if the shape must be derived from the rows, else
  /// O(layers).
  static Result<CountArray> at(const Cursor& cursor, const std::string& name);

  const ArrayInfo& info() const { return array_->info; }
  /// Returns the step that wrote the shown contents.
  std::uint32_t written_at() const { return written_at_; }
  const CountDimension& layers() const { return dimensions_[layer_]; }
  const CountDimension& rows() const { return dimensions_[row_]; }
  const CountDimension& columns() const { return dimensions_[column_]; }
  bool has_layers() const { return dimensions_.size() > 2; }
  std::uint64_t layer_count() const { return starts_.size() - 1; }
  std::uint64_t row_count() const { return rows().size; }
  /// Returns the number of columns of all layers together. Each is a slot; slots are numbered layer by layer.
  std::uint64_t slot_count() const { return starts_.back(); }
  /// Returns the first slot of a layer; for layer_count(), the end of all slots.
  std::uint64_t first_slot(std::uint64_t layer) const { return starts_[layer]; }
  std::uint64_t layer_of_slot(std::uint64_t slot) const;
  /// Returns the index of a layer's first column along the column dimension.
  std::uint64_t first_column(std::uint64_t layer) const { return ragged_ ? starts_[layer] - layer : 0; }

  std::uint64_t size() const { return contents_->size(); }
  std::uint64_t flat(CountCell cell) const;
  CountCell cell(std::uint64_t flat) const;
  double value(std::uint64_t flat) const { return contents_->number(flat); }
  std::string text(std::uint64_t flat) const { return contents_->text(flat); }
  /// Returns the largest value. O(size).
  double largest() const;

  /// Returns the elements that a cell counts, as indices in the rows' space; ascending. The rows are read as they were
  /// when the array was written. O(n).
  std::vector<std::uint64_t> elements(std::uint64_t flat) const;
  /// Returns the cell that counts an element; nullopt if a row has no value for it. O(1) after a first call of O(n).
  std::optional<std::uint64_t> cell_of(std::uint64_t element) const;
  Space element_space() const { return space_; }
  /// Returns the point of an element, in the order at the step that wrote the rows; nullopt if unknown.
  std::optional<PointId> point_of(std::uint64_t element) const;
  /// Returns the cells that count these points (ascending), or these elements if the points are unknown; ascending.
  /// O(n).
  std::vector<std::uint64_t> cells_of(const std::vector<std::uint32_t>& points,
                                      const std::vector<IndexRange>& elements) const;
  /// Returns, for each layer, the node whose points it counted, taken from its first element; nullopt if unknown. O(n)
  /// for all layers.
  std::vector<std::optional<NodeId>> layer_nodes() const;

 private:
  bool find_shape(const Cursor& cursor);
  void find_axes(const Trace& trace);
  std::optional<std::uint64_t> index_along(std::size_t dimension, std::uint64_t element) const;
  const std::vector<std::uint64_t>& least_by_group(std::size_t dimension) const;
  std::uint64_t group_of(std::size_t dimension, std::uint64_t element, bool& known) const;
  std::uint64_t element_count() const;

  const Trace::Array* array_ = nullptr;
  const TypedArray* contents_ = nullptr;
  std::uint32_t written_at_ = 0;
  Space space_ = Space::position;
  std::vector<CountDimension> dimensions_;
  std::vector<RowReader> values_;                   // of each dimension's row, as it was when the array was written
  std::optional<RowReader> order_, node_of_point_;  // position -> point, point -> node
  std::size_t layer_ = 0, row_ = 0, column_ = 0;
  bool ragged_ = false;
  std::vector<std::uint64_t> starts_;  // [layers + 1] slots
  mutable std::vector<std::vector<std::uint64_t>> least_;
};

}  // namespace kdscope
