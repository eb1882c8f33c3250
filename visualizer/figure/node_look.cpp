#include "visualizer/figure/node_look.hpp"

#include <algorithm>

#include "algorithms/text/numbers.hpp"

namespace kdscope {

std::string amount_text(const TreeDiagram& diagram, std::uint64_t count) {
  return grouped(count) + (diagram.of_triangles ? " triangle" : " point") + (count == 1 ? "" : "s");
}

std::vector<std::string> lines_of(const TreeDiagram& diagram, const DiagramNode& node) {
  std::vector<std::string> lines;
  if (const std::string bucket = node.bucket_text(); !bucket.empty())
    lines.push_back(bucket);
  else if ((node.keeps_bucket || node.state != NodeState::settled) && node.coordinates.empty() && node.count > 0)
    lines.push_back(amount_text(diagram, node.count));
  if (!node.coordinates.empty()) lines.push_back(node.coordinates);
  if (!node.split_text.empty()) lines.push_back(node.split_text);
  return lines;
}

bool is_finished(const TreeDiagram& diagram) {
  return std::all_of(diagram.levels.begin(), diagram.levels.end(),
                     [](const DiagramLevel& level) { return level.open + level.pivots == 0; });
}

Rgb body_colour(const Theme& theme, const DiagramNode& node, bool finished, bool changed) {
  const Rgb colour = subtree_colour(theme, node.place);
  return node.state == NodeState::settled && !finished && !changed ? dimmed(theme, colour) : colour;
}

Rgb strip_colour(const Theme& theme, TreePlace place, double made, double open) {
  return mix(theme.button, subtree_colour(theme, place), std::min(1.0, (made > 0 ? 0.2 : 0) + 0.8 * made + 0.3 * open));
}

}  // namespace kdscope
