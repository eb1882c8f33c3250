#include "visualizer/figure/cell_look.hpp"

namespace kdscope {

CellLook look_of(const Theme& theme, const CellState& cell) {
  CellLook look;
  if (cell.is_index) {
    look.ground = theme.window;
    look.ink = theme.muted_text;
    return look;
  }
  look.ground = theme.base;
  if (cell.place) look.ground = cell_ground(theme, subtree_colour(theme, *cell.place), cell.settled);
  if (cell.changed) {
    if (!cell.place)
      look.ground = changed_ground(theme);
    else if (theme.id != ThemeId::high_contrast)
      look.ground = mix(look.ground, subtree_colour(theme, *cell.place), 0.35);
  }
  look.ink = text_on(look.ground);
  if (cell.settled && !cell.changed) look.ink = dimmed_ink(theme, look.ink, look.ground);
  return look;
}

}  // namespace kdscope
