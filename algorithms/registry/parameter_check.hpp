#pragma once
// Checks whether a builder takes parameters while a form is filled in.

#include <string_view>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// Checks whether the builder takes these parameters for this many points of this dimension, as far as possible without
/// data: coordinates are not read. Errors are those of a run.
Result<void> check_parameters(std::string_view algorithm, const Parameters& given, Backend backend,
                              const PointSet& points);

}  // namespace kdscope
