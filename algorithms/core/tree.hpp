#pragma once
// Finished trees on the host, and the 64-bit hash by which they are compared.

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "algorithms/core/left_balanced.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// A left-balanced, complete kd-tree in level order: row i is node i, children at 2i+1 and 2i+2.
struct LeftBalancedTree {
  PointSet points;                        ///< records in tree order, payload included
  std::vector<PointId> point_of_node;     ///< [n] original index of each node's point
  std::vector<std::uint8_t> split_dim;    ///< [n] dimension each node splits; leaves too (what they would split)
  std::uint32_t size() const { return static_cast<std::uint32_t>(point_of_node.size()); }
};

/// A kd-tree of one point a node in level order, children of slot i at 2i+1 and 2i+2, whose last level may have gaps.
struct LevelOrderTree {
  std::shared_ptr<const PointSet> points;  ///< in their original order, shared with the data set
  std::vector<PointId> point_of_node;      ///< [slots] original index of each slot's point, no_id where the slot is empty
  std::vector<std::uint8_t> split_dim;     ///< [slots] dimension each node splits; leaves and gaps too (what they would split)
  std::uint32_t size() const { return static_cast<std::uint32_t>(point_of_node.size()); }  ///< slots
};

/// A kd-tree whose leaves hold buckets of points. Nodes are listed breadth-first, parents before their children; node 0 is
/// the root of all points, and there is none for no points.
struct BucketTree {
  std::shared_ptr<const PointSet> points;       ///< in their original order, shared with the data set
  std::vector<PointId> point_of_position;       ///< [n] a node's points are the positions [first, first + count)
  std::vector<std::uint32_t> parent;            ///< [nodes] no_id for the root
  std::vector<std::uint32_t> left_child;        ///< [nodes] the right one follows it; no_id for leaves
  std::vector<std::uint32_t> split_dim;         ///< [nodes] no_id for leaves
  std::vector<std::uint32_t> split_value;       ///< [nodes] coordinate word, smaller ones go left; 0 for leaves
  std::vector<std::uint32_t> first, count;      ///< [nodes]
  std::vector<std::uint32_t> box;               ///< [nodes x 2k] coordinate words of the smallest box: k lower, then k upper ends
  std::uint32_t size() const { return static_cast<std::uint32_t>(parent.size()); }
  bool is_leaf(std::uint32_t node) const { return left_child[node] == no_id; }
};

/// A balanced kd-tree of one point a node, ordered by super keys, without duplicates (median_stores.hpp). Level l splits dimension
/// l mod k; the stores alone are the tree, nodes with references are made of them on request.
struct MedianStoreTree {
  std::shared_ptr<const PointSet> points;   ///< in their original order, shared with the data set
  std::vector<PointId> stores;              ///< [2^levels - 1] all stores back to back, entry 2^L - 1 + k is entry k of level L; no_id: none
  std::vector<std::uint32_t> less, greater; ///< [n] by point: the child with smaller, greater super keys, no_id for none; empty where only the stores were asked for
  std::vector<PointId> removed;             ///< ascending: points left out, because one with a lower index has all their coordinates
  std::uint32_t size() const { return static_cast<std::uint32_t>(stores.size()); }  ///< entries
};

/// What a tree of split planes sorts.
enum class Primitive : std::uint8_t { point, triangle };

/// A kd-tree of split planes over primitives, in pre-order: node 0 is the root, the left child of node i is i + 1. There is always
/// a root; without primitives it is an empty leaf. Leaves list their primitives, ascending by index; a triangle may be in several
/// leaves, a leaf may be empty. A primitive that reaches from lo to hi along a split's dimension, within the node's volume, goes
/// left of the value v if lo < v, and right if hi > v or lo >= v: what only touches the plane from below is left of it, what lies
/// in it or begins there is right. A child's volume is its parent's, cut at v; both keep v itself.
struct SplitPlaneTree {
  std::shared_ptr<const DataSet> data;
  Primitive primitive = Primitive::triangle;
  std::vector<std::uint32_t> parent, right_child;      ///< [nodes] no_id: root; leaf
  std::vector<std::uint32_t> split_dim, split_value;   ///< [nodes] no_id / 0 for leaves; the value is a coordinate word
  std::vector<std::uint32_t> first, count;             ///< [nodes] leaves: positions [first, first + count); inner nodes: the span of their leaves
  std::vector<std::uint32_t> box;                      ///< [nodes x 2k] coordinate words: the node's volume, k lower then k upper ends
  std::vector<std::uint32_t> primitive_of_position;    ///< [references] index of a point or triangle of the data
  std::uint32_t depth_bounded = 0;                     ///< leaves that are leaves only because a bound was met: of the depth, or of halvings above that did not pay
  std::uint32_t size() const { return static_cast<std::uint32_t>(parent.size()); }
  bool is_leaf(std::uint32_t node) const { return right_child[node] == no_id; }
  std::uint32_t primitives() const {
    return static_cast<std::uint32_t>(primitive == Primitive::point ? data->points.size() : data->triangles.size() / 3);
  }
};

/// What a builder may give.
using Tree = std::variant<LeftBalancedTree, LevelOrderTree, BucketTree, MedianStoreTree, SplitPlaneTree>;

/// One round of the 64-bit finaliser of splitmix64; integer only, the same everywhere.
KDSCOPE_HD constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// The share of one node in a tree's hash: mixes, in this order, node index, original index, split dimension and the
/// k coordinate words (-0.0 as 0.0) of the record at `row`. Shares are added modulo 2^64, so any order and any processor
/// gives the same sum.
KDSCOPE_HD inline std::uint64_t node_hash(NodeId node, PointId point, std::uint32_t split_dim, const PointsView& records, std::uint32_t row) {
  std::uint64_t h = mix64(0x9e3779b97f4a7c15ull + node.value);
  h = mix64(h ^ point.value);
  h = mix64(h ^ (split_dim + 0x100000000ull));
  for (std::uint32_t d = 0; d < records.dim; ++d)
    h = mix64(h ^ (word_of_ordered_key(records.key(row, d), records.type) + 0x200000000ull));
  return h;
}

/// Hash of a tree from the sum of its nodes' shares; n, k and the coordinate type are part of it.
KDSCOPE_HD constexpr std::uint64_t finish_tree_hash(std::uint64_t sum, std::uint64_t n, std::uint32_t dim, ScalarType type) {
  return mix64(sum + mix64(n * 1024 + dim * 2 + static_cast<std::uint32_t>(type)));
}

/// The tree's 64-bit hash. Equal trees have equal hashes on every machine and back end. Work O(n k).
inline std::uint64_t tree_hash(const LeftBalancedTree& tree) {
  const PointsView view = view_of(tree.points);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    sum += node_hash(NodeId{i}, tree.point_of_node[i], tree.split_dim[i], view, i);
  return finish_tree_hash(sum, tree.size(), tree.points.dim, tree.points.type);
}
inline std::uint64_t tree_hash(const LevelOrderTree& tree) {
  const PointsView view = view_of(*tree.points);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (const PointId point = tree.point_of_node[i]; point.value != no_id)
      sum += node_hash(NodeId{i}, point, tree.split_dim[i], view, point.value);
  return finish_tree_hash(sum, view.n, view.dim, view.type);
}
/// Of each node everything listed of it, its box with -0.0 as 0.0; of each position its point.
inline std::uint64_t tree_hash(const BucketTree& tree) {
  const ScalarType type = tree.points->type;
  const std::uint32_t sides = 2 * tree.points->dim;
  const auto plain = [&](std::uint32_t word) { return word_of_ordered_key(ordered_key(word, type), type); };
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    std::uint64_t h = mix64(0x9e3779b97f4a7c15ull + i);
    for (const std::uint32_t value : {tree.parent[i], tree.left_child[i], tree.split_dim[i], plain(tree.split_value[i]), tree.first[i], tree.count[i]})
      h = mix64(h ^ (value + 0x300000000ull));
    for (std::uint32_t side = 0; side < sides; ++side) h = mix64(h ^ (plain(tree.box[std::size_t(i) * sides + side]) + 0x400000000ull));
    sum += h;
  }
  for (std::uint32_t i = 0; i < tree.point_of_position.size(); ++i) sum += mix64(mix64(0x500000000ull + i) ^ tree.point_of_position[i].value);
  return finish_tree_hash(sum, tree.point_of_position.size(), tree.points->dim, type);
}
/// Of the stores alone, so that both forms of a tree have the same; as that of a LevelOrderTree with these points.
inline std::uint64_t tree_hash(const MedianStoreTree& tree) {
  const PointsView view = view_of(*tree.points);
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i)
    if (const PointId point = tree.stores[i]; point.value != no_id)
      sum += node_hash(NodeId{i}, point, static_cast<std::uint32_t>(level_of(NodeId{i})) % view.dim, view, point.value);
  return finish_tree_hash(sum, view.n, view.dim, view.type);
}
/// Of each node everything listed of it, its box with -0.0 as 0.0; of each position its primitive. Not how many leaves are bounded.
inline std::uint64_t tree_hash(const SplitPlaneTree& tree) {
  const ScalarType type = tree.data->points.type;
  const std::uint32_t sides = 2 * tree.data->points.dim;
  const auto plain = [&](std::uint32_t word) { return word_of_ordered_key(ordered_key(word, type), type); };
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    std::uint64_t h = mix64(0x9e3779b97f4a7c15ull + i);
    for (const std::uint32_t value : {tree.parent[i], tree.right_child[i], tree.split_dim[i], plain(tree.split_value[i]), tree.first[i], tree.count[i]})
      h = mix64(h ^ (value + 0x600000000ull));
    for (std::uint32_t side = 0; side < sides; ++side) h = mix64(h ^ (plain(tree.box[std::size_t(i) * sides + side]) + 0x700000000ull));
    sum += h;
  }
  for (std::uint32_t i = 0; i < tree.primitive_of_position.size(); ++i) sum += mix64(mix64(0x800000000ull + i) ^ tree.primitive_of_position[i]);
  return finish_tree_hash(sum, tree.primitives(), tree.data->points.dim, type);
}
inline std::uint64_t tree_hash(const Tree& tree) {
  return std::visit([](const auto& kind) { return tree_hash(kind); }, tree);
}

}  // namespace kdscope
