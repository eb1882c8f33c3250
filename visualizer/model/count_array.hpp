#pragma once
// Arrays of counts over several dimensions, for example a histogram by digit, block and chunk. Each dimension names a
// recorded row. The arrays are drawn as layers of rows and columns and are linked to the elements that a cell counts.
// An array of one dimension is a histogram: one row of bins, drawn as bars. Its elements are not known.

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/row_reader.hpp"

namespace kdscope {

/// One dimension, with the row whose values are the elements' indices along it.
struct CountDimension {
  std::string name;       ///< "block", "chunk_rel"
  std::string row;        ///< "block", "chunk"
  bool relative = false;  ///< ArrayDimension::from_least
  std::uint64_t size = 0;
};

/// Where a value stands in the picture. A column is a slot of its layer; the index along the dimension is the slot plus
/// CountArray::first_column(layer).
struct CountCell {
  std::uint64_t layer = 0, row = 0, column = 0;
  bool operator==(const CountCell&) const = default;
};

/// An array of counts at a cursor's step. Valid until the cursor moves.
///
/// Dense arrays are [outermost .. innermost]. An array of dimensions {layer, row, column} that declares offsets
/// ([layers + 1] columns) is ragged. Its layers lie back to back. Each layer is [row][column] over the columns that it
/// overlaps, and neighbouring layers share one column. Value (l, r, c) is at rows * columns[l] + r * (columns[l+1] -
/// columns[l]) + (c + l - columns[l]).
class CountArray {
 public:
  /// Returns the names of a trace's histograms, and of its arrays with two or more dimensions that all name rows of one
  /// space (position or point).
  static std::vector<std::string> names(const Trace& trace);
  /// Returns which arrays at() reads beside the array itself, and as of which step, for a cursor at `step`.
  static std::vector<std::pair<const Trace::Array*, std::uint32_t>> read_with(const Trace& trace,
                                                                              const std::string& name,
                                                                              std::uint32_t step);
  /// Reads an array at the cursor's step. Errors: the array is not written yet (the error names the first step that
  /// writes it), or its contents fit no shape. Work O(n) if the shape must be found from the rows, otherwise O(layers);
  /// the shapes found last are kept per thread.
  static Result<CountArray> at(const Cursor& cursor, const std::string& name);

  const ArrayInfo& info() const { return array_->info; }
  /// Returns the step that wrote the values shown.
  std::uint32_t written_at() const { return written_at_; }
  const CountDimension& layers() const { return dimensions_[layer_]; }
  const CountDimension& rows() const { return dimensions_[row_]; }
  const CountDimension& columns() const { return dimensions_[column_]; }
  bool has_layers() const { return dimensions_.size() > 2; }
  bool is_histogram() const { return ends_.has_value(); }
  /// Returns the upper end of a histogram's bin.
  double end_of_bin(std::uint64_t bin) const { return ends_->number(bin); }
  std::uint64_t layer_count() const { return starts_.size() - 1; }
  std::uint64_t row_count() const { return rows().size; }
  /// Returns the index along the row dimension of the first row: of rows that count from the least value of all
  /// elements, that value; of those that count in each layer, 0.
  std::uint64_t first_row() const;
  /// Returns the number of columns of all layers back to back.
  std::uint64_t slot_count() const { return starts_.back(); }
  /// Returns the first slot of a layer; for layer_count(), the end of all slots.
  std::uint64_t first_slot(std::uint64_t layer) const { return starts_[layer]; }
  std::uint64_t layer_of_slot(std::uint64_t slot) const;
  /// Returns the index along the column dimension of a layer's first column.
  std::uint64_t first_column(std::uint64_t layer) const { return ragged_ ? starts_[layer] - layer : 0; }

  std::uint64_t size() const { return contents_->size(); }
  std::uint64_t flat(CountCell cell) const;
  CountCell cell(std::uint64_t flat) const;
  double value(std::uint64_t flat) const { return contents_->number(flat); }
  std::string text(std::uint64_t flat) const { return contents_->text(flat); }
  /// Returns the largest value. Work O(size).
  double largest() const;

  /// Returns the ascending indices of the elements that a cell counts, in the rows' space and as the rows were when the
  /// array was written. Work O(n).
  std::vector<std::uint64_t> elements(std::uint64_t flat) const;
  /// Returns the cell that counts an element, or nullopt if a row holds nothing for it. Work O(n) at first, then O(1).
  std::optional<std::uint64_t> cell_of(std::uint64_t element) const;
  Space element_space() const { return space_; }
  /// Returns the point of an element in the order at the time when the rows were written, or nullopt if it is unknown.
  std::optional<PointId> point_of(std::uint64_t element) const;
  /// Returns the ascending cells that count these points (ascending), or these elements if points are unknown. Work
  /// O(n).
  std::vector<std::uint64_t> cells_of(const std::vector<std::uint32_t>& points,
                                      const std::vector<IndexRange>& elements) const;
  /// Returns, per layer, the node whose points the layer counts, taken from the layer's first element; nullopt if
  /// unknown. Work O(n) for all layers.
  std::vector<std::optional<NodeId>> layer_nodes() const;

 private:
  using Shape =
      std::tuple<std::vector<CountDimension>, std::size_t, std::size_t, std::size_t, bool, std::vector<std::uint64_t>>;
  auto shape() { return std::tie(dimensions_, layer_, row_, column_, ragged_, starts_); }
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
  std::vector<RowReader> values_;                   // one per dimension: its row as of the step that wrote the array
  std::optional<RowReader> order_, node_of_point_;  // position -> point, point -> node
  std::optional<RowReader> ends_;                   // of the bins of a histogram
  std::size_t layer_ = 0, row_ = 0, column_ = 0;
  bool ragged_ = false;
  std::vector<std::uint64_t> starts_;  // [layers + 1] slots
  mutable std::vector<std::vector<std::uint64_t>> least_;
};

}  // namespace kdscope
