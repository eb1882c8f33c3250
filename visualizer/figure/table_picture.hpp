#pragma once
// The array table of a step as a display list: the cells in sight with their marks, what frames them, and elements on
// their way. The same for every painter.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/figure/flights.hpp"
#include "visualizer/figure/growth.hpp"
#include "visualizer/model/array_table.hpp"

namespace kdscope {

/// Where the cells of a table stand, in pixels. The index row stays at the top while the others scroll under it.
struct TableFrame {
  double label_width = 0, row_height = 1, column_width = 1;
  std::vector<IndexRange> columns;  ///< in sight, ascending; between two ranges there is a
  double gap = 0;                   ///< so wide; the last column may be cut off
  double scrolled = 0;              ///< rows
  double width = 0, height = 0;     ///< what is in sight
};

/// How large texts and lines are, and what stands out.
struct TableLook {
  double digits = 17, indices = 13.6, labels = 14.4;       ///< pixels of the fonts of values, indices and names of rows
  double label_gap = 8;                                    ///< between the name of a row and its cells
  double side_gap = 0.35;                                  ///< of a text in its cell, in digits
  double scale = 1;                                        ///< of lines
  double outline = 2;                                      ///< width of frames
  bool shortened = false;                                  ///< real numbers have fewer digits
  bool segments = true;                                    ///< are marked
  std::span<const std::vector<IndexRange>> selected = {};  ///< framed columns: one list for all rows, or one per row
  std::size_t framed_row = 0;                              ///< 0: no cell is framed
  std::uint64_t framed_column = 0;
  /// Cells of new nodes pass from the colours of their parents to their own, and changed cells from their old values to
  /// the new ones, with a flash.
  Growth growth = {};
  /// The width of a text at the size of values. None: an estimate.
  std::function<double(std::string_view, bool bold)> width_of = {};
  bool ids = false;  ///< the id of a cell is its number in sight, row by row
};

class TablePicture {
 public:
  /// `motion`: elements travel to this step, of whose time a share has passed, from 0 to 1; null: all are where they
  /// belong. A moving table is drawn anew for every share, and has one range of columns. Keeps references to the table
  /// and to the motion.
  TablePicture(const ArrayTable& table, TableFrame frame, const Motion* motion = nullptr, double time = 1);

  double left_of(std::uint64_t column) const;
  /// The top of a row; of the index row, where the others would be scrolled to.
  double top_of(std::size_t row) const { return static_cast<double>(row) * frame_.row_height - frame_.scrolled; }
  /// Left, top, width and height of a cell on whole pixels, on its way if it travels.
  std::array<double, 4> place_of(std::size_t row, std::uint64_t column) const;
  /// Draws cells and frames; of a table without columns, a sentence. Work O(cells in sight).
  DisplayList cells(const TableLook& look) const;
  /// Draws the names of the rows, above everything that reaches to the left of the cells.
  DisplayList labels(const TableLook& look) const;

 private:
  friend class TablePen;
  /// Adjacent rows whose elements travel alike: each moves as one card, with its values in their rows.
  struct Block {
    std::size_t begin = 0, end = 0;
    std::shared_ptr<const Flights> flights;
  };
  const Block* block_of(std::size_t row) const;
  double left_of(const FlightMoment& moment) const;
  std::uint64_t first() const { return frame_.columns.empty() ? 0 : frame_.columns.front().begin; }
  std::uint64_t end() const { return frame_.columns.empty() ? 0 : frame_.columns.back().end; }

  const ArrayTable& table_;
  TableFrame frame_;
  double time_;
  std::vector<Block> blocks_;  ///< ascending; other rows stand still
};

/// Characters of a real number for which a column has room; longer ones are written smaller.
inline constexpr std::size_t longest_real = 10;
/// Returns the text that a cell shows for a value, a negative number with a minus; `real`: its row has fractional
/// numbers, `shorter`: which have fewer digits.
std::string shown_text(const std::string& text, bool real, bool shorter);

}  // namespace kdscope
