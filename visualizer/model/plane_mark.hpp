#pragma once

#include <cstdint>

#include "algorithms/core/ids.hpp"

namespace kdscope {

/// A plane that would split a node; it is drawn across the node's cell.
struct PlaneMark {
  NodeId node;
  std::uint32_t dim = 0;
  double value = 0;  ///< in the points' units
  bool operator==(const PlaneMark&) const = default;
};

}  // namespace kdscope
