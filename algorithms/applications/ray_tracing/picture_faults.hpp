#pragma once
// Checks requests for pictures before anything is built or allocated.

#include <optional>

#include "algorithms/applications/ray_tracing/ray_tracer.hpp"

namespace kdscope::ray_tracing {

/// Returns the first fault of a request, or nothing if it can be traced. Parameters of builders and searches are
/// checked where they are completed. Work O(points + triangles), and O(pixels) for a camera whose rays lie in a plane.
std::optional<Error> fault_of(const PictureRequest& request);

}  // namespace kdscope::ray_tracing
