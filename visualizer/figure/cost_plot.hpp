#pragma once
// The costs of a node's split candidates as plots over their positions, one per dimension, on a common scale of costs.
// The same for every painter.

#include <optional>
#include <vector>

#include "visualizer/model/split_candidates.hpp"

namespace kdscope {

struct CostPlot {
  struct Panel {
    std::uint32_t dim = 0;
    double low = 0, high = 1;  ///< positions at its left and right
    double share(double position) const { return (position - low) / (high - low); }
  };
  std::vector<Panel> panels;  ///< dimensions ascending; empty if no cost is known
  double low = 0, high = 1;   ///< costs at the bottom and at the top
  double share(double cost) const { return (cost - low) / (high - low); }

  /// Work O(candidates).
  static CostPlot of(const NodeCandidates& node);
};

}  // namespace kdscope
