#pragma once
// Predicts the memory that an application's request takes, and refuses it before it allocates: Linux grants more memory
// than exists and then kills the program. Each application predicts its own requests from what is here.

#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/applications/application.hpp"
#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"

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

/// Bytes of what the predictions are made from.
namespace memory {

inline constexpr std::uint64_t word = 4, place = 3 * word, small_arrays = 1u << 18;

/// What a tree over a point keeps for searches: coordinates, an index, and 5 nodes per 4 points of 8 words and a box.
inline constexpr std::uint64_t searched_bytes_per_point = place + word + 5 * (8 * word + 2 * place) / 4;

/// The predicted bytes of a build: in the back end's memory, and of a build on the host with its tree. 0 if the builder
/// makes no prediction, or if this program lacks the builder and so refuses the request.
struct OfBuild {
  std::uint64_t device = 0, host = 0;
};
OfBuild bytes_of_build(const Application& application, const DataSet& data, const TypedOptions& options);

/// Returns what the tree of an application over points takes per point, points included: the builder's prediction grows
/// in proportion to their number.
std::uint64_t build_bytes_per_point(const Application& application);

}  // namespace memory
}  // namespace kdscope
