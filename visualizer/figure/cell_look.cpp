#include "visualizer/figure/cell_look.hpp"

namespace kdscope {

CellLook look_of(const Theme& theme, const CellState& cell) {
  CellLook look;
  if (cell.is_index) {
    look.ground = theme.window;
    look.ink = theme.muted_text;
    return look;
  }
  const auto ground_of = [&](const std::optional<TreePlace>& place) {
    if (!place) return theme.base;  // a tint would be read as a subtree's
    const Rgb colour = subtree_colour(theme, *place), ground = cell_ground(theme, colour, cell.settled);
    return cell.changed ? changed_cell_ground(theme, colour, ground) : ground;
  };
  look.ground = ground_of(cell.place);
  if (cell.parent) look.ground = mix(ground_of(cell.parent), look.ground, cell.growth);
  look.ink = cell_ink(theme);
  if (cell.settled && !cell.changed) look.ink = dimmed_ink(theme, look.ink, look.ground);
  return look;
}

}  // namespace kdscope
