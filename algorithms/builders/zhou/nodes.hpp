#pragma once
// The list of nodes that both builders of Zhou et al. 2008 extend level by level, and the list of primitives to which
// small nodes and leaves refer. Siblings are neighbours, the left one first.

#include <algorithm>
#include <cstdint>
#include <string>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/exec/growing_array.hpp"
#include "algorithms/trees/split_planes/planes.hpp"

namespace kdscope::zhou {

/// Returns the index of the last of `count` lists that begins at or before `at`. The begins ascend, and the first is 0.
/// Work O(log count).
KDSCOPE_HD inline std::uint32_t last_begun(const std::uint32_t* begins, std::uint32_t count, std::uint32_t at) {
  std::uint32_t last = 0, above = count;
  while (above - last > 1) {
    const std::uint32_t middle = last + (above - last) / 2;
    if (begins[middle] <= at)
      last = middle;
    else
      above = middle;
  }
  return last;
}

/// The nodes on a device, one array per field.
struct NodesView {
  std::uint32_t* left_child;  ///< [nodes] the right child follows it; no_id for leaves and for nodes not split yet
  std::uint32_t* split_dim;   ///< [nodes] no_id where left_child is no_id
  float* split_value;         ///< [nodes] 0 for leaves
  Box3* volume;               ///< [nodes]
  std::uint32_t* count;       ///< [nodes] number of primitives
  std::uint32_t* first;   ///< [nodes] small nodes and leaves: where their primitives, or those of their small root,
                          ///< begin in the kept list
  std::uint64_t* set;     ///< [nodes] small nodes: their primitives among those of their small root; 0: all `count`
                          ///< primitives from `first` on
  std::uint8_t* depth;    ///< [nodes]
  std::uint8_t* bad_refines;  ///< [nodes] successive splits above the node that did not pay
  std::uint8_t* bounded;      ///< [nodes] 1 for leaves that exist only because of a bound

  /// Makes a node that is not split.
  KDSCOPE_HD void make(std::uint32_t node, const Box3& box, std::uint32_t primitives, std::uint32_t at_depth) const {
    left_child[node] = split_dim[node] = no_id;
    split_value[node] = 0;
    volume[node] = box;
    count[node] = primitives;
    first[node] = 0;
    set[node] = 0;
    depth[node] = static_cast<std::uint8_t>(at_depth);
    bad_refines[node] = bounded[node] = 0;
  }
  /// Splits a node and sets the volumes of its children, which begin at `left`.
  KDSCOPE_HD void split(std::uint32_t node, const SplitPlane& plane, std::uint32_t left) const {
    left_child[node] = left;
    split_dim[node] = plane.dim;
    split_value[node] = plane.value;
    make(left, below(volume[node], plane.dim, plane.value), 0, depth[node] + 1u);
    make(left + 1, above(volume[node], plane.dim, plane.value), 0, depth[node] + 1u);
  }
};

/// The growing list of nodes in a back end's memory.
template <class Exec>
class Nodes {
 public:
  explicit Nodes(Exec& exec)
      : left_child_(exec, "nodes"),
        split_dim_(exec, "nodes"),
        count_(exec, "nodes"),
        first_(exec, "nodes"),
        split_value_(exec, "nodes"),
        volume_(exec, "node volumes"),
        set_(exec, "sets of nodes"),
        depth_(exec, "nodes"),
        futile_(exec, "nodes"),
        bounded_(exec, "nodes") {}
  std::uint32_t size() const { return size_; }
  /// Makes room for this many nodes; if the capacity grows, it grows by at least half.
  void reserve(std::size_t nodes) {
    if (nodes <= capacity_) return;
    capacity_ = std::max(nodes, capacity_ + capacity_ / 2);
    each([=, this](auto& array) { array.reserve(capacity_); });
  }
  /// Throws if 32 bits cannot number this many nodes.
  void grow_to(std::uint64_t nodes) {
    if (nodes > no_id)
      throw ErrorException({ErrorKind::out_of_memory,
                            "the tree would have " + std::to_string(nodes) + " nodes, more than 32 bits number", "",
                            "use fewer triangles or points"});
    reserve(nodes);
    each([=](auto& array) { array.grow_to(nodes); });
    size_ = static_cast<std::uint32_t>(nodes);
  }
  NodesView view() const {
    return {left_child_.data(), split_dim_.data(), split_value_.data(), volume_.data(), count_.data(),
            first_.data(),      set_.data(),       depth_.data(),       futile_.data(), bounded_.data()};
  }

 private:
  template <class Each>
  void each(Each f) {
    f(left_child_), f(split_dim_), f(count_), f(first_), f(split_value_), f(volume_), f(set_), f(depth_), f(futile_),
        f(bounded_);
  }
  std::uint32_t size_ = 0;
  std::size_t capacity_ = 0;
  GrowingArray<std::uint32_t, Exec> left_child_, split_dim_, count_, first_;
  GrowingArray<float, Exec> split_value_;
  GrowingArray<Box3, Exec> volume_;
  GrowingArray<std::uint64_t, Exec> set_;
  GrowingArray<std::uint8_t, Exec> depth_, futile_, bounded_;
};

/// The primitives of nodes, node after node: the source's triangle-node association list.
struct ReferencesView {
  std::uint32_t* primitive;  ///< [references]
  Box3* box;                 ///< [references] box of the part inside the node
};

template <class Exec>
class References {
 public:
  References(Exec& exec, const char* name) : primitive_(exec, name), box_(exec, name) {}
  std::uint32_t size() const { return size_; }
  void reserve(std::size_t n) {
    primitive_.reserve(n);
    box_.reserve(n);
  }
  /// Makes room for n references. Keeps the existing elements.
  void grow_to(std::uint32_t n) {
    primitive_.grow_to(n);
    box_.grow_to(n);
    size_ = n;
  }
  ReferencesView view() const { return {primitive_.data(), box_.data()}; }

 private:
  std::uint32_t size_ = 0;
  GrowingArray<std::uint32_t, Exec> primitive_;
  GrowingArray<Box3, Exec> box_;
};

}  // namespace kdscope::zhou
