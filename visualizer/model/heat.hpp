#pragma once
// What colours represent instead of subtrees: the number of primitives in a leaf, or the depth of a node.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/partition.hpp"

namespace kdscope {

enum class Colouring : std::uint8_t { subtree, leaf_size, depth };
inline constexpr Colouring all_colourings[] = {Colouring::subtree, Colouring::leaf_size, Colouring::depth};
const char* name_of(Colouring colouring);  ///< "subtree", "leaf-size", "depth"
std::optional<Colouring> colouring_named(std::string_view name);
/// Returns whether a run has the values of a colouring. Leaf sizes exist if leaves keep more than one point.
bool can_colour(const Trace& trace, Colouring colouring);

/// One number per node and one per cell, with the range over the nodes that store a point or are not split (yet); in a
/// batch of searches also one per point.
struct NodeHeat {
  std::vector<double>
      of_node;  ///< [nodes]; NaN for nodes outside the tree, and for sizes of split nodes. Empty without a colouring
  std::vector<double>
      of_cell;  ///< [nodes] the same; a split node has the greatest number below it, as pictures may leave out levels
  std::vector<double> of_point;  ///< [points] nodes that the point's query visits; else empty
  double low = 0, high = 0;
  explicit operator bool() const { return !of_node.empty(); }
  /// Returns where a node's number lies in the range, from 0 to 1; 0.5 if all numbers are equal.
  double share(std::uint32_t node) const { return share_of(of_node, node); }
  double share_of_point(std::size_t point) const { return share_of(of_point, static_cast<std::uint32_t>(point)); }
  double share_of_cell(NodeId node) const { return share_of(of_cell, node.value); }

 private:
  double share_of(const std::vector<double>& numbers, std::uint32_t node) const;
};
/// Computes the numbers of a colouring. The result is empty for subtrees, and if the run does not have the values.
/// Where a batch of searches has counted its visits, they take the place of subtrees; cells have the mean of their
/// points. Work O(nodes + points).
NodeHeat heat_of(const Cursor& cursor, const Partition& partition, Colouring colouring);

/// Returns, for each triangle, the unsplit node around its middle, or no_id without nodes. points: [n x dim]. Work
/// O(triangles depth).
std::vector<std::uint32_t> nodes_of_triangles(const Partition& partition, const TypedArray& points, std::uint32_t dim,
                                              const std::vector<std::uint32_t>& triangles);

}  // namespace kdscope
