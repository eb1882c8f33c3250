#pragma once

#include <cstdint>

#include "algorithms/core/ids.hpp"

namespace kdscope {

/// A possible split plane of a node, shown across its cell.
struct PlaneMark {
  NodeId node;
  std::uint32_t dim = 0;
  double value = 0;  ///< in the points' units
  bool operator==(const PlaneMark&) const = default;
};

}  // namespace kdscope
