#include "visualizer/figure/cost_plot.hpp"

#include <algorithm>
#include <cmath>

namespace kdscope {

CostPlot CostPlot::of(const NodeCandidates& node) {
  CostPlot plot;
  double low = 1e300, high = -1e300;
  const auto include = [&](double cost) {
    if (std::isfinite(cost)) low = std::min(low, cost), high = std::max(high, cost);
  };
  for (const TriedCandidate& c : node.tried) include(c.cost);
  if (node.leaf_cost) include(*node.leaf_cost);
  if (low > high) return plot;
  const double pad = std::max(1e-9, high - low) * 0.08;
  plot.low = low - pad, plot.high = high + pad;
  for (const std::uint32_t dim : node.dimensions()) {
    Panel panel{dim, 1e300, -1e300};
    for (const TriedCandidate& c : node.tried)
      if (c.dim == dim) panel.low = std::min(panel.low, c.position), panel.high = std::max(panel.high, c.position);
    // Draw candidates at one place if floats can hardly distinguish their positions.
    const bool wide = panel.high - panel.low > 4e-6 * std::max(std::abs(panel.low), std::abs(panel.high));
    const double margin = wide ? 0.05 * (panel.high - panel.low) : 0.5;
    panel.low -= margin, panel.high += margin;
    plot.panels.push_back(panel);
  }
  return plot;
}

}  // namespace kdscope
