#include "visualizer/style/theme.hpp"

#include <algorithm>

namespace kdscope {
namespace {

// The categories are purple, orange, blue, vermillion, yellow, sky blue and green of Okabe-Ito, with grey instead of
// black. The children of the warm first subtree are warm, those of the cool second subtree are cool. Each theme adjusts
// the colours that are hard to see on its background.
Theme light_theme() {
  Theme t;
  t.id = ThemeId::light;
  t.name = "light";
  t.title = "Light";
  t.window = rgb(0xf1f3f5);
  t.base = rgb(0xffffff);
  t.button = rgb(0xe6e9ed);
  t.text = rgb(0x14171a);
  t.muted_text = rgb(0x535b65);
  t.line = rgb(0xd3d8de);
  t.axis = rgb(0x4a525c);
  t.selection = rgb(0x6a1fd0);
  t.focus = rgb(0x1a4ec4);
  t.pivot = rgb(0x14171a);
  t.changed = rgb(0xa8009c);
  t.plane = rgb(0x5d6771);
  t.new_plane = rgb(0x14171a);
  t.passed = rgb(0x157f3b);
  t.failed = rgb(0xb91c1c);
  t.warning = rgb(0x9a5b00);
  t.categories = {rgb(0xcc79a7), rgb(0xe69f00), rgb(0x0072b2), rgb(0xd55e00),
                  rgb(0xd6c400), rgb(0x56b4e9), rgb(0x009e73), rgb(0x7d8794)};
  return t;
}

Theme dark_theme() {
  Theme t;
  t.id = ThemeId::dark;
  t.name = "dark";
  t.title = "Dark";
  t.dark = true;
  t.window = rgb(0x1c2025);
  t.base = rgb(0x12151a);
  t.button = rgb(0x2b313a);
  t.text = rgb(0xf1f3f6);
  t.muted_text = rgb(0xc0c8d1);
  t.line = rgb(0x363e48);
  t.axis = rgb(0xa4aeba);
  t.selection = rgb(0xc9a2ff);
  t.focus = rgb(0x6ca0ff);
  t.pivot = rgb(0xffffff);
  t.changed = rgb(0xf04bff);
  t.plane = rgb(0x76818e);
  t.new_plane = rgb(0xffffff);
  t.passed = rgb(0x57c95a);
  t.failed = rgb(0xff7c75);
  t.warning = rgb(0xffc168);
  t.categories = {rgb(0xd58ab4), rgb(0xe69f00), rgb(0x3187d6), rgb(0xe2661a),
                  rgb(0xf0e442), rgb(0x6cc4f5), rgb(0x14b388), rgb(0x9aa5b3)};
  return t;
}

Theme high_contrast_theme() {
  Theme t = dark_theme();
  t.id = ThemeId::high_contrast;
  t.name = "high-contrast";
  t.title = "High contrast";
  t.window = t.base = rgb(0x000000);
  t.button = rgb(0x1a1a1a);
  t.text = rgb(0xffffff);
  t.muted_text = rgb(0xdfe4ea);
  t.line = rgb(0x8c8c8c);
  t.axis = rgb(0xffffff);
  t.selection = rgb(0x00ffff);
  t.focus = rgb(0xb8ff00);
  t.changed = rgb(0xff2dff);
  t.plane = rgb(0x8f8f8f);
  t.passed = rgb(0x4dff9c);
  t.failed = rgb(0xff748c);
  t.warning = rgb(0xfad48a);
  t.outline = 3;
  t.categories = {rgb(0xe79cc6), rgb(0xffb000), rgb(0x4aa0ff), rgb(0xff7a33),
                  rgb(0xfff04d), rgb(0x8ad6ff), rgb(0x1ed6a4), rgb(0xaab4be)};
  return t;
}

/// Returns the index of a place in Theme::subtrees: first the 15 places of the top four levels, then 8 shades for each
/// third-level place.
constexpr std::size_t table_index(TreePlace place) {
  if (place.level <= 3) return (std::size_t(1) << place.level) - 1 + (place.head & 7);
  return 15 + 8 * (place.head & 7) + (place.tail & 7);
}

/// Returns one of eight shades of a colour, chosen by the last three turns. The last turn changes the shade most,
/// because siblings lie side by side.
Rgb shade_of_turns(Rgb base, int tail, bool dark) {
  const auto sign = [&](int bit) { return (tail >> bit & 1) ? 1.0 : -1.0; };
  const double shift = 0.07 * sign(0) + 0.02 * sign(1) + 0.035 * sign(2), own = lightness_of(base);
  // Shades of yellow must not become white, nor shades of blue black.
  const double middle = std::clamp(own, dark ? 0.6 : 0.5, dark ? 0.8 : 0.72);
  return shade(base, middle - own + shift, 14 * sign(1));
}

/// Returns the colour of a level-3 node: that of its parent, lighter for a left child and darker for a right one; both
/// are darker if the parent is light.
Rgb shade_of_level_3(Rgb parent, bool right) {
  const bool light = lightness_of(parent) > 0.8;
  return shade(parent, light ? (right ? -0.2 : -0.1) : (right ? -0.1 : 0.1), 0);
}

constexpr double pale_root = 0.4;  // the first step is calm: nothing is split yet

Theme with_subtrees(Theme t) {
  for (int level = 0; level <= 4; ++level) {
    for (int head = 0; head < (level < 3 ? 1 << level : 8); ++head) {
      for (int tail = 0; tail < (level > 3 ? 8 : 1); ++tail) {
        const TreePlace place{static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(head),
                              static_cast<std::uint8_t>(tail)};
        const Rgb base = t.categories[static_cast<std::size_t>(subtree_category(place))];
        t.subtrees[table_index(place)] = level > 3    ? shade_of_turns(base, tail, t.dark)
                                         : level == 3 ? shade_of_level_3(base, head & 1)
                                         : level == 0 ? mix(base, t.base, pale_root)
                                                      : base;
      }
    }
  }
  return t;
}

}  // namespace

const Theme& theme(ThemeId id) {
  static const std::array themes{with_subtrees(light_theme()), with_subtrees(dark_theme()),
                                 with_subtrees(high_contrast_theme())};
  return themes[static_cast<std::size_t>(id)];
}

std::optional<ThemeId> theme_named(std::string_view name) {
  for (ThemeId id : all_themes)
    if (name == theme(id).name) return id;
  return std::nullopt;
}

Rgb subtree_colour(const Theme& theme, TreePlace place) { return theme.subtrees[table_index(place)]; }

Rgb subtree_colour(const Theme& theme, NodeId level_order_node) {
  return subtree_colour(theme, place_of(level_order_node));
}

Rgb faded(const Theme& theme, Rgb colour, double share, Rgb ground) {
  while (theme.id == ThemeId::high_contrast && share > 0 && contrast(mix(colour, theme.base, share), ground) < 3)
    share -= 0.02;
  return mix(colour, theme.base, std::max(0.0, share));
}

Rgb dimmed(const Theme& theme, Rgb colour) {
  constexpr double of_cell = 0.15;  // a settled point stands in the pale cell of its colour
  return faded(theme, colour, 0.6, mix(theme.base, colour, of_cell));
}

Rgb cell_ground(const Theme& theme, Rgb subtree, bool settled) {
  double towards_base = settled ? 0.84 : theme.dark ? 0.5 : 0.45;
  Rgb ground = mix(subtree, theme.base, towards_base);
  // Texts of all cells are dark on light themes and light on dark ones, with room for a changed cell to be stronger.
  const double least = theme.id == ThemeId::high_contrast ? 7 : 5.5;
  while (contrast(cell_ink(theme), ground) < least) ground = mix(subtree, theme.base, towards_base += 0.03);
  return ground;
}

Rgb changed_cell_ground(const Theme& theme, Rgb subtree, Rgb ground) {
  // A settled cell stays paler than those that are not
  const double strength = colour_distance(ground, theme.base) / std::max(1e-9, colour_distance(subtree, theme.base));
  double share = theme.id == ThemeId::high_contrast ? 0 : std::min(0.35, 0.6 * strength);
  while (share > 0 && share < 0.35 && colour_distance(mix(ground, subtree, share), ground) < 0.025) share += 0.02;
  while (share > 0 && contrast(cell_ink(theme), mix(ground, subtree, share)) < 4.5) share -= 0.02;
  return mix(ground, subtree, std::max(0.0, share));
}

Rgb dimmed_ink(const Theme& theme, Rgb ink, Rgb ground, double share) {
  while (share > 0 && contrast(mix(ink, ground, share), ground) < (theme.id == ThemeId::high_contrast ? 7 : 4.5))
    share -= 0.05;
  return mix(ink, ground, std::max(0.0, share));
}

Rgb changed_ground(const Theme& theme) { return mix(theme.changed, theme.base, 0.82); }

Rgb strategy_colour(const Theme& theme, int kind) {
  constexpr std::array<std::uint8_t, 8> order{5, 1, 6, 0, 4, 2, 3, 7};
  return theme.categories[order[static_cast<std::size_t>(kind) % order.size()]];
}

Rgb role_colour(const Theme& theme, Role role) {
  return role == Role::read ? theme.focus : role == Role::write ? theme.text : theme.warning;
}

}  // namespace kdscope
