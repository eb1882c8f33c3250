#include "algorithms/slabs/upper_levels.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "algorithms/core/hash.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/exec/parallel_ranges.hpp"
#include "algorithms/exec/threads.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"

namespace kdscope::slabs {
namespace {

using rank::Order;

/// Fewer sampled points of a node bracket nothing.
constexpr std::size_t least_sample_of_node = 32;

/// A node of the level that is being split. Its pivot lies in the outer window; the next pass looks into another one
/// inside it. A window holds the orders from lo to below hi.
struct NodeSearch {
  std::uint64_t rank = 0;  ///< of the pivot among the node's points
  Order outer_lo = 0, outer_hi = rank::largest_order;
  std::uint64_t below = 0, count = 0;  ///< the node's points below the outer window, and in it
  Order lo = 0, hi = rank::largest_order;
  bool found = false;
  // What a pass finds
  std::uint64_t less = 0, within = 0;  ///< points below lo, and in the window
  std::vector<Order> taken;            ///< of the window, or a sample of it
  int thinning = 0;                    ///< one of 2^thinning points is taken
};

/// Returns whether a point belongs to samples that take one of 2^thinning points. salt: differs from pass to pass.
bool is_sampled(PointId point, int thinning, std::uint64_t salt) {
  const std::uint64_t mask = (std::uint64_t{1} << thinning) - 1;
  return (mix64(point.value + (salt << 32) + 0x9e3779b97f4a7c15u) & mask) == 0;
}

/// Keeps a set of points below a size by taking ever fewer of them. Which points stay does not depend on the order in
/// which they come.
template <class Point, class IdOf>
void thin(std::vector<Point>& points, int& thinning, std::size_t most, std::uint64_t salt, const IdOf& id_of) {
  while (points.size() > most) {
    ++thinning;
    std::erase_if(points, [&](const Point& point) { return !is_sampled(id_of(point), thinning, salt); });
  }
}

/// Chooses the window of the next pass around the pivot's rank in sorted orders of the outer window.
void choose_window(NodeSearch& search, std::span<const Order> sample) {
  search.lo = search.outer_lo, search.hi = search.outer_hi;
  if (sample.size() < least_sample_of_node) return;
  // Four standard deviations of a rank in the sample, at most, to either side
  const std::uint64_t size = sample.size(), at = (search.rank - search.below) * size / search.count;
  const std::uint64_t tolerance = 2 * static_cast<std::uint64_t>(std::ceil(std::sqrt(double(size)))) + 1;
  if (at > tolerance) search.lo = sample[at - tolerance];
  if (at + tolerance < size) search.hi = sample[at + tolerance];
}

/// Draws conclusions from a pass. Returns the pivot if it is known now.
std::optional<Order> conclude(NodeSearch& search) {
  const std::uint64_t less = search.less - search.below, rank = search.rank - search.below;
  std::vector<Order> taken = std::exchange(search.taken, {});
  if (rank < less || rank >= less + search.within) {
    // The bracket has missed the pivot: look at all of the side where it is
    if (rank < less) {
      search.outer_hi = search.lo, search.count = less;
    } else {
      search.outer_lo = search.hi;
      search.below += less + search.within, search.count -= less + search.within;
    }
    choose_window(search, {});
    return std::nullopt;
  }
  search.outer_lo = search.lo, search.outer_hi = search.hi;
  search.below = search.less, search.count = search.within;
  if (search.thinning == 0) {
    const auto pivot = taken.begin() + static_cast<std::ptrdiff_t>(rank - less);
    std::nth_element(taken.begin(), pivot, taken.end());
    search.found = true;
    return *pivot;
  }
  std::ranges::sort(taken);
  choose_window(search, taken);
  return std::nullopt;
}

/// Leads a point down the upper levels. Returns its node on the level, or the node above whose pivot it is.
std::uint32_t node_of(const std::uint32_t* words, PointId point, int level, const Order* pivots, const Shape& shape) {
  std::uint32_t node = 0;
  for (std::uint32_t l = 0, d = 0; l < static_cast<std::uint32_t>(level); ++l, d = d + 1 == shape.dim ? 0 : d + 1) {
    const Order own = rank::order_of(ordered_key(words[d], shape.type), point), pivot = pivots[node];
    if (own == pivot) return node;
    node = 2 * node + 1 + (own > pivot);
  }
  return node;
}

/// Points that a thread reads at once.
constexpr std::uint64_t chunk_points = 16384;

/// Calls f(first, words) for chunks of a slab, in parallel. first: the point that the words begin with.
template <class F>
void for_chunks(const PointsOnDisk& input, std::uint64_t first, std::uint64_t count, const F& f) {
  const std::uint64_t each = std::clamp<std::uint64_t>(
      count / static_cast<std::uint64_t>(4 * std::max(1, usable_threads())), 64, chunk_points);
  for_ranges(static_cast<std::uint32_t>((count + each - 1) / each), [&](std::uint32_t begin, std::uint32_t end) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t chunk = begin; chunk < end; ++chunk) {
      const std::uint64_t at = chunk * each;
      words.resize(std::min(each, count - at) * input.shape.dim);
      input.read(first + at, words);
      f(first + at, std::span<const std::uint32_t>(words));
    }
  });
}

class PivotFinder {
 public:
  PivotFinder(const PointsOnDisk& input, const Plan& plan, const Watch& watch)
      : input_(input), plan_(plan), watch_(watch), n_(static_cast<std::uint32_t>(plan.input.n)) {}

  UpperNodes run() {
    nodes_.pivots.resize(full_tree_size(plan_.upper));
    nodes_.words.resize(nodes_.pivots.size() * plan_.input.dim);
    take_sample();
    for (int level = 0; level < plan_.upper; ++level) split_level(level);
    return std::move(nodes_);
  }

 private:
  /// Calls f(first, words) for chunks of all slabs.
  template <class F>
  void pass(double done, const std::string& what, const F& f) {
    ++nodes_.passes;
    for (std::uint64_t slab = 0; slab < plan_.slabs; ++slab) {
      watch_.check();
      // A second pass over a level stays at the first one's end
      furthest_ = std::max(furthest_, (done + double(slab) / double(plan_.slabs)) / double(plan_.passes + 1));
      watch_.report(furthest_, what);
      const std::uint64_t first = slab * plan_.slab_points;
      for_chunks(input_, first, std::min(plan_.slab_points, plan_.input.n - first), f);
    }
  }

  /// Checks all coordinates, and takes points from which the brackets of all levels are chosen.
  void take_sample() {
    const Shape& shape = plan_.input;
    std::mutex joining;
    std::uint64_t wrong = 0, first_wrong = std::numeric_limits<std::uint64_t>::max();
    std::atomic<int> thinning = 0;
    pass(0, "sample", [&](std::uint64_t first, std::span<const std::uint32_t> words) {
      std::uint64_t own_wrong = 0, own_first = std::numeric_limits<std::uint64_t>::max();
      const std::uint64_t count = words.size() / shape.dim;
      if (shape.type == ScalarType::float32)
        for (std::uint64_t i = 0; i < count; ++i) {
          bool finite = true;
          for (std::uint32_t d = 0; d < shape.dim; ++d)
            if (!std::isfinite(float_of(words[i * shape.dim + d]))) {
              own_first = std::min(own_first, (first + i) * shape.dim + d);
              finite = false;
            }
          own_wrong += !finite;
        }
      std::vector<PointId> own;
      const int before = thinning;
      for (std::uint64_t i = 0; i < count; ++i)
        if (const PointId point{static_cast<std::uint32_t>(first + i)}; is_sampled(point, before, 0))
          own.push_back(point);
      const std::lock_guard lock(joining);
      wrong += own_wrong, first_wrong = std::min(first_wrong, own_first);
      for (const PointId point : own) {
        if (!is_sampled(point, thinning, 0)) continue;
        sample_.push_back(point);
        const auto from = words.begin() + static_cast<std::ptrdiff_t>((point.value - first) * shape.dim);
        sample_words_.insert(sample_words_.end(), from, from + shape.dim);
        if (sample_.size() > plan_.sample_points) thin_sample(thinning);
      }
    });
    if (wrong > 0)
      throw ErrorException({ErrorKind::bad_input,
                            wrong == 1 ? "1 point is not finite"
                                       : std::to_string(wrong) + " points are not finite, the first of them here",
                            input_.path + ", byte " + std::to_string(input_.begin + 4 * first_wrong),
                            wrong == 1 ? "remove it" : "remove them"});
  }

  void thin_sample(std::atomic<int>& thinning) {
    while (sample_.size() > plan_.sample_points) {
      ++thinning;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < sample_.size(); ++i)
        if (is_sampled(sample_[i], thinning, 0)) {
          std::copy_n(sample_words_.begin() + static_cast<std::ptrdiff_t>(i * plan_.input.dim), plan_.input.dim,
                      sample_words_.begin() + static_cast<std::ptrdiff_t>(kept * plan_.input.dim));
          sample_[kept++] = sample_[i];
        }
      sample_.resize(kept);
      sample_words_.resize(kept * plan_.input.dim);
    }
  }

  /// Finds the pivots of a level.
  void split_level(int level) {
    const Shape& shape = plan_.input;
    const std::uint32_t first_node = full_tree_size(level), nodes = 1u << level,
                        dim = static_cast<std::uint32_t>(level) % shape.dim;
    std::vector<NodeSearch> searches(nodes);
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const NodeId node{first_node + i};
      searches[i].count = subtree_size(node, n_);
      searches[i].rank = left_size(subtree_size(node, n_));
    }
    // Sort the sample by node and order: each node's part is a sample of its points
    std::vector<std::pair<std::uint32_t, Order>> sample;
    for (std::size_t i = 0; i < sample_.size(); ++i) {
      const std::uint32_t* const words = sample_words_.data() + i * shape.dim;
      const std::uint32_t node = node_of(words, sample_[i], level, nodes_.pivots.data(), shape);
      if (node >= first_node)
        sample.emplace_back(node, rank::order_of(ordered_key(words[dim], shape.type), sample_[i]));
    }
    std::ranges::sort(sample);
    std::vector<Order> orders;
    for (auto at = sample.begin(); at != sample.end();) {
      const std::uint32_t node = at->first;
      for (orders.clear(); at != sample.end() && at->first == node; ++at) orders.push_back(at->second);
      choose_window(searches[node - first_node], orders);
    }
    while (std::ranges::any_of(searches, [](const NodeSearch& search) { return !search.found; })) {
      count_windows(level, searches);
      for (std::uint32_t i = 0; i < nodes; ++i)
        if (!searches[i].found)
          if (const auto pivot = conclude(searches[i])) nodes_.pivots[first_node + i] = *pivot;
    }
  }

  /// Counts and takes the points of all windows of a level in one pass.
  void count_windows(int level, std::vector<NodeSearch>& searches) {
    const Shape& shape = plan_.input;
    const std::uint32_t first_node = full_tree_size(level), dim = static_cast<std::uint32_t>(level) % shape.dim;
    const std::size_t most = std::max<std::size_t>(plan_.window_points >> level, 2 * least_sample_of_node);
    for (NodeSearch& search : searches) search.less = search.within = 0, search.thinning = 0;
    std::mutex joining;
    const std::uint64_t salt = nodes_.passes + 1;
    const auto id_of = [](Order order) { return rank::point_of(order); };
    pass(1 + level, "level " + std::to_string(level), [&](std::uint64_t first, std::span<const std::uint32_t> words) {
      std::vector<std::uint64_t> less(searches.size()), within(searches.size());
      std::vector<std::pair<std::uint32_t, Order>> taken;
      for (std::uint64_t i = 0; i < words.size() / shape.dim; ++i) {
        const std::uint32_t* const point_words = words.data() + i * shape.dim;
        const PointId point{static_cast<std::uint32_t>(first + i)};
        const std::uint32_t node = node_of(point_words, point, level, nodes_.pivots.data(), shape);
        if (node < first_node || searches[node - first_node].found) continue;
        const NodeSearch& search = searches[node - first_node];
        const Order order = rank::order_of(ordered_key(point_words[dim], shape.type), point);
        if (order < search.lo) {
          ++less[node - first_node];
        } else if (order < search.hi) {
          ++within[node - first_node];
          taken.emplace_back(node - first_node, order);
        }
      }
      const std::lock_guard lock(joining);
      for (std::size_t node = 0; node < searches.size(); ++node)
        searches[node].less += less[node], searches[node].within += within[node];
      for (const auto& [node, order] : taken) {
        NodeSearch& search = searches[node];
        if (!is_sampled(rank::point_of(order), search.thinning, salt)) continue;
        search.taken.push_back(order);
        thin(search.taken, search.thinning, most, salt, id_of);
      }
    });
  }

  const PointsOnDisk& input_;
  const Plan& plan_;
  const Watch& watch_;
  std::uint32_t n_;
  UpperNodes nodes_;
  double furthest_ = 0;  ///< share of the build that was reported
  std::vector<PointId> sample_;
  std::vector<std::uint32_t> sample_words_;  ///< [sample_, k]
};

}  // namespace

Scratch::Scratch(DiskFile file, const Plan& plan) : file_(std::move(file)), point_bytes_(plan.input.point_bytes()) {
  begins_.push_back(0);
  for (std::uint32_t s = 0; s < 1u << plan.upper; ++s)
    begins_.push_back(begins_.back() +
                      subtree_size(NodeId{full_tree_size(plan.upper) + s}, static_cast<std::uint32_t>(plan.input.n)));
}

void Scratch::write(std::uint64_t at, std::span<const std::uint32_t> words, std::span<const PointId> points) {
  file_.write(at * point_bytes_, words);
  file_.write(begins_.back() * point_bytes_ + at * sizeof(PointId), points);
}

void Scratch::read_words(std::uint64_t at, std::span<std::uint32_t> words) const {
  file_.read_on_threads(at * point_bytes_, words);
}

void Scratch::read_points(std::uint64_t at, std::span<PointId> points) const {
  file_.read_on_threads(begins_.back() * point_bytes_ + at * sizeof(PointId), points);
}

UpperNodes find_pivots(const PointsOnDisk& input, const Plan& plan, const Watch& watch) {
  return PivotFinder(input, plan, watch).run();
}

void partition_points(const PointsOnDisk& input, const Plan& plan, UpperNodes& nodes, Scratch& scratch,
                      const Watch& watch) {
  const Shape& shape = plan.input;
  const std::uint32_t subtrees = 1u << plan.upper, first_node = full_tree_size(plan.upper),
                      front = static_cast<std::uint32_t>(plan.upper) % shape.dim;
  std::vector<std::uint64_t> filled(subtrees);  // points of each subtree that earlier slabs have had
  for (std::uint32_t s = 0; s < subtrees; ++s) filled[s] = scratch.begin_of(s);
  ++nodes.passes;
  // What a chunk of the file becomes: its points by subtree
  struct Grouped {
    std::vector<std::uint32_t> words;
    std::vector<PointId> points;
    std::vector<std::uint32_t> ends;  ///< [subtrees]
  };
  for (std::uint64_t slab = 0; slab < plan.slabs; ++slab) {
    watch.check();
    watch.report((double(plan.upper) + 1 + double(slab) / double(plan.slabs)) / double(plan.passes + 1), "partition");
    const std::uint64_t slab_first = slab * plan.slab_points,
                        count = std::min(plan.slab_points, plan.input.n - slab_first);
    std::map<std::uint64_t, Grouped> chunks;  // by their first points
    std::mutex joining;
    for_chunks(input, slab_first, count, [&](std::uint64_t first, std::span<const std::uint32_t> words) {
      const std::uint32_t points = static_cast<std::uint32_t>(words.size() / shape.dim);
      Grouped grouped;
      grouped.ends.resize(subtrees);
      // Count the points of each subtree, then put them side by side in the order of the file
      std::vector<std::uint32_t> node(points);
      for (std::uint32_t i = 0; i < points; ++i) {
        const PointId point{static_cast<std::uint32_t>(first + i)};
        node[i] = node_of(words.data() + std::size_t(i) * shape.dim, point, plan.upper, nodes.pivots.data(), shape);
        if (node[i] >= first_node)
          ++grouped.ends[node[i] - first_node];
        else  // only one point is the node's pivot, so only one thread writes here
          std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(std::size_t(i) * shape.dim), shape.dim,
                      nodes.words.begin() + static_cast<std::ptrdiff_t>(std::size_t(node[i]) * shape.dim));
      }
      std::uint32_t begin = 0;
      for (std::uint32_t& end : grouped.ends) begin += std::exchange(end, begin);
      grouped.words.resize(std::size_t(begin) * shape.dim);
      grouped.points.resize(begin);
      for (std::uint32_t i = 0; i < points; ++i) {
        if (node[i] < first_node) continue;
        const std::uint32_t to = grouped.ends[node[i] - first_node]++;
        grouped.points[to] = {static_cast<std::uint32_t>(first + i)};
        for (std::uint32_t d = 0, from = front; d < shape.dim; ++d, from = from + 1 == shape.dim ? 0 : from + 1)
          grouped.words[std::size_t(to) * shape.dim + d] = words[std::size_t(i) * shape.dim + from];
      }
      const std::lock_guard lock(joining);
      chunks.emplace(first, std::move(grouped));
    });
    // Each subtree's points go behind those of earlier chunks
    for_ranges(subtrees, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t s = begin; s < end; ++s)
        for (const auto& [first, grouped] : chunks) {
          const std::uint32_t from = s == 0 ? 0 : grouped.ends[s - 1], to = grouped.ends[s];
          if (from == to) continue;
          scratch.write(
              filled[s],
              std::span(grouped.words).subspan(std::size_t(from) * shape.dim, std::size_t(to - from) * shape.dim),
              std::span(grouped.points).subspan(from, to - from));
          filled[s] += to - from;
        }
    });
  }
}

}  // namespace kdscope::slabs
