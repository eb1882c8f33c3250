#pragma once
// Searches whose answers are arrays of Python in the memory of a CUDA device.

#include "algorithms/exec/cuda_arrays.hpp"
#include "algorithms/library/library.hpp"

namespace kdscope::python {

/// Finds what KDTree.query() returns: distances, float32, and indices, int64, [queries * k] each, in memory of the
/// device that searches. Missing points and those not nearer than `bound` have the index tree.size() and infinity.
/// Errors: those of Tree::nearest_on_cuda(). Throws ErrorException: no device, out of memory.
Result<void> find_neighbours(const library::Tree& tree, const library::Points& queries, std::uint32_t k, double bound,
                             const CudaMemory& distances, const CudaMemory& indices, std::stop_token stop);

}  // namespace kdscope::python
