#pragma once
// How a cell of an array table looks: the same for the window's table, exported figures and web pages.

#include <optional>

#include "visualizer/model/array_table.hpp"
#include "visualizer/style/glyph.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// The colours of one cell.
struct CellLook {
  Rgb ground, ink;
  Rgb shape;                   ///< of the subtree's mark
  std::optional<Glyph> glyph;  ///< the subtree's mark; the window shows it beside the position alone
  bool bold = false;
};

/// Returns the look of a cell; `is_index` for cells of the index row. A changed cell has more of its own subtree's
/// colour: another hue would look like another subtree.
CellLook look_of(const Theme& theme, const TableCell& cell, bool is_index);

}  // namespace kdscope
