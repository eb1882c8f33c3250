#include "visualizer/figure/node_look.hpp"

#include <algorithm>
#include <array>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"

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

std::vector<std::string> described(const TreeDiagram& diagram, const DiagramNode& node) {
  std::vector<std::string> lines{"node " + std::to_string(node.node.value) + ", level " + std::to_string(node.level)};
  if (node.point != no_id) lines.push_back("point " + point_name(node.point) + " at (" + node.coordinates + ")");
  if (!node.split_text.empty()) lines.push_back("splits at " + node.split_text);
  if (node.keeps_bucket) {
    std::string held = point_names(node.bucket);
    if (!held.empty() && node.count > node.bucket.size()) held += ", \u2026";
    lines.push_back("leaf with " + amount_text(diagram, node.count) + (held.empty() ? "" : ": " + held));
  } else if (node.count > 0) {
    lines.push_back(amount_text(diagram, node.count) + " in its subtree");
  }
  constexpr std::array states{"open", "pivot", "settled", "empty: nothing is left for it"};
  lines.push_back(states[static_cast<std::size_t>(node.state)]);
  return lines;
}

std::string described_level(const TreeDiagram& diagram, int level) {
  DiagramLevel filled;
  if (level < static_cast<int>(diagram.levels.size()))
    filled = diagram.levels[static_cast<std::size_t>(level)];
  else
    filled.final_nodes = diagram.layout().level_end(level) - diagram.layout().level_begin(level);
  std::string words = "level " + std::to_string(level) + ": " + grouped(filled.settled + filled.pivots + filled.empty) +
                      " of " + grouped(filled.final_nodes) + " nodes are made";
  if (filled.open > 0) words += ", " + grouped(filled.open) + " wait with " + amount_text(diagram, filled.points_below);
  return words;
}

bool is_finished(const TreeDiagram& diagram) {
  return std::all_of(diagram.levels.begin(), diagram.levels.end(),
                     [](const DiagramLevel& level) { return level.open + level.pivots == 0; });
}

Rgb body_colour(const Theme& theme, TreePlace place, bool dim) {
  const Rgb colour = subtree_colour(theme, place);
  if (!dim) return colour;
  // In high contrast as light as its text allows; the rim stands out from the page.
  return theme.id == ThemeId::high_contrast ? cell_ground(theme, colour, false) : dimmed(theme, colour);
}

Rgb strip_colour(const Theme& theme, TreePlace place, double made, double open) {
  return mix(theme.button, subtree_colour(theme, place), std::min(1.0, (made > 0 ? 0.2 : 0) + 0.8 * made + 0.3 * open));
}

}  // namespace kdscope
