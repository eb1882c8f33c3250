#pragma once
// Colourings other than by subtree: by the number of primitives in a leaf, or by the depth of a node.

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
/// Returns whether a run has the values of a colouring; a run has leaf sizes if its leaves may keep more than one
/// point.
bool can_colour(const Trace& trace, Colouring colouring);

/// A number for each node and one for its cell, and the range of these numbers over the nodes that are not split (yet)
/// or that store a point.
struct NodeHeat {
  std::vector<double> of_node;  ///< [nodes]; NaN for dead nodes and for sizes of split ones; empty: no colouring
  std::vector<double> of_cell;  ///< [nodes]; greatest number below a split node, since pictures may leave out levels
  double low = 0, high = 0;
  explicit operator bool() const { return !of_node.empty(); }
  /// Returns the place of a node's number in the range, from 0 to 1; 0.5 if all numbers are equal.
  double share(std::uint32_t node) const { return share_of(of_node, node); }
  double share_of_cell(NodeId node) const { return share_of(of_cell, node.value); }

 private:
  double share_of(const std::vector<double>& numbers, std::uint32_t node) const;
};
/// Returns the numbers of a colouring; empty for subtrees and if the run does not have the values. Work O(nodes +
/// points).
NodeHeat heat_of(const Cursor& cursor, const Partition& partition, Colouring colouring);

/// Returns, for each triangle, the node that is not split (yet) and contains the triangle's centroid; no_id without
/// nodes. points: [n x dim]. Work O(triangles x depth).
std::vector<std::uint32_t> nodes_of_triangles(const Partition& partition, const TypedArray& points, std::uint32_t dim,
                                              const std::vector<std::uint32_t>& triangles);

}  // namespace kdscope
