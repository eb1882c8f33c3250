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
  // The root is grey: colour comes with the first split. A picture of a deep tree stays calm with four hues.
  constexpr std::array<std::uint8_t, 7> categories{7, 1, 2, 3, 4, 5, 6};
  const int level = place.level < 2 ? place.level : 2;
  return categories[static_cast<std::size_t>((1 << level) - 1 + ((place.head & 7) >> (place.level > 2)))];
}

Glyph subtree_glyph(TreePlace place) {
  // Glyphs of deep nodes depend on the last turns, as their shades do. On level 3, each differs from that of the parent
  // and from that of the level-2 node to the right, its neighbour while level 3 fills from the left.
  constexpr std::array<std::uint8_t, 8> of_level_3{5, 6, 7, 2, 0, 3, 1, 4};
  if (place.level == 0) return Glyph::circle;
  if (place.level > 3) return static_cast<Glyph>(place.tail);
  return static_cast<Glyph>(place.level == 3 ? of_level_3[place.head & 7] : subtree_category(place));
}

}  // namespace kdscope
