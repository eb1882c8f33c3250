#pragma once
// Rays through trees of split planes over triangles (Zhou et al. 2008, section 4).

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/exec/points_on_device.hpp"
#include "algorithms/queries/searching.hpp"
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
      nodes.push_back({tree.right_child[node], tree.split_dim[node],
                       tree.is_leaf(node) ? tree.first[node] : tree.split_value[node], tree.count[node]});
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

// [region queries/rays]
/// Walks through the cells along a ray from front to back, with the cells behind on a stack, and ends where a cell
/// begins behind the hit. Planes are compared with room for their rounding, so that no cell is missed. Triangles are
/// tested in double, and hits are compared as Numbers: of two at the same distance, the lower index is first.
struct RayWithStack {
  using Tree = SplitPlaneTree;
  template <class Exec>
  using OnDevice = zhou_sah::OnDevice<Exec>;
  template <class Number, int dims>
  using Query = Ray<Number, dims>;
  static constexpr std::array questions{SearchQuestion::nearest_hit, SearchQuestion::any_hit};
  static constexpr std::uint32_t most_k = 1;
  static constexpr bool takes_integers = true, chooses_reach = false;
  using Dimensions = std::integer_sequence<int, 0>;

  template <class Number, int dims, class Found, class Log>
  KDSCOPE_HD std::uint32_t run(const View<Number>& tree, const Ray<Number, dims>& ray, Found& found, Log log) const {
    struct Entry {
      std::uint32_t node;
      Number from, to;
    };
    const RayNumbers<Number> numbers{{ray.origin[0], ray.origin[1], ray.origin[2]},
                                     {ray.direction[0], ray.direction[1], ray.direction[2]}};
    Number from = 0, to = std::numeric_limits<Number>::infinity();
    for (std::uint32_t d = 0; d < 3; ++d) {
      const Number lo = number_of<Number>(tree.box[d]), hi = number_of<Number>(tree.box[3 + d]);
      if (ray.direction[d] == 0) {
        if (ray.origin[d] < lo || ray.origin[d] > hi) return 0;
        continue;
      }
      const Number one = (lo - ray.origin[d]) / ray.direction[d], other = (hi - ray.origin[d]) / ray.direction[d];
      const Number near = one < other ? one : other, far = one < other ? other : one;
      if (near > from) from = near;
      if (far < to) to = far;
    }
    if (from > to + rounding_of(from, to)) return 0;
    Entry stack[most_levels];
    int height = 0;
    std::uint32_t visited = 0;
    for (std::uint32_t at = 0;;) {
      ++visited;
      const auto node = tree.nodes[at];
      log.enter({at}, from);
      log.segment({at}, from, to);
      if (!node.is_leaf()) {
        const Number plane = number_of<Number>(node.word), o = ray.origin[node.split_dim],
                     along = ray.direction[node.split_dim];
        bool left, right;
        Number crossing = 0;
        if (along == 0) {
          left = o <= plane, right = o >= plane;
          if (left && right) {  // in the plane: both have the whole segment
            stack[height++] = {node.right_child, from, to};
            log.push({node.right_child}, from);
          }
          at = left ? at + 1 : node.right_child;
          continue;
        }
        crossing = (plane - o) / along;
        const bool first_left = along > 0;
        const bool near = crossing >= from - rounding_of(crossing, from),
                   far = crossing <= to + rounding_of(crossing, to);
        const std::uint32_t near_child = first_left ? at + 1 : node.right_child,
                            far_child = first_left ? node.right_child : at + 1;
        if (near && far) {
          const Number begin = crossing > from ? crossing : from;
          stack[height++] = {far_child, begin, to};
          log.push({far_child}, begin);
          if (crossing < to) to = crossing;
        } else {
          log.prune({near ? far_child : near_child}, PruneReason::interval, crossing);
        }
        at = near ? near_child : far_child;
        continue;
      }
      for (std::uint32_t i = node.word; i < node.word + node.count; ++i) {
        const std::uint32_t triangle = tree.triangle_of_position[i];
        const Number distance = hit_triangle(numbers, CornersOf<Number>{tree.corners + 9 * std::size_t(triangle)});
        log.test(triangle, distance);
        if (distance >= 0 && distance <= found.reach() && found.take(distance, {triangle}))
          log.accept(triangle, distance);
      }
      for (;;) {
        if (height == 0) return visited;
        const Entry& entry = stack[--height];
        at = entry.node, from = entry.from, to = entry.to;
        log.pop({at}, from);
        const Number reach = found.reach();
        if (from <= reach + rounding_of(from, reach)) break;  // never if any hit is enough: then the reach is -1
        log.prune({at}, reach < 0 ? PruneReason::found : PruneReason::interval, from);
      }
    }
  }
};
// [endregion]

/// In the order of declare().
using Searches = SearchList<RayWithStack>;

}  // namespace kdscope::queries::zhou_sah
