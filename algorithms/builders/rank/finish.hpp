#pragma once
// Finishes subtrees that fit into a block's shared memory.

#include "algorithms/builders/rank/block_search.hpp"
#include "algorithms/builders/rank/round.hpp"

namespace kdscope::rank {

/// A finished tree's arrays: see LeftBalancedTreeOnDevice. stride: words per record, of which the builder writes the k
/// coordinates.
struct TreeArrays {
  std::uint32_t* words;
  PointId* point_of_node;
  std::uint8_t* split_dim;
  std::uint32_t stride;
};

// [region rank/finish]
/// Splits the subtrees below a level to the end, one block per subtree. Its points are read once and stay in place in
/// shared memory: each carries the number of its node within the subtree, as Wald's tags do. On each level, all nodes
/// find their pivots at once, and every other point moves on to a child. A recording finishes level by level: the tags
/// are then kept in memory between launches. by_level: all nodes of a level split the same dimension.
/// Numbers: t counts the subtree's nodes in level order, from its root, 0; `down` counts levels below that root; i
/// counts the subtree's points as they lie in shared memory; l is the lane.
template <int K, bool by_level>
struct FinishSubtrees {
  static constexpr int most_lanes = 512;
  static constexpr std::uint32_t wide_nodes = 256;  ///< at most on one level: 4096 points in nodes of more than 15
  static constexpr int blocks_per_multiprocessor = 2;
  Records from;
  std::uint32_t n;
  SplitRule rule;
  int level;            ///< the roots' level
  const Plane* planes;  ///< planes above the roots
  TreeArrays tree;
  std::uint32_t most;             ///< the most points of a subtree
  std::uint32_t first_root = 0;   ///< the first of the level's nodes that the launch finishes
  int first_down = 0;             ///< the first level to split, counted from the roots
  int last_down = 32;             ///< ends after this level
  std::uint32_t* tags = nullptr;  ///< [n] by position; null if one launch does all

  /// Returns the limits of the search in subtrees of up to `most` points: levels with a histogram have more than `few`
  /// points per node.
  KDSCOPE_HD static SearchLimits limits(std::uint32_t most) {
    SearchLimits limits{1, 7};
    for (std::uint32_t size = left_size(most); size > SmallNode::most; size = left_size(size)) limits.nodes *= 2;
    while ((2u << limits.log_bins) < most) ++limits.log_bins;
    return limits;
  }

  /// A block's subtree. keys: column by column; pivot, dims: one per node, numbered within the subtree.
  struct Subtree {
    NodeId root;
    std::uint32_t begin, size;  ///< its points
    std::uint32_t* keys;
    std::uint16_t* pivot;
    std::uint8_t* dims;
  };

  static std::size_t shared_bytes(std::uint32_t most, std::uint32_t k) {
    return most * (4 * k + 12 + (by_level ? 0 : 1)) + 8 * k + 4 * wide_nodes + limits(most).shared_bytes() + 256;
  }
  std::size_t shared_bytes() const { return shared_bytes(most, rule.k); }
  int lanes() const { return most > 2047 ? 512 : most > 511 ? 256 : 128; }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count()), k = K > 0 ? K : rule.k;
    // The subtree's size and the place of its points follow from n alone, so every block begins without a search
    const NodeId root{full_tree_size(level) + first_root + block.index()};
    const std::uint32_t size = subtree_size(root, n), begin = in_order_begin(root, n);

    // Coordinates lie column by column: lanes that read neighbouring points read neighbouring words, which lie in
    // different banks. The two *_by_node arrays and the counters of the search are scratch of one level.
    auto* keys = block.template shared<std::uint32_t>(static_cast<int>(k * most));
    auto* tag = block.template shared<std::uint32_t>(static_cast<int>(most));
    auto* keys_by_node = block.template shared<std::uint32_t>(static_cast<int>(most));
    auto* points_by_node = block.template shared<std::uint16_t>(static_cast<int>(most));
    auto* pivot = block.template shared<std::uint16_t>(static_cast<int>(most));  // the point of each node
    auto* dims = block.template shared<std::uint8_t>(by_level ? 0 : static_cast<int>(most));
    auto* box = block.template shared<std::uint32_t>(static_cast<int>(2 * k));
    auto* size_of =
        block.template shared<std::uint16_t>(2 * wide_nodes);  // of nodes that are searched with a histogram
    const Subtree of{root, begin, size, keys, pivot, dims};
    BlockSearch<Block> search(block, rule.type, limits(most));
    // A node's number plus 1, in binary, is its path from the root: a 1, then one bit per level, 1 for a right child.
    // Node t has the path of the subtree's root, followed by the last `down` bits of t + 1.
    const auto node_at = [&](std::uint32_t t) {
      const int down = level_of(NodeId{t});
      return NodeId{((root.value + 1) << down) - 1 + (t - full_tree_size(down))};
    };
    // Round-robin dimensions follow from the level; those of widest sides are kept, one per node
    const auto dim_at = [&](std::uint32_t t) -> std::uint32_t {
      return by_level ? static_cast<std::uint32_t>(level + level_of(NodeId{t})) % k : dims[t];
    };

    // Look up the sizes of the nodes that a histogram will split, and start with an empty box
    block.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < 2 * wide_nodes && t < size; t += width)
        size_of[t] = static_cast<std::uint16_t>(subtree_size(node_at(t), n));
      for (std::uint32_t d = static_cast<std::uint32_t>(lane); d < k; d += width) box[d] = no_id, box[k + d] = 0;
    });
    read_points(block, of, box, tag);
    // The dimensions of the levels above were lost with that launch's shared memory: choose them again
    if (!by_level && first_down > 0)
      for (int down = 0; down < first_down; ++down) choose_dimensions(block, down, of);

    // Split level after level, as long as it has nodes. A pivot keeps its tag and is done; every other point gets the
    // tag of a child. No point moves.
    int down = first_down;
    bool small = false;  // the nodes of this level have few points, and these know their places
    for (; down <= last_down && full_tree_size(down) < size; ++down) {
      // The last level may be partly filled, from the left, so its first node is the largest of the level
      const std::uint32_t first = full_tree_size(down), rest = size - first;
      const std::uint32_t nodes = rest < (1u << down) ? rest : 1u << down;
      const std::uint32_t largest = subtree_size(node_at(first), n);
      if (!by_level) choose_dimensions(block, down, of);
      const std::uint32_t level_dim = dim_at(first);
      const Level view{keys, keys + level_dim * most, from, begin, tag, dims, size, first, most};
      // Called once per point that still has a node of this level. Earlier pivots have tags below `first`, for which
      // node_of() wraps around to a number larger than any node's: the search passes them over.
      const auto route = [&](std::uint32_t i, std::uint32_t node, int side) {
        const std::uint32_t t = first + node;
        if (side == 0)
          pivot[t] = static_cast<std::uint16_t>(i);
        else
          tag[i] = 2 * t + 1 + (side > 0);
      };
      // From here on, nodes are small enough to compare their points in pairs, without a histogram
      if (largest <= SmallNode::most) {
        if (!small) place_in_small_nodes(block, view, root, search.counters(), nodes, tag);
        small = true;
        split_small_nodes(block, view, pivot, tag, keys_by_node, points_by_node);
        continue;
      }
      // Find the pivots of all nodes of the level together, each by its rank in its node: the size of the left subtree
      search(
          nodes,
          [&](std::uint32_t node) -> typename BlockSearch<Block>::Start {
            const std::uint32_t t = first + node, dim = by_level ? level_dim : dims[t];
            return {range_of(t, dim, of, {box[dim], box[k + dim], 0, n - 1}), left_size(size_of[t]), size_of[t]};
          },
          view, route);
    }

    // Levels remain, because a recording has a launch per level: keep the tags by position for the next launch
    if (full_tree_size(down) < size) {
      block.lanes([&](int lane) {
        for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size; i += width)
          tags[begin + i] = small ? SmallNode(tag[i]).t : tag[i];
      });
      return;
    }
    // Write the subtree. Nodes of a level follow one another in the tree, so neighbouring lanes write neighbouring
    // records; they gather the points from shared memory.
    block.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < size; t += width)
        store(t, node_at(t).value, dim_at(t), of);
    });
  }

 private:
  /// Reads each point once, and finds the box of all, which must be empty. Each lane reduces its own points in
  /// registers; lower() and raise() combine those of a warp, so that the box takes one atomic per warp for each of its
  /// ends.
  template <class Block>
  KDSCOPE_HD void read_points(Block& block, const Subtree& of, std::uint32_t* box, std::uint32_t* tag) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count()), k = K > 0 ? K : rule.k;
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t d = 0; d < k; ++d) {
        std::uint32_t lo = no_id, hi = 0;
        for (std::uint32_t i = l; i < of.size; i += width) {
          const std::uint32_t key = from.key(of.begin + i, d);
          of.keys[d * most + i] = key;
          lo = key < lo ? key : lo, hi = key > hi ? key : hi;
        }
        block.lower(&box[d], lo);
        block.raise(&box[k + d], hi);
      }
      // All points begin at the subtree's root, node 0. A launch that continues a recording takes the tags that the
      // launch before kept; a tag from above level first_down is a pivot's.
      for (std::uint32_t i = l; i < of.size; i += width) {
        const std::uint32_t t = first_down > 0 ? tags[of.begin + i] : 0;
        tag[i] = t;
        if (t < full_tree_size(first_down)) of.pivot[t] = static_cast<std::uint16_t>(i);
      }
    });
  }

  /// Returns the range of a node's keys in a dimension: that of all points of the subtree, cut by the planes of the
  /// node's ancestors that split the dimension.
  KDSCOPE_HD OrderRange range_of(std::uint32_t t, std::uint32_t dim, const Subtree& of, OrderRange range) const {
    const std::uint32_t k = K > 0 ? K : rule.k;
    const auto cut = [&](std::uint32_t above, bool right) {
      const std::uint32_t key = of.keys[dim * most + of.pivot[above]];
      if (right)
        range.lo_key = key > range.lo_key ? key : range.lo_key;
      else
        range.hi_key = key < range.hi_key ? key : range.hi_key;
    };
    if constexpr (by_level) {
      // Every k-th ancestor splits dimension `dim`. The path t + 1 is the node's number in a heap that starts at 1:
      // shifting it by k gives that ancestor, and the last bit shifted out is the side taken there.
      for (std::uint32_t path = t + 1; path >> k > 0; path >>= k) cut((path >> k) - 1, path >> (k - 1) & 1u);
    } else {
      // Any ancestor may split it: climb to the root. Right children have even numbers.
      for (std::uint32_t a = t; a > 0; a = (a - 1) / 2)
        if (of.dims[(a - 1) / 2] == dim) cut((a - 1) / 2, a % 2 == 0);
    }
    return range;
  }

  /// Writes node t of the subtree, which is `node` of the tree.
  KDSCOPE_HD void store(std::uint32_t t, std::uint32_t node, std::uint32_t dim, const Subtree& of) const {
    const std::uint32_t i = of.pivot[t], k = K > 0 ? K : rule.k;
    for (std::uint32_t d = 0; d < k; ++d) {
      const std::uint32_t key = of.keys[d * most + i], zero = ordered_key(0, rule.type);
      // 0 and -0 share a key: read the word of a zero from the point itself
      tree.words[std::size_t(node) * tree.stride + d] =
          key == zero ? from.word(of.begin + i, d) : word_of_ordered_key(key, rule.type);
    }
    tree.point_of_node[node] = from.point(of.begin + i);
    tree.split_dim[node] = static_cast<std::uint8_t>(dim);
    if (tags) tags[of.begin + i] = t;
  }

  /// The points as a search of one level sees them.
  struct Level {
    const std::uint32_t* keys;
    const std::uint32_t* level_keys;  ///< those of the dimension that all nodes of the level split
    const Records& from;              ///< for the indices of points, which only equal coordinates need
    std::uint32_t begin;
    const std::uint32_t* tag;
    const std::uint8_t* dims;
    std::uint32_t size, first, most;
    KDSCOPE_HD std::uint32_t count() const { return size; }
    KDSCOPE_HD std::uint32_t node_of(std::uint32_t i) const { return tag[i] - first; }
    KDSCOPE_HD std::uint32_t key(std::uint32_t i, std::uint32_t node) const {
      return by_level ? level_keys[i] : keys[dims[first + node] * most + i];
    }
    KDSCOPE_HD std::uint32_t id(std::uint32_t i) const { return from.point(begin + i).value; }
  };

  /// A point in a node of at most `most` points: the node's number, its first place and size, and the point's place
  /// among them. Fits into a word, because a subtree has at most 4096 points.
  struct SmallNode {
    static constexpr std::uint32_t most = 15;
    std::uint32_t t, begin, size, slot;
    KDSCOPE_HD SmallNode(std::uint32_t node, std::uint32_t first, std::uint32_t points, std::uint32_t place)
        : t(node), begin(first), size(points), slot(place) {}
    KDSCOPE_HD explicit SmallNode(std::uint32_t word)
        : t(word & 0xfffu), begin(word >> 12 & 0xfffu), size(word >> 24 & 0xfu), slot(word >> 28) {}
    KDSCOPE_HD std::uint32_t word() const { return t | begin << 12 | size << 24 | slot << 28; }
  };

  /// Gives each point of a level a place of its own among those of its node.
  template <class Block>
  KDSCOPE_HD void place_in_small_nodes(Block& block, const Level& points, NodeId root, std::uint32_t* taken,
                                       std::uint32_t nodes, std::uint32_t* tag) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count()), root_begin = in_order_begin(root, n);
    // A node's first place, its size and the number of places taken share one word, so that one atomic returns all
    // three
    const int down = level_of(NodeId{points.first});
    block.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < nodes; t += width) {
        const NodeId node{((root.value + 1) << down) - 1 + t};
        taken[t] = (in_order_begin(node, n) - root_begin) << 16 | subtree_size(node, n) << 8;
      }
    });
    // Take a place per point. The atomic returns how many points of the node came before. Their order differs from run
    // to run and decides nothing: points are compared by their orders, not by their places.
    block.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < points.size; i += width) {
        const std::uint32_t t = tag[i];
        SmallNode small(t, 0, 0, 0);  // a pivot
        if (t >= points.first) {
          const std::uint32_t word = block.atomic_add(&taken[t - points.first], 1u);
          small = {t, word >> 16, word >> 8 & 0xfu, word & 0xfu};
        }
        tag[i] = small.word();
      }
    });
  }

  /// Splits a level of small nodes: each point counts the smaller ones of its node. That count is the point's rank, so
  /// it also is the point's place in the child: levels below need no counting of places. Work O(size) per point.
  template <class Block>
  KDSCOPE_HD void split_small_nodes(Block& block, const Level& points, std::uint16_t* pivot, std::uint32_t* tag,
                                    std::uint32_t* keys, std::uint16_t* at) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count());
    // Put the keys of each node side by side, at the node's place in the order of the tree; pivots of earlier levels
    // have size 0
    block.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < points.size; i += width) {
        const SmallNode own(tag[i]);
        if (own.size == 0) continue;
        keys[own.begin + own.slot] = points.key(i, own.t - points.first);
        at[own.begin + own.slot] = static_cast<std::uint16_t>(i);
      }
    });
    // The barrier makes all keys visible: each point may now read those of its node
    block.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < points.size; i += width) {
        const SmallNode own(tag[i]);
        if (own.size == 0) continue;
        const std::uint32_t key = keys[own.begin + own.slot];
        // Count the smaller keys, and those up to its own. Indices decide only between equal keys; they are read from
        // global memory.
        std::uint32_t rank = 0, through = 0;
        for (std::uint32_t p = own.begin; p < own.begin + own.size; ++p)
          rank += keys[p] < key, through += keys[p] <= key;
        if (through > rank + 1)
          for (std::uint32_t p = own.begin; p < own.begin + own.size; ++p)
            rank += keys[p] == key && points.id(at[p]) < points.id(i);
        // The pivot is the point whose rank is the size of the left subtree. A smaller rank is also the point's place
        // in the left child; a larger one, less left + 1, is its place in the right child.
        const std::uint32_t left = left_size(own.size);
        SmallNode next(own.t, 0, 0, 0);
        if (rank == left)
          pivot[own.t] = static_cast<std::uint16_t>(i);
        else if (rank < left)
          next = {2 * own.t + 1, own.begin, left, rank};
        else
          next = {2 * own.t + 2, own.begin + left + 1, own.size - left - 1, rank - left - 1};
        tag[i] = next.word();
      }
    });
  }
  /// Chooses the dimensions of a level of the subtree by the widest sides of the nodes' domains: one lane per node,
  /// which clips the box of all points by the plane of every ancestor, as in Wald 2023, §6.
  template <class Block>
  KDSCOPE_HD void choose_dimensions(Block& block, int down, const Subtree& of) const {
    const std::uint32_t size = of.size;
    const std::uint32_t first = full_tree_size(down),
                        end = full_tree_size(down + 1) < size ? full_tree_size(down + 1) : size;
    block.lanes([&](int lane) {
      for (std::uint32_t t = first + static_cast<std::uint32_t>(lane); t < end;
           t += static_cast<std::uint32_t>(block.lane_count())) {
        const NodeId node{((of.root.value + 1) << down) - 1 + (t - first)};
        of.dims[t] = static_cast<std::uint8_t>(rule.dim_of(node, [&](NodeId above) {
          // Read planes above the subtree from the rounds' result; those within it follow from pivots in shared memory
          const int up = level_of(above) - level;
          if (up < 0) return planes[above.value];
          const std::uint32_t a =
              full_tree_size(up) + ((above.value - full_tree_size(level_of(above))) & ((1u << up) - 1));
          const std::uint32_t dim = of.dims[a], i = of.pivot[a];
          return Plane{order_of(of.keys[dim * most + i], from.point(of.begin + i)), dim};
        }));
      }
    });
  }
};

/// Copies the pivots of the upper levels, which the rounds found, to their nodes.
struct CopyUpperNodes {
  const std::uint32_t* words;  ///< [nodes x k]
  const PointId* points;
  const Plane* planes;
  TreeArrays tree;
  std::uint32_t k;
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    for (std::uint32_t d = 0; d < k; ++d)
      tree.words[std::size_t(node) * tree.stride + d] = words[std::size_t(node) * k + d];
    tree.point_of_node[node] = points[node];
    tree.split_dim[node] = static_cast<std::uint8_t>(planes[node].dim);
  }
};
// [endregion]

}  // namespace kdscope::rank
