#pragma once
// Queries of views about a trace at a step, answered through the spaces that its arrays declare.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/concealment.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/style/subtree.hpp"

namespace kdscope {

/// Returns the place of one node. Work O(depth): it walks to the root. Trees without a node list count as level order.
TreePlace place_of(const Cursor& cursor, NodeId node);
TreePlace place_of(const NodeList& list, NodeId node);

/// Returns whether a node is a descendant of another one or that node itself. Work O(depth).
bool is_below(const NodeList& list, NodeId node, NodeId above);

/// Returns the first recorded array of one component that maps one space to another, even if it is not written yet, or
/// null if the trace has none.
const Trace::Array* array_between(const Trace& trace, Space from, Space to);

/// Returns the name of the array that maps positions to points (index_space position, value_space point), or "".
std::string point_of_position_array(const Trace& trace);
/// Returns the name of the array that maps positions to the nodes whose subtrees they belong to, or "".
std::string node_of_position_array(const Trace& trace);
/// Returns the node whose subtree a point is in at this step, or nullopt.
std::optional<NodeId> node_of_point(const Cursor& cursor, PointId point);
/// The nodes of all points at this step. A point that the tree leaves out is drawn like the point with the same
/// coordinates.
struct NodesOfPoints {
  std::vector<std::uint32_t>
      node;  ///< [n]; a duplicate has the node of the point with the same coordinates; empty if unknown
  std::vector<std::uint32_t> left_out;  ///< points that belong to no node, ascending
  std::vector<std::uint32_t> lost;      ///< those among left_out whose coordinates no point of the tree has, ascending
  /// Returns "2 of 10 points are left out of the tree: others have their coordinates."; empty if none are left out.
  std::string note() const;
  /// Returns "\u2717 2 of 10 points are in no node of the tree."; empty if none are lost.
  std::string lost_note() const;
  /// Returns whether a point itself belongs to a node.
  bool in_tree(std::uint32_t point) const;
};
/// Finds the nodes of all points. Work O(n), or O(n k log m) if m points are left out.
NodesOfPoints nodes_of_points(const Cursor& cursor);
/// Returns whether an array shows that a point belongs to no node.
bool is_left_out(const Cursor& cursor, PointId point);
/// Returns why a point is in no node: "left out: the same coordinates as point 3", which names the first such point of
/// the tree, or otherwise "in no node of the tree". Work O(n k).
std::string left_out_text(const NodesOfPoints& nodes, const TypedArray& coordinates, std::uint32_t dim, PointId point);
/// Returns the position of a point at this step, or nullopt if it is unknown. Work O(n).
std::optional<std::uint64_t> position_of_point(const Cursor& cursor, PointId point);

/// Returns what a step does in a sentence of its source, from the comment in front of its region: "Moves each unsettled
/// point's tag to its child subtree."; empty if the trace has no sources, or if that comment describes something else.
std::string sentence_of(const Trace& trace, const Step& step);
/// Returns the points that a highlight marks at the cursor's step, whatever the space of its ranges, in the order of
/// the ranges. At most `limit` points.
std::vector<PointId> points_of(const Cursor& cursor, const Highlight& highlight, std::size_t limit);
/// Returns the points that a role marks in the highlights of the current step and in `added`, ascending, except hidden
/// ones. At most `limit` points.
std::vector<PointId> points_with_role(const Cursor& cursor, Role role, std::size_t limit = 100000,
                                      std::span<const Highlight> added = {}, const Concealment& concealed = {});

}  // namespace kdscope
