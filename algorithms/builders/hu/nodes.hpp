#pragma once
// The list of nodes, breadth first, and the split of one of its levels (Hu et al. 2015, Alg. 2, tables c, d).

#include <array>
#include <cstdint>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/core/middle_split.hpp"
#include "algorithms/core/split.hpp"
#include "algorithms/exec/growing_array.hpp"
#include "algorithms/trees/leaf_buckets/on_device.hpp"

namespace kdscope::hu {

/// The fields of BucketTree on a device, and the place of each node's points among the active positions.
struct NodesView {
  std::uint32_t *parent, *left_child, *split_dim, *split_value, *first, *count, *box;
  std::uint32_t* place;  ///< [nodes] index of the node's first point in the owner list in which it was created
  std::uint32_t k;
};

/// Computes two sums over a level's nodes in one scan: split nodes (low half) and their points (high half).
struct SplitNodesAndPoints {
  NodesView nodes;
  std::uint32_t begin, end;
  KDSCOPE_HD std::uint64_t operator()(std::uint32_t i) const {
    const std::uint32_t node = begin + i;
    return node < end && nodes.split_dim[node] != no_id ? 1 | std::uint64_t(nodes.count[node]) << 32 : 0;
  }
};

/// The nodes that a level splits, and the positions of their points (the active positions). j in [0, m) numbers these
/// positions node after node. The positions of leaves are not touched.
struct ActiveNodes {
  NodesView nodes;
  std::uint32_t begin;          ///< first node of the level
  const std::uint64_t* before;  ///< [nodes of the level + 1] exclusive sum of SplitNodesAndPoints
  const std::uint32_t* owner;   ///< [m] node of each active position

  /// Returns j of the node's first position.
  KDSCOPE_HD std::uint32_t place(std::uint32_t node) const {
    return static_cast<std::uint32_t>(before[node - begin] >> 32);
  }
  KDSCOPE_HD std::uint32_t position(std::uint32_t node, std::uint32_t j) const {
    return nodes.first[node] + j - place(node);
  }
};

// [region hu/split_nodes]
/// Chooses the split dimension and value of node begin + i. The value is the source's: the middle of the box's ends.
/// The source never states how the dimension is chosen; here it is the widest side of the smallest box, as in PCL and
/// FLANN. Nodes of at most leaf_size points, and nodes whose points coincide, are not split. One thread per node, which
/// examines its k sides.
struct SplitNodes {
  NodesView nodes;
  std::uint32_t begin, leaf_size;
  ScalarType type;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t node = begin + i;
    // Every node begins as a leaf, and remains one if it has few points
    nodes.left_child[node] = nodes.split_dim[node] = no_id;
    nodes.split_value[node] = 0;
    if (nodes.count[node] <= leaf_size) return;
    // Choose the widest side of the node's smallest box (table c), which is stored as k lower and then k upper ends
    const std::uint32_t* low = nodes.box + std::size_t(node) * 2 * nodes.k;
    const std::uint32_t* high = low + nodes.k;
    const std::uint32_t dim = widest_side(
        nodes.k, type, [=](std::uint32_t d) { return low[d]; }, [=](std::uint32_t d) { return high[d]; });
    // If even the widest side has no extent, all points coincide, and no plane separates them
    if (ordered_key(low[dim], type) == ordered_key(high[dim], type)) return;
    // Split at the middle of the side's ends (table d). It lies above the lower end, so no child is empty.
    nodes.split_dim[node] = dim;
    nodes.split_value[node] = middle_of(low[dim], high[dim], type);
  }
};
// [endregion]

// [region hu/number_children]
/// Numbers the left and right children of the level's split nodes, starting with `children`, breadth first. Sets the
/// parents of the new nodes.
struct NumberChildren {
  ActiveNodes active;
  std::uint32_t children;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const NodesView& nodes = active.nodes;
    const std::uint32_t node = active.begin + i;
    if (nodes.split_dim[node] == no_id) return;
    // The exclusive sum counts the split nodes before this one, each of which takes two numbers. So numbers follow from
    // a scan, and threads need no common counter.
    const std::uint32_t left = children + 2 * static_cast<std::uint32_t>(active.before[i]);
    nodes.left_child[node] = left;
    nodes.parent[left] = nodes.parent[left + 1] = node;
  }
};
// [endregion]

// [region hu/settle_leaves]
/// Puts the points of nodes that are not split into their buckets, in the order of dimension 0. The positions of the
/// other points become the active positions of the level. owners_before: [m of the level before]; owner: [m].
struct SettleLeaves {
  ActiveNodes active;
  const std::uint32_t* owners_before;
  const PointId* sequence;
  std::uint32_t* owner;
  PointId* bucket;
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    const NodesView& nodes = active.nodes;
    const std::uint32_t node = owners_before[j], in_node = j - nodes.place[node];
    // Keep a split node's position active, at the place that the scan gave its node; store a leaf's point in its bucket
    // for good. The sequences stay as they are: only the active positions get new numbers, without gaps.
    if (nodes.split_dim[node] != no_id)
      owner[active.place(node) + in_node] = node;
    else
      bucket[nodes.first[node] + in_node] = sequence[nodes.first[node] + in_node];
  }
};
// [endregion]

/// Makes the root, which owns all positions. owner: [n].
struct MakeRoot {
  NodesView nodes;
  std::uint32_t n;
  std::uint32_t* owner;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    owner[i] = 0;
    if (i > 0) return;
    nodes.parent[0] = nodes.left_child[0] = nodes.split_dim[0] = no_id;
    nodes.first[0] = nodes.place[0] = nodes.split_value[0] = 0;
    nodes.count[0] = n;
  }
};

/// The growing list of nodes in a back end's memory.
template <class Exec>
class Nodes {
 public:
  Nodes(Exec& exec, std::uint32_t k) : k_(k) {
    for (auto* array : columns()) *array = {exec, "nodes"};
    tree_.box = {exec, "boxes"};
  }
  std::uint32_t size() const { return tree_.nodes; }
  void reserve(std::uint64_t nodes) {
    for (auto* array : columns()) array->reserve(nodes);
    tree_.box.reserve(nodes * 2 * k_);
  }
  void grow_to(std::uint32_t nodes) {
    for (auto* array : columns()) array->grow_to(nodes);
    tree_.box.grow_to(std::size_t(nodes) * 2 * k_);
    tree_.nodes = nodes;
  }
  NodesView view() const {
    return {tree_.parent.data(),      tree_.left_child.data(), tree_.split_dim.data(),
            tree_.split_value.data(), tree_.first.data(),      tree_.count.data(),
            tree_.box.data(),         place_.data(),           k_};
  }
  const BucketTreeOnDevice<Exec>& tree() const { return tree_; }
  BucketTreeOnDevice<Exec> release(Array<PointId, Exec> buckets) {
    tree_.point_of_position = std::move(buckets);
    return std::move(tree_);
  }

 private:
  std::array<GrowingArray<std::uint32_t, Exec>*, 7> columns() {
    return {&tree_.parent, &tree_.left_child, &tree_.split_dim, &tree_.split_value,
            &tree_.first,  &tree_.count,      &place_};
  }
  std::uint32_t k_;
  BucketTreeOnDevice<Exec> tree_;
  GrowingArray<std::uint32_t, Exec> place_;
};

}  // namespace kdscope::hu
