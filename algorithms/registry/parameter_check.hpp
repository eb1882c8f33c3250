#pragma once
// Whether a builder would take parameters, asked while a form is filled in.

#include <string_view>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// Whether the builder takes these parameters for so many points of this dimension: what can be said before the data
/// are there. Coordinates are not looked at. An error is the one that a run would give.
Result<void> check_parameters(std::string_view algorithm, const Parameters& given, Backend backend,
                              const PointSet& points);

}  // namespace kdscope
