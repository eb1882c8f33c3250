#pragma once
// Chunks: equal pieces of the active nodes' references. Over them, the large node stage computes boxes and counts and
// moves references (Zhou et al. 2008, Alg. 2). One block per chunk, one lane per reference.

#include <cstdint>

#include "algorithms/builders/zhou/large_nodes.hpp"
#include "algorithms/trees/split_planes/triangle_clipping.hpp"

namespace kdscope::zhou {

struct Chunks {
  std::uint32_t* owner;  ///< [chunks] the chunk's node among the active ones
  std::uint32_t* first;  ///< [chunks] the chunk's first reference
  std::uint32_t* size;   ///< [chunks] number of references: chunk_size, except in a node's last chunk
  std::uint32_t count, chunk_size;
};

// [region zhou/make_chunks]
/// Divides the active nodes' references into chunks. One thread per chunk, which looks up the chunk's node.
struct MakeChunks {
  NodesView nodes;
  ActiveNodes active;
  Chunks chunks;
  KDSCOPE_HD void operator()(std::uint32_t k) const {
    // k counts the chunks of all active nodes. Each thread searches for its chunk's node, so a node of many chunks
    // keeps no thread busy longer than others. Chunks of a node are contiguous, as the segmented reduction requires.
    const std::uint32_t node = last_begun(active.chunk, active.count, k);
    const std::uint32_t at = (k - active.chunk[node]) * chunks.chunk_size, rest = nodes.count[active.node[node]] - at;
    chunks.owner[k] = node;
    chunks.first[k] = active.first[node] + at;
    chunks.size[k] = rest < chunks.chunk_size ? rest : chunks.chunk_size;
  }
};
// [endregion]

/// Initialises the results of a level's segmented reductions. box, counts: [active].
struct Identities {
  Box3* box;
  SideCounts* counts;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    box[i] = UniteBoxes::identity(), counts[i] = AddCounts::identity();
  }
};

struct ReducedCounts {
  const SideCounts* counts;  ///< [active]
  KDSCOPE_HD SideCounts operator()(std::uint32_t i) const { return counts[i]; }
};

// [region zhou/chunk_boxes]
/// Reduces a chunk's values in shared memory to one, which replaces the first. Each round uses half as many lanes.
/// size: a power of two.
template <class Operator, class Block>
KDSCOPE_HD void reduce_chunk(Block& block, typename Operator::Value* values, std::uint32_t size) {
  // Lane j combines its value with that `half` places further on; the barrier lets no lane read a value that is still
  // being combined
  for (std::uint32_t half = size / 2; half > 0; half /= 2)
    block.lanes([&](int lane) {
      const auto j = static_cast<std::uint32_t>(lane);
      if (j < half) values[j] = Operator::combine(values[j], values[j + half]);
    });
}

/// Computes the box of each chunk's references.
struct ChunkBoxes {
  Chunks chunks;
  const Box3* box;     ///< [references]
  Box3* box_of_chunk;  ///< [chunks]
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t k = block.index(), size = chunks.size[k];
    Box3* const boxes = block.template shared<Box3>(static_cast<int>(chunks.chunk_size));
    // Read the boxes of the chunk, side by side, and fill a short chunk up with the identity: then no lane has to ask
    // where the chunk ends
    block.lanes([&](int lane) {
      const auto j = static_cast<std::uint32_t>(lane);
      boxes[j] = j < size ? box[chunks.first[k] + j] : UniteBoxes::identity();
    });
    // Reduce the chunk without regard to segments, since it belongs to one node. Only one value per chunk is left for
    // the segmented reduction, which is slower (§3.1).
    reduce_chunk<UniteBoxes>(block, boxes, chunks.chunk_size);
    block.lanes([&](int lane) {
      if (lane == 0) box_of_chunk[k] = boxes[0];
    });
  }
};
// [endregion]

/// A reference's ranks among the references of its chunk that go left and among those that go right, and whether it
/// goes to either side.
struct SideRanks {
  std::uint16_t left, right;
  std::uint8_t goes_left, goes_right;
};

// [region zhou/mark_sides]
/// Finds the children of each reference by its box, the reference's ranks in its chunk by a scan in shared memory, and
/// the chunk's counts. The references of a node that stays whole count as left.
struct MarkSides {
  NodesView nodes;
  LevelPlan plan;
  Chunks chunks;
  const Box3* box;     ///< [references]
  SideRanks* ranks;    ///< [references]
  SideCounts* counts;  ///< [chunks]
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t k = block.index(), size = chunks.size[k], node = plan.halved[chunks.owner[k]];
    const std::uint32_t dim = nodes.split_dim[node];
    const float value = nodes.split_value[node];
    // Pack both counts into one word: left in the low half, right in the high half, at most 1,024 each.
    std::uint32_t* sums = block.template shared<std::uint32_t>(static_cast<int>(chunks.chunk_size));
    std::uint32_t* other = block.template shared<std::uint32_t>(static_cast<int>(chunks.chunk_size));
    auto own = block.template per_lane<std::uint32_t>();
    // Mark each reference (j counts those of the chunk). A box that touches both sides of the plane goes to both
    // children; one of a node that is not split goes left, and is not clipped.
    block.lanes([&](int lane) {
      const auto j = static_cast<std::uint32_t>(lane);
      own[lane] = 0;
      if (j < size && dim == no_id)
        own[lane] = 1;
      else if (j < size) {
        const Box3& b = box[chunks.first[k] + j];
        own[lane] = (goes_left(b.lo[dim], value) ? 1u : 0u) | (goes_right(b.lo[dim], b.hi[dim], value) ? 1u << 16 : 0u);
      }
      sums[j] = own[lane];
    });
    // Scan the marks: after a pass, sums[j] adds up the 2 * step marks that end at j. Two buffers change roles, so one
    // barrier per pass suffices: no lane writes what another still reads.
    for (std::uint32_t step = 1; step < chunks.chunk_size; step *= 2) {
      block.lanes([&](int lane) {
        const auto j = static_cast<std::uint32_t>(lane);
        other[j] = j >= step ? sums[j] + sums[j - step] : sums[j];
      });
      std::uint32_t* const swap = sums;
      sums = other, other = swap;
    }
    // The sums of the lower lanes are the ranks; the last lane's sums are the chunk's counts
    block.lanes([&](int lane) {
      const auto j = static_cast<std::uint32_t>(lane);
      const std::uint32_t before = sums[j] - own[lane];
      if (j < size)
        ranks[chunks.first[k] + j] = {
            static_cast<std::uint16_t>(before & 0xffffu), static_cast<std::uint16_t>(before >> 16),
            static_cast<std::uint8_t>(own[lane] & 1u), static_cast<std::uint8_t>(own[lane] >> 16)};
      if (j + 1 == chunks.chunk_size) counts[k] = {sums[j] & 0xffffu, sums[j] >> 16};
    });
  }
};
// [endregion]

/// Packs the counts of a chunk into one summand: left in the low half, right in the high half.
struct CountsOfChunk {
  const SideCounts* counts;
  KDSCOPE_HD std::uint64_t operator()(std::uint32_t k) const {
    return counts[k].left | std::uint64_t(counts[k].right) << 32;
  }
};

/// A reference that goes to both children, and its places in their lists.
struct Straddler {
  std::uint32_t reference, owner;  ///< owner: index among the active nodes
  std::uint32_t to[2];             ///< the places in its children's lists
};

/// The lists between which a level moves its references.
struct ReferenceLists {
  ReferencesView from, next, kept;
  KDSCOPE_HD ReferencesView of(ChildKind kind) const { return kind == ChildKind::active ? next : kept; }
};

// [region zhou/sort_and_clip]
/// Moves references to their children and keeps their order. Lists the references that go to both children for
/// clipping.
struct MoveReferences {
  ActiveNodes active;
  LevelPlan plan;
  Chunks chunks;
  const SideRanks* ranks;       ///< [references]
  const std::uint64_t* before;  ///< [chunks] exclusive sum of CountsOfChunk
  ReferenceLists lists;
  Straddler* straddlers;
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    const std::uint32_t k = block.index(), owner = chunks.owner[k], size = chunks.size[k], first = chunks.first[k];
    // Both halves of `before` sum over all chunks of the level; less the sum at the node's first chunk, they count
    // within the node
    const std::uint64_t chunk_before = before[k], node_before = before[active.chunk[owner]];
    block.lanes([&](int lane) {
      const auto j = static_cast<std::uint32_t>(lane);
      if (j >= size) return;
      const std::uint32_t reference = first + j;
      const SideRanks rank = ranks[reference];
      // A reference's place in each child's list: where the list begins, plus those of its node that go there before
      // it. Places are known before anything moves, so blocks need no order.
      const auto left_before = static_cast<std::uint32_t>(chunk_before) + rank.left,
                 right_before = static_cast<std::uint32_t>(chunk_before >> 32) + rank.right;
      const std::uint32_t to[2] = {
          plan.destination[2 * owner] + left_before - static_cast<std::uint32_t>(node_before),
          plan.destination[2 * owner + 1] + right_before - static_cast<std::uint32_t>(node_before >> 32)};
      // A triangle in both children has to be clipped: another pass does that, over a list without gaps
      if (rank.goes_left && rank.goes_right) {
        // `reference` references come before this one, each in at least one child: (left_before + right_before -
        // reference) of them went to both, which gives this one's place in the list
        straddlers[left_before + right_before - reference] = {reference, owner, {to[0], to[1]}};
        return;
      }
      // The others keep their boxes, which lie within the child
      const std::uint32_t side = rank.goes_left ? 0 : 1;
      const ReferencesView list = lists.of(plan.kind[2 * owner + side]);
      list.primitive[to[side]] = lists.from.primitive[reference];
      list.box[to[side]] = lists.from.box[reference];
    });
  }
};

/// Clips the triangles that go to both children; this is the second pass. Each child stores the box of the part inside
/// it. One thread per part.
struct ClipStraddlers {
  NodesView nodes;
  LevelPlan plan;
  MeshView mesh;
  ReferenceLists lists;
  const Straddler* straddlers;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // Neighbouring threads clip the same triangle for both children
    const Straddler& s = straddlers[i / 2];
    const std::uint32_t side = i % 2, slot = 2 * s.owner + side, halved = plan.halved[s.owner];
    const std::uint32_t primitive = lists.from.primitive[s.reference], dim = nodes.split_dim[halved];
    const Box3 box = lists.from.box[s.reference];
    // Start from the reference's own box, cut at the plane: clipping only makes it smaller
    const Box3 known =
        side == 0 ? below(box, dim, nodes.split_value[halved]) : above(box, dim, nodes.split_value[halved]);
    const ReferencesView list = lists.of(plan.kind[slot]);
    list.primitive[s.to[side]] = primitive;
    list.box[s.to[side]] = clipped_box(mesh.triangle(primitive), nodes.volume[plan.child[slot]], known);
  }
};
// [endregion]

}  // namespace kdscope::zhou
