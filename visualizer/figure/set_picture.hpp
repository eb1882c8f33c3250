#pragma once
// Sets of primitives as a matrix of bits. The columns are the primitives of a small root. The rows are the set of a
// node, the sets on the sides of a candidate, and their intersections. Below them are the sets of every candidate. The
// same for every painter.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/model/split_candidates.hpp"

namespace kdscope {

/// A row of the matrix. Bits that are not in `within` do not count: they are paler and struck out.
struct SetRow {
  std::string label;
  std::uint64_t mask = 0, within = ~0ull;
  DisplayInk ink;
  bool strong = false;                        ///< a result
  double gap_above = 0;                       ///< in rows
  std::optional<std::size_t> candidate = {};  ///< index of the candidate that the row belongs to
};

/// Returns the rows of a node. `at`: the candidate whose sides the upper rows show.
std::vector<SetRow> set_rows(const Cursor& cursor, const NodeCandidates& node, std::optional<std::size_t> at);

/// The room that a matrix has, and what is selected in it.
struct SetRoom {
  double width = 0, height = 0;  ///< 0: as much as it needs
  double line_height = 17.5;
  double outline = 2;  ///< width of frames
  double scrolled_x = 0, scrolled_y = 0;
  std::span<const std::size_t> selected = {};             ///< columns
  std::optional<std::size_t> picked = {};                 ///< a candidate
  std::function<double(std::string_view)> width_of = {};  ///< of a bold text; none: an estimate
};

class SetPicture {
 public:
  /// Keeps references to the rows and to what `room` names. `primitives`: the points or triangles of the columns.
  SetPicture(const std::vector<SetRow>& rows, std::span<const std::uint32_t> primitives, const Space& space,
             const SetRoom& room);

  double cell_width() const { return cell_; }
  double row_height() const { return row_height_; }
  /// How far the picture scrolls.
  double most_x() const;
  double most_y() const;
  /// Left, top, width and height of a cell; none where a part of it is out of sight.
  std::optional<std::array<double, 4>> cell(std::size_t row, std::size_t column) const;
  struct Place {
    std::size_t row = 0;
    std::optional<std::size_t> column;  ///< none: on the label or to the right of the bits
  };
  std::optional<Place> place_at(double x, double y) const;
  /// Returns "bit 2, point 7: in this set".
  std::string words_of(std::size_t row, std::size_t column) const;
  /// Draws what is in sight. Below the bits, each column is an item whose id is its number. Work O(rows + bits in
  /// sight).
  DisplayList draw() const;

 private:
  double top_of(std::size_t row) const { return head_height_ + tops_[row] - room_.scrolled_y; }
  double left_of(std::size_t column) const;
  double width_of(std::string_view text) const;
  /// The x coordinate where bits end, and the counts begin.
  double bits_end() const;
  bool in_sight(std::size_t column) const;
  std::string kind() const;
  void draw_row(DisplayList& list, std::size_t number, std::size_t first, std::size_t end) const;
  void draw_heads(DisplayList& list) const;

  const std::vector<SetRow>& rows_;
  std::span<const std::uint32_t> primitives_;
  Space space_;
  SetRoom room_;
  std::vector<double> tops_;  // [rows + 1] without scrolling
  double label_width_ = 0, head_height_ = 0, cell_ = 1, row_height_ = 1, count_width_ = 0;
};

}  // namespace kdscope
