#pragma once
// What millions of columns contain at a step: segments, chunks or subtrees as strips, and a summary of the values in
// them. Reads highlights and the spaces that arrays declare, so it works for every builder.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/array_table.hpp"

namespace kdscope {

/// One row of a table, possibly the index row, as numbers; a hidden row has none. Valid until the cursor moves.
class RowValues {
 public:
  RowValues(const Cursor& cursor, const TableRow& row);
  std::uint64_t size() const { return size_; }
  /// Returns the value of a column below size(); NaN for "none" and for elements outside the row.
  double operator[](std::uint64_t column) const;
  bool whole() const { return index_row_ || row_.whole(); }  ///< whether all values are integers

 private:
  RowReader row_;
  std::uint64_t size_ = 0;
  bool index_row_ = false;
};

/// Columns that belong together, or several neighbouring groups of them as one strip.
struct Strip {
  IndexRange columns;
  std::uint64_t first = 0, members = 1;  ///< first segment in the strip, and number of segments
  std::optional<NodeId> node;            ///< smallest subtree known to hold the whole strip
  std::optional<TreePlace> place;        ///< of that subtree
  int level = -1;                        ///< for nodes listed by level
  bool settled = false;
};

/// The columns of a step, divided into segments. The list copies what it needs but refers to the cursor, so rebuild it
/// after the cursor moves.
class SegmentList {
 public:
  enum class Source : std::uint8_t {
    highlights,  ///< the step's own segments and the gaps between them
    subtrees,    ///< runs of columns in one subtree
    levels,      ///< nodes by level
    pieces       ///< nothing is known: pieces of equal size
  };
  /// Divides the columns. Work O(highlighted ranges), or O(columns) if the step highlights no segment.
  SegmentList(const Cursor& cursor, std::uint64_t columns, Space space);
  SegmentList() = default;

  Source source() const { return source_; }
  std::uint64_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  IndexRange columns(std::uint64_t segment) const { return {starts_[segment], starts_[segment + 1]}; }
  std::uint64_t segment_at(std::uint64_t column) const;
  /// Returns the segments that overlap these columns, clipped to them. If there are more than `most`, neighbours are
  /// joined in groups of a power of two. Work O(log segments + most * depth).
  std::vector<Strip> strips(IndexRange columns, std::size_t most) const;

 private:
  void from_highlights(const std::vector<Highlight>& highlights);
  void from_nodes();
  std::uint32_t node_of_column(std::uint64_t column) const;
  Strip strip_of(std::uint64_t first, std::uint64_t end) const;

  const Cursor* cursor_ = nullptr;
  Space space_ = Space::position;
  std::uint64_t all_ = 0;
  Source source_ = Source::pieces;
  std::vector<std::uint64_t> starts_;  // [segments + 1]
  std::vector<std::uint32_t> nodes_;   // [segments], or empty: then node_of_column() finds them
  std::vector<bool> settled_;          // [segments], or empty
  const TypedArray *node_at_ = nullptr, *point_at_ = nullptr, *node_of_point_ = nullptr;
};

/// Summary of a row's values over some columns.
struct ValueSummary {
  std::uint64_t columns = 0;  ///< number of columns requested
  std::uint64_t read = 0;     ///< number of columns read; fewer than `columns` if there are too many
  std::uint64_t none = 0;     ///< number of columns read that have no value
  double least = 0, median = 0, greatest = 0;
  bool ascending = true;            ///< whether the values read ascend
  std::vector<std::uint64_t> bins;  ///< histogram from `least` to `greatest`; empty without values
  double bin_width = 0;
  std::size_t bin_of(double value) const;
};
/// Summarises at most `most` columns, spread evenly. Integers with fewer distinct values than bins get one bin each.
ValueSummary summarise(const RowValues& values, IndexRange columns, std::size_t bins, std::uint64_t most = 1'000'000);
/// Returns the first run of columns whose values fall into a bin, or nullopt if no column does.
std::optional<IndexRange> run_in_bin(const RowValues& values, IndexRange columns, const ValueSummary& summary,
                                     std::size_t bin);

/// Returns a row over some columns as a picture of densities: [height x width], row 0 on top. Each pixel holds the
/// share of its column's values that lie at its height, 0 to 1. Values outside the range from low to high are left out.
std::vector<float> density_of(const RowValues& values, IndexRange columns, int width, int height, double low,
                              double high);
/// Returns the smallest and greatest value of a sample; {0, 0} without values.
std::pair<double, double> value_range(const RowValues& values, IndexRange columns);

}  // namespace kdscope
