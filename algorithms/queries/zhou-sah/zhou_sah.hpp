#pragma once
// Rays through trees of split planes over triangles (Zhou et al. 2008, section 4).

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/triangles.hpp"
#include "algorithms/exec/points_on_device.hpp"
#include "algorithms/queries/searching.hpp"
#include "algorithms/trees/split_planes/on_device.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/split_planes/triangle_hit.hpp"

namespace kdscope::queries::zhou_sah {

/// A tree of split planes over triangles, in pre-order.
template <class Number>
struct View {
  /// A node as a ray reads it, in 16 bytes.
  struct Node {
    std::uint32_t right_child, split_dim;
    std::uint32_t word;  ///< the split value; of a leaf, its first position
    std::uint32_t count;
    KDSCOPE_HD bool is_leaf() const { return right_child == no_id; }
  };
  const Node* nodes;
  const std::uint32_t* triangle_of_position;
  const std::uint32_t* corners;  ///< [triangles 9] coordinate words
  std::uint32_t box[6];          ///< the root's
};

inline constexpr std::uint32_t most_levels = 250;  ///< the builders' largest bound on the depth

/// Makes a node as a ray reads it from the fields of SplitPlaneTree.
KDSCOPE_HD inline View<float>::Node packed_node(std::uint32_t right_child, std::uint32_t split_dim,
                                                std::uint32_t split_value, std::uint32_t first, std::uint32_t count) {
  return {right_child, split_dim, right_child == no_id ? first : split_value, count};
}

/// Packs the nodes of a tree that was built in a back end's memory.
struct PackNodes {
  const std::uint32_t *right_child, *split_dim, *split_value, *first, *count;
  View<float>::Node* nodes;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    nodes[i] = packed_node(right_child[i], split_dim[i], split_value[i], first[i], count[i]);
  }
};

/// Copies the corners of each triangle to nine words that lie together.
struct CopyCorners {
  MeshView mesh;
  std::uint32_t* corners;
  KDSCOPE_HD void operator()(std::uint32_t t) const {
    for (std::uint32_t c = 0; c < 3; ++c)
      for (std::uint32_t d = 0; d < 3; ++d)
        corners[9 * std::size_t(t) + 3 * c + d] = mesh.points.word(mesh.corners[3 * std::size_t(t) + c], d);
  }
};
/// Returns the corners of a mesh's triangles: [9 x triangles] coordinate words.
template <class Exec>
Array<std::uint32_t, Exec> corners_of(Exec& exec, const MeshView& mesh, std::uint32_t triangles) {
  auto corners = exec.template array<std::uint32_t>("corners", 9 * std::size_t(triangles));
  exec.for_each("corners", triangles, CopyCorners{mesh, corners.data()});
  return corners;
}

/// Such a tree in a back end's memory.
template <class Exec>
class OnDevice {
 public:
  OnDevice(Exec& exec, const SplitPlaneTree& tree) {
    using Node = View<float>::Node;
    std::vector<Node> nodes;
    std::vector<std::uint32_t> depth(tree.size(), 0);
    nodes.reserve(tree.size());
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
      if (node > 0) depth[node] = depth[tree.parent[node]] + 1;
      if (depth[node] > most_levels)
        throw ErrorException({ErrorKind::bad_input,
                              "the tree is deeper than " + std::to_string(most_levels) + " levels", "",
                              "build a flatter one"});
      nodes.push_back(packed_node(tree.right_child[node], tree.split_dim[node], tree.split_value[node],
                                  tree.first[node], tree.count[node]));
    }
    const DataSet& data = *tree.data;
    std::vector<std::uint32_t> corners;
    corners.reserve(3 * data.triangles.size());
    for (const std::uint32_t vertex : data.triangles)
      for (std::uint32_t d = 0; d < 3; ++d)
        corners.push_back(data.points.words[std::size_t(vertex) * data.points.stride() + d]);
    const auto there = [&]<class T>(const char* name, const std::vector<T>& from) {
      auto to = exec.template array<T>(name, from.size());
      exec.upload(to.data(), std::span(from));
      return to;
    };
    nodes_ = there("nodes", nodes);
    triangle_of_position_ = there("triangles by position", tree.primitive_of_position);
    corners_ = there("corners", corners);
    for (int end = 0; end < 6; ++end) box_[end] = tree.box[end];
  }
  /// The same for a tree that a builder just left there. corners: those of corners_of(), whose mesh the builder
  /// consumed.
  OnDevice(Exec& exec, SplitPlaneTreeOnDevice<Exec> tree, Array<std::uint32_t, Exec> corners)
      : nodes_(exec.template array<View<float>::Node>("nodes", tree.right_child.size())),
        triangle_of_position_(std::move(tree.primitive_of_position)),
        corners_(std::move(corners)) {
    exec.for_each("pack nodes", static_cast<std::uint32_t>(nodes_.size()),
                  PackNodes{tree.right_child.data(), tree.split_dim.data(), tree.split_value.data(), tree.first.data(),
                            tree.count.data(), nodes_.data()});
    exec.download(std::span<std::uint32_t>(box_), tree.box.data());
  }
  template <class Number>
  View<Number> view() const {
    View<Number> view{reinterpret_cast<const typename View<Number>::Node*>(nodes_.data()),
                      triangle_of_position_.data(),
                      corners_.data(),
                      {}};
    for (int end = 0; end < 6; ++end) view.box[end] = box_[end];
    return view;
  }

 private:
  Array<View<float>::Node, Exec> nodes_;
  Array<std::uint32_t, Exec> triangle_of_position_, corners_;
  std::uint32_t box_[6];
};

/// A ray: its origin and its direction, of any length.
template <class Number, int>
struct Ray {
  Coordinates<Number, 3> origin, direction;
  KDSCOPE_HD static Ray of(const std::uint32_t* words, std::uint32_t) {
    return {Coordinates<Number, 3>::of(words, 3), Coordinates<Number, 3>::of(words + 3, 3)};
  }
};

/// The corners of a triangle as nine coordinate words.
template <class Number>
struct CornersOf {
  const std::uint32_t* words;
  KDSCOPE_HD Number operator()(int c, int d) const { return number_of<Number>(words[3 * c + d]); }
};

/// The part of a ray between two distances.
template <class Number>
struct Segment {
  Number from, to;
  KDSCOPE_HD bool is_empty() const { return from > to + rounding_of(from, to); }
};

/// Returns the part of a ray inside the root's box.
template <class Number, int dims>
KDSCOPE_HD Segment<Number> segment_in_box(const View<Number>& tree, const Ray<Number, dims>& ray) {
  Segment<Number> inside{0, std::numeric_limits<Number>::infinity()};
  for (std::uint32_t d = 0; d < 3; ++d) {
    const Number lo = number_of<Number>(tree.box[d]), hi = number_of<Number>(tree.box[3 + d]);
    // A ray parallel to the slab is inside it everywhere or nowhere
    if (ray.direction[d] == 0) {
      if (ray.origin[d] < lo || ray.origin[d] > hi) return {std::numeric_limits<Number>::infinity(), 0};
      continue;
    }
    // Otherwise it is inside between two distances; the box's part is what all slabs share
    const Number one = (lo - ray.origin[d]) / ray.direction[d], other = (hi - ray.origin[d]) / ray.direction[d];
    const Number near = one < other ? one : other, far = one < other ? other : one;
    if (near > inside.from) inside.from = near;
    if (far < inside.to) inside.to = far;
  }
  return inside;
}

/// The parts of a ray in a node's children. Planes are compared with room for their rounding, so that no cell is
/// missed.
template <class Number>
struct Crossing {
  bool left, right;  ///< the children that the ray passes, at least one
  bool left_first;
  Segment<Number> in_left, in_right;
  Number at = 0;  ///< where it crosses the plane; 0 if it is parallel to it

  template <int dims>
  KDSCOPE_HD Crossing(const typename View<Number>::Node& node, const Ray<Number, dims>& ray,
                      const Segment<Number>& segment)
      : in_left(segment), in_right(segment) {
    const Number plane = number_of<Number>(node.word), origin = ray.origin[node.split_dim],
                 along = ray.direction[node.split_dim];
    // The ray's direction along the split dimension decides which side it meets first
    left_first = along >= 0;
    if (along == 0) {  // in the plane, both children have the whole segment
      left = origin <= plane, right = origin >= plane;
      return;
    }
    // Both sides are passed only if the crossing lies within the segment, which it then divides
    at = (plane - origin) / along;
    const bool near = at >= segment.from - rounding_of(at, segment.from),
               far = !near || at <= segment.to + rounding_of(at, segment.to);
    left = left_first ? near : far, right = left_first ? far : near;
    Segment<Number>&first = left_first ? in_left : in_right, &second = left_first ? in_right : in_left;
    if (at < first.to) first.to = at;
    if (at > second.from) second.from = at;
  }
};

/// Tests the triangles of a leaf.
template <class Number, int dims, class Found, class Log>
KDSCOPE_HD void test_triangles(const View<Number>& tree, const typename View<Number>::Node& leaf,
                               const Ray<Number, dims>& ray, Found& found, Log& log) {
  const RayNumbers<Number> numbers{{ray.origin[0], ray.origin[1], ray.origin[2]},
                                   {ray.direction[0], ray.direction[1], ray.direction[2]}};
  for (std::uint32_t i = leaf.word; i < leaf.word + leaf.count; ++i) {
    const std::uint32_t triangle = tree.triangle_of_position[i];
    const Number distance = hit_triangle(numbers, CornersOf<Number>{tree.corners + 9 * std::size_t(triangle)});
    log.test(triangle, distance);
    if (distance >= 0 && distance <= found.reach() && found.take(distance, {triangle})) log.accept(triangle, distance);
  }
}

/// Returns whether a segment that waits is still within reach. If any hit is enough, none is after the first hit: the
/// reach is then -1.
template <class Number, class Found>
KDSCOPE_HD bool is_within_reach(const Segment<Number>& waiting, const Found& found) {
  const Number reach = found.reach();
  return waiting.from <= reach + rounding_of(waiting.from, reach);
}

/// The base of searches along rays.
struct SearchesRays {
  using Tree = SplitPlaneTree;
  template <class Exec>
  using OnDevice = zhou_sah::OnDevice<Exec>;
  template <class Number, int dims>
  using Query = Ray<Number, dims>;
  static constexpr std::array questions{SearchQuestion::nearest_hit, SearchQuestion::any_hit};
  static constexpr std::uint32_t most_k = 1;
  static constexpr bool takes_integers = true, chooses_reach = false;
  using Dimensions = std::integer_sequence<int, 0>;
};

// [region queries/rays]
/// Walks through the cells along a ray from front to back, with the cells behind on a stack, and ends where a cell
/// begins behind the hit. Triangles are tested in double, and hits are compared as Numbers: of two at the same
/// distance, the lower index is first.
struct RayWithStack : SearchesRays {
  template <class Number, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const View<Number>& tree, const Ray<Number, dims>& ray, Found& found, Log log) const {
    struct Waiting {
      std::uint32_t node;
      Segment<Number> segment;
    };
    Segment<Number> segment = segment_in_box(tree, ray);
    if (segment.is_empty()) return 0;
    Waiting stack[most_levels];
    int height = 0;
    std::uint32_t visited = 0;
    for (std::uint32_t at = 0;;) {
      ++visited;
      const auto node = tree.nodes[at];
      log.enter({at}, segment.from);
      log.segment({at}, segment.from, segment.to);
      // At an inner node, go to the side that comes first. The other side, if the ray passes it too, waits on the stack
      // with its part of the ray.
      if (!node.is_leaf()) {
        const Crossing<Number> crossing(node, ray, segment);
        const bool goes_left = crossing.left && (crossing.left_first || !crossing.right);
        const std::uint32_t other = goes_left ? node.right_child : at + 1;
        if (crossing.left && crossing.right) {
          stack[height++] = {other, goes_left ? crossing.in_right : crossing.in_left};
          log.push({other}, stack[height - 1].segment.from);
        } else {
          log.prune({other}, PruneReason::interval, crossing.at);
        }
        segment = goes_left ? crossing.in_left : crossing.in_right;
        at = goes_left ? at + 1 : node.right_child;
        continue;
      }
      // At a leaf, test its triangles, and take back the nearest cell that waits; one that begins behind the hit is of
      // no use
      test_triangles(tree, node, ray, found, log);
      for (;;) {
        if (height == 0) return visited;
        const Waiting& waiting = stack[--height];
        at = waiting.node, segment = waiting.segment;
        log.pop({at}, segment.from);
        if (is_within_reach(segment, found)) break;
        log.prune({at}, found.reach() < 0 ? PruneReason::found : PruneReason::interval, segment.from);
      }
    }
  }
};
// [endregion]

// [region queries/ray_packets]
/// Walks with up to 32 rays at once, one per lane of a warp. The packet comes to every cell that one of its rays comes
/// to, the side first to which more of them come first. Each ray keeps its own part in every cell, and waits while the
/// packet is in cells that it does not pass. Rays that lie together share the loads of nodes and triangles. Zhou et al.
/// name packets as future work.
struct RayPacket : SearchesRays {
  static constexpr bool in_packets = true;

  /// rays, found, visited: PerLane, of which the first `lanes` hold a ray. visited counts the nodes that a ray passes.
  template <class Warp, class Number, class Rays, class Found, class Log>
  KDSCOPE_HD void run(Warp& warp, const View<Number>& tree, Rays& rays, Found& found,
                      typename Warp::template PerLane<std::uint32_t>& visited, int lanes, Log log) const {
    struct Waiting {
      std::uint32_t node, lanes;
    };
    struct Segments {
      Segment<Number> waiting[most_levels];
    };
    Waiting stack[most_levels];
    int height = 0;
    typename Warp::template PerLane<Segments> stacks;
    typename Warp::template PerLane<Segment<Number>> segments, others;
    const auto is_in = [](std::uint32_t mask, int lane) { return (mask >> lane & 1) != 0; };

    // Only rays that meet the box take part. `here` is the mask of the rays in the packet's cell, the same in all
    // lanes.
    warp.lanes([&](int lane) {
      if (lane < lanes) segments[lane] = segment_in_box(tree, rays[lane]);
    });
    std::uint32_t here = warp.ballot([&](int lane) { return lane < lanes && !segments[lane].is_empty(); });
    if (here == 0) return;
    for (std::uint32_t at = 0;;) {
      const auto node = tree.nodes[at];
      if (!node.is_leaf()) {
        // Find the sides that each ray passes. The node is the same for all lanes, so a warp loads it once.
        typename Warp::template PerLane<std::uint32_t> sides;
        constexpr std::uint32_t left = 1, right = 2, left_first = 4;
        warp.lanes([&](int lane) {
          sides[lane] = 0;
          if (!is_in(here, lane)) return;
          ++visited[lane];
          log.enter({at}, segments[lane].from);
          log.segment({at}, segments[lane].from, segments[lane].to);
          const Crossing<Number> crossing(node, rays[lane], segments[lane]);
          sides[lane] = (crossing.left ? left : 0) | (crossing.right ? right : 0);
          if (crossing.left && (crossing.left_first || !crossing.right)) sides[lane] |= left_first;
          segments[lane] = crossing.in_left, others[lane] = crossing.in_right;
        });
        // Three ballots tell all lanes which rays go where, so that they decide alike
        const std::uint32_t to_left = warp.ballot([&](int lane) { return (sides[lane] & left) != 0; }),
                            to_right = warp.ballot([&](int lane) { return (sides[lane] & right) != 0; }),
                            first = warp.ballot([&](int lane) { return (sides[lane] & left_first) != 0; });
        // Go where more rays go first; the other side waits, with the mask of its rays. All lanes share the stack of
        // cells; each has a stack of its ray's parts, at the same height.
        const bool goes_left = to_right == 0 || (to_left != 0 && 2 * popcount(first) >= popcount(here));
        const std::uint32_t waits = goes_left ? to_right : to_left, other = goes_left ? node.right_child : at + 1;
        if (waits != 0) stack[height++] = {other, waits};
        // Each ray goes on with its part on the chosen side, and keeps its part on the other one if that waits
        warp.lanes([&](int lane) {
          if (!is_in(here, lane)) return;
          if (!goes_left) {
            const Segment<Number> moved = segments[lane];
            segments[lane] = others[lane], others[lane] = moved;
          }
          if (is_in(waits, lane)) {
            stacks[lane].waiting[height - 1] = others[lane];
            log.push({other}, others[lane].from);
          } else {
            log.prune({other}, PruneReason::interval, others[lane].from);
          }
        });
        here = goes_left ? to_left : to_right;
        at = goes_left ? at + 1 : node.right_child;
        continue;
      }
      // At a leaf, the rays in the cell test the same triangles at the same time
      warp.lanes([&](int lane) {
        if (!is_in(here, lane)) return;
        ++visited[lane];
        log.enter({at}, segments[lane].from);
        log.segment({at}, segments[lane].from, segments[lane].to);
        test_triangles(tree, node, rays[lane], found[lane], log);
      });
      // Take back the cell on top of the stack, with those of its rays that may still find a hit in it; skip cells
      // without any
      do {
        if (height == 0) return;
        const Waiting waiting = stack[--height];
        at = waiting.node;
        warp.lanes([&](int lane) {
          if (is_in(waiting.lanes, lane)) segments[lane] = stacks[lane].waiting[height];
        });
        here = warp.ballot([&](int lane) {
          if (!is_in(waiting.lanes, lane)) return false;
          log.pop({at}, segments[lane].from);
          const bool wanted = is_within_reach(segments[lane], found[lane]);
          if (!wanted)
            log.prune({at}, found[lane].reach() < 0 ? PruneReason::found : PruneReason::interval, segments[lane].from);
          return wanted;
        });
      } while (here == 0);
    }
  }
};
// [endregion]

/// In the order of declare().
using Searches = SearchList<RayWithStack, RayPacket>;

}  // namespace kdscope::queries::zhou_sah
