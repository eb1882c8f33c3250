#pragma once
// Colour and texts of a node of the tree: the same in the window, in figures and on web pages.

#include <string>
#include <vector>

#include "visualizer/model/tree_diagram.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// Returns "1 point", "1,234 triangles".
std::string amount_text(const TreeDiagram& diagram, std::uint64_t count);
/// Returns the bucket, or the number of points of an open subtree; then the coordinates of the node's point; then its
/// split. Lines that do not apply are left out.
std::vector<std::string> lines_of(const TreeDiagram& diagram, const DiagramNode& node);
/// Returns what a node is and holds, in lines: "node 4, level 2", "point p7 at (46, 63)", "splits at x = 46", ...
std::vector<std::string> described(const TreeDiagram& diagram, const DiagramNode& node);
/// Returns how much of a level is made.
std::string described_level(const TreeDiagram& diagram, int level);

/// Returns whether no node of the diagram is open or a pivot; settled nodes are dimmed until then.
bool is_finished(const TreeDiagram& diagram);
/// Returns the colour of a node's body; settled nodes are `dim` unless the tree is finished or this step changed them.
Rgb body_colour(const Theme& theme, TreePlace place, bool dim);
/// Returns the colour of a stretch of a level that is drawn as a strip. `made` and `open`: the shares of its final
/// nodes that are made so far, and that are open.
Rgb strip_colour(const Theme& theme, TreePlace place, double made, double open);

}  // namespace kdscope
