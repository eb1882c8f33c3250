#pragma once
// The partition.* arrays of a step behind one interface that checks every index.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// A view of the node list at a cursor's step; valid until the cursor moves. Missing arrays read as "none".
class NodeList {
 public:
  explicit NodeList(const Cursor& cursor);
  NodeList(std::uint32_t dim, std::span<const std::uint32_t> parent, std::span<const std::uint32_t> split_dim,
           std::span<const double> split_value, std::span<const double> box)
      : dim_(dim), parent_(parent), split_dim_(split_dim), split_value_(split_value), box_(box) {}
  std::uint32_t size() const { return static_cast<std::uint32_t>(parent_.size()); }
  std::uint32_t dim() const { return dim_; }
  /// Returns the parent, which the list holds before the node. A parent listed later counts as none, so that every path
  /// up ends.
  std::uint32_t parent(std::uint32_t node) const { return parent_[node] < node ? parent_[node] : no_id; }
  /// Returns the split dimension, or -1 while the node is not split.
  int split_dim(std::uint32_t node) const;
  double split_value(std::uint32_t node) const { return node < split_value_.size() ? split_value_[node] : 0.0; }
  std::uint32_t point(std::uint32_t node) const { return node < point_.size() ? point_[node] : no_id; }
  std::span<const double> boxes() const { return box_; }  ///< of all nodes, as recorded; so are tight_boxes()
  std::span<const double> tight_boxes() const { return tight_box_; }
  /// Returns the box as k lower, then k upper ends; empty if the node has none.
  std::span<const double> box(std::uint32_t node) const { return sides(box_, node); }
  /// Returns the smallest box of the node's points in the same form; empty while it is unknown.
  std::span<const double> tight_box(std::uint32_t node) const;
  /// Returns whether the node is a final leaf that keeps its points as a bucket.
  bool keeps_bucket(std::uint32_t node) const { return node < leaf_.size() && leaf_[node] != 0 && split_dim(node) < 0; }
  /// Returns whether a node is its parent's upper child. The box decides; without it, the order of siblings in the
  /// list.
  bool is_right_child(std::uint32_t node) const;

  /// The root (the first node without a parent, or no_id) and each node's children in the order of the list.
  struct Children {
    std::uint32_t root = no_id;
    std::vector<std::uint32_t> first, second;
  };
  /// Finds the root and all children. Work O(nodes).
  Children children() const;

 private:
  std::span<const double> sides(std::span<const double> boxes, std::uint32_t node) const;

  std::uint32_t dim_ = 0;
  std::span<const std::uint32_t> parent_, point_;
  std::span<const std::uint32_t> split_dim_;
  std::span<const double> split_value_, box_, tight_box_;
  std::span<const std::uint8_t> leaf_;
};

/// Returns the split dimensions before a step; empty if there were none. Work O(nodes).
std::vector<std::uint32_t> split_dims_before(const Trace& trace, std::uint32_t step);
/// Returns the parents as of the last step of the trace.
std::vector<std::uint32_t> final_parents(const Trace& trace);

}  // namespace kdscope
