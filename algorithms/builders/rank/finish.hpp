#pragma once
// Finishes subtrees that fit into a block's shared memory.

#include "algorithms/builders/rank/block_ranks.hpp"
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
/// shared memory: each carries the number of its node within the subtree, as Wald's tags do. The points are ranked once
/// along each dimension. On each level, a point counts the smaller ranks of its node, and knows its child from that. A
/// recording finishes level by level: the tags are then kept in memory between launches. by_level: all nodes of a level
/// split the same dimension. few: too few subtrees to occupy the device, so that 2^log_shares blocks share each. The
/// ranks of its points are known from RankSubtrees. Each block splits the nodes on the path to its share, a node
/// log_shares levels below, where it keeps only the points on its own side, and finishes the share as others finish a
/// subtree.
/// Numbers: t counts the subtree's nodes in level order, from its root, 0; `down` counts levels below that root; i
/// counts the subtree's points as they lie in shared memory; p counts places, node after node; l is the lane.
template <int K, bool by_level, bool few>
struct FinishSubtrees {
  static constexpr int most_lanes = few ? 1024 : 512;
  static constexpr int blocks_per_multiprocessor = few ? 1 : 3;
  static constexpr std::uint32_t wide_nodes = 256;   ///< at most on one level: 4096 points in nodes of more than 15
  static constexpr bool holds_keys = K > 0 && !few;  ///< in shared memory, which has no room for more dimensions
  static constexpr int ranked_again = 4;             ///< the level at which ranks become those within its nodes
  Records from;
  std::uint32_t n;
  SplitRule rule;
  int level;            ///< the roots' level
  const Plane* planes;  ///< planes above the roots
  TreeArrays tree;
  std::uint32_t most;                           ///< the most points of a subtree, or of a share
  std::uint32_t first_root = 0;                 ///< the first of the level's nodes that the launch finishes
  int first_down = 0;                           ///< the first level to split, counted from the roots
  int last_down = 32;                           ///< ends after this level
  std::uint32_t* tags = nullptr;                ///< [n] by position; null if one launch does all
  int log_shares = 0;                           ///< at least 1 if few, else 0
  std::uint32_t most_shared = 0;                ///< the most points of a shared subtree
  const std::uint16_t* shared_ranks = nullptr;  ///< [k x n] by position, within the shared subtree

  /// A block's subtree, in shared memory.
  struct Subtree {
    NodeId root;
    std::uint32_t begin, size, k;           ///< its points
    std::uint32_t* keys;                    ///< [k x most], or [most] of the dimension that is being ranked
    std::uint16_t* rank;                    ///< [k x most]
    std::uint32_t* tag;                     ///< [most] the node of each point
    std::uint16_t* pivot;                   ///< [most] the point of each node
    std::uint8_t* dims;                     ///< [most] the dimension of each node, unless it follows from the level
    std::uint16_t* of_level;                ///< [most_of_level()] per node of a level
    std::uint32_t shared_begin = 0;         ///< the first position of the shared subtree, and for each point of the
    const std::uint16_t* offset = nullptr;  ///< share, [most], its position from there; only if few
    Plane* above = nullptr;                 ///< [log_shares] planes of the path to the share

    /// Returns the node of the tree that is node t. A node's number plus 1, in binary, is its path from the root: a 1,
    /// then one bit per level, 1 for a right child. Node t has the path of the subtree's root, followed by the last
    /// `down` bits of t + 1.
    KDSCOPE_HD NodeId node_at(std::uint32_t t) const {
      const int down = level_of(NodeId{t});
      return NodeId{((root.value + 1) << down) - 1 + (t - full_tree_size(down))};
    }
  };

  /// A level of the subtree: the first node that the block splits, and how many.
  struct Level {
    int down;
    std::uint32_t first, nodes, dim;
  };

  /// Returns the most nodes for which of_level is used: those of the first level of small nodes. A launch of a
  /// recording may begin at any level. An even number, because counts are set to 0 two at a time.
  KDSCOPE_HD std::uint32_t most_of_level() const {
    return tags ? (most + 1) / 2 * 2 : most > 4095 ? 2 * wide_nodes : wide_nodes;
  }
  std::size_t shared_bytes() const {
    return most * (4 * (holds_keys ? rule.k
                        : few      ? 0
                                   : 1) +
                   2 * rule.k + 6 + (by_level ? 0 : 1)) +
           2 * most_of_level() + 8 * rule.k + BlockRanks<int>::shared_bytes(most_ranked()) +
           (few ? 4 * most_shared + sizeof(Plane) * static_cast<std::size_t>(log_shares) + 64 : 0) + 80;
  }
  /// Returns for how many points ranks need memory: those of a share are ranked along all dimensions at once.
  KDSCOPE_HD std::uint32_t most_ranked() const {
    const std::uint32_t bits = 2 * rule.k * ((most_shared + 31) / 32);
    return few && bits > most ? bits : most;
  }
  int lanes() const {
    const std::uint32_t points = few ? most_shared : most;
    return most_lanes / (points > 1023 ? 1 : points > 511 ? 2 : 4);
  }

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count()), k = K > 0 ? K : rule.k;
    // The subtree's size and the place of its points follow from n alone, so every block begins without a search.
    // Coordinates and ranks lie column by column: lanes that read neighbouring points read neighbouring words, which
    // lie in different banks.
    const NodeId root{full_tree_size(root_level()) + (first_root << log_shares) + block.index()};
    auto* keys = block.template shared<std::uint32_t>(static_cast<int>(holds_keys ? k * most : few ? 0 : most));
    auto* rank = block.template shared<std::uint16_t>(static_cast<int>(k * most));
    auto* tag = block.template shared<std::uint32_t>(static_cast<int>(most));
    auto* pivot = block.template shared<std::uint16_t>(static_cast<int>(most));
    auto* dims = block.template shared<std::uint8_t>(by_level ? 0 : static_cast<int>(most));
    auto* of_level = block.template shared<std::uint16_t>(static_cast<int>(most_of_level()));
    auto* box = block.template shared<std::uint32_t>(static_cast<int>(2 * k));
    Subtree of{root, in_order_begin(root, n), subtree_size(root, n), k, keys, rank, tag, pivot, dims, of_level};
    // The ranking may use the memory of tags and pivots, which are set only after it
    BlockRanks<Block> ranks(block, most_ranked(), reinterpret_cast<std::uint16_t*>(of.tag), of.pivot);
    if constexpr (few) {
      auto* offsets = block.template shared<std::uint16_t>(static_cast<int>(2 * most_shared));
      of.above = block.template shared<Plane>(log_shares);
      lead_to_share(block, of, offsets, ranks);
    } else {
      block.lanes([&](int lane) {
        for (std::uint32_t d = static_cast<std::uint32_t>(lane); d < k; d += width) box[d] = no_id, box[k + d] = 0;
      });
      rank_points(of, box, ranks);
    }
    begin_at_tags(block, of);

    // Split level after level, down to the last one of the subtree or of this launch. A pivot keeps its node; every
    // other point moves on to a child. Once nodes have few points, points lie side by side, node after node.
    int down = first_down;
    std::uint32_t words_per_node = (of.size + 31) / 32;
    std::uint32_t *placed = nullptr, *placed_next = of.tag;
    for (; down <= last_down && full_tree_size(down) < of.size; ++down) {
      const Level at = level_at(of, down);
      if (!by_level) choose_dimensions(block, at, of);
      // The last level may be partly filled, from the left, so its first node is the largest of the level
      if (subtree_size(of.node_at(at.first), n) > SmallNode::most) {
        split_wide_nodes(block, of, at, ranks, words_per_node);
        continue;
      }
      if (!placed) place_in_small_nodes(block, of, at, placed = ranks.scratch());
      split_small_nodes(block, of, at, placed, placed_next);
      std::uint32_t* const split = placed_next;
      placed_next = placed, placed = split;
    }
    // Levels remain, because a recording has a launch per level: keep the tags by position for the next launch
    if (full_tree_size(down) < of.size) return keep_tags(block, of, down, placed);
    // Write the subtree. Nodes of a level follow one another in the tree, so neighbouring lanes write neighbouring
    // records; they gather the points from shared memory.
    block.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < of.size; t += width) {
        const std::uint32_t i = of.pivot[t], p = position(of, i);
        store(p, of.node_at(t), dim_of_node(of, t), of.keys + i);
        if (tags) tags[p] = t;
      }
    });
  }

 private:
  /// Returns the level of the blocks' roots.
  KDSCOPE_HD int root_level() const { return level + log_shares; }
  KDSCOPE_HD Level level_at(const Subtree& of, int down) const {
    const std::uint32_t first = full_tree_size(down), rest = of.size - first, nodes = 1u << down;
    return {down, first, rest < nodes ? rest : nodes,
            by_level ? static_cast<std::uint32_t>(root_level() + down) % of.k : 0};
  }
  /// Returns the position of point i.
  KDSCOPE_HD std::uint32_t position(const Subtree& of, std::uint32_t i) const {
    return few ? of.shared_begin + of.offset[i] : of.begin + i;
  }
  /// Round-robin dimensions follow from the level; those of widest sides are kept, one per node.
  KDSCOPE_HD std::uint32_t dim_of_node(const Subtree& of, std::uint32_t t) const {
    return by_level ? static_cast<std::uint32_t>(root_level() + level_of(NodeId{t})) % of.k : of.dims[t];
  }
  KDSCOPE_HD std::uint32_t key_of_point(const Subtree& of, std::uint32_t i, std::uint32_t d) const {
    return holds_keys ? of.keys[d * most + i] : from.key(position(of, i), d);
  }
  KDSCOPE_HD std::uint32_t rank_in(const Subtree& of, const Level& at, std::uint32_t node, std::uint32_t i) const {
    return of.rank[(by_level ? at.dim : of.dims[at.first + node]) * most + i];
  }

  /// Reads each point once, and ranks all points along each dimension. From then on, ranks stand for coordinates: they
  /// are small, they differ, and they order points as coordinates and indices do. box: [2 x k] in shared memory, empty
  /// before the call; receives the least and the greatest key of each dimension.
  template <class Block>
  KDSCOPE_HD void rank_points(const Subtree& of, std::uint32_t* box, BlockRanks<Block>& ranks) const {
    const std::uint32_t k = K > 0 ? K : rule.k;
    KDSCOPE_ROLLED
    for (std::uint32_t d = 0; d < k; ++d)
      ranks.along(from, of.begin, of.size, d, n, &box[d], &box[k + d], holds_keys ? of.keys + d * most : of.keys,
                  of.rank + d * most);
  }

  /// Returns a plane above the block's root: the rounds have found it, or the block itself on its way to its share.
  KDSCOPE_HD Plane plane_above(const Subtree& of, NodeId node) const {
    return few && level_of(node) >= level ? of.above[level_of(node) - level] : planes[node.value];
  }

  /// Splits the nodes on the path to the block's share. Of each, the points on the side of the share go on. Leaves
  /// their offsets and their ranks within the share. offsets: [2 x most_shared] in shared memory.
  template <class Block>
  KDSCOPE_HD void lead_to_share(Block& block, Subtree& of, std::uint16_t* offsets, BlockRanks<Block>& ranks) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count()), path = of.root.value + 1;
    const NodeId root{(path >> log_shares) - 1};
    std::uint32_t size = subtree_size(root, n), words = (size + 31) / 32;
    of.shared_begin = in_order_begin(root, n);
    std::uint16_t *own = offsets, *next = offsets + most_shared;
    for (int down = 0, below = log_shares; below > 0; ++down, --below) {
      const NodeId node{(path >> below) - 1};
      // The leftmost of the blocks that split a node writes it
      const bool to_right = path >> (below - 1) & 1u, writes = (path & ((1u << below) - 1)) == 0;
      if (!by_level)
        block.lanes([&](int lane) {
          if (lane == 0) of.above[down].dim = rule.dim_of(node, [&](NodeId up) { return plane_above(of, up); });
        });
      const std::uint32_t d = by_level ? static_cast<std::uint32_t>(level + down) % of.k : of.above[down].dim;
      const std::uint16_t* const rank = shared_ranks + std::size_t(d) * n + of.shared_begin;
      const std::uint32_t left = left_size(size);
      // The rank of a point that goes on, within its child, is its place in the next list
      const auto route = [&](std::uint32_t offset, std::uint32_t before) {
        const std::uint32_t p = of.shared_begin + offset;
        if (before == left) {
          if (!by_level) of.above[down].pivot = from.order(p, d);
          if (writes) store(p, node, d, nullptr);
        } else if ((before > left) == to_right) {
          next[to_right ? before - left - 1 : before] = static_cast<std::uint16_t>(offset);
        }
      };
      if (down == 0)
        block.lanes([&](int lane) {
          for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < size; i += width) route(i, rank[i]);
        });
      else
        ranks.within_nodes(
            size, 1, words, [](std::uint32_t) {}, [](std::uint32_t) { return 0u; },
            [&](std::uint32_t i, std::uint32_t) { return rank[own[i]]; },
            [&](std::uint32_t i, std::uint32_t, std::uint32_t before) { route(own[i], before); });
      std::uint16_t* const led = next;
      next = own, own = led;
      size = !to_right ? left : size > left ? size - left - 1 : 0;
    }
    of.offset = own;
    // Rank the points of the share along all dimensions at once, as if each were a node
    ranks.within_nodes(
        of.k * size, of.k, words, [](std::uint32_t) {}, [&](std::uint32_t q) { return q / size; },
        [&](std::uint32_t q, std::uint32_t d) {
          return shared_ranks[std::size_t(d) * n + of.shared_begin + own[q - d * size]];
        },
        [&](std::uint32_t q, std::uint32_t d, std::uint32_t before) {
          of.rank[d * most + q - d * size] = static_cast<std::uint16_t>(before);
        });
  }

  /// All points begin at the subtree's root, node 0. A launch that continues a recording takes the tags that the launch
  /// before kept; a tag from above level first_down is a pivot's.
  template <class Block>
  KDSCOPE_HD void begin_at_tags(Block& block, const Subtree& of) const {
    block.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < of.size;
           i += static_cast<std::uint32_t>(block.lane_count())) {
        const std::uint32_t t = first_down > 0 ? tags[of.begin + i] : 0;
        of.tag[i] = t;
        if (t < full_tree_size(first_down)) of.pivot[t] = static_cast<std::uint16_t>(i);
      }
    });
    // The dimensions of the levels above were lost with that launch's shared memory: choose them again
    if (!by_level)
      for (int down = 0; down < first_down; ++down) choose_dimensions(block, level_at(of, down), of);
  }

  template <class Block>
  KDSCOPE_HD void keep_tags(Block& block, const Subtree& of, int down, const std::uint32_t* placed) const {
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane), width = static_cast<std::uint32_t>(block.lane_count());
      for (std::uint32_t i = l; i < of.size; i += width) {
        if (!placed)
          tags[of.begin + i] = of.tag[i];
        else if (const SmallNode own(placed[i]); own.size > 0)
          tags[of.begin + own.point] = own.t;
      }
      // Pivots have left their places
      for (std::uint32_t t = l; placed && t < full_tree_size(down); t += width) tags[of.begin + of.pivot[t]] = t;
    });
  }

  /// Splits a level of nodes: the pivot of each is the point with as many smaller ones in its node as the left subtree
  /// has. A pivot keeps its tag; every other point gets the tag of a child. No point moves. words_per_node: of bits for
  /// all ranks of a node, on the level before.
  template <class Block>
  KDSCOPE_HD void split_wide_nodes(Block& block, const Subtree& of, const Level& at, BlockRanks<Block>& ranks,
                                   std::uint32_t& words_per_node) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count());
    // A level needs bits for all ranks of all its nodes, so ranks have to become smaller as nodes do. If all nodes of a
    // level split one dimension, each split leaves the ranks of its dimension within the children, where the dimension
    // is split again k levels below. Otherwise, points are ranked again on one level, within its nodes.
    const bool left_in_children = by_level && K > 0 && first_down == 0;
    if (left_in_children) {
      const int since = at.down - static_cast<int>(of.k) + 1;
      words_per_node = ((since <= 0 ? of.size : subtree_size(of.node_at(full_tree_size(since)), n)) + 31) / 32;
    } else if (at.down == ranked_again || (at.down > ranked_again && at.down == first_down)) {
      rank_again(of, ranks, words_per_node);
      words_per_node = (subtree_size(of.node_at(full_tree_size(ranked_again)), n) + 31) / 32;
    }
    const auto find_left = [&](std::uint32_t node) {
      of.of_level[node] = static_cast<std::uint16_t>(left_size(subtree_size(of.node_at(at.first + node), n)));
    };
    // Earlier pivots have smaller tags, for which this wraps around
    const auto node_of = [&](std::uint32_t i) { return of.tag[i] - at.first; };
    const auto rank_of = [&](std::uint32_t i, std::uint32_t node) { return rank_in(of, at, node, i); };
    const auto route = [&](std::uint32_t i, std::uint32_t node, std::uint32_t before) {
      const std::uint32_t t = at.first + node, left = of.of_level[node];
      if (before == left)
        of.pivot[t] = static_cast<std::uint16_t>(i);
      else
        of.tag[i] = 2 * t + 1 + (before > left);
      if (left_in_children)
        of.rank[at.dim * most + i] = static_cast<std::uint16_t>(before > left ? before - left - 1 : before);
    };
    if (at.down > 0 && (left_in_children || at.down != ranked_again))
      return ranks.within_nodes(of.size, at.nodes, words_per_node, find_left, node_of, rank_of, route);
    // These ranks are those within the node already
    block.lanes([&](int lane) {
      for (std::uint32_t t = static_cast<std::uint32_t>(lane); t < at.nodes; t += width) find_left(t);
    });
    block.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < of.size; i += width)
        if (const std::uint32_t node = node_of(i); node < at.nodes) route(i, node, rank_of(i, node));
    });
  }

  /// Replaces all ranks by those within the node of level `ranked_again` that a point's node descends from.
  template <class Block>
  KDSCOPE_HD void rank_again(const Subtree& of, BlockRanks<Block>& ranks, std::uint32_t words_per_node) const {
    for (std::uint32_t d = 0; d < of.k; ++d) {
      std::uint16_t* const rank = of.rank + d * most;
      ranks.within_nodes(
          of.size, 1u << ranked_again, words_per_node, [](std::uint32_t) {},
          [&](std::uint32_t i) {
            const int below = level_of(NodeId{of.tag[i]}) - ranked_again;
            return below < 0 ? no_id : ((of.tag[i] + 1) >> below) - 1 - full_tree_size(ranked_again);
          },
          [&](std::uint32_t i, std::uint32_t) { return rank[i]; },
          [&](std::uint32_t i, std::uint32_t, std::uint32_t before) { rank[i] = static_cast<std::uint16_t>(before); });
    }
  }

  /// Writes the point at position p to a node of the tree. keys: those of the point, if they are held.
  KDSCOPE_HD void store(std::uint32_t p, NodeId node, std::uint32_t dim, const std::uint32_t* keys) const {
    const std::uint32_t k = K > 0 ? K : rule.k, zero = ordered_key(0, rule.type);
    for (std::uint32_t d = 0; d < k; ++d) {
      // 0 and -0 share a key: read the word of a zero from the point itself
      const std::uint32_t key = holds_keys ? keys[d * most] : zero;
      tree.words[std::size_t(node.value) * tree.stride + d] =
          key == zero ? from.word(p, d) : word_of_ordered_key(key, rule.type);
    }
    tree.point_of_node[node.value] = from.point(p);
    tree.split_dim[node.value] = static_cast<std::uint8_t>(dim);
  }

  /// A point in a node of at most `most` points: the node's number and size, the point's place among the points of the
  /// node, and its index. Fits into a word, because a subtree has at most 4096 points. A place without a point has
  /// size 0.
  struct SmallNode {
    static constexpr std::uint32_t most = 15;
    std::uint32_t t, size, offset, point;
    KDSCOPE_HD SmallNode(std::uint32_t node, std::uint32_t points, std::uint32_t place, std::uint32_t i)
        : t(node), size(points), offset(place), point(i) {}
    KDSCOPE_HD explicit SmallNode(std::uint32_t word)
        : t(word & 0xfffu), size(word >> 12 & 0xfu), offset(word >> 16 & 0xfu), point(word >> 20) {}
    KDSCOPE_HD std::uint32_t word() const { return t | size << 12 | offset << 16 | point << 20; }
  };

  /// Places the points of a level side by side, in the order of its nodes in the tree. placed: [size].
  template <class Block>
  KDSCOPE_HD void place_in_small_nodes(Block& block, const Subtree& of, const Level& at, std::uint32_t* placed) const {
    const std::uint32_t width = static_cast<std::uint32_t>(block.lane_count());
    // A node's first place and the number of places taken share half a word, so that one atomic returns both
    auto* const taken = reinterpret_cast<std::uint32_t*>(of.of_level);
    const auto none_taken = [&](std::uint32_t t) {
      return t < at.nodes ? (in_order_begin(of.node_at(at.first + t), n) - of.begin) << 4 : 0;
    };
    block.lanes([&](int lane) {
      const std::uint32_t l = static_cast<std::uint32_t>(lane);
      for (std::uint32_t t = 2 * l; t < at.nodes; t += 2 * width)
        taken[t / 2] = none_taken(t) | none_taken(t + 1) << 16;
      for (std::uint32_t p = l; p < of.size; p += width) placed[p] = 0;
    });
    // Take a place per point. The atomic returns how many points of the node came before. Their order differs from run
    // to run and decides nothing: points are compared by their ranks, not by their places.
    block.lanes([&](int lane) {
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < of.size; i += width) {
        const std::uint32_t t = of.tag[i], node = t - at.first;
        if (node >= at.nodes) continue;  // a pivot
        const std::uint32_t half = 16 * (node % 2);
        const std::uint32_t own = block.atomic_add(&taken[node / 2], 1u << half) >> half & 0xffffu;
        const std::uint32_t begin = own >> 4, offset = own & 0xfu;
        placed[begin + offset] = SmallNode(t, subtree_size(of.node_at(t), n), offset, i).word();
      }
    });
  }

  /// Splits a level of small nodes: each point counts the smaller ones of its node. That count is also the place to
  /// which the point moves, from `placed` to `to`: the left child's points come first, then the pivot, then the right
  /// child's. Work O(size) per point.
  template <class Block>
  KDSCOPE_HD void split_small_nodes(Block& block, const Subtree& of, const Level& at, const std::uint32_t* placed,
                                    std::uint32_t* to) const {
    // Neighbouring lanes have points of the same node and compare them with the same ones, so one read serves them
    block.lanes([&](int lane) {
      for (std::uint32_t p = static_cast<std::uint32_t>(lane); p < of.size;
           p += static_cast<std::uint32_t>(block.lane_count())) {
        const SmallNode own(placed[p]);
        const std::uint32_t node = own.t - at.first;
        if (node >= at.nodes) {  // an earlier pivot's place
          to[p] = 0;
          continue;
        }
        const std::uint32_t rank = rank_in(of, at, node, own.point), begin = p - own.offset;
        std::uint32_t before = 0;
        for (std::uint32_t q = begin; q < begin + own.size; ++q)
          before += rank_in(of, at, node, SmallNode(placed[q]).point) < rank;
        const std::uint32_t left = left_size(own.size);
        SmallNode next(0, 0, 0, 0);
        if (before == left)
          of.pivot[own.t] = static_cast<std::uint16_t>(own.point);
        else if (before < left)
          next = {2 * own.t + 1, left, before, own.point};
        else
          next = {2 * own.t + 2, own.size - left - 1, before - left - 1, own.point};
        to[begin + before] = next.word();
      }
    });
  }

  /// Chooses the dimensions of a level of the subtree by the widest sides of the nodes' domains: one lane per node,
  /// which clips the box of all points by the plane of every ancestor, as in Wald 2023, §6.
  template <class Block>
  KDSCOPE_HD void choose_dimensions(Block& block, const Level& at, const Subtree& of) const {
    block.lanes([&](int lane) {
      for (std::uint32_t t = at.first + static_cast<std::uint32_t>(lane); t < at.first + at.nodes;
           t += static_cast<std::uint32_t>(block.lane_count())) {
        of.dims[t] = static_cast<std::uint8_t>(rule.dim_of(of.node_at(t), [&](NodeId above) {
          // Planes within the subtree follow from pivots in shared memory
          const int up = level_of(above) - root_level();
          if (up < 0) return plane_above(of, above);
          const std::uint32_t a =
              full_tree_size(up) + ((above.value - full_tree_size(level_of(above))) & ((1u << up) - 1));
          const std::uint32_t dim = of.dims[a], i = of.pivot[a];
          return Plane{order_of(key_of_point(of, i, dim), from.point(position(of, i))), dim};
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
