#include "visualizer/model/tree_layout.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

/// Returns the contents of an array after the last step: those of the trace itself, or else made in `room`.
template <class T>
std::span<const T> last_contents(const Trace& trace, const char* name, TypedArray& room) {
  const Trace::Array* array = trace.find(name);
  if (!array || array->info.type != ElementTypeOf<T>::value || array->versions.empty()) return {};
  if (array->versions.back().keyframe) return array->versions.back().values.as<T>();
  room = contents_at(*array, no_id);
  return std::as_const(room).as<T>();
}

}  // namespace

std::shared_ptr<const TreeLayout> TreeLayout::at_the_end(const Trace& trace) {
  std::array<TypedArray, 4> rooms;
  return of(NodeList(trace.header.dim, last_contents<std::uint32_t>(trace, partition_arrays::parent, rooms[0]),
                     last_contents<std::uint32_t>(trace, partition_arrays::split_dim, rooms[1]),
                     last_contents<double>(trace, partition_arrays::split_value, rooms[2]),
                     last_contents<double>(trace, partition_arrays::box, rooms[3])));
}

std::shared_ptr<const TreeLayout> TreeLayout::of(const NodeList& nodes) {
  auto layout = std::make_shared<TreeLayout>();
  const std::uint32_t m = nodes.size();
  layout->rank_.assign(m, no_id);
  const auto [root, first, second] = nodes.children();
  layout->first_child_.push_back(1);
  if (root == no_id) return layout;

  // Walk breadth first: a node's children follow those of the node before it.
  std::vector<bool> right{false};
  layout->node_.push_back(root);
  layout->parent_.push_back(no_id);
  layout->place_.push_back({});
  layout->rank_[root] = 0;
  std::uint32_t level_end = 1;
  for (std::uint32_t rank = 0; rank < layout->node_.size(); ++rank) {
    if (rank == level_end) {
      layout->level_begin_.push_back(rank);
      level_end = static_cast<std::uint32_t>(layout->node_.size());
    }
    const std::uint32_t i = layout->node_[rank];
    if (nodes.split_dim(i) >= 0) {
      std::uint32_t left = first[i], on_right = second[i];
      if (left != no_id && nodes.is_right_child(left)) std::swap(left, on_right);
      for (const auto& [child, side] : {std::pair{left, false}, std::pair{on_right, true}}) {
        if (child == no_id) continue;
        layout->rank_[child] = static_cast<std::uint32_t>(layout->node_.size());
        layout->node_.push_back(child);
        layout->parent_.push_back(rank);
        layout->place_.push_back(child_of(layout->place_[rank], side));
        right.push_back(side);
      }
    }
    layout->first_child_.push_back(static_cast<std::uint32_t>(layout->node_.size()));
  }
  layout->level_begin_.push_back(layout->size());

  // Halving shows how full a tree is; in a small one whose nodes have two children or none, its leaves alone do. Deep,
  // lopsided trees would shrink to nothing, and small ones to marks without numbers, so place their nodes in order.
  constexpr std::uint32_t few = 20;
  const int levels = layout->level_count();
  const double slots_per_node = levels <= 40 ? std::ldexp(1.0, levels) / layout->size() : HUGE_VAL;
  if (layout->size() <= few ? slots_per_node <= 2 : levels <= 13 || slots_per_node <= 16)
    layout->size() <= few && layout->has_only_twins() ? layout->place_by_leaves() : layout->place_by_halves(right);
  else
    layout->place_in_order(right);
  for (int level = 0; level < levels; ++level)
    for (std::uint32_t rank = layout->level_begin(level) + 1; rank < layout->level_end(level); ++rank)
      layout->narrowest_gap_ = std::min(layout->narrowest_gap_, layout->x_[rank] - layout->x_[rank - 1]);
  return layout;
}

/// Whether each node has two children or none.
bool TreeLayout::has_only_twins() const {
  for (std::uint32_t rank = 0; rank < size(); ++rank)
    if (child_count(rank) == 1) return false;
  return true;
}

/// Places parents in the middle above their two children, and leaves side by side, higher ones with more room: their
/// texts are as wide as those of whole subtrees.
void TreeLayout::place_by_leaves() {
  constexpr double more_per_level = 0.5;
  std::vector<double> wide(size(), 0), from(size(), 0);
  for (std::uint32_t rank = size(); rank-- > 0;) {
    if (child_count(rank) == 0) wide[rank] = 1 + more_per_level * (level_count() - 1 - level_of(rank));
    if (rank > 0) wide[parent_[rank]] += wide[rank];
  }
  x_.resize(size());
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    const std::uint32_t child = first_child_[rank];
    if (child_count(rank) == 0)
      x_[rank] = (from[rank] + wide[rank] / 2) / wide[0];
    else
      from[child] = from[rank], from[child + 1] = from[rank] + wide[child];
  }
  for (std::uint32_t rank = size(); rank-- > 0;)
    if (const std::uint32_t child = first_child_[rank]; child_count(rank) > 0)
      x_[rank] = std::midpoint(x_[child], x_[child + 1]);
}

void TreeLayout::place_by_halves(const std::vector<bool>& right) {
  x_.resize(size(), 0.5);
  double half = 0.25;
  for (int level = 1; level < level_count(); ++level, half /= 2)
    for (std::uint32_t rank = level_begin(level); rank < level_end(level); ++rank)
      x_[rank] = x_[parent_[rank]] + (right[rank] ? half : -half);
}

void TreeLayout::place_in_order(const std::vector<bool>& right) {
  // Sum the sizes of the subtrees bottom-up, then place each node relative to its parent. Do not recurse: these trees
  // are deep.
  std::vector<std::uint32_t> below(size(), 1), from(size(), 0);
  for (std::uint32_t rank = size(); rank-- > 1;) below[parent_[rank]] += below[rank];
  x_.resize(size());
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    const std::uint32_t child = first_child_[rank], children = child_count(rank);
    const std::uint32_t left = children > 0 && !right[child] ? below[child] : 0;
    x_[rank] = (from[rank] + left + 0.5) / size();
    for (std::uint32_t c = child; c < child + children; ++c) from[c] = right[c] ? from[rank] + left + 1 : from[rank];
  }
}

int TreeLayout::level_of(std::uint32_t rank) const {
  return static_cast<int>(std::upper_bound(level_begin_.begin(), level_begin_.end() - 1, rank) - level_begin_.begin()) -
         1;
}

std::uint32_t TreeLayout::first_from(int level, double x) const {
  const auto begin = x_.begin() + level_begin(level), end = x_.begin() + level_end(level);
  return static_cast<std::uint32_t>(std::lower_bound(begin, end, x) - x_.begin());
}

}  // namespace kdscope
