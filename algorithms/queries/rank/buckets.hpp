#pragma once
// Left-balanced trees cut into buckets: the points of each large subtree of one level, stored one after another, with
// the smallest boxes around them and around the subtrees that hold them.

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "algorithms/core/compiler_hints.hpp"
#include "algorithms/queries/left_balanced.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope::queries::rank {

/// Levels of the tree in a bucket. Buckets of 5 levels have 16 to 32 points, the last one has 15 to 31.
inline constexpr int levels_in_bucket = 5;
/// Levels of the tree between those whose subtrees have boxes: each lane of a warp looks at one of 32 descendants.
inline constexpr int levels_per_tier = 5;
inline constexpr std::uint32_t descendants = 1u << levels_per_tier;
/// Most levels with boxes.
inline constexpr int most_tiers = 6;
/// The places of a bucket are a multiple of this number, because so many points are loaded at once.
inline constexpr std::uint32_t loaded_at_once = 8;

/// Where buckets and boxes of a tree of n nodes are. A bucket has the points of a subtree and of the inner node that
/// follows it in order. Subtrees with boxes are those of the bucket level, tier 0, and of every fifth level above it.
struct BucketLayout {
  std::uint32_t n = 0;
  int bucket_level = 0, tiers = 1;

  KDSCOPE_HD explicit BucketLayout(std::uint32_t nodes) : n(nodes) {
    const int levels = num_levels(n);
    bucket_level = levels > levels_in_bucket ? levels - levels_in_bucket : 0;
    tiers = bucket_level <= levels_per_tier ? 1 : (bucket_level + levels_per_tier - 1) / levels_per_tier;
  }
  KDSCOPE_HD int level(int tier) const { return bucket_level - tier * levels_per_tier; }
  KDSCOPE_HD std::uint32_t subtrees(int tier) const { return 1u << level(tier); }
  KDSCOPE_HD NodeId node(int tier, std::uint32_t subtree) const { return {full_tree_size(level(tier)) + subtree}; }

  /// Returns the position in order of a bucket's first point; for one bucket too many, the end.
  KDSCOPE_HD std::uint32_t first_position(std::uint32_t bucket) const {
    // All nodes of a bucket but those of the tree's lowest level: a power of two, with the one that follows.
    const std::uint32_t above = 1u << (num_levels(n) - 1 - bucket_level), before = bucket * above;
    const std::uint32_t lowest = n - full_tree_size(num_levels(n) - 1);
    return before + (before < lowest ? before : lowest);
  }
  /// Returns the bucket of a position.
  KDSCOPE_HD std::uint32_t bucket_of(std::uint32_t position) const {
    const std::uint32_t lowest = n - full_tree_size(num_levels(n) - 1), above = num_levels(n) - 1 - bucket_level;
    const std::uint32_t bucket = (position < 2 * lowest ? position / 2 : position - lowest) >> above;
    return bucket < subtrees(0) ? bucket : subtrees(0) - 1;
  }
  /// Returns the place of its first point. Besides the last bucket, which has no inner node behind it, at most one has
  /// a number of points that is not a multiple of loaded_at_once.
  KDSCOPE_HD std::uint32_t first_place(std::uint32_t bucket) const {
    return (first_position(bucket) + loaded_at_once - 1) / loaded_at_once * loaded_at_once;
  }
};

/// Words in memory that are read together. Where their number is a multiple of four, a GPU reads four at once.
template <class Word, int count>
struct alignas(count % 4 == 0 ? 4 * sizeof(Word) : sizeof(Word)) AlignedWords {
  Word words[count];

  KDSCOPE_HD static AlignedWords at(const Word* from) {
#if defined(__CUDA_ARCH__)
    if constexpr (count % 4 == 0 && sizeof(Word) == 4) {
      AlignedWords read;
      for (int i = 0; i < count; i += 4) {
        const uint4 four = *reinterpret_cast<const uint4*>(from + i);
        std::memcpy(read.words + i, &four, sizeof(four));
      }
      return read;
    }
#endif
    return *reinterpret_cast<const AlignedWords*>(from);
  }
};

/// A left-balanced tree and its buckets.
template <class Number>
struct View : LevelOrderView<Number, false> {
  std::uint32_t* items = nullptr;  ///< [places * (dim + 1)] coordinate words and original index
  Number* boxes[most_tiers] = {};  ///< [2 box_stride(dim) * subtrees] by tier: a box's lower ends, then its upper ends
};

/// Returns the Numbers of one end of a box in memory: a fourth beside three, so that they are read together.
constexpr KDSCOPE_HD std::uint32_t box_stride(std::uint32_t dim) { return dim == 3 ? 4 : dim; }

/// A left-balanced tree in a back end's memory, with views that have no buckets at first.
template <class Exec, template <class Number> class ViewOf>
struct WithBuckets : LeftBalancedOnDevice<Exec> {
  using LeftBalancedOnDevice<Exec>::LeftBalancedOnDevice;
  template <class Number>
  ViewOf<Number> view() const {
    return {LeftBalancedOnDevice<Exec>::template view<Number>()};
  }
};
template <class Exec>
using OnDevice = WithBuckets<Exec, View>;

/// A base of searches that sort queries as given by the buckets that they fall into, so that neighbouring ones come to
/// the same buckets.
struct SortsByBucket {
  static constexpr bool sorts_queries = true;

  template <class Number>
  static int key_bits(const LevelOrderView<Number, false>& tree) {
    return BucketLayout(tree.n).bucket_level;
  }
  template <class Number, int dims>
  KDSCOPE_HD static std::uint32_t key(const LevelOrderView<Number, false>& tree,
                                      const Coordinates<Number, dims>& query) {
    const int level = BucketLayout(tree.n).bucket_level;
    NodeId node{0};
    for (int above = 0; above < level; ++above)
      node = query[tree.dimension_of(node)] > tree.coordinate(node, tree.dimension_of(node)) ? right_child(node)
                                                                                             : left_child(node);
    return node.value - full_tree_size(level);
  }
};

/// The smallest box around what the lanes of a warp hold.
template <class Warp, class Number, int dims>
struct BoxOfLanes {
  static constexpr int places = Coordinates<Number, dims>::places;
  typename Warp::template PerLane<Number> low[places], high[places];

  KDSCOPE_HD void clear(int lane) {
    for (int d = 0; d < places; ++d) {
      low[d][lane] = std::numeric_limits<Number>::infinity();
      high[d][lane] = -std::numeric_limits<Number>::infinity();
    }
  }
  KDSCOPE_HD void add(int lane, int d, Number from, Number to) {
    if (from < low[d][lane]) low[d][lane] = from;
    if (high[d][lane] < to) high[d][lane] = to;
  }
  /// Gives all lanes the box around the boxes of all.
  KDSCOPE_HD void join(Warp& warp, int dim) {
    // After one exchange per bit of a lane's number, each lane has joined the boxes of all
    for (int d = 0; d < (dims > 0 ? dims : dim); ++d)
      for (int half = Warp::lane_count / 2; half > 0; half /= 2) {
        auto lower = warp.shuffle(low[d], [&](int lane) { return lane ^ half; });
        auto higher = warp.shuffle(high[d], [&](int lane) { return lane ^ half; });
        warp.lanes([&](int lane) { add(lane, d, lower[lane], higher[lane]); });
      }
  }
};

// [region queries/buckets]
/// Fills a bucket with its points, and finds their box. A warp serves a bucket.
template <class Number, int dims>
struct FillBuckets {
  View<Number> tree;

  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    // The bucket's range in the tree's order, and its place in memory, follow from n
    const BucketLayout layout(tree.n);
    const std::uint32_t bucket = warp.index(), position = layout.first_position(bucket),
                        place = layout.first_place(bucket), places = layout.first_place(bucket + 1) - place;
    const std::uint32_t end = layout.first_position(bucket + 1) < tree.n ? layout.first_position(bucket + 1) : tree.n;
    const int dim = dims > 0 ? dims : static_cast<int>(tree.dim);
    BoxOfLanes<Warp, Number, dims> box;
    // Copy point after point, one lane each, read at random and written side by side. Places behind the last point hold
    // a NaN, which is within no reach, so that no lane has to ask for the bucket's length; where coordinates are
    // integers, the missing index tells.
    warp.lanes([&](int lane) {
      box.clear(lane);
      for (std::uint32_t i = static_cast<std::uint32_t>(lane); i < places; i += Warp::lane_count) {
        std::uint32_t* const item = tree.items + std::size_t(place + i) * (dim + 1);
        const bool is_point = position + i < end;
        const NodeId node = node_in_order(position + (is_point ? i : 0), tree.n);
        for (int d = 0; d < dim; ++d) {
          item[d] = is_point ? tree.words[std::size_t(node.value) * tree.stride + d] : word_of_nothing;
          if (is_point) box.add(lane, d, number_of<Number>(item[d]), number_of<Number>(item[d]));
        }
        item[dim] = is_point ? tree.point_of_node[node.value].value : no_id;
      }
    });
    // Each lane has the box of its own points: join them
    box.join(warp, dim);
    write(warp, box, 0, bucket);
  }

  /// Writes a subtree's box.
  template <class Warp>
  KDSCOPE_HD void write(Warp& warp, BoxOfLanes<Warp, Number, dims>& box, int tier, std::uint32_t subtree) const {
    const std::uint32_t dim = dims > 0 ? dims : tree.dim;
    warp.lanes([&](int lane) {
      if (lane > 0) return;
      const std::uint32_t stride = box_stride(dim);
      Number* const to = tree.boxes[tier] + std::size_t(subtree) * 2 * stride;
      // In three dimensions a box is read four words at a time, so write the unused fourth word, too
      for (std::uint32_t d = 0; d < stride; ++d) {
        to[d] = d < dim ? box.low[d < dim ? d : 0][lane] : Number(0);
        to[stride + d] = d < dim ? box.high[d < dim ? d : 0][lane] : Number(0);
      }
    });
  }
  static constexpr std::uint32_t word_of_nothing = 0x7fc00000u;  // a NaN: as a float, it is near no query
};

/// Joins the boxes of the 32 descendants of a subtree. A warp serves a subtree.
template <class Number, int dims>
struct JoinDescendants {
  FillBuckets<Number, dims> buckets;
  int tier;

  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    const View<Number>& tree = buckets.tree;
    const std::uint32_t dim = dims > 0 ? dims : tree.dim, stride = box_stride(dim);
    BoxOfLanes<Warp, Number, dims> box;
    // Read the boxes of the 32 descendants, one per lane; they lie side by side in memory
    warp.lanes([&](int lane) {
      const std::size_t below = std::size_t(warp.index()) * descendants + lane;
      const Number* const own = tree.boxes[tier - 1] + below * 2 * stride;
      for (std::uint32_t d = 0; d < dim; ++d) box.low[d][lane] = own[d], box.high[d][lane] = own[stride + d];
    });
    box.join(warp, static_cast<int>(dim));
    buckets.write(warp, box, tier, warp.index());
  }
};
// [endregion]

/// What a view with buckets points to.
template <class Number, class Exec>
struct Buckets {
  Array<std::uint32_t, Exec> items;
  Array<Number, Exec> boxes;
};

/// Cuts a tree into buckets. Memory: dim + 1 words per point and 2 box_stride(dim) Numbers per subtree with a box.
/// Work O(n dim).
template <int dims, class Number, class Exec>
Buckets<Number, Exec> cut_into_buckets(Exec& exec, View<Number>& tree) {
  if (tree.n == 0) return {};
  const BucketLayout layout(tree.n);
  std::size_t subtrees = 0;
  for (int tier = 0; tier < layout.tiers; ++tier) subtrees += layout.subtrees(tier);
  const std::size_t places = layout.first_place(layout.subtrees(0));
  Buckets<Number, Exec> buckets{exec.template array<std::uint32_t>("buckets", places * (tree.dim + 1)),
                                exec.template array<Number>("boxes", subtrees * 2 * box_stride(tree.dim))};
  tree.items = buckets.items.data();
  tree.boxes[0] = buckets.boxes.data();
  for (int tier = 1; tier < layout.tiers; ++tier)
    tree.boxes[tier] = tree.boxes[tier - 1] + std::size_t(layout.subtrees(tier - 1)) * 2 * box_stride(tree.dim);
  const FillBuckets<Number, dims> fill{tree};
  exec.for_each_warp("fill buckets", layout.subtrees(0), 0, fill);
  for (int tier = 1; tier < layout.tiers; ++tier)
    exec.for_each_warp("join boxes", layout.subtrees(tier), 0, JoinDescendants<Number, dims>{fill, tier});
  return buckets;
}

}  // namespace kdscope::queries::rank
