#pragma once
// Counts of several dimensions as a display list: one sheet of rows and columns per layer, side by side, coloured by
// their values. A histogram has bars above an axis instead. The same for every painter.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/figure/growth.hpp"
#include "visualizer/model/count_array.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// Where cells stand, in pixels.
struct CountFrame {
  double label_width = 0, head_height = 0, cell_width = 1, cell_height = 1;
  double gap = 0;  ///< before a layer
  double scrolled_x = 0, scrolled_y = 0;
  double width = 0, height = 0;                  ///< what is in sight, with labels and heads
  std::uint64_t most_slots = ~std::uint64_t(0);  ///< of which no more are drawn
};

/// What stands out, and how large texts are.
struct CountLook {
  double largest = 0;                                     ///< value
  std::span<const std::optional<TreePlace>> layers = {};  ///< the subtrees that layers count; may be shorter
  std::span<const std::uint64_t> marked = {};             ///< selected cells, of which the first 5,000 are framed
  std::optional<std::uint64_t> framed = {};
  std::function<bool(std::uint64_t)> changed = {};  ///< whether a cell is changed; none: no cell
  Growth growth = {};                               ///< changed counts pass to their values: bars rise, cells flash
  const CountArray* old = nullptr;                  ///< from these ones, of the same shape; null: from none
  bool hidden = false;                              ///< counts read "?", and there are no bars, scales and ends of bins
  bool numbers = false;                             ///< whether cells have room for their numbers
  double small = 13.5;                              ///< pixels of texts around the cells
  double line = 15.8;                               ///< height of these texts
  double outline = 2;                               ///< width of frames
  std::function<double(std::string_view)> width_of = {};  ///< of these texts; none: an estimate
};

/// Above the bins of a histogram: what their upper ends follow.
inline constexpr const char* ends_of_bins_label = "up to";

class CountPicture {
 public:
  /// Keeps a reference to the counts.
  CountPicture(const CountArray& counts, const CountFrame& frame) : counts_(counts), frame_(frame) {}

  double left_of(std::uint64_t slot) const {
    return frame_.label_width + static_cast<double>(slot) * frame_.cell_width +
           static_cast<double>(counts_.layer_of_slot(slot)) * frame_.gap - frame_.scrolled_x;
  }
  double top_of(std::uint64_t row) const {
    return frame_.head_height + static_cast<double>(row) * frame_.cell_height - frame_.scrolled_y;
  }
  /// The slot at a place, or the next one; slot_count() behind all.
  std::uint64_t slot_at(double x) const;
  /// The cell at a place.
  std::optional<std::uint64_t> cell_at(double x, double y) const;
  /// Left, top, width and height of a cell, on whole pixels.
  std::array<double, 4> place_of(std::uint64_t flat) const;
  /// Returns "layer 2, row 3 column 4".
  std::string words_of(std::uint64_t flat) const;
  /// Draws the cells in sight. Those with numbers have their index as id. Work O(cells in sight).
  DisplayList draw(const CountLook& look) const;

 private:
  friend class CountPen;
  const CountArray& counts_;
  CountFrame frame_;
};

}  // namespace kdscope
