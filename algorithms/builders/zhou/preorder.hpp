#pragma once
// The output stage (Zhou et al. 2008, Alg. 5): a pass from the bottom up computes the size of every node's subtree, and
// a pass from the top down computes its address in the pre-order.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/builders/zhou/nodes.hpp"
#include "algorithms/builders/zhou/small_nodes.hpp"
#include "algorithms/exec/scans.hpp"

namespace kdscope::zhou {

/// Packs two sums into one word: nodes in the low half, listed primitives in the high half. The source lists a leaf's
/// primitives between the nodes and adds both numbers; here the primitives have an array of their own.
KDSCOPE_HD constexpr std::uint64_t extent_of(std::uint32_t nodes, std::uint32_t primitives) {
  return nodes | std::uint64_t(primitives) << 32;
}
KDSCOPE_HD constexpr std::uint32_t nodes_of(std::uint64_t extent) { return static_cast<std::uint32_t>(extent); }
KDSCOPE_HD constexpr std::uint32_t primitives_of(std::uint64_t extent) {
  return static_cast<std::uint32_t>(extent >> 32);
}

/// The nodes that a pass processes together, and the number of successive pairs of children below each. A node of the
/// small stage has one pair; a large node whose empty space was cut off first has several.
struct PassNodes {
  LevelNodes level;
  const std::uint32_t* pairs;  ///< [level] or null for at most one
};

/// Passes that one launch performs in succession. Several passes share a group only if one block suffices for each of
/// them.
struct PassGroup {
  static constexpr std::uint32_t most = 16, most_nodes = 1024, lanes = 256;
  PassNodes pass[most];
  std::uint32_t count;
  std::uint32_t blocks() const { return count > 1 ? 1 : (pass[0].level.count + lanes - 1) / lanes; }

  /// Calls f(pass, i) for all nodes i of each pass. A block finishes a pass before it starts the next.
  template <class Block, class Each>
  KDSCOPE_HD void each(Block& block, Each f) const {
    for (std::uint32_t p = 0; p < count; ++p) {
      const PassNodes& at = pass[p];
      const std::uint32_t begin = block.index() * lanes,
                          end = count > 1 || at.level.count - begin <= lanes ? at.level.count : begin + lanes;
      block.lanes([&](int lane) {
        for (std::uint32_t i = begin + static_cast<std::uint32_t>(lane); i < end; i += lanes) f(at, i);
      });
    }
  }
};

/// Groups passes in their order, at most `at_once` per group.
inline std::vector<PassGroup> groups_of(std::span<const PassNodes> passes, std::uint32_t at_once) {
  std::vector<PassGroup> groups;
  for (const PassNodes& pass : passes) {
    const bool joins = !groups.empty() && groups.back().count < at_once && pass.level.count <= PassGroup::most_nodes &&
                       groups.back().pass[0].level.count <= PassGroup::most_nodes;
    if (!joins) groups.push_back({{}, 0});
    groups.back().pass[groups.back().count++] = pass;
  }
  return groups;
}

// [region zhou/up_pass]
/// Sets the sizes of leaves before the passes.
struct LeafSizes {
  NodesView nodes;
  std::uint64_t* size;  ///< [nodes]
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    if (nodes.left_child[node] == no_id) size[node] = extent_of(1, nodes.count[node]);
  }
};

/// Sets a node's size to that of both children plus itself. One thread per node of the level, which also climbs the
/// node's cuts.
struct UpPass {
  NodesView nodes;
  PassGroup group;
  std::uint64_t* size;
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    group.each(block, [&](const PassNodes& pass, std::uint32_t i) {
      // A leaf has its size already. The levels below are complete: their pass ended with a barrier or a launch.
      const std::uint32_t node = pass.level[i], first = nodes.left_child[node];
      if (first == no_id) return;
      // A large node's cuts made consecutive pairs of nodes: climb from the deepest pair. The parent of a pair is the
      // node itself or, in the pair above, the child that was cut further.
      for (std::uint32_t left = first + 2 * (pass.pairs ? pass.pairs[i] - 1 : 0);; left -= 2) {
        const std::uint32_t parent = left == first ? node : nodes.left_child[left - 2] == left ? left - 2 : left - 1;
        size[parent] = size[left] + size[left + 1] + extent_of(1, 0);
        if (parent == node) return;
      }
    });
  }
};
// [endregion]

/// Returns the number of primitives that a node itself lists.
struct ListedHere {
  NodesView nodes;
  KDSCOPE_HD std::uint64_t operator()(std::uint32_t node) const {
    return nodes.left_child[node] == no_id ? nodes.count[node] : 0;
  }
};
struct AddUp {
  template <class T>
  KDSCOPE_HD T operator()(T a, T b) const {
    return a + b;
  }
};

/// Returns how many primitives the leaves of m nodes list, from the root's size. Throws if 32 bits cannot number them.
/// A leaf of the small stage lists at most 64 primitives, and the other leaves list subsets of the kept list; so only
/// huge trees need a count leaf by leaf, in 64 bits.
template <class Exec>
std::uint32_t listed_primitives(Exec& exec, const NodesView& nodes, std::uint32_t m, std::uint32_t kept,
                                const std::uint64_t* size) {
  if (kept + 64 * ((m + 1ull) / 2) > ~0u) {
    if (const auto listed = exec.reduce("listed primitives", m, ListedHere{nodes}, AddUp{}, std::uint64_t(0));
        listed > ~0u)
      throw ErrorException({ErrorKind::out_of_memory,
                            "the leaves would list " + std::to_string(listed) + " primitives, more than 32 bits number",
                            "", "use fewer triangles, ones that overlap less, or a higher traversal cost"});
  }
  std::uint64_t whole = 0;
  exec.download(std::span(&whole, 1), size);
  return primitives_of(whole);
}

// [region zhou/down_pass]
/// Sets the addresses of children: the left child follows its parent, and the right child follows the left child's
/// subtree.
struct DownPass {
  NodesView nodes;
  PassGroup group;
  const std::uint64_t* size;
  std::uint64_t* address;
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    group.each(block, [&](const PassNodes& pass, std::uint32_t i) {
      std::uint32_t node = pass.level[i], left = nodes.left_child[node];
      if (left == no_id) return;
      // The node's own address was set by the pass above. Descend through its cuts: the child that is split has the
      // next pair.
      for (std::uint32_t pairs = pass.pairs ? pass.pairs[i] : 1; pairs > 0; --pairs, left += 2) {
        address[left] = address[node] + extent_of(1, 0);
        address[left + 1] = address[left] + size[left];
        node = nodes.left_child[left] == left + 2 ? left : left + 1;
      }
    });
  }
};
// [endregion]

/// The arrays of the finished tree, to which StoreNodes writes.
struct TreeView {
  std::uint32_t *parent, *right_child, *split_dim, *split_value, *first, *count, *box, *primitive_of_position;
  std::uint32_t k;
  ScalarType type;
};

// [region zhou/store_nodes]
/// Stores a node in its final form at its address. Leaves also store their list of primitives.
struct StoreNodes {
  NodesView nodes;
  const std::uint64_t *size, *address;
  const std::uint32_t* kept;  ///< [kept references] primitive
  TreeView tree;
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    // Nodes are written at random, by address. Each thread writes all fields of its node but the parent, which the
    // parent's thread writes.
    const std::uint32_t at = nodes_of(address[node]), left = nodes.left_child[node],
                        first = primitives_of(address[node]), count = primitives_of(size[node]);
    if (node == 0) tree.parent[at] = no_id;
    tree.split_dim[at] = nodes.split_dim[node];
    tree.split_value[at] = left == no_id ? 0 : coordinate_word(nodes.split_value[node], tree.type);
    tree.first[at] = first;
    tree.count[at] = count;
    for (std::uint32_t d = 0; d < tree.k; ++d) {
      tree.box[std::size_t(at) * 2 * tree.k + d] = coordinate_word(nodes.volume[node].lo[d], tree.type);
      tree.box[std::size_t(at) * 2 * tree.k + tree.k + d] = coordinate_word(nodes.volume[node].hi[d], tree.type);
    }
    // In pre-order a left child follows its parent, so only the right one needs a link
    tree.right_child[at] = no_id;
    if (left != no_id) {
      const std::uint32_t right_at = nodes_of(address[left + 1]);
      tree.parent[at + 1] = tree.parent[right_at] = at;
      tree.right_child[at] = right_at;
      return;
    }
    // A leaf lists its primitives: all of its range in the kept list or, if it has a set, those of its small root whose
    // bits are set. The lowest bit comes first, so they keep their order in the kept list.
    const std::uint32_t from = nodes.first[node];
    std::uint64_t set = nodes.set[node];
    if (set == 0) {
      for (std::uint32_t i = 0; i < count; ++i) tree.primitive_of_position[first + i] = kept[from + i];
    }
    for (std::uint32_t to = first; set != 0; set &= set - 1)
      tree.primitive_of_position[to++] = kept[from + lowest_one(set)];
  }
};
// [endregion]

/// Returns 1 for leaves at a bound.
struct IsBounded {
  const std::uint8_t* bounded;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t node) const { return bounded[node]; }
};

}  // namespace kdscope::zhou
