#pragma once
// The colours of a cell of an array table.

#include <optional>

#include "visualizer/style/subtree.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// The colours of one cell.
struct CellLook {
  Rgb ground, ink;
};

/// What decides the look of a cell.
struct CellState {
  std::optional<TreePlace> place;
  bool settled = false, changed = false, is_index = false;  ///< `is_index`: in the index row
  std::optional<TreePlace> parent = {};                     ///< the cell passes from its colour to that
  double growth = 1;                                        ///< of `place`, by this share
};

/// Returns the look of a cell.
CellLook look_of(const Theme& theme, const CellState& cell);

}  // namespace kdscope
