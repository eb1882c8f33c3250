#pragma once
// How long segmented reductions take (Zhou et al. 2008, Table 1 and §3.1): Algorithm 3 over all elements, over the results of chunks as
// the large node stage does it, and a reduction without segments beside them.

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/core/platform.hpp"

namespace kdscope::zhou {

enum class ReductionOperator : std::uint8_t { minimum, maximum, sum };  ///< of floats, floats and integers
enum class ReductionWay : std::uint8_t {
  unsegmented,  ///< chunks of 256 to one value each, and these again, until one is left
  by_chunks,    ///< chunks to one value each, then Algorithm 3 over these
  segmented     ///< Algorithm 3 over all elements
};

struct ReductionRequest {
  ReductionOperator of = ReductionOperator::minimum;
  ReductionWay way = ReductionWay::segmented;
  std::uint32_t n = 256;  ///< elements, rounded up to chunks of 256; segments are 1 to 15 chunks long
  int repeat = 1;
};

struct ReductionTimes {
  std::vector<double> ms;      ///< one a repetition, data resident on the device
  std::uint32_t segments = 0;  ///< 1 without segments
  std::string first;           ///< the first segment's result
};

/// Errors (ErrorException): cancelled, out_of_memory, no_device; failed_check where a result is not that of a plain loop.
ReductionTimes time_reductions_on_cpu(const ReductionRequest& request, std::stop_token stop);
#if defined(KDSCOPE_HAS_CUDA)
ReductionTimes time_reductions_on_cuda(const ReductionRequest& request, int device, std::stop_token stop);
#endif

}  // namespace kdscope::zhou
