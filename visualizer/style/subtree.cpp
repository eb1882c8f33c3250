#include "visualizer/style/subtree.hpp"

#include <array>

#include "algorithms/core/level_order.hpp"

namespace kdscope {

TreePlace place_of(NodeId level_order_node) {
  const int level = level_of(level_order_node);
  const std::uint32_t from_left = level_order_node.value - full_tree_size(level);
  return {static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(level > 3 ? from_left >> (level - 3) : from_left),
          static_cast<std::uint8_t>(from_left & 7)};
}

int subtree_category(TreePlace place) {
  // The root is grey: colour comes with the first split. Level 3 uses every category once. No node of level 3 shares
  // the category of its parent, nor that of the level-2 node to its right, its neighbour while level 3 fills from the
  // left.
  constexpr std::array<std::uint8_t, 15> categories{7, 1, 2, 3, 4, 5, 6, 0, 1, 3, 6, 2, 7, 5, 4};
  const int level = place.level < 3 ? place.level : 3;
  return categories[static_cast<std::size_t>((1 << level) - 1 + (place.head & 7))];
}

Glyph subtree_glyph(TreePlace place) {
  // All nodes below a third-level ancestor share its colour; their glyphs depend on the last turns, as their shades do.
  // Level 3 repeats categories of the levels above with other glyphs, so that no two of the top 15 nodes look the same.
  if (place.level == 0) return Glyph::circle;
  if (place.level > 3) return static_cast<Glyph>(place.tail);
  return static_cast<Glyph>((subtree_category(place) + (place.level == 3 ? 4 : 0)) % glyph_count);
}

}  // namespace kdscope
