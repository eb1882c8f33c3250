#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/exec/cuda_exec.cuh"
#include "app/python/cuda_neighbours.hpp"

namespace kdscope::python {
namespace {

/// Turns a found point and its squared distance into an index and a distance.
struct FinishNeighbour {
  const std::uint32_t* found;
  float* distances;
  std::int64_t* indices;
  std::int64_t missing;
  double bound;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const float distance = std::sqrt(distances[i]);
    const bool is_near = found[i] != library::no_point && double(distance) < bound;
    distances[i] = is_near ? distance : std::numeric_limits<float>::infinity();
    indices[i] = is_near ? std::int64_t(found[i]) : missing;
  }
};

}  // namespace

Result<void> find_neighbours(const library::Tree& tree, const library::Points& queries, std::uint32_t k, double bound,
                             const CudaMemory& distances, const CudaMemory& indices, std::stop_token stop) {
  const std::size_t count = queries.size() * k;
  FinishNeighbour finish{nullptr, static_cast<float*>(distances.address()),
                         static_cast<std::int64_t*>(indices.address()), static_cast<std::int64_t>(tree.size()), bound};
  const auto exec = rested_cuda_exec(distances.device(), stop, 0);
  const auto found = exec->array<std::uint32_t>("found", count);
  exec->synchronize();  // the search has another stream
  library::SearchOptions options;
  options.max_distance = std::max(0.0, bound);
  options.stop = std::move(stop);
  if (auto done = tree.nearest_on_cuda(queries, k, {found.data(), count}, {finish.distances, count}, options); !done)
    return done;
  // Indices of a launch have 32 bits
  constexpr std::size_t most = std::size_t{1} << 31;
  finish.found = found.data();
  for (std::size_t left = count; left > 0;) {
    const std::size_t n = std::min(most, left);
    exec->for_each("finish neighbours", static_cast<std::uint32_t>(n), finish);
    finish.found += n, finish.distances += n, finish.indices += n, left -= n;
  }
  exec->synchronize();
  return {};
}

}  // namespace kdscope::python
