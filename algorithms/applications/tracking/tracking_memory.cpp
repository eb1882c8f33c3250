#include "algorithms/applications/tracking/tracking_memory.hpp"

#include <algorithm>
#include <bit>

namespace kdscope {

MemoryNeed memory_of(const TrackingRequest& request, const std::vector<TypedOptions>& builders) {
  using namespace memory;
  const std::uint64_t m = request.object->size();
  MemoryNeed need;
  for (std::size_t i = 0; i < request.scans.size(); ++i) {
    const PointSet& points = request.scans[i]->points;
    const std::uint64_t n = points.size(), slots = std::bit_ceil(n + 1) - 1,
                        build = bytes_of_build(tracking::application(), *request.scans[i], builders[i]).host,
                        searched = slots * (place + word);
    need.device = std::max(need.device, points.words.size() * word + std::max(build, searched));
  }
  need.device += m * (3 * place + word + 1) + small_arrays;
  const std::uint64_t steps = request.keep_nearest ? std::uint64_t(request.iterations) + 1 : 1;
  need.host = request.scans.size() * steps * m * word;
  return need;
}

}  // namespace kdscope
