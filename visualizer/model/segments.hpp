#pragma once
// A summary of millions of columns at a step: segments, chunks or subtrees as strips, and statistics of their values.
// It reads highlights and the spaces that arrays declare, so it works for every builder.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/array_table.hpp"

namespace kdscope {

/// One row of a table, possibly the index row, as numbers. Valid until the cursor moves.
class RowValues {
 public:
  RowValues(const Cursor& cursor, const TableRow& row);
  std::uint64_t size() const { return size_; }
  /// Returns the value of a column below size(); NaN for "none" and for references outside the array.
  double operator[](std::uint64_t column) const;
  bool whole() const { return index_row_ || row_.whole(); }  ///< integers

 private:
  RowReader row_;
  std::uint64_t size_ = 0;
  bool index_row_ = false;
};

/// The columns of one segment, or of several neighbouring segments merged.
struct Strip {
  IndexRange columns;
  std::uint64_t first = 0, members = 1;  ///< its first segment, and the number of its segments
  std::optional<NodeId> node;            ///< the smallest subtree known to contain all of it
  std::optional<TreePlace> place;        ///< of that subtree
  int level = -1;                        ///< level of its nodes, if these are listed by level
  bool settled = false;
};

/// The columns of a step, cut into segments. The list refers to the cursor: rebuild it after the cursor moves.
class SegmentList {
 public:
  enum class Source : std::uint8_t {
    highlights,  ///< the step's own segments and the gaps between them
    subtrees,    ///< runs of columns in one subtree
    levels,      ///< nodes by level
    pieces       ///< nothing is known: pieces of equal size
  };
  /// Work O(highlighted ranges), or O(columns) where a step highlights no segment.
  SegmentList(const Cursor& cursor, std::uint64_t columns, Space space);
  SegmentList() = default;

  Source source() const { return source_; }
  std::uint64_t size() const { return starts_.empty() ? 0 : starts_.size() - 1; }
  IndexRange columns(std::uint64_t segment) const { return {starts_[segment], starts_[segment + 1]}; }
  std::uint64_t segment_at(std::uint64_t column) const;
  /// Returns the segments that overlap these columns, clipped to them. If there are more than `most`, neighbours are
  /// merged in groups whose size is a power of two. Work O(log segments + most * depth).
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
  std::vector<std::uint32_t> nodes_;   // [segments]; empty if read from the arrays
  std::vector<bool> settled_;          // [segments]; may be empty
  const TypedArray *node_at_ = nullptr, *point_at_ = nullptr, *node_of_point_ = nullptr;
};

/// Statistics of a row's values over some columns.
struct ValueSummary {
  std::uint64_t columns = 0;  ///< requested
  std::uint64_t read = 0;     ///< columns read; fewer than requested if there are too many
  std::uint64_t none = 0;     ///< columns read that have no value
  double least = 0, median = 0, greatest = 0;
  bool ascending = true;            ///< among the values read
  std::vector<std::uint64_t> bins;  ///< counts from `least` to `greatest`; empty without values
  double bin_width = 0;
  std::size_t bin_of(double value) const;
};
/// Returns statistics from at most `most` columns, spread evenly. Whole numbers whose range has fewer values than
/// `bins` get one bin each.
ValueSummary summarise(const RowValues& values, IndexRange columns, std::size_t bins, std::uint64_t most = 1'000'000);
/// Returns the first run of columns whose values are in a bin; nullopt if there is none.
std::optional<IndexRange> run_in_bin(const RowValues& values, IndexRange columns, const ValueSummary& summary,
                                     std::size_t bin);

/// Returns the densities of a row's values over some columns as a picture: [height x width], row 0 on top. A pixel is
/// the share, from 0 to 1, of its pixel column's values that lie at its height. Values outside low to high are left
/// out.
std::vector<float> density_of(const RowValues& values, IndexRange columns, int width, int height, double low,
                              double high);
/// Returns the least and greatest value of a sample; {0, 0} without values.
std::pair<double, double> value_range(const RowValues& values, IndexRange columns);

}  // namespace kdscope
