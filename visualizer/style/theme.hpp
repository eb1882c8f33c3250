#pragma once
// Maps semantic roles to colours. Every pane takes its colours from here; a change of theme needs one call and no
// restart.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "algorithms/trace/trace.hpp"
#include "visualizer/style/colour.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

enum class ThemeId : std::uint8_t { light, dark, high_contrast };

/// Colours and weights by meaning.
struct Theme {
  ThemeId id = ThemeId::light;
  const char* name = "";   ///< "light", "dark", "high-contrast"
  const char* title = "";  ///< for menus
  bool dark = false;       ///< light marks on a dark background

  Rgb window;  ///< around panes
  Rgb base;    ///< background of tables, texts, trees and of the 2D/3D view
  Rgb button;
  Rgb text, muted_text;  ///< on window, base and button
  Rgb line;              ///< grids and separators
  Rgb axis;              ///< axes and their ticks
  Rgb selection;         ///< thick frame of the selection
  Rgb focus;             ///< keyboard focus, highlighted menu entries, progress
  Rgb pivot;             ///< outline of a pivot
  Rgb changed;           ///< underline of changed elements; mixed into the background for their tint
  Rgb plane, new_plane;  ///< split planes, and those of the newest level
  Rgb passed, failed, warning;
  double outline = 2;               ///< width of outlines, px at text scale 1
  std::array<Rgb, 8> categories{};  ///< Okabe-Ito, adjusted to be seen on `base`
  std::array<Rgb, 79> subtrees{};   ///< the results of subtree_colour(), derived from the categories
};

const Theme& theme(ThemeId id);
inline constexpr std::array all_themes{ThemeId::light, ThemeId::dark, ThemeId::high_contrast};
std::optional<ThemeId> theme_named(std::string_view name);

/// Returns the colour of a node's subtree, which is the same for points, tree nodes and outlines of cells. Same-level
/// neighbours differ; nodes of deeper levels have shades of their second-level ancestor's colour.
Rgb subtree_colour(const Theme& theme, TreePlace place);
/// Returns the colour for trees in level order.
Rgb subtree_colour(const Theme& theme, NodeId level_order_node);

/// Fades a colour towards the base by a share. In high contrast, it keeps 3:1 against the ground it stands on.
Rgb faded(const Theme& theme, Rgb colour, double share, Rgb ground);
inline Rgb faded(const Theme& theme, Rgb colour, double share) { return faded(theme, colour, share, theme.base); }
/// Returns the opacity of a picture of what is to come. Its texts keep 3:1 against the base; in high contrast, so do
/// its nodes.
constexpr double preview_opacity(ThemeId id) { return id == ThemeId::high_contrast ? 0.85 : 0.65; }

/// Returns the colour of settled elements: dimmed towards the ground.
Rgb dimmed(const Theme& theme, Rgb colour);
/// Returns the ground of a table cell or of a region of space that belongs to a subtree.
Rgb cell_ground(const Theme& theme, Rgb subtree, bool settled);
/// Returns the ground of a changed cell, which has more of its subtree's colour than its usual `ground`: another hue
/// would look like another subtree.
Rgb changed_cell_ground(const Theme& theme, Rgb subtree, Rgb ground);
/// Returns the colour of texts on both: one in each theme, with a contrast of at least 4.5:1.
inline Rgb cell_ink(const Theme& theme) { return theme.dark ? rgb(0xffffff) : rgb(0x000000); }
/// Returns the colour of a text that steps back, such as settled text: mixed into its ground by a share, or by as much
/// as keeps 4.5:1, and in high contrast 7:1. What else a text stands for may fade further.
Rgb dimmed_ink(const Theme& theme, Rgb ink, Rgb ground, double share = 0.35);
/// Returns the colour of the rims of points' marks, from which also a dimmed mark stands out.
inline Rgb mark_rim(const Theme& theme) { return mix(theme.base, theme.text, 0.68); }
/// Returns the ground of changed elements that have no subtree's colour.
Rgb changed_ground(const Theme& theme);

/// Returns the colour of the n-th strategy or stage of a run: Okabe-Ito in an order in which neighbours differ most.
Rgb strategy_colour(const Theme& theme, int kind);

/// Returns the colour of the line above elements that a step reads, writes or compares (role_line()).
Rgb role_colour(const Theme& theme, Role role);

}  // namespace kdscope
