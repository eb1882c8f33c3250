#pragma once
// Normals turned to one side along a minimum spanning tree (Hoppe et al. 1992), which Borůvka's rounds find on either
// back end: in a round, every part of the tree so far takes the cheapest edge that leads out of it. Of two parts that
// an edge joins, each knows whether its points have to be turned against the other's, so nothing walks along the tree.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "algorithms/applications/counters.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/scalar.hpp"

namespace kdscope::point_clouds {

/// Points with normals, and the edges between neighbours.
struct NeighbourGraph {
  std::uint32_t n, k;
  const std::uint32_t* words;       ///< [n x 3] coordinates, floats
  const std::uint32_t* neighbours;  ///< [n x k] indices, no_id where there is none
  const float* normals;             ///< [n x 3]

  KDSCOPE_HD float cosine(std::uint32_t i, std::uint32_t j) const {
    const float *a = normals + 3 * std::size_t(i), *b = normals + 3 * std::size_t(j);
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
};

/// A part and a side of it in one word, so that a thread reads both at once.
struct Sided {
  std::uint32_t word;  ///< twice the part, plus 1 for what is turned against the part
  KDSCOPE_HD static Sided of(std::uint32_t part, bool turned) { return {part << 1 | (turned ? 1u : 0u)}; }
  KDSCOPE_HD std::uint32_t part() const { return word >> 1; }
  KDSCOPE_HD bool turned() const { return word & 1; }
  /// Returns where a side is if its part lies at `of_part`.
  KDSCOPE_HD Sided through(Sided of_part) const { return {of_part.word ^ (word & 1)}; }
};

/// An edge that leads out of a part: its cost, as a key in the order of the costs, and the point that lists it.
using EdgeKey = std::uint64_t;
inline constexpr EdgeKey no_edge = ~EdgeKey(0);
KDSCOPE_HD inline EdgeKey edge_key(std::uint32_t cost, std::uint32_t point) { return EdgeKey(cost) << 32 | point; }

/// What is known of the spanning tree. A part has the number of one of its points.
struct SpanningTree {
  std::uint32_t k;
  std::uint32_t *to, *cost;  ///< [n x k] edges that lead out of a point's part, in the order of its neighbours
  std::uint32_t* live;       ///< [n] how many of its edges still do
  Sided* part_of;            ///< [n] the part of each point
  EdgeKey* first;            ///< [n] the first edge of least cost that leads out of each part

  /// Returns the edge of a key as a part sees it: the first one of that cost that leads out of it, or into it.
  KDSCOPE_HD std::size_t place_of(EdgeKey key, std::uint32_t part) const {
    const auto point = static_cast<std::uint32_t>(key), wanted = static_cast<std::uint32_t>(key >> 32);
    const std::uint32_t own = part_of[point].part();
    std::size_t at = std::size_t(point) * k;
    for (;; ++at) {
      const std::uint32_t other = part_of[to[at]].part();
      if (cost[at] == wanted && (own == part ? other != own : other == part)) return at;
    }
  }
};

// [region applications/spanning_tree]
/// Begins with every point as a part of its own. An edge costs 1 - |cosine|.
struct BeginTree {
  NeighbourGraph graph;
  SpanningTree tree;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    tree.part_of[i] = Sided::of(i, false);
    std::size_t end = std::size_t(i) * graph.k;
    for (std::uint32_t rank = 0; rank < graph.k; ++rank) {
      const std::uint32_t j = graph.neighbours[std::size_t(i) * graph.k + rank];
      if (j == no_id) continue;
      tree.to[end] = j;
      tree.cost[end++] = ordered_key(word_of(1 - std::abs(graph.cosine(i, j))), ScalarType::float32);
    }
    tree.live[i] = static_cast<std::uint32_t>(end - std::size_t(i) * graph.k);
  }
};

struct ForgetEdges {
  SpanningTree tree;
  std::uint32_t* joined;  ///< the number of parts that join in this round
  KDSCOPE_HD void operator()(std::uint32_t part) const {
    tree.first[part] = no_edge;
    if (part == 0) *joined = 0;
  }
};

/// Drops the edges of point i that no longer lead out of its part, and finds the first of the others for both of their
/// parts, because a neighbour need not list i. All parts compare edges alike (by cost, point and rank): so their
/// choices never close a cycle, but for two parts that choose the same edge.
struct FindEdges {
  SpanningTree tree;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t own = tree.part_of[i].part();
    const std::size_t begin = std::size_t(i) * tree.k;
    std::size_t end = begin;
    EdgeKey least = no_edge;
    for (std::size_t at = begin; at < begin + tree.live[i]; ++at) {
      const std::uint32_t j = tree.to[at], cost = tree.cost[at], other = tree.part_of[j].part();
      if (other == own) continue;
      tree.to[end] = j;
      tree.cost[end++] = cost;
      const EdgeKey key = edge_key(cost, i);
      if (key < least) least = key;
      lower_to(tree.first + other, key);
    }
    tree.live[i] = static_cast<std::uint32_t>(end - begin);
    if (least != no_edge) lower_to(tree.first + own, least);
  }
};

/// Joins every part to the one at the other end of its edge. Of two that chose the same edge, the lower one stays.
struct JoinParts {
  NeighbourGraph graph;
  SpanningTree tree;
  Sided* onto;            ///< [n] the part onto which each part joins; itself if it stays
  std::uint32_t* joined;  ///< counts parts that join
  KDSCOPE_HD void operator()(std::uint32_t part) const {
    onto[part] = Sided::of(part, false);
    const EdgeKey key = tree.first[part];
    if (key == no_edge) return;
    const std::size_t edge = tree.place_of(key, part);
    std::uint32_t inner = static_cast<std::uint32_t>(key), outer = tree.to[edge];
    if (tree.part_of[inner].part() != part) {
      const std::uint32_t swapped = inner;
      inner = outer, outer = swapped;
    }
    const Sided near = tree.part_of[inner], far = tree.part_of[outer];
    if (part < far.part() && tree.first[far.part()] == key && tree.place_of(key, far.part()) == edge) return;
    // Neighbours point to the same side if their cosine is positive, as their parts have turned them so far
    const bool opposed = graph.cosine(inner, outer) < 0;
    onto[part] = Sided::of(far.part(), opposed != (near.turned() != far.turned()));
    add_to(joined, 1u);
  }
};

/// Multiplies the steps that onto leads along by 16: after one pass per four bits of a chain's length, it leads to its
/// end. Most chains are so short that the first pass does.
struct MultiplySteps {
  static constexpr int bits = 4;
  const Sided* onto;
  Sided* after;
  KDSCOPE_HD void operator()(std::uint32_t part) const {
    Sided at = onto[part];
    for (int step = 1; step < 1 << bits; ++step) {
      const Sided next = at.through(onto[at.part()]);
      if (next.word == at.word) break;
      at = next;
    }
    after[part] = at;
  }
};

struct FollowParts {
  const Sided* onto;
  Sided* part_of;
  KDSCOPE_HD void operator()(std::uint32_t i) const { part_of[i] = part_of[i].through(onto[part_of[i].part()]); }
};
// [endregion]

/// Finds the highest point of every part; the first one of equal height.
struct FindTops {
  NeighbourGraph graph;
  const Sided* part_of;
  std::uint32_t up;
  std::uint64_t* top;  ///< [n] by part: how far its height's key is below the greatest key, then the point; ~0 before
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t height = ordered_key(graph.words[3 * std::size_t(i) + up], ScalarType::float32);
    lower_to(top + part_of[i].part(), std::uint64_t(~height) << 32 | i);
  }
};
/// Tells which normals to turn so that the one at the top of their part points up.
struct FindTurns {
  NeighbourGraph graph;
  const Sided* part_of;
  std::uint32_t up;
  const std::uint64_t* top;
  std::uint32_t* turns;  ///< [n]
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const auto highest = static_cast<std::uint32_t>(top[part_of[i].part()]);
    const bool down = graph.normals[3 * std::size_t(highest) + up] < 0;
    turns[i] = down != (part_of[i].turned() != part_of[highest].turned());
  }
};
struct TurnNormals {
  const std::uint32_t* turns;
  float* normals;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    if (turns[i])
      for (std::size_t d = 0; d < 3; ++d) normals[3 * std::size_t(i) + d] = -normals[3 * std::size_t(i) + d];
  }
};

/// Turns normals so that those of neighbours point to the same side: along the minimum spanning tree of the graph,
/// whose edges cost 1 - |cosine|; among equal ones, the first in the lists. Normals at right angles count as pointing
/// to the same side. In each part of the graph, the highest point's normal points up. Returns the number of parts.
/// normals: those of the graph. up: the dimension that points up. The result does not depend on the order of threads.
/// Work O(n k log n), in at most log2 n rounds of four launches and one per four bits of n.
template <class Exec>
std::uint32_t orient_normals(Exec& exec, const NeighbourGraph& graph, std::uint32_t up, float* normals) {
  const std::uint32_t n = graph.n;
  const std::size_t edges = std::size_t(n) * graph.k;
  auto to = exec.template array<std::uint32_t>("edges", edges),
       cost = exec.template array<std::uint32_t>("costs of edges", edges),
       live = exec.template array<std::uint32_t>("edges that lead out", n),
       joined = exec.template array<std::uint32_t>("parts joined", 1);
  auto first = exec.template array<EdgeKey>("first edges out of parts", n);
  auto part_of = exec.template array<Sided>("parts of points", n),
       onto = exec.template array<Sided>("parts joined to", n),
       after = exec.template array<Sided>("parts joined to, farther on", n);
  const SpanningTree tree{graph.k, to.data(), cost.data(), live.data(), part_of.data(), first.data()};
  exec.for_each("begin spanning tree", n, BeginTree{graph, tree});
  std::uint32_t parts = n;
  for (std::uint32_t count = 1; count > 0 && parts > 1; parts -= count) {
    exec.for_each("forget edges", n, ForgetEdges{tree, joined.data()});
    exec.for_each("find edges", n, FindEdges{tree});
    exec.for_each("join parts", n, JoinParts{graph, tree, onto.data(), joined.data()});
    exec.download(std::span(&count, 1), joined.data());
    for (int bits = std::bit_width(count); bits > 0; bits -= MultiplySteps::bits) {
      exec.for_each("multiply steps", n, MultiplySteps{onto.data(), after.data()});
      std::swap(onto, after);
    }
    exec.for_each("follow parts", n, FollowParts{onto.data(), part_of.data()});
  }
  exec.for_each("forget edges", n, ForgetEdges{tree, joined.data()});
  exec.for_each("find tops", n, FindTops{graph, part_of.data(), up, first.data()});
  exec.for_each("find turns", n, FindTurns{graph, part_of.data(), up, first.data(), live.data()});
  exec.for_each("turn normals", n, TurnNormals{live.data(), normals});
  return parts;
}

}  // namespace kdscope::point_clouds
