#include "algorithms/cluster/executor_build.hpp"

namespace kdscope::cluster {

std::uint64_t bytes_of_executor_build(std::uint64_t points, std::uint64_t n, std::uint32_t dim, std::uint32_t ranks) {
  const std::uint64_t record = 4 * dim + 4;
  if (ranks == 1) return points * (4 * dim + 2 * record + 2);
  // A rank gets up to an eighth more than its share, in subtrees of which the largest has a quarter of it
  const std::uint64_t own = n / ranks + n / ranks / 8, largest = own / 4;
  return points * (4 * dim + record) + own * (record + 5) + largest * (2 * record + 2);
}

}  // namespace kdscope::cluster
