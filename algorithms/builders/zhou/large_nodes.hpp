#pragma once
// The split of a level of large nodes (Zhou et al. 2008, Alg. 2): empty space is cut off side by side, and the
// remaining box is halved. Each child goes to the next level or to the small nodes, or becomes a leaf. The code is the
// same for triangles and points.

#include <cstdint>

#include "algorithms/builders/zhou/nodes.hpp"
#include "algorithms/builders/zhou/segmented_reduction.hpp"

namespace kdscope::zhou {

/// The large nodes of a level, whose references are listed one node after another.
struct ActiveNodes {
  std::uint32_t* node;   ///< [active]
  std::uint32_t* first;  ///< [active] the node's first reference
  std::uint32_t* chunk;  ///< [active] the node's first chunk
  std::uint32_t count;
};

/// The most planes per node: its cuts, and the plane that halves the remaining box.
inline constexpr std::uint32_t most_planes = 7;
/// A planned plane, and the side of the remaining box that it cuts off: 2d + 1 for cuts from above, else 2d.
struct PlannedSplit {
  std::uint32_t side;
  float value;
};

/// The destination of a large node's child.
enum class ChildKind : std::uint8_t { none, active, small, leaf };

/// The decisions of a level about its nodes. Slots 2i and 2i + 1 are the left and right child of active node i.
struct LevelPlan {
  PlannedSplit* planes;   ///< [active x most_planes]
  std::uint32_t* pairs;   ///< [active] number of planes, which is also the number of pairs of children
  std::uint32_t* halved;  ///< [active] the node that the last plane halves or that stays whole
  std::uint32_t* child;   ///< [2 x active] node, no_id for none
  ChildKind* kind;        ///< [2 x active]
  std::uint32_t*
      destination;  ///< [2 x active] where a child's references begin in the next level's list or in the kept list
};

// [region zhou/split_large]
/// Plans the splits of active node i. Each side in turn loses its empty space if that exceeds C_e of the remaining box.
/// One tight box measures the empty space of all cuts. Then the longest side is halved, unless there is no float
/// between its ends.
struct PlanSplits {
  NodesView nodes;
  ActiveNodes active;
  const Box3* tight;  ///< [active] box of all primitives
  SplitPlaneRules rules;
  LevelPlan plan;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t node = active.node[i], depth = nodes.depth[node];
    PlannedSplit* const planes = plan.planes + std::size_t(i) * most_planes;
    Box3 volume = nodes.volume[node];
    std::uint32_t pairs = 0;
    SplitPlane plane;
    // Cut off empty space, side by side, while the depth bound allows another level. A cut leaves the tight box as it
    // is, so all cuts of the node are planned at once (§3.1).
    for (std::uint32_t side = 0; side < 6; ++side) {
      if (depth + pairs + 1 >= rules.depth || !cuts_off(volume, tight[i], side, rules.empty_percent, plane, rules.type))
        continue;
      planes[pairs++] = {side, plane.value};
      volume = side % 2 == 1 ? below(volume, plane.dim, plane.value) : above(volume, plane.dim, plane.value);
    }
    // Split the remaining box at its spatial median
    const bool half = halves(volume, plane, rules.type);
    if (half) planes[pairs++] = {2 * plane.dim, plane.value};
    plan.pairs[i] = pairs;
    plan.halved[i] = half;  // becomes the node's index once its children are created
  }
};
// [endregion]

// [region zhou/create_children]
/// Adds the planned children to the list of nodes, one pair per plane. The part that a cut takes off is an empty leaf;
/// the other part is cut further.
struct CreateChildren {
  NodesView nodes;
  ActiveNodes active;
  LevelPlan plan;
  const std::uint32_t* before;  ///< [active] number of pairs of the nodes before it
  std::uint32_t begin;          ///< first new node
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const PlannedSplit* const planes = plan.planes + std::size_t(i) * most_planes;
    const std::uint32_t pairs = plan.pairs[i], half = plan.halved[i], all = nodes.count[active.node[i]];
    // The exclusive sum of pairs gives the node's children their numbers, without a common counter
    std::uint32_t node = active.node[i], left = begin + 2 * before[i];
    // Each cut makes a pair: an empty leaf, and the rest, which has all primitives and is split next
    for (std::uint32_t k = 0; k + half < pairs; ++k, left += 2) {
      nodes.split(node, {planes[k].side / 2, planes[k].value}, left);
      node = planes[k].side % 2 == 1 ? left : left + 1;
      nodes.count[node] = all;
    }
    // The last plane halves the rest. Without one, the rest itself is the only child to go on with.
    if (half) nodes.split(node, {planes[pairs - 1].side / 2, planes[pairs - 1].value}, left);
    plan.halved[i] = node;
    plan.child[2 * i] = half ? left : node;
    plan.child[2 * i + 1] = half ? left + 1 : no_id;
  }
};
// [endregion]

/// Returns a small root's whole set, one bit per primitive.
KDSCOPE_HD inline std::uint64_t whole_set(std::uint32_t count) { return count >= 64 ? ~0ull : (1ull << count) - 1; }

// [region zhou/filter_small]
/// Records the primitives of the children and the destination of each child. Small children leave the large stage. A
/// larger child becomes a leaf at the depth bound, or after most_bad_refines splits in a row that do not pay.
template <class Counts, class Cost>
struct ClassifyChildren {
  NodesView nodes;
  ActiveNodes active;
  Counts counts;  ///< counts(i): SideCounts of active node i
  SplitPlaneRules rules;
  Cost cost;
  LevelPlan plan;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t halved = plan.halved[i], all = nodes.count[halved];
    // No plane halves the node: it stays a leaf, however many primitives it has
    if (plan.child[2 * i + 1] == no_id) {
      nodes.bounded[halved] = 1;
      plan.kind[2 * i] = ChildKind::leaf, plan.kind[2 * i + 1] = ChildKind::none;
      return;
    }
    // Count the splits in a row that do not pay, or that leave all primitives in one child. After most_bad_refines of
    // them the children stay leaves (planes.hpp says why); the source has no such bound.
    const SplitPlane plane{nodes.split_dim[halved], nodes.split_value[halved]};
    const Box3 volume = nodes.volume[halved];
    const SideCounts both = counts(i);
    const bool pays = cost.split(volume, plane, both.left, both.right) < cost.leaf(volume, all);
    const std::uint32_t bad_refines =
        bad_refines_after(nodes.bad_refines[active.node[i]], pays, all, both.left, both.right);
    // Choose each child's list: empty or bounded children are leaves, small ones leave the large stage
    for (std::uint32_t side = 0; side < 2; ++side) {
      const std::uint32_t child = plan.child[2 * i + side], count = side == 0 ? both.left : both.right;
      const bool end = count > rules.small && (nodes.depth[child] >= rules.depth || bad_refines >= most_bad_refines);
      nodes.count[child] = count;
      nodes.bad_refines[child] = static_cast<std::uint8_t>(bad_refines);
      nodes.bounded[child] = end;
      plan.kind[2 * i + side] = end || count == 0      ? ChildKind::leaf
                                : count <= rules.small ? ChildKind::small
                                                       : ChildKind::active;
    }
  }
};

/// Sums over children, all computed in one scan: active children, their chunks and their references; small children;
/// the references of small children and leaves, which are kept; and pairs of new nodes.
struct Tally {
  std::uint32_t active = 0, chunks = 0, references = 0, small = 0, kept = 0, pairs = 0;
  Tally() = default;
  KDSCOPE_HD constexpr Tally(int) {}
  KDSCOPE_HD constexpr Tally(std::uint32_t a, std::uint32_t c, std::uint32_t r, std::uint32_t s, std::uint32_t k,
                             std::uint32_t p)
      : active(a), chunks(c), references(r), small(s), kept(k), pairs(p) {}
  KDSCOPE_HD friend constexpr Tally operator+(const Tally& a, const Tally& b) {
    return {a.active + b.active, a.chunks + b.chunks, a.references + b.references,
            a.small + b.small,   a.kept + b.kept,     a.pairs + b.pairs};
  }
};

struct TallyOfChild {
  NodesView nodes;
  LevelPlan plan;
  std::uint32_t chunk_size;
  KDSCOPE_HD Tally operator()(std::uint32_t slot) const {
    if (plan.kind[slot] == ChildKind::none) return Tally(0);
    const std::uint32_t count = nodes.count[plan.child[slot]], pairs = slot % 2 == 0 ? plan.pairs[slot / 2] : 0;
    if (plan.kind[slot] == ChildKind::active) return {1, (count + chunk_size - 1) / chunk_size, count, 0, 0, pairs};
    return {0, 0, 0, plan.kind[slot] == ChildKind::small ? 1u : 0u, count, pairs};
  }
};

/// Adds the children to the lists of the next level and of the small nodes.
struct ListChildren {
  NodesView nodes;
  LevelPlan plan;
  const Tally* before;  ///< [slots]
  ActiveNodes next;
  std::uint32_t* small_list;  ///< starts at the level's first small node
  std::uint32_t kept;         ///< number of references kept before the level
  KDSCOPE_HD void operator()(std::uint32_t slot) const {
    const ChildKind kind = plan.kind[slot];
    if (kind == ChildKind::none) return;
    const std::uint32_t child = plan.child[slot];
    const Tally& t = before[slot];
    // The sums over all slots before it give a child its place in its list, and its references their places
    if (kind == ChildKind::active) {
      next.node[t.active] = child, next.first[t.active] = t.references, next.chunk[t.active] = t.chunks;
      plan.destination[slot] = t.references;
      return;
    }
    // References of small children and leaves move for the last time, to the kept list
    plan.destination[slot] = nodes.first[child] = kept + t.kept;
    // A small child is a small root: its set has a bit per primitive (Fig. 3)
    if (kind != ChildKind::small) return;
    small_list[t.small] = child;
    nodes.set[child] = whole_set(nodes.count[child]);
  }
};
// [endregion]

}  // namespace kdscope::zhou
