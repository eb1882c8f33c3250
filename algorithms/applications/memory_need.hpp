#pragma once
// Predicts the memory that an application's request takes, and refuses it before it allocates: Linux grants more memory
// than exists and then kills the program.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/applications/tracking/tracking.hpp"

namespace kdscope {

/// Bytes at the peak of a request, beside its input on the host.
struct MemoryNeed {
  std::uint64_t device = 0;      ///< in the back end's memory, which is the host's on the CPU back end
  std::uint64_t host = 0;        ///< on the host at the same time: copies and results
  std::uint64_t host_after = 0;  ///< on the host once the back end's memory is free
};

/// Returns an error that names need and memory if the need exceeds what there is. available: bytes of host memory.
/// subject: with its verb, as "a picture of 8 x 8 pixels needs". remedy: what to reduce.
std::optional<Error> lack_of_memory(const MemoryNeed& need, const Device& device, std::uint64_t available,
                                    const std::string& subject, const std::string& remedy);

/// Predicts pictures. parameters: completed ones of zhou-sah. It assumes that a pixel sends on one ray at a time, and
/// that at most half of the emitted photons are stored. Precondition: a request without faults. Work O(triangles).
MemoryNeed memory_of(const PictureRequest& request, const Parameters& parameters);

/// Predicts the estimate of a cloud of n points.
MemoryNeed memory_of_cloud(std::uint64_t n, std::uint32_t k, bool oriented);

/// Predicts the strengths of n points, with handles of `active` and `fixed` points.
MemoryNeed memory_of_strength(std::uint64_t n, std::uint64_t active, std::uint64_t fixed);

/// Predicts tracking. builders: resolved parameters of wehr for each scan.
MemoryNeed memory_of(const TrackingRequest& request, const std::vector<Parameters>& builders);

}  // namespace kdscope
