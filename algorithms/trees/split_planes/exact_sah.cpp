#include "algorithms/trees/split_planes/exact_sah.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trees/split_planes/planes.hpp"
#include "algorithms/trees/split_planes/triangle_clipping.hpp"

namespace kdscope {
namespace {

/// Whether a triangle's box ends, is flat, or begins along a dimension. Events at one place are ordered by this enum.
enum class Kind : std::uint32_t { end, flat, begin };

struct Event {
  float at;
  Kind kind;
  std::uint32_t triangle;
  bool operator<(const Event& other) const { return at != other.at ? at < other.at : kind < other.kind; }
};

/// The sorted events of a node's triangles, one list per dimension.
using Events = std::array<std::vector<Event>, 3>;

enum class TriangleSide : std::uint8_t { both, left, right };

void add_events(Events& events, std::uint32_t triangle, const Box3& box) {
  for (std::uint32_t d = 0; d < 3; ++d) {
    if (box.lo[d] == box.hi[d]) {
      events[d].push_back({box.lo[d], Kind::flat, triangle});
      continue;
    }
    events[d].push_back({box.lo[d], Kind::begin, triangle});
    events[d].push_back({box.hi[d], Kind::end, triangle});
  }
}

class Builder {
 public:
  Builder(std::shared_ptr<const DataSet> data, double traversal_cost, std::uint32_t depth, std::stop_token stop)
      : cost_{traversal_cost}, depth_(depth), stop_(std::move(stop)) {
    tree_.data = std::move(data);
    side_.resize(tree_.primitives());
  }

  SplitPlaneTree build() {
    Events events;
    Box3 whole = empty_box();
    for (std::uint32_t t = 0; t < tree_.primitives(); ++t) {
      const Box3 box = box_of(triangle(t));
      whole = united(whole, box);
      add_events(events, t, box);
    }
    if (tree_.primitives() == 0) whole = {};
    for (auto& list : events) std::sort(list.begin(), list.end());
    add_node(std::move(events), tree_.primitives(), whole, no_id, 0);
    return std::move(tree_);
  }

 private:
  Triangle triangle(std::uint32_t t) const { return mesh_of(*tree_.data).triangle(t); }

  /// Returns the plane of lowest cost if that is less than the cost of a leaf of all n triangles.
  std::optional<SplitPlane> cheapest(const Events& events, std::uint32_t n, const Box3& volume) const {
    double lowest = cost_.leaf(volume, n);
    std::optional<SplitPlane> best;
    const auto look_at = [&](const SplitPlane& plane, std::uint32_t left, std::uint32_t right) {
      if (!inside(volume, plane)) return;
      const double cost = cost_.split(volume, plane, left, right);
      if (cost < lowest) lowest = cost, best = plane;
    };
    for (std::uint32_t d = 0; d < 3; ++d) {
      const std::vector<Event>& list = events[d];
      std::uint32_t begun = 0, ended = 0;  // numbers of triangles that reach below the place, and that end before it
      for (std::size_t i = 0; i < list.size();) {
        const float at = list[i].at;
        std::array<std::uint32_t, 3> here{};
        for (; i < list.size() && list[i].at == at; ++i) ++here[static_cast<std::size_t>(list[i].kind)];
        const auto [ends, flat, begins] = here;
        look_at({d, at}, begun, n - ended - ends);
        begun += flat + begins;
        ended += flat + ends;
        if (const float behind = next_above(at); flat > 0 && (i == list.size() || list[i].at != behind))
          look_at({d, behind}, begun, n - ended);
      }
    }
    return best;
  }

  void add_leaf(std::uint32_t node, const Events& events) {
    for (const Event& e : events[0])
      if (e.kind != Kind::end) tree_.primitive_of_position.push_back(e.triangle);
    std::sort(tree_.primitive_of_position.begin() + tree_.first[node], tree_.primitive_of_position.end());
    tree_.count[node] = static_cast<std::uint32_t>(tree_.primitive_of_position.size()) - tree_.first[node];
  }

  std::uint32_t add_node(Events events, std::uint32_t n, const Box3& volume, std::uint32_t parent,
                         std::uint32_t depth) {
    if (stop_.stop_requested()) throw ErrorException({ErrorKind::cancelled, "the build was stopped", "exact SAH", ""});
    const std::uint32_t node = tree_.size();
    tree_.parent.push_back(parent);
    tree_.right_child.push_back(no_id);
    tree_.split_dim.push_back(no_id);
    tree_.split_value.push_back(0);
    tree_.first.push_back(static_cast<std::uint32_t>(tree_.primitive_of_position.size()));
    tree_.count.push_back(0);
    for (const float* ends : {volume.lo, volume.hi})
      for (int d = 0; d < 3; ++d) tree_.box.push_back(word_of(ends[d]));

    const std::optional<SplitPlane> plane = cheapest(events, n, volume);
    if (!plane || depth == depth_) {
      tree_.depth_bounded += plane.has_value();
      add_leaf(node, events);
      return node;
    }
    const Box3 volumes[2] = {below(volume, plane->dim, plane->value), above(volume, plane->dim, plane->value)};
    std::uint32_t counts[2];
    auto [left, right] = divide(std::move(events), *plane, volumes, counts);
    tree_.split_dim[node] = plane->dim;
    tree_.split_value[node] = word_of(plane->value);
    add_node(std::move(left), counts[0], volumes[0], node, depth + 1);
    const std::uint32_t right_child = add_node(std::move(right), counts[1], volumes[1], node, depth + 1);
    tree_.right_child[node] = right_child;
    tree_.count[node] = static_cast<std::uint32_t>(tree_.primitive_of_position.size()) - tree_.first[node];
    return node;
  }

  /// Distributes a node's events to its children. Consumes the events.
  std::array<Events, 2> divide(Events events, const SplitPlane& plane, const Box3* volumes, std::uint32_t* counts) {
    const std::vector<Event>& across = events[plane.dim];
    std::vector<std::uint32_t> cut;
    for (const Event& e : across) side_[e.triangle] = TriangleSide::both;
    for (const Event& e : across) {
      if (e.kind != Kind::begin && e.at <= plane.value && !(e.kind == Kind::flat && e.at == plane.value))
        side_[e.triangle] = TriangleSide::left;
      if (e.kind != Kind::end && e.at >= plane.value) side_[e.triangle] = TriangleSide::right;
    }
    counts[0] = counts[1] = 0;
    for (const Event& e : across) {
      if (e.kind == Kind::end) continue;
      const TriangleSide side = side_[e.triangle];
      counts[0] += side != TriangleSide::right;
      counts[1] += side != TriangleSide::left;
      if (side == TriangleSide::both) cut.push_back(e.triangle);
    }

    // Give triangles that the plane cuts new events of their parts. The others keep their events in order.
    std::array<Events, 2> fresh, halves;
    for (const std::uint32_t t : cut)
      for (int half = 0; half < 2; ++half) {
        const Triangle corners = triangle(t);
        Box3 known = box_of(corners);
        for (std::uint32_t d = 0; d < 3; ++d)
          known = above(below(known, d, volumes[half].hi[d]), d, volumes[half].lo[d]);
        add_events(fresh[half], t, clipped_box(corners, volumes[half], known));
      }
    for (std::uint32_t d = 0; d < 3; ++d) {
      for (auto& half : fresh) std::sort(half[d].begin(), half[d].end());
      for (int half = 0; half < 2; ++half) {
        std::vector<Event>& to = halves[half][d];
        to.reserve(2 * std::size_t(counts[half]));
        auto next = fresh[half][d].begin();
        for (const Event& e : events[d]) {
          if (side_[e.triangle] != (half == 0 ? TriangleSide::left : TriangleSide::right)) continue;
          for (; next != fresh[half][d].end() && *next < e; ++next) to.push_back(*next);
          to.push_back(e);
        }
        to.insert(to.end(), next, fresh[half][d].end());
      }
      std::vector<Event>().swap(events[d]);
    }
    return halves;
  }

  SurfaceAreaCost cost_;
  std::uint32_t depth_;
  std::stop_token stop_;
  SplitPlaneTree tree_;
  std::vector<TriangleSide> side_;  ///< [triangles] side of each triangle of the current node
};

}  // namespace

SplitPlaneTree exact_sah_tree(std::shared_ptr<const DataSet> data, double traversal_cost, std::uint32_t depth,
                              std::stop_token stop) {
  SplitPlaneTree tree = Builder(std::move(data), traversal_cost, depth, std::move(stop)).build();
  tree.traversal_cost = traversal_cost;
  return tree;
}

}  // namespace kdscope
