#include "algorithms/applications/point_clouds/cloud_memory.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"

namespace kdscope {

MemoryNeed memory_of_cloud(std::uint64_t n, std::uint32_t k, bool oriented) {
  using namespace memory;
  const std::uint64_t neighbours = n * k * word, estimates = n * (place + word);
  MemoryNeed need;
  const std::uint64_t build = n * build_bytes_per_point(point_clouds::application());
  need.device = n * place + neighbours + estimates + build + small_arrays;
  const std::uint64_t results = neighbours + estimates + 2 * n * word;  // densities may reserve twice their number
  need.host = n * place + (results > build ? results - build : 0);      // the build is over when the results come
  // Kruskal's algorithm takes an edge per neighbour, and lists of a tree's neighbours
  constexpr std::uint64_t edge = 3 * word, lists = sizeof(std::vector<std::uint32_t>) + 64 + 4 * word;
  need.host_after = results + std::max(n * place, oriented ? n * (k * edge + lists) : 0);
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
