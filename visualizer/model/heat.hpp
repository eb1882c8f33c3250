#pragma once
// What colours stand for instead of subtrees: the number of primitives in a leaf, or the depth of a node.

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
/// Whether a run has the values of a colouring: leaf sizes if leaves keep more than one point.
bool can_colour(const Trace& trace, Colouring colouring);

/// A number for each node, and one for its cell; the range of nodes that are not split (yet) or store a point.
struct NodeHeat {
  std::vector<double> of_node;  ///< [nodes]; NaN for those that hang on nothing, and sizes of those that are split.
                                ///< Empty: no colouring
  std::vector<double>
      of_cell;  ///< [nodes] the same, of split ones the greatest number below: pictures may leave out levels
  double low = 0, high = 0;
  explicit operator bool() const { return !of_node.empty(); }
  /// A number's place in the range, 0 to 1; 0.5 where all are the same.
  double share(std::uint32_t node) const { return share_of(of_node, node); }
  double share_of_cell(NodeId node) const { return share_of(of_cell, node.value); }

 private:
  double share_of(const std::vector<double>& numbers, std::uint32_t node) const;
};
/// Work O(nodes + points). Empty for subtrees, and if the run does not have the values.
NodeHeat heat_of(const Cursor& cursor, const Partition& partition, Colouring colouring);

/// The node that is not split (yet) around the middle of each triangle; no_id without nodes. points: [n x dim]. Work
/// O(triangles depth).
std::vector<std::uint32_t> nodes_of_triangles(const Partition& partition, const TypedArray& points, std::uint32_t dim,
                                              const std::vector<std::uint32_t>& triangles);

}  // namespace kdscope
