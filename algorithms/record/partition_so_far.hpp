#pragma once
// The standard partition (trace.hpp, partition_arrays), which a builder's recording fills node by node from the root.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/record/checked.hpp"
#include "algorithms/record/step_writer.hpp"

namespace kdscope {

/// The standard partition's arrays as constants; partition_arrays documents their contents.
namespace arrays::partition {
inline constexpr ArrayDef<std::uint32_t> parent{
    {.name = partition_arrays::parent, .index = Space::node, .values = Space::node, .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> split_dim{
    {.name = partition_arrays::split_dim, .index = Space::node, .values = Space::dimension, .shown_as_row = false}};
inline constexpr ArrayDef<double> split_value{
    {.name = partition_arrays::split_value, .index = Space::node, .values = Space::split_value, .shown_as_row = false}};
inline constexpr ArrayDef<double> box{{.name = partition_arrays::box,
                                       .index = Space::node,
                                       .values = Space::coordinate,
                                       .components = Components::box,
                                       .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> point{
    {.name = partition_arrays::point, .index = Space::node, .values = Space::point, .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> node_of_point{
    {.name = partition_arrays::node_of_point, .index = Space::point, .values = Space::node, .shown_as_row = false}};
inline constexpr ArrayDef<double> tight_box{{.name = partition_arrays::tight_box,
                                             .index = Space::node,
                                             .values = Space::coordinate,
                                             .components = Components::box,
                                             .shown_as_row = false}};
inline constexpr ArrayDef<std::uint8_t> leaf{
    {.name = partition_arrays::leaf, .index = Space::node, .shown_as_row = false}};
inline constexpr ArrayDef<std::uint32_t> count{
    {.name = partition_arrays::count, .index = Space::node, .values = Space::count, .shown_as_row = false}};
}  // namespace arrays::partition

/// Declares the partition so far. buckets: also declares the smallest boxes and settled leaves of trees that keep
/// buckets.
void add_partition(ArrayList& list, bool buckets = false);

/// Collects the nodes of a partition. Parents must be added before their children; a node that was not added throws
/// BrokenState. Work O(k) per node, plus O(n k) for the root's box.
class PartitionSoFar {
 public:
  /// Starts with `nodes` nodes, none of which is split or holds a point. Node 0 is the root with the points' bounding
  /// box.
  PartitionSoFar(const PointSet& points, std::uint32_t nodes);

  std::uint32_t size() const { return static_cast<std::uint32_t>(parent_.size()); }
  /// Adds a node. Its box is its parent's, cut at the parent's split if that is already set.
  void add_child(std::uint32_t node, std::uint32_t parent, bool upper);
  /// Sets the split of the node: the dimension, and the value in the points' units.
  void split(std::uint32_t node, std::uint32_t dim, double value);
  /// Sets the smallest box of the node's points: k lower, then k upper ends. For builders that know this box for every
  /// node.
  void set_tight_box(std::uint32_t node, std::span<const double> tight_box);
  /// Marks the node as a final leaf, whose points stay in it. For builders that set tight boxes.
  void mark_leaf(std::uint32_t node) { leaf_[node] = 1; }
  void set_point(std::uint32_t node, std::uint32_t point) { point_[node] = point; }
  std::uint32_t stored(std::uint32_t node) const { return point_[node]; }
  /// Sets the node to which a point currently belongs.
  void place(std::uint32_t point, std::uint32_t node) { node_of_point_[point] = node; }
  void add_to(StepWriter& step) const;

 private:
  std::uint32_t k_;
  Checked<std::uint32_t> parent_, point_, node_of_point_, split_dim_;
  Checked<std::uint8_t> leaf_;
  Checked<double> split_value_, box_,
      tight_box_;  // boxes: [nodes x 2k], lower ends first; tight boxes may be missing
};

}  // namespace kdscope
