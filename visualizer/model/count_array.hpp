#pragma once
// Arrays of counts over several dimensions, each of which names a recorded row: a histogram by digit, block and chunk,
// say. Drawn as layers of rows and columns, and linked to the elements that a cell counts.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/row_reader.hpp"

namespace kdscope {

/// One dimension, and the row whose value is an element's index along it.
struct CountDimension {
  std::string name;       ///< "block", "chunk_rel"
  std::string row;        ///< "block", "chunk"
  bool relative = false;  ///< ArrayDimension::from_least
  std::uint64_t size = 0;
};

/// Where a value stands in the picture. A column is a slot of its layer: the index along the dimension is
/// CountArray::first_column(layer) more.
struct CountCell {
  std::uint64_t layer = 0, row = 0, column = 0;
  bool operator==(const CountCell&) const = default;
};

/// One such array at a cursor's step; valid until the cursor moves.
///
/// Dense arrays are [outermost .. innermost]. An array of dimensions {layer, row, column} that declares offsets
/// ([layers + 1] columns) is ragged: layers lie back to back, each [row][column] over the columns that it overlaps,
/// where neighbours share one: value (l, r, c) is at rows * columns[l] + r * (columns[l+1] - columns[l]) + (c + l -
/// columns[l]).
class CountArray {
 public:
  /// Names of a trace's arrays of two or more dimensions that all name rows of one space (position or point).
  static std::vector<std::string> names(const Trace& trace);
  /// Errors: not written yet (with the first step that writes it), contents that no shape fits. Work O(n) where a shape
  /// must be found from the rows, else O(layers).
  static Result<CountArray> at(const Cursor& cursor, const std::string& name);

  const ArrayInfo& info() const { return array_->info; }
  /// The step that wrote what is shown.
  std::uint32_t written_at() const { return written_at_; }
  const CountDimension& layers() const { return dimensions_[layer_]; }
  const CountDimension& rows() const { return dimensions_[row_]; }
  const CountDimension& columns() const { return dimensions_[column_]; }
  bool has_layers() const { return dimensions_.size() > 2; }
  std::uint64_t layer_count() const { return starts_.size() - 1; }
  std::uint64_t row_count() const { return rows().size; }
  /// Columns of all layers back to back.
  std::uint64_t slot_count() const { return starts_.back(); }
  /// First slot of a layer; of layer_count(), the end of all.
  std::uint64_t first_slot(std::uint64_t layer) const { return starts_[layer]; }
  std::uint64_t layer_of_slot(std::uint64_t slot) const;
  /// Index along the column dimension of a layer's first column.
  std::uint64_t first_column(std::uint64_t layer) const { return ragged_ ? starts_[layer] - layer : 0; }

  std::uint64_t size() const { return contents_->size(); }
  std::uint64_t flat(CountCell cell) const;
  CountCell cell(std::uint64_t flat) const;
  double value(std::uint64_t flat) const { return contents_->number(flat); }
  std::string text(std::uint64_t flat) const { return contents_->text(flat); }
  /// Largest value; O(size).
  double largest() const;

  /// Indices, in the rows' space and as the rows were when the array was written, that a cell counts; ascending. O(n).
  std::vector<std::uint64_t> elements(std::uint64_t flat) const;
  /// The cell that counts an element; none where a row holds nothing for it. O(1) after a first O(n).
  std::optional<std::uint64_t> cell_of(std::uint64_t element) const;
  Space element_space() const { return space_; }
  /// The point of an element, in the order at the time when the rows were written; nullopt if unknown.
  std::optional<PointId> point_of(std::uint64_t element) const;
  /// The cells that count these points (ascending), or these elements if points are unknown. Ascending. O(n).
  std::vector<std::uint64_t> cells_of(const std::vector<std::uint32_t>& points,
                                      const std::vector<IndexRange>& elements) const;
  /// The node whose points a layer counted, by its first element; nullopt if unknown. O(n) for all layers.
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
  std::vector<RowReader> values_;                   // of each dimension's row, as the array's own step found it
  std::optional<RowReader> order_, node_of_point_;  // position -> point, point -> node
  std::size_t layer_ = 0, row_ = 0, column_ = 0;
  bool ragged_ = false;
  std::vector<std::uint64_t> starts_;  // [layers + 1] slots
  mutable std::vector<std::vector<std::uint64_t>> least_;
};

}  // namespace kdscope
