#pragma once
// The check that ids are a permutation, which verifiers and step checks share.

#include <span>
#include <string>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"

namespace kdscope {

/// The indices are a permutation: no point was lost or doubled. `array`: the trace's name of them.
CheckResult check_permutation(std::span<const PointId> point_of_position, const std::string& array = "index");

}  // namespace kdscope
