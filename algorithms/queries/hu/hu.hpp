#pragma once
// Best-bin-first search of a tree with leaf buckets (Hu et al. 2015, section III and Algorithm 3). The subtrees that a
// descent passes by wait in a queue, and the one whose box is nearest to the query comes next.
//
// The source's Algorithm 3 prints some signs the wrong way round: its loop ends while the queue has at most 40 entries,
// and its text removes entries that are nearer than the best point. Here the queue has at most `queue` entries, and
// those farther away are removed. A full queue gives up the farthest entry or, as the loop's condition means, ends the
// search after the leaf to which it is going down.

#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/builders/option_table.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/queries/box_distance.hpp"
#include "algorithms/queries/searching.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"

namespace kdscope::queries::hu {

/// The fields of BucketTree for one node.
struct Node {
  std::uint32_t parent, left_child, split_dim, split_value, first, count;
  KDSCOPE_HD bool is_leaf() const { return left_child == no_id; }
};

/// A tree with leaf buckets in a back end's memory, for reading.
template <class Number>
struct TreeView {
  const Node* nodes;
  const std::uint32_t* boxes;   ///< [nodes * 2 dim]
  const std::uint32_t* points;  ///< [n * dim] by position, so that those of a bucket follow one another
  const PointId* point_of_position;
  std::uint32_t size, dim;

  KDSCOPE_HD const std::uint32_t* words_of(std::uint32_t position) const {
    return points + std::size_t(position) * dim;
  }
  template <class Found, class Query>
  KDSCOPE_HD Number distance_to(NodeId node, const Found& found, const Query& query) const {
    return distance_to_box<Number>(found, query, dim, boxes + std::size_t(node.value) * 2 * dim);
  }
  /// Computes the distances to a node's left and right child.
  template <class Found, class Query>
  KDSCOPE_HD void distances_to_children(const Node& node, const Found& found, const Query& query,
                                        Number (&distance)[2]) const {
    distances_to_boxes(found, query, dim, boxes + std::size_t(node.left_child) * 2 * dim, distance);
  }
};

/// A tree with leaf buckets in a back end's memory.
template <class Exec>
class OnDevice {
 public:
  OnDevice(Exec& exec, const BucketTree& tree)
      : nodes_(exec.template array<Node>("tree", tree.size())),
        boxes_(exec.template array<std::uint32_t>("boxes", tree.box.size())),
        points_(exec.template array<std::uint32_t>("points", tree.points->size() * tree.points->dim)),
        point_of_position_(exec.template array<PointId>("points of positions", tree.point_of_position.size())),
        size_(tree.size()),
        dim_(tree.points->dim) {
    std::vector<Node> nodes;
    nodes.reserve(size_);
    for (std::uint32_t i = 0; i < size_; ++i)
      nodes.push_back(
          {tree.parent[i], tree.left_child[i], tree.split_dim[i], tree.split_value[i], tree.first[i], tree.count[i]});
    std::vector<std::uint32_t> words;
    words.reserve(tree.point_of_position.size() * dim_);
    for (const PointId point : tree.point_of_position)
      for (std::uint32_t d = 0; d < dim_; ++d) words.push_back(tree.points->word(point.value, d));
    exec.upload(nodes_.data(), std::span(std::as_const(nodes)));
    exec.upload(boxes_.data(), std::span(tree.box));
    exec.upload(points_.data(), std::span(std::as_const(words)));
    exec.upload(point_of_position_.data(), std::span(tree.point_of_position));
  }
  template <class Number>
  TreeView<Number> view() const {
    return {nodes_.data(), boxes_.data(), points_.data(), point_of_position_.data(), size_, dim_};
  }

 private:
  Array<Node, Exec> nodes_;
  Array<std::uint32_t, Exec> boxes_, points_;
  Array<PointId, Exec> point_of_position_;
  std::uint32_t size_, dim_;
};

/// What happens if there are more subtrees than may wait.
enum class WhenFull : std::uint8_t { give_up_farthest, end };

struct Options {
  std::uint32_t queue = 0;  ///< subtrees that may wait, 0 to most_waiting; 0: none is given up
  WhenFull when_full = WhenFull::give_up_farthest;
};
inline constexpr std::uint32_t most_waiting = 128;
/// Number of subtrees that wait while none may be given up. If there are more, the farthest is searched at once.
inline constexpr std::uint32_t waiting_of_exact = 64;

inline const OptionTable<Options>& option_table() {
  static const auto table =
      OptionTable<Options>()
          .integer({"queue", "Waiting subtrees",
                    "How many subtrees may wait while the nearest points are searched (the source: 40). If there are "
                    "more, some are given up, so that points may be missed. 0 gives up none."},
                   &Options::queue, 0, most_waiting)
          .choice({"when_full", "If more subtrees wait",
                   "What a search with a limit does when one subtree more would wait."},
                  &Options::when_full,
                  {{"give-up-farthest", "Gives up the farthest subtree.", WhenFull::give_up_farthest},
                   {"end", "Tests one more leaf and ends, as the source's loop does.", WhenFull::end}});
  return table;
}

/// A subtree that waits.
template <class Number>
struct Waiting {
  NodeId node;
  Number distance;  ///< squared, of the query to its box
};

/// The subtrees that wait, by descending distance in a ring: both ends are reached in O(1), and an insertion moves
/// those that are nearer. Of equally distant ones, the last inserted counts as the nearest.
template <class Number>
class Queue {
 public:
  KDSCOPE_HD explicit Queue(std::uint32_t capacity) : capacity_(capacity) {}
  KDSCOPE_HD bool is_empty() const { return size_ == 0; }
  KDSCOPE_HD bool is_full() const { return size_ == capacity_; }
  /// Precondition of these and of the two below: the queue is not empty.
  KDSCOPE_HD const Waiting<Number>& farthest() const { return at_[first_ % most_waiting]; }
  KDSCOPE_HD Waiting<Number> take_farthest() {
    --size_;
    return at_[first_++ % most_waiting];
  }
  KDSCOPE_HD Waiting<Number> take_nearest() { return at_[(first_ + --size_) % most_waiting]; }
  /// Precondition: the queue is not full.
  KDSCOPE_HD void insert(const Waiting<Number>& entry) {
    std::uint32_t place = first_ + size_++;
    for (; place != first_ && at_[(place - 1) % most_waiting].distance < entry.distance; --place)
      at_[place % most_waiting] = at_[(place - 1) % most_waiting];
    at_[place % most_waiting] = entry;
  }

 private:
  Waiting<Number> at_[most_waiting];
  std::uint32_t first_ = 0, size_ = 0, capacity_;
};

/// A node's children as a query sees them: the one on its side of the plane, and the other.
template <class Number>
struct Sides {
  std::uint32_t is_right;  ///< 1 if the query is on the right side, else 0
  NodeId close, far;
  template <class Query>
  KDSCOPE_HD Sides(const Node& node, const Query& query)
      : is_right(query[node.split_dim] < number_of<Number>(node.split_value) ? 0 : 1) {
    close = {node.left_child + is_right};
    far = {node.left_child + 1 - is_right};
  }
};

/// Tests all points of a leaf's bucket.
template <class Number, class Query, class Found, class Log>
KDSCOPE_HD void test_bucket(const TreeView<Number>& tree, const Query& query, const Node& leaf, Found& found,
                            Log& log) {
  const auto test = [&](std::uint32_t position, Number distance) {
    const PointId point = tree.point_of_position[position];
    log.test(point.value, distance);
    if (distance <= found.reach() && found.take(distance, point)) log.accept(point.value, distance);
  };
  // Points of a bucket lie side by side. A warp compares several at once, so that their loads overlap.
  constexpr std::uint32_t at_once = points_at_once<Query>;
  const std::uint32_t end = leaf.first + leaf.count;
  std::uint32_t position = leaf.first;
  if constexpr (at_once > 1)
    for (; position + at_once <= end; position += at_once) {
      Number distances[at_once];
      distances_to_points(found, query, tree.dim, tree.words_of(position), distances);
      for (std::uint32_t i = 0; i < at_once; ++i) test(position + i, distances[i]);
    }
  for (; position < end; ++position)
    test(position, distance_to_point<Number>(found, query, tree.dim, tree.words_of(position)));
}

/// Searches a subtree depth first. Parents lead back up, so no depth is too large. Returns the number of nodes
/// visited. distance: of the query to the root's box.
template <class Number, class Query, class Found, class Log>
KDSCOPE_HD std::uint32_t search_depth_first(const TreeView<Number>& tree, const Query& query, NodeId root,
                                            Number distance, Found& found, Log& log) {
  std::uint32_t visited = 0;
  NodeId node = root, before{tree.nodes[root.value].parent};
  const auto is_within_reach = [&](NodeId child) {
    distance = tree.distance_to(child, found, query);
    if (distance <= found.reach()) return true;
    log.prune(child, PruneReason::box, distance);
    return false;
  };
  for (;;) {
    const Node at = tree.nodes[node.value];
    // The node before tells where the walk comes from, as in Wald's search without a stack
    const bool from_parent = before.value == at.parent;
    if (from_parent) {
      ++visited;
      log.enter(node, distance);
      if (at.is_leaf()) test_bucket(tree, query, at, found, log);
    } else {
      log.leave(before);
    }
    // First the close child, then the far one, each only if its box is within reach; then back to the parent
    NodeId next{at.parent};
    if (!at.is_leaf()) {
      const Sides<Number> sides(at, query);
      if (from_parent && is_within_reach(sides.close))
        next = sides.close;
      else if (!(before == sides.far) && is_within_reach(sides.far))
        next = sides.far;
    }
    if (node == root && next.value == at.parent) return visited;
    before = node;
    node = next;
  }
}

// [region queries/best_bin_first]
/// Goes down on the query's side. The other sides wait in a queue by the distances of their smallest boxes. Takes the
/// nearest one after each leaf. The source limits the queue to 40 entries and finds 4 neighbours; without a limit, all
/// answers are exact. Balls and boxes never give up a subtree. If the search ends early and its leaves are small, it
/// may find fewer than k points.
struct BestBinFirst : SearchesPoints<BucketTree, OnDevice> {
  using Options = hu::Options;
  static const OptionTable<Options>& option_table() { return hu::option_table(); }
  static constexpr std::uint32_t most_k = 64;
  using Dimensions = std::integer_sequence<int, 3, 0>;
  template <class Number, int dims>
  using Query = std::conditional_t<dims == 0, QueryWords<Number>, Coordinates<Number, dims>>;

  std::uint32_t queue = 0;
  bool ends_when_full = false;
  BestBinFirst() = default;
  explicit BestBinFirst(const Options& options)
      : queue(options.queue), ends_when_full(options.when_full == WhenFull::end) {}
  bool may_give_up(SearchQuestion question) const { return queue > 0 && question == SearchQuestion::nearest; }

  template <class Number, class Query, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const TreeView<Number>& tree, const Query& query, Found& found, Log log) const {
    constexpr bool takes_all = requires { found.writes(); };
    const bool gives_up = queue > 0 && !takes_all;
    Queue<Number> waiting(gives_up ? queue : waiting_of_exact);
    std::uint32_t visited = 0;
    bool ends = false;
    if (tree.size == 0) return 0;

    // Remove what is farther away than the best points.
    const auto remove_beyond_reach = [&] {
      while (!waiting.is_empty() && found.reach() < waiting.farthest().distance) {
        const Waiting<Number> removed = waiting.take_farthest();
        log.prune(removed.node, PruneReason::box, removed.distance);
      }
    };
    // Enqueue a subtree. If the queue is full, even without those beyond reach, the farthest of all has no place: a
    // search with a limit gives it up, an exact one searches it at once.
    const auto let_wait = [&](Waiting<Number> entry) {
      if (waiting.is_full()) remove_beyond_reach();
      Waiting<Number> farthest = entry;
      const bool is_full = waiting.is_full();
      ends = ends || (is_full && gives_up && ends_when_full);
      if (is_full && entry.distance < waiting.farthest().distance) {
        farthest = waiting.take_farthest();
        if (!gives_up) log.pop(farthest.node, farthest.distance);
      }
      if (!is_full || !(farthest.node == entry.node)) {
        waiting.insert(entry);
        log.push(entry.node, entry.distance);
      }
      if (!is_full) return;
      if (gives_up)
        log.drop(farthest.node, farthest.distance);
      else
        visited += search_depth_first(tree, query, farthest.node, farthest.distance, found, log);
    };

    Waiting<Number> next{{0}, tree.distance_to({0}, found, query)};
    // Each round visits one node: a leaf's bucket is tested, an inner node's children are compared by their boxes
    for (;;) {
      ++visited;
      log.enter(next.node, next.distance);
      const Node node = tree.nodes[next.node.value];
      bool goes_down = false;
      if (node.is_leaf()) {
        test_bucket(tree, query, node, found, log);
      } else {
        const Sides<Number> sides(node, query);
        Number distances[2];
        tree.distances_to_children(node, found, query, distances);
        const Number close = sides.is_right ? distances[1] : distances[0],
                     far = sides.is_right ? distances[0] : distances[1];
        // The far child waits, the close one is next, each if its box is within reach (Alg. 3)
        if (far <= found.reach())
          let_wait({sides.far, far});
        else
          log.prune(sides.far, PruneReason::box, far);
        next = {sides.close, close};
        goes_down = close <= found.reach();
        if (!goes_down) log.prune(sides.close, PruneReason::box, close);
      }
      // The descent has ended: remove what is beyond reach, and go on with the nearest that waits (backtracking)
      if (goes_down) continue;
      remove_beyond_reach();
      if (ends)
        while (!waiting.is_empty()) {
          const Waiting<Number> given_up = waiting.take_farthest();
          log.drop(given_up.node, given_up.distance);
        }
      if (waiting.is_empty()) return visited;
      next = waiting.take_nearest();
      log.pop(next.node, next.distance);
    }
  }
};
// [endregion]

/// In the order of declare().
using Searches = SearchList<BestBinFirst>;

}  // namespace kdscope::queries::hu
