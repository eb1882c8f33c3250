#pragma once
// Trees of split planes over triangles or points, in pre-order (Zhou et al. 2008).

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trees/split_planes/rules.hpp"

namespace kdscope {

class TreeKind;

/// The primitives over which a tree of split planes is built.
enum class Primitive : std::uint8_t { point, triangle };

/// A kd-tree of split planes over primitives, in pre-order: node 0 is the root, and the left child of node i is i + 1.
/// There is always a root; without primitives it is an empty leaf. Leaves list their primitives in ascending order of
/// indices. A triangle may be in several leaves, and a leaf may be empty. A primitive that reaches from lo to hi along
/// a split's dimension, within the node's volume, goes left of the value v if lo < v, and right if hi > v or lo >= v.
/// So a primitive that only touches the plane from below is left of it, and one that lies in it or begins there is
/// right. A child's volume is its parent's, cut at v; both children contain v itself.
struct SplitPlaneTree {
  std::shared_ptr<const DataSet> data;
  Primitive primitive = Primitive::triangle;
  std::vector<std::uint32_t> parent, right_child;     ///< [nodes] no_id for the root's parent and a leaf's child
  std::vector<std::uint32_t> split_dim, split_value;  ///< [nodes] no_id / 0 for leaves; the value is a coordinate word
  std::vector<std::uint32_t> first,
      count;  ///< [nodes] leaves: positions [first, first + count); inner nodes: the span of their leaves
  std::vector<std::uint32_t> box;  ///< [nodes x 2k] coordinate words: the node's volume, k lower then k upper ends
  std::vector<std::uint32_t> primitive_of_position;  ///< [references] index of a point or triangle of the data
  std::uint32_t depth_bounded =
      0;  ///< number of leaves that exist only because of a bound on the depth or on useless halvings
  std::optional<SplitPlaneRules> rules = {};  ///< the rules by which the tree was built; unknown in trees from files
  double traversal_cost = 1;                  ///< C_ts of reported costs, in tests of one primitive
  static const TreeKind& kind();
  std::uint32_t size() const { return static_cast<std::uint32_t>(parent.size()); }
  bool is_leaf(std::uint32_t node) const { return right_child[node] == no_id; }
  std::uint32_t primitives() const {
    return static_cast<std::uint32_t>(primitive == Primitive::point ? data->points.size() : data->triangles.size() / 3);
  }
};

/// Returns the hash of all listed fields of each node, its box with -0.0 as 0.0, and the primitive of each position,
/// but not of the number of bounded leaves.
std::uint64_t tree_hash(const SplitPlaneTree& tree);

}  // namespace kdscope
