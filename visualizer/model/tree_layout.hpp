#pragma once
// The places of the nodes of a finished tree in drawings, so that no node moves while the tree grows.

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

class NodeList;

/// Nodes by rank: level by level, and from left to right on each level. About 27 bytes per node; computed once per
/// trace.
class TreeLayout {
 public:
  /// Returns the layout of the tree at the end of a trace, from its partition.* arrays. Work O(nodes).
  static std::shared_ptr<const TreeLayout> at_the_end(const Trace& trace);
  /// Returns the layout of the nodes that are connected to the root at one step, for traces whose nodes change their
  /// parents.
  static std::shared_ptr<const TreeLayout> of(const NodeList& nodes);

  std::uint32_t size() const { return static_cast<std::uint32_t>(node_.size()); }
  int level_count() const { return static_cast<int>(level_begin_.size()) - 1; }
  /// Returns the first rank of a level; level_end() returns the end of its ranks.
  std::uint32_t level_begin(int level) const { return level_begin_[static_cast<std::size_t>(level)]; }
  std::uint32_t level_end(int level) const { return level_begin_[static_cast<std::size_t>(level) + 1]; }
  int level_of(std::uint32_t rank) const;

  /// Returns the rank of a node; no_id if it is not part of the tree.
  std::uint32_t rank_of(NodeId node) const { return node.value < rank_.size() ? rank_[node.value] : no_id; }
  NodeId node(std::uint32_t rank) const { return {node_[rank]}; }
  /// Returns the rank of the parent; no_id for the root.
  std::uint32_t parent(std::uint32_t rank) const { return parent_[rank]; }
  /// Returns the rank of the first child. Children have consecutive ranks: first_child() to first_child() +
  /// child_count() - 1.
  std::uint32_t first_child(std::uint32_t rank) const { return first_child_[rank]; }
  std::uint32_t child_count(std::uint32_t rank) const { return first_child_[rank + 1] - first_child_[rank]; }
  /// Returns the x coordinate of the centre, from 0 (left) to 1 (right); it increases with the rank within a level.
  double x(std::uint32_t rank) const { return x_[rank]; }
  TreePlace place(std::uint32_t rank) const { return place_[rank]; }

  /// Returns the first rank of a level that is not left of x.
  std::uint32_t first_from(int level, double x) const;
  /// Returns the smallest distance between neighbours on any level; 1 if there are none.
  double narrowest_gap() const { return narrowest_gap_; }

 private:
  void place_by_halves(const std::vector<bool>& right);
  void place_in_order(const std::vector<bool>& right);

  std::vector<std::uint32_t> node_, parent_, first_child_;  // by rank; first_child_ has one element more
  std::vector<double> x_;
  std::vector<TreePlace> place_;
  std::vector<std::uint32_t> rank_;  // by node
  std::vector<std::uint32_t> level_begin_{0};
  double narrowest_gap_ = 1;
};

}  // namespace kdscope
