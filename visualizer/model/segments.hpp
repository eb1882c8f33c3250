#pragma once
// Millions of columns in summary at a step: segments, chunks or subtrees as strips, and statistics of their values.
// Reads highlights and declared spaces, and so works for every builder.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/array_table.hpp"

namespace kdscope {

/// One row of a table as numbers, the index row included. Valid until the cursor moves.
class RowValues {
 public:
  RowValues(const Cursor& cursor, const TableRow& row);
  std::uint64_t size() const { return size_; }
  /// Of a column below size(); NaN for "none" and outside of what the row refers to.
  double operator[](std::uint64_t column) const;
  bool whole() const { return index_row_ || row_.whole(); }  ///< integers

 private:
  RowReader row_;
  std::uint64_t size_ = 0;
  bool index_row_ = false;
};

/// Columns that belong together, or several neighbouring groups joined.
struct Strip {
  IndexRange columns;
  std::uint64_t first = 0, members = 1;  ///< segments in it, and the first of them
  std::optional<NodeId> node;            ///< the least subtree known to hold all of it
  std::optional<TreePlace> place;        ///< of that subtree
  int level = -1;                        ///< of nodes listed by level
  bool settled = false;
};

/// The columns of a step cut into segments. Copies what it needs except for the cursor: rebuild it after that moved.
class SegmentList {
 public:
  enum class Source : std::uint8_t {
    highlights,  ///< the step's own segments, and what lies between them
    subtrees,    ///< runs of columns in one subtree
    levels,      ///< nodes by level
    pieces       ///< nothing is known: pieces of one size
  };
  /// Work O(highlighted ranges), or O(columns) where a step highlights no segment.
  SegmentList(const Cursor& cursor, std::uint64_t columns, Space space);
  SegmentList() = default;

  Source source() const { return source_; }
  std::uint64_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  IndexRange columns(std::uint64_t segment) const { return {starts_[segment], starts_[segment + 1]}; }
  std::uint64_t segment_at(std::uint64_t column) const;
  /// The segments that these columns touch, cut to them; beyond `most`, neighbours join in groups of a power of two.
  /// Work O(log segments + most * depth).
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
  std::vector<std::uint32_t> nodes_;   // [segments], or empty: asked of the arrays
  std::vector<bool> settled_;          // [segments], or empty
  const TypedArray *node_at_ = nullptr, *point_at_ = nullptr, *node_of_point_ = nullptr;
};

/// Statistics of a row's values over some columns.
struct ValueSummary {
  std::uint64_t columns = 0;  ///< requested
  std::uint64_t read = 0;     ///< read; fewer than `columns` if there are too many
  std::uint64_t none = 0;     ///< of these, without a value
  double least = 0, median = 0, greatest = 0;
  bool ascending = true;            ///< the read values ascend
  std::vector<std::uint64_t> bins;  ///< counts from `least` to `greatest`; empty without values
  double bin_width = 0;
  std::size_t bin_of(double value) const;
};
/// Reads at most `most` columns, spread evenly. Whole numbers of fewer values than bins get one bin each.
ValueSummary summarise(const RowValues& values, IndexRange columns, std::size_t bins, std::uint64_t most = 1'000'000);
/// The first run of columns whose values are in a bin; none when no column is.
std::optional<IndexRange> run_in_bin(const RowValues& values, IndexRange columns, const ValueSummary& summary,
                                     std::size_t bin);

/// A row over some columns as a picture of densities: [height x width], row 0 on top; the share of a pixel column's
/// values that lie at a pixel's height, 0 to 1. Values outside of low to high are left out.
std::vector<float> density_of(const RowValues& values, IndexRange columns, int width, int height, double low,
                              double high);
/// Returns the least and the greatest value of a sample; {0, 0} without values.
std::pair<double, double> value_range(const RowValues& values, IndexRange columns);

}  // namespace kdscope
