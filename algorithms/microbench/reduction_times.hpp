#pragma once
// Measures segmented reductions (Zhou et al. 2008, Table 1 and §3.1): Algorithm 3 over all elements, Algorithm 3 over
// the results of chunks as in the large node stage, and, for comparison, a reduction without segments.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"

namespace kdscope {

enum class ReductionOperator : std::uint8_t { minimum, maximum, sum };  ///< sums of integers, others of floats
enum class ReductionWay : std::uint8_t {
  unsegmented,  ///< reduces chunks of 256 to one value each, repeatedly, until one value is left
  by_chunks,    ///< reduces chunks to one value each, then runs Algorithm 3 over these values
  segmented     ///< runs Algorithm 3 over all elements
};

struct ReductionRequest {
  ReductionOperator of = ReductionOperator::minimum;
  ReductionWay way = ReductionWay::segmented;
  std::uint32_t n = 256;  ///< number of elements, rounded up to chunks of 256; segments are 1 to 15 chunks long
  int repeat = 1;
};

struct ReductionTimes {
  std::vector<double> ms;      ///< one per repetition, with the data on the device
  std::uint32_t segments = 0;  ///< 1 if unsegmented
  std::string first;           ///< the result of the first segment
};

/// Times reductions. Errors: cancelled, out_of_memory, no_device; failed_check if a result differs from that of a plain
/// loop.
Result<ReductionTimes> time_reductions(const ReductionRequest& request, const Device& device, std::stop_token stop);

}  // namespace kdscope
