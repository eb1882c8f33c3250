#pragma once
// What a check of a builder's step or tree returns.

#include "algorithms/core/check_result.hpp"

namespace kdscope {

using CheckResult = CheckResult;

}  // namespace kdscope
