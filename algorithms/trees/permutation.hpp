#pragma once
// The check that ids are a permutation. Verifiers and step checks share it.

#include <span>
#include <string>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"

namespace kdscope {

/// Checks that the indices are a permutation, so that no point was lost or duplicated. array: their name in the trace.
CheckResult check_permutation(std::span<const PointId> point_of_position, const std::string& array = "index");

}  // namespace kdscope
