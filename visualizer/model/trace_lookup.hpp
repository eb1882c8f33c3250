#pragma once
// Looks up nodes and points of a trace at a step through the spaces that its arrays declare.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// Returns the place of a node by a walk to the root, with work O(depth). Trees without a node list count as level
/// order.
TreePlace place_of(const Cursor& cursor, NodeId node);

/// Returns whether a node is a descendant of another one, or that node itself. Work O(depth).
bool is_below(const Cursor& cursor, NodeId node, NodeId above);

/// Returns the first array with one component that maps one space to another, even if it is not written yet; null if
/// the trace has none.
const Trace::Array* array_between(const Trace& trace, Space from, Space to);

/// Returns the name of the array that maps positions to points (index_space position, value_space point), or an empty
/// text.
std::string point_of_position_array(const Trace& trace);
/// Returns the name of the array that maps positions to the nodes whose subtrees they belong to, or an empty text.
std::string node_of_position_array(const Trace& trace);
/// Returns the node whose subtree contains a point at this step, or nullopt.
std::optional<NodeId> node_of_point(const Cursor& cursor, PointId point);
/// The nodes of all points at this step. A point that the tree leaves out is drawn as the one with the same
/// coordinates.
struct NodesOfPoints {
  std::vector<std::uint32_t>
      node;  ///< [n] for duplicates, that of the point with the same coordinates; empty if unknown
  std::vector<std::uint32_t> left_out;  ///< points that belong to no node, ascending
  std::vector<std::uint32_t> lost;      ///< of these, points whose coordinates no point of the tree has, ascending
  /// "2 of 10 points are left out of the tree: others have their coordinates."; empty where none is.
  std::string note() const;
  /// "\u2717 2 of 10 points are in no node of the tree."; empty where none is lost.
  std::string lost_note() const;
  /// Whether a point belongs to a node itself.
  bool in_tree(std::uint32_t point) const;
};
/// Work O(n), with m points left out O(n k log m).
NodesOfPoints nodes_of_points(const Cursor& cursor);
/// Whether an array shows that a point belongs to no node.
bool is_left_out(const Cursor& cursor, PointId point);
/// Why a point is in no node: "left out: the same coordinates as point 3", the first such point of the tree; "in no
/// node of the tree" where there is none. Work O(n k).
std::string left_out_text(const NodesOfPoints& nodes, const TypedArray& coordinates, std::uint32_t dim, PointId point);
/// The position of a point at this step, or nullopt if unknown; O(n).
std::optional<std::uint64_t> position_of_point(const Cursor& cursor, PointId point);

/// The points that a highlight marks at the cursor's step, whatever space its ranges are in, in their order. At most
/// `limit`.
std::vector<PointId> points_of(const Cursor& cursor, const Highlight& highlight, std::size_t limit);
/// The points that a role of the current step marks, or of the highlights beside those of the step; ascending. At most
/// `limit`.
std::vector<PointId> points_with_role(const Cursor& cursor, Role role, std::size_t limit = 100000,
                                      std::span<const Highlight> added = {});

}  // namespace kdscope
