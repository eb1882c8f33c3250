#pragma once
// The costs of a node's split candidates as plots over their positions, one per dimension, on a common scale of costs.
// The same for every painter.

#include <optional>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/model/split_candidates.hpp"

namespace kdscope {

struct CostPlot {
  struct Panel {
    std::uint32_t dim = 0;
    double low = 0, high = 1;  ///< positions at its left and right
    double share(double position) const { return (position - low) / (high - low); }
  };
  std::vector<Panel> panels;  ///< dimensions ascending
  double low = 0, high = 0;   ///< costs at the bottom and at the top; equal if no cost is known
  bool is_known() const { return low < high; }
  double share(double cost) const { return (cost - low) / (high - low); }

  /// Work O(candidates).
  static CostPlot of(const NodeCandidates& node);
};

/// The room that a drawing of costs has.
struct CostDrawingOptions {
  double width = 640, height = 260;
  double line_height = 17.5;
  double scale = 1;                        ///< of lines and marks
  double outline = 2;                      ///< width of the ring around a candidate
  std::optional<std::size_t> picked = {};  ///< the selected candidate: an index into those that the node tried
};

/// Draws as many dimensions as fit, among them the dimension of the picked, the chosen or else the cheapest candidate.
/// A circle with an id stands for every candidate: its index into those that the node tried. `dims`: the dimension of
/// the points, which decides how coordinates are named. While no cost is known, candidates stand on their axis. Work
/// O(candidates * dimensions).
DisplayList cost_drawing(const NodeCandidates& node, std::uint32_t dims, const CostDrawingOptions& options);
/// Returns a width in which every dimension of a node fits.
double cost_drawing_width(const NodeCandidates& node, const CostDrawingOptions& options);

}  // namespace kdscope
