#pragma once
// The places of the nodes of a finished tree, so that no node moves while the tree grows.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

class NodeList;

/// Nodes by rank: level by level, and from left to right on each level. Takes about 27 bytes per node; made once per
/// trace.
class TreeLayout {
 public:
  /// Lays out the tree with which a trace ends, from its partition.* arrays. Work O(nodes).
  static std::shared_ptr<const TreeLayout> at_the_end(const Trace& trace);
  /// Lays out the nodes that are connected to the root at one step, for traces whose nodes change their parents.
  static std::shared_ptr<const TreeLayout> of(const NodeList& nodes);

  std::uint32_t size() const { return static_cast<std::uint32_t>(node_.size()); }
  int level_count() const { return static_cast<int>(level_begin_.size()) - 1; }
  /// Returns the first rank of a level; levels below the last one are empty. level_end() is one past its last rank.
  std::uint32_t level_begin(int level) const {
    return level_begin_[static_cast<std::size_t>(std::min(level, level_count()))];
  }
  std::uint32_t level_end(int level) const { return level_begin(level + 1); }
  int level_of(std::uint32_t rank) const;

  /// Returns the rank of a node, or no_id if the node is not part of the tree.
  std::uint32_t rank_of(NodeId node) const { return node.value < rank_.size() ? rank_[node.value] : no_id; }
  NodeId node(std::uint32_t rank) const { return {node_[rank]}; }
  /// Returns the rank of the parent, or no_id for the root.
  std::uint32_t parent(std::uint32_t rank) const { return parent_[rank]; }
  /// Returns the rank of the first child. Children are neighbours: ranks first_child() to first_child() + child_count()
  /// - 1.
  std::uint32_t first_child(std::uint32_t rank) const { return first_child_[rank]; }
  std::uint32_t child_count(std::uint32_t rank) const { return first_child_[rank + 1] - first_child_[rank]; }
  /// Returns the centre of a node, from 0 (left) to 1 (right). It grows with the rank within a level.
  double x(std::uint32_t rank) const { return x_[rank]; }
  TreePlace place(std::uint32_t rank) const { return place_[rank]; }

  /// Returns the first rank of a level whose centre is not left of x.
  std::uint32_t first_from(int level, double x) const;
  /// Returns the smallest distance between neighbours on any level; 1 if there are none.
  double narrowest_gap() const { return narrowest_gap_; }

 private:
  bool has_only_twins() const;
  void place_by_leaves();
  void place_by_halves(const std::vector<bool>& right);
  void place_in_order(const std::vector<bool>& right);

  std::vector<std::uint32_t> node_, parent_, first_child_;  // by rank; first_child_ has one more element
  std::vector<double> x_;
  std::vector<TreePlace> place_;
  std::vector<std::uint32_t> rank_;  // by node
  std::vector<std::uint32_t> level_begin_{0};
  double narrowest_gap_ = 1;
};

}  // namespace kdscope
