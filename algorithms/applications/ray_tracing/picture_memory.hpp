#pragma once
// Predicts the memory of a picture.

#include "algorithms/applications/memory_need.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"

namespace kdscope {

/// Predicts pictures. builder: its options. It assumes that a pixel sends on one ray at a time,
/// and that at most half of the emitted photons are stored. Precondition: a request without faults. Work O(triangles).
MemoryNeed memory_of(const PictureRequest& request, const TypedOptions& builder);

}  // namespace kdscope
