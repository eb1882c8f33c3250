#pragma once
// Measures how fast a device copies its own memory: the bandwidth beside which that of a step is judged.

#include <stop_token>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"

namespace kdscope {

struct CopyBandwidth {
  double gigabytes_per_second = 0;  ///< 10^9 bytes read and written per second; the fastest of several copies
  std::uint64_t bytes = 0;          ///< bytes read and written by one copy
};

/// Copies an array of 256 MiB within the device's memory, or of an eighth of the memory if that is less: by the back
/// end's own copy and by a loop of all processors, of which the faster counts. Errors: cancelled, out_of_memory,
/// no_device.
Result<CopyBandwidth> copy_bandwidth(const Device& device, std::stop_token stop = {});

}  // namespace kdscope
