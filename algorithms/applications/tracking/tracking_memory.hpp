#pragma once
// Predicts the memory of tracking.

#include <vector>

#include "algorithms/applications/memory_need.hpp"
#include "algorithms/applications/tracking/tracking.hpp"

namespace kdscope {

/// Predicts tracking. builders: resolved options of the builder for each scan.
MemoryNeed memory_of(const TrackingRequest& request, const std::vector<TypedOptions>& builders);

}  // namespace kdscope
