#pragma once
// The result of a check of a builder's step or tree.

#include "algorithms/core/check_result.hpp"

namespace kdscope {

using CheckResult = CheckResult;

}  // namespace kdscope
