#pragma once
// Checks of the steps of builds that sort references by super key (Brown 2015). They run on the host over plain views;
// the recorder and the tests use them.

#include <cstdint>
#include <span>
#include <string>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// Checks that the references of a dimension ascend by super key, and equal points by original index. unique: requires
/// that no points are equal. array: the name of the references in the trace.
CheckResult check_super_key_order(std::span<const PointId> references, const PointsView& points, std::uint32_t dim,
                                  bool unique, const std::string& array = "reference");

}  // namespace kdscope
