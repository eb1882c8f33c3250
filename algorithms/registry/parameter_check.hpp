#pragma once
// Checks whether a builder takes parameters while the user fills in a form.

#include <string_view>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// Checks whether the builder takes these parameters for this many points of this dimension, as far as this is possible
/// without reading coordinates. Errors are those of a run.
Result<void> check_parameters(std::string_view algorithm, const Parameters& given, Backend backend,
                              const PointSet& points);

}  // namespace kdscope
