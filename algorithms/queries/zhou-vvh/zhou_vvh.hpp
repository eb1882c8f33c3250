#pragma once
// Search by iterated range searches over radius histograms (Zhou et al. 2008, Algorithms 6 and 7).

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/builders/option_table.hpp"
#include "algorithms/exec/points_on_device.hpp"
#include "algorithms/queries/box_distance.hpp"
#include "algorithms/queries/searching.hpp"
#include "algorithms/trees/split_planes/on_device.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope::queries::zhou_vvh {

/// A tree of split planes over points, in pre-order. Leaves' points lie together, by position.
template <class Number>
struct View {
  const std::uint32_t* words;  ///< [n dim] records by position
  const PointId* point_of_position;
  const std::uint32_t *parent, *right_child, *split_dim, *split_value, *first, *count;
  const std::uint32_t* box;   ///< [nodes 2 dim]
  const std::uint32_t* skip;  ///< [nodes] the first node after a subtree, `nodes` after the last
  const Number* radii;        ///< [nodes] R_i, for k points; infinite where none was computed. Null: for no node
  std::uint32_t nodes, dim;

  KDSCOPE_HD bool is_leaf(std::uint32_t node) const { return right_child[node] == no_id; }
  KDSCOPE_HD const std::uint32_t* box_of(std::uint32_t node) const { return box + std::size_t(node) * 2 * dim; }
  KDSCOPE_HD Number low(std::uint32_t node, std::uint32_t d) const { return number_of<Number>(box_of(node)[d]); }
  KDSCOPE_HD Number high(std::uint32_t node, std::uint32_t d) const { return number_of<Number>(box_of(node)[dim + d]); }
};

/// Copies points to their positions, and finds the end of each subtree. One thread per item.
struct PointsByPosition {
  const std::uint32_t *words, *point_of_position;
  std::uint32_t dim;
  std::uint32_t* to;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    for (std::uint32_t d = 0; d < dim; ++d)
      to[std::size_t(i) * dim + d] = words[std::size_t(point_of_position[i]) * dim + d];
  }
};
struct SkipSubtrees {
  const std::uint32_t *parent, *right_child;
  std::uint32_t nodes;
  std::uint32_t* skip;
  /// Climbs from right children to the first left one: its sibling is next. Work O(depth).
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    std::uint32_t at = node;
    while (parent[at] != no_id && right_child[parent[at]] == at) at = parent[at];
    skip[node] = parent[at] == no_id ? nodes : right_child[parent[at]];
  }
};

/// Such a tree in a back end's memory.
template <class Exec>
class OnDevice {
 public:
  OnDevice(Exec& exec, const SplitPlaneTree& tree)
      : exec_(exec), nodes_(tree.size()), dim_(tree.data->points.dim), positions_(tree.primitive_of_position.size()) {
    const PointSet& points = tree.data->points;
    std::vector<std::uint32_t> words;
    words.reserve(positions_ * dim_);
    for (const std::uint32_t point : tree.primitive_of_position)
      for (std::uint32_t d = 0; d < dim_; ++d) words.push_back(points.words[std::size_t(point) * points.stride() + d]);
    std::vector<std::uint32_t> skip(nodes_, nodes_);
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      if (tree.is_leaf(node)) continue;
      skip[node + 1] = tree.right_child[node];
      skip[tree.right_child[node]] = skip[node];
    }
    const auto there = [&](const char* name, const std::vector<std::uint32_t>& from) {
      auto to = exec.template array<std::uint32_t>(name, from.size());
      exec.upload(to.data(), std::span(from));
      return to;
    };
    words_ = there("points by position", words), point_of_position_ = there("points", tree.primitive_of_position);
    parent_ = there("parents", tree.parent), right_child_ = there("right children", tree.right_child);
    split_dim_ = there("split dimensions", tree.split_dim), split_value_ = there("split values", tree.split_value);
    first_ = there("first positions", tree.first), count_ = there("counts", tree.count);
    box_ = there("boxes", tree.box), skip_ = there("skips", skip);
  }
  /// The same for a tree that a builder just left there. words: [n dim] the points, by their own indices.
  OnDevice(Exec& exec, SplitPlaneTreeOnDevice<Exec> tree, const std::uint32_t* words, std::uint32_t dim)
      : exec_(exec),
        nodes_(static_cast<std::uint32_t>(tree.parent.size())),
        dim_(dim),
        positions_(tree.primitive_of_position.size()),
        words_(exec.template array<std::uint32_t>("points by position", positions_ * dim)),
        point_of_position_(std::move(tree.primitive_of_position)),
        parent_(std::move(tree.parent)),
        right_child_(std::move(tree.right_child)),
        split_dim_(std::move(tree.split_dim)),
        split_value_(std::move(tree.split_value)),
        first_(std::move(tree.first)),
        count_(std::move(tree.count)),
        box_(std::move(tree.box)),
        skip_(exec.template array<std::uint32_t>("skips", nodes_)) {
    exec.for_each("points by position", static_cast<std::uint32_t>(positions_),
                  PointsByPosition{words, point_of_position_.data(), dim, words_.data()});
    exec.for_each("skips", nodes_, SkipSubtrees{parent_.data(), right_child_.data(), nodes_, skip_.data()});
  }
  template <class Number>
  View<Number> view() const {
    return {words_.data(),
            reinterpret_cast<const PointId*>(point_of_position_.data()),
            parent_.data(),
            right_child_.data(),
            split_dim_.data(),
            split_value_.data(),
            first_.data(),
            count_.data(),
            box_.data(),
            skip_.data(),
            nullptr,
            nodes_,
            dim_};
  }
  Exec& exec() const { return exec_; }

 private:
  Exec& exec_;
  std::uint32_t nodes_, dim_;
  std::size_t positions_;
  Array<std::uint32_t, Exec> words_, point_of_position_, parent_, right_child_, split_dim_, split_value_, first_,
      count_, box_, skip_;
};

inline constexpr std::uint32_t most_bins = 32;

struct HistogramOptions {
  std::uint32_t bins = most_bins;  ///< n_hist
  std::uint32_t rounds = 2;        ///< n_iter
  std::uint32_t radius = 10;       ///< R in thousandths of the longest side of all points' box
  std::uint32_t levels = 3;        ///< n_level: levels of nodes whose centres have a radius; 0: none
};

/// Counts the points of a ball by rings of equal width. A point on a ring's outer edge is inside it. Edges are compared
/// as squares, as in every other search.
template <class Number>
class Rings {
 public:
  KDSCOPE_HD Rings(Number inner, Number outer, std::uint32_t bins) : inner_(inner), outer_(outer), bins_(bins) {
    for (std::uint32_t bin = 0; bin < bins; ++bin) counts_[bin] = 0;
  }
  KDSCOPE_HD Number reach() const { return outer_ * outer_; }
  KDSCOPE_HD static Number with(Number distance, Number difference) { return distance + difference * difference; }
  KDSCOPE_HD bool take(Number distance, PointId) {
    const Number share = (std::sqrt(distance) - inner_) / (outer_ - inner_) * static_cast<Number>(bins_);
    std::uint32_t bin = 0;
    if (share > 0) bin = share < static_cast<Number>(bins_) ? static_cast<std::uint32_t>(share) : bins_ - 1;
    // Rounding may have chosen a neighbouring ring: correct it by the squared edges
    while (bin > 0 && distance <= edge(bin) * edge(bin)) --bin;
    while (bin + 1 < bins_ && distance > edge(bin + 1) * edge(bin + 1)) ++bin;
    ++counts_[bin];
    return true;
  }
  /// Returns the inner radius of a bin; that of `bins` is the outermost.
  KDSCOPE_HD Number edge(std::uint32_t bin) const {
    if (bin == bins_) return outer_;
    const Number at = inner_ + (outer_ - inner_) / static_cast<Number>(bins_) * static_cast<Number>(bin);
    return at < outer_ ? at : outer_;
  }
  /// Returns the bin of the k-th point; `bins` if there are fewer.
  KDSCOPE_HD std::uint32_t bin_of(std::uint32_t k) const {
    std::uint32_t sum = 0;
    for (std::uint32_t bin = 0; bin < bins_; ++bin) {
      sum += counts_[bin];
      if (sum >= k) return bin;
    }
    return bins_;
  }
  template <class Log>
  KDSCOPE_HD void tell(Log& log) const {
    for (std::uint32_t bin = 0; bin < bins_; ++bin) log.bin(counts_[bin], edge(bin + 1));
  }

 private:
  Number inner_, outer_;
  std::uint32_t bins_;
  std::uint32_t counts_[most_bins];
};

// [region queries/radius_histogram]
/// Takes all points within the reach. In pre-order a subtree that is skipped ends at the next node beyond it, so the
/// walk needs no stack.
template <class Number, int dims, class Found, class Log>
KDSCOPE_HD std::uint32_t range_search(const View<Number>& tree, const Coordinates<Number, dims>& query, Found& found,
                                      Log& log) {
  std::uint32_t visited = 0;
  for (std::uint32_t node = 0; node < tree.nodes;) {
    // A node out of reach is skipped with all below it: the walk jumps behind its subtree
    const Number away = distance_to_box<Number>(found, query, tree.dim, tree.box_of(node));
    if (away > found.reach()) {
      log.prune({node}, PruneReason::box, away);
      node = tree.skip[node];
      continue;
    }
    ++visited;
    log.enter({node}, away);
    // A leaf's points lie side by side. In pre-order the next node is the left child or, after a leaf, what comes
    // behind it.
    if (tree.is_leaf(node))
      for (std::uint32_t at = tree.first[node]; at < tree.first[node] + tree.count[node]; ++at) {
        const Number distance =
            distance_to_point<Number>(found, query, tree.dim, tree.words + std::size_t(at) * tree.dim);
        const PointId point = tree.point_of_position[at];
        log.test(point.value, distance);
        if (distance <= found.reach() && found.take(distance, point)) log.accept(point.value, distance);
      }
    ++node;
  }
  return visited;
}

/// A radius around a query that holds at least k points.
template <class Number>
struct RadiusOfPoints {
  std::uint32_t k;
  Number radius;
};

/// Narrows a radius that holds at least k points by histograms of the points' distances. A radius that holds fewer
/// remains as it is. The result exceeds the distance of the k-th point by at most r0 / bins^rounds.
template <class Number, int dims, class Log>
KDSCOPE_HD Number narrowed(const View<Number>& tree, const Coordinates<Number, dims>& query,
                           const RadiusOfPoints<Number>& of, const HistogramOptions& options, std::uint32_t& visited,
                           Log& log) {
  Number inner = 0, outer = of.radius;
  for (std::uint32_t round = 0; round < options.rounds && inner < outer; ++round) {
    // One range search fills the histogram of the ring between both radii
    Rings<Number> rings(inner, outer, options.bins);
    log.round(outer);
    visited += range_search(tree, query, rings, log);
    rings.tell(log);
    // The k-th point's ring is the next one to be divided. If fewer than k points were found, the radius remains as it
    // is (Alg. 6).
    const std::uint32_t bin = rings.bin_of(of.k);
    if (bin == options.bins) break;
    inner = rings.edge(bin), outer = rings.edge(bin + 1);
  }
  return outer;
}
// [endregion]

/// Returns a root, or a sum of roots, increased by more than the rounding of all steps on the way to it.
template <class Number>
KDSCOPE_HD Number rounded_up(Number value) {
  return value * (1 + 32 * std::numeric_limits<Number>::epsilon());
}

/// Returns a radius around a query that holds all points of a node.
template <class Number, int dims>
KDSCOPE_HD Number around(const View<Number>& tree, const Coordinates<Number, dims>& query, std::uint32_t node) {
  Number sum = 0;
  for (std::uint32_t d = 0; d < tree.dim; ++d) {
    const Number below = query[d] - tree.low(node, d), above = tree.high(node, d) - query[d];
    const Number farther = below > above ? below : above;
    sum += farther * farther;
  }
  return rounded_up(std::sqrt(sum));
}

template <class Number, int dims>
KDSCOPE_HD Coordinates<Number, dims> centre_of(const View<Number>& tree, std::uint32_t node) {
  Coordinates<Number, dims> centre{};
  for (std::uint32_t d = 0; d < tree.dim; ++d)
    centre.set(d, tree.low(node, d) + (tree.high(node, d) - tree.low(node, d)) / 2);
  return centre;
}

// [region queries/first_radius]
/// Returns a radius around a query that holds at least k points: that of the nodes with k points on the query's way
/// down, or, of a node whose centre has a radius, the way to the centre and that radius (ESTIMATERADIUS). The way turns
/// to the other child where only that one has k points. The source begins with R, which the user must choose large
/// enough; here the nodes bound it.
template <class Number, int dims>
KDSCOPE_HD Number first_radius(const View<Number>& tree, const Coordinates<Number, dims>& query, std::uint32_t k) {
  Number radius = around(tree, query, 0);
  for (std::uint32_t node = 0;;) {
    // A ball around the query that holds the whole node holds its k points or more
    if (tree.count[node] >= k) {
      const Number all = around(tree, query, node);
      if (all < radius) radius = all;
    }
    // So does the ball that holds the one around the node's centre: |p - C_i| + R_i (Alg. 7, ESTIMATERADIUS)
    if (tree.radii && tree.radii[node] < radius) {
      const Coordinates<Number, dims> centre = centre_of<Number, dims>(tree, node);
      Number sum = 0;
      for (std::uint32_t d = 0; d < tree.dim; ++d) sum += (query[d] - centre[d]) * (query[d] - centre[d]);
      const Number by_centre = rounded_up(std::sqrt(sum) + tree.radii[node]);
      if (by_centre < radius) radius = by_centre;
    }
    if (tree.is_leaf(node)) return radius;
    const bool right = query[tree.split_dim[node]] > number_of<Number>(tree.split_value[node]);
    const std::uint32_t own = right ? tree.right_child[node] : node + 1,
                        other = right ? node + 1 : tree.right_child[node];
    // Splits by volume cut off small nodes high up in the tree. A query in one of them is bounded by what is beside it.
    node = tree.count[own] < k && tree.count[other] >= k ? other : own;
  }
}

/// Computes the radius of k points around a node's centre for n_level levels of nodes, from the first whose radius is
/// less than half of R on (PRECOMPUTERADIUS, with its alpha of 0.5); the other nodes' are infinite. Where the first
/// radius exceeds R, points are sparse and the ball is large, so it is not narrowed: one thread would visit thousands
/// of nodes while all others wait.
template <class Number, int dims>
struct RadiusOfNode {
  View<Number> tree;
  HistogramOptions options;
  std::uint32_t k;
  Number half_radius;
  Number* radii;

  KDSCOPE_HD bool is_small(std::uint32_t node) const {
    Number sum = 0;
    for (std::uint32_t d = 0; d < tree.dim; ++d) {
      const Number half = (tree.high(node, d) - tree.low(node, d)) / 2;
      sum += half * half;
    }
    return sum < half_radius * half_radius;
  }
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    radii[node] = std::numeric_limits<Number>::infinity();
    // Find whether the node lies on one of the n_level levels that begin with the first small node on its path, which
    // is the one whose parent is not small
    std::uint32_t above = node;
    for (std::uint32_t level = 0; level < options.levels && is_small(above); ++level) {
      const std::uint32_t parent = tree.parent[above];
      if (parent == no_id || !is_small(parent)) {
        std::uint32_t visited = 0;
        NoLog log;
        // It does: search k points around its centre, as any query would
        const Coordinates<Number, dims> centre = centre_of<Number, dims>(tree, node);
        const Number first = first_radius(tree, centre, k);
        if (first > 2 * half_radius)
          radii[node] = first;
        else
          radii[node] = narrowed(tree, centre, {k, first}, options, visited, log);
        return;
      }
      above = parent;
    }
  }
};
// [endregion]

struct RadiusHistogram : SearchesPoints<SplitPlaneTree, OnDevice> {
  using Options = HistogramOptions;
  static constexpr std::uint32_t most_k = 128;
  static constexpr bool chooses_reach = true;
  static const OptionTable<Options>& option_table() {
    static const auto table =
        OptionTable<Options>()
            .integer({"bins", "Bins", "Rings that a round divides the radius into (n_hist)."}, &Options::bins, 2,
                     most_bins)
            .integer({"rounds", "Rounds", "Range searches that narrow the radius (n_iter). 0: the first one is taken."},
                     &Options::rounds, 0, 8)
            .integer({"radius", "Radius R",
                      "Nodes of less than half of it have a radius at their centre; in thousandths of the longest side "
                      "of all points' box."},
                     &Options::radius, 0, 1000)
            .integer({"levels", "Levels", "Levels of nodes with a radius at their centre (n_level). 0: none."},
                     &Options::levels, 0, 8);
    return table;
  }

  Options options;
  RadiusHistogram() = default;
  explicit RadiusHistogram(const Options& chosen) : options(chosen) {}

  /// Computes the nodes' radii for a k, before queries begin. Work: that of a query per node that has one.
  template <int dims, class Exec, class Number>
  Array<Number, Exec> prepare(Exec& exec, View<Number>& tree, std::uint32_t k) const {
    Array<Number, Exec> radii;
    tree.radii = nullptr;  // of the search before
    if (options.levels == 0 || tree.nodes == 0) return radii;
    radii = exec.template array<Number>("radii of nodes", tree.nodes);
    std::vector<std::uint32_t> root(2 * tree.dim);
    exec.download(std::span(root), tree.box);
    Number side = 0;
    for (std::uint32_t d = 0; d < tree.dim; ++d)
      side = std::max(side, number_of<Number>(root[tree.dim + d]) - number_of<Number>(root[d]));
    exec.for_each(
        "radii of nodes", tree.nodes,
        RadiusOfNode<Number, dims>{tree, options, k, side * static_cast<Number>(options.radius) / 2000, radii.data()});
    tree.radii = radii.data();
    return radii;
  }

  /// k: 0 for all points within the reach, which remains as it is. found: a Within, or another collector that has its
  /// reach(), with(), combined(), take(), writes() and set_reach().
  template <class Number, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const View<Number>& tree, const Coordinates<Number, dims>& query, Found& found, Log log,
                               std::uint32_t k) const {
    std::uint32_t visited = 0;
    if (k > 0 && !found.writes()) {
      const Number first = first_radius(tree, query, k), bound = std::sqrt(found.reach());
      const Number outer = first < bound ? first : bound;
      // Squares that overflow give no rings: then all points are within reach.
      if (outer * outer <= std::numeric_limits<Number>::max()) {
        const Number radius = narrowed(tree, query, {k, outer}, options, visited, log);
        // If nothing narrowed the reach, do not set it: rounding may make the square of its root another number
        const Number square = radius * radius;
        if ((radius < outer || first < bound) && square < found.reach()) found.set_reach(square);
      }
      log.round(std::sqrt(found.reach()));
    }
    return visited + range_search(tree, query, found, log);
  }
};

/// In the order of declare().
using Searches = SearchList<RadiusHistogram>;

}  // namespace kdscope::queries::zhou_vvh
