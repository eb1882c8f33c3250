#include "algorithms/applications/point_clouds/cloud_memory.hpp"

#include <algorithm>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"

namespace kdscope {

MemoryNeed memory_of_cloud(std::uint64_t n, std::uint32_t k, bool oriented) {
  using namespace memory;
  const std::uint64_t neighbours = n * k * word, estimates = n * (place + word);
  MemoryNeed need;
  const std::uint64_t build = n * build_bytes_per_point(point_clouds::application());
  // The tree is gone when the spanning tree is made: two words per edge, and an edge and four words per point
  const std::uint64_t orientation = oriented ? n * (2 * k * word + sizeof(std::uint64_t) + 4 * word) : 0;
  need.device = n * place + neighbours + estimates + std::max(build, orientation) + small_arrays;
  const std::uint64_t results = neighbours + estimates + 2 * n * word;  // densities may reserve twice their number
  need.host = n * place + (results > build ? results - build : 0);      // the build is over when the results come
  need.host_after = results + n * place;
  return need;
}

MemoryNeed memory_of_strength(std::uint64_t n, std::uint64_t active, std::uint64_t fixed) {
  using namespace memory;
  MemoryNeed need;
  const std::uint64_t handle = std::max(active, fixed), distances = fixed > 0 ? 2 : 1;
  need.device = n * (place + (distances + 1) * word) +
                handle * (place + build_bytes_per_point(point_clouds::strength_application())) + small_arrays;
  need.host = n * (place + word) + handle * place;
  return need;
}

}  // namespace kdscope
