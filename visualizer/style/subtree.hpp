#pragma once
// The colour of a subtree depends only on its place in the tree. It is the same in tables, tree and space, in every
// step and for every builder.

#include <cstdint>

#include "algorithms/core/ids.hpp"

namespace kdscope {

/// The place of a node in a binary tree, reduced to what its colour depends on: exact for the top levels; for deeper
/// nodes, the third-level ancestor and the last turns on the path.
struct TreePlace {
  std::uint8_t level = 0;  ///< 0 for the root; at most 255
  std::uint8_t head = 0;   ///< index from the left of the node (up to level 3) or of its third-level ancestor
  std::uint8_t tail = 0;   ///< index of the node from the left, modulo 8
  bool operator==(const TreePlace&) const = default;
};

/// Returns the place of the left or right child of a node.
constexpr TreePlace child_of(TreePlace parent, bool right) {
  TreePlace child = parent;
  if (parent.level < 255) ++child.level;
  if (parent.level < 3) child.head = static_cast<std::uint8_t>(2 * parent.head + right);
  child.tail = static_cast<std::uint8_t>((2 * parent.tail + right) & 7);
  return child;
}

/// Returns the place of a node of a tree in level order (children of i at 2i+1 and 2i+2).
TreePlace place_of(NodeId level_order_node);

/// Returns the shape of a subtree's mark, which supplements its colour.
enum class Glyph : std::uint8_t { circle, square, triangle, diamond, inverted_triangle, hexagon, plus, star };
inline constexpr int glyph_count = 8;

/// Returns which of the theme's eight categories a node's subtree has: grey, 7, for the root, warm ones (1, 3, 4) below
/// its left child, cool ones (2, 5, 6) below its right child. From level 3 on, the category is that of the second-level
/// ancestor, in other shades and with other glyphs.
int subtree_category(TreePlace place);
Glyph subtree_glyph(TreePlace place);

}  // namespace kdscope
