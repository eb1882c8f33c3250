#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/queries/morton_keys.hpp"

namespace kdscope::queries {

template const std::uint32_t* sort_along_curve<float>(CudaExec&, KeyOrder<CudaExec>&, const PointsOnDevice<CudaExec>&);
template const std::uint32_t* sort_along_curve<double>(CudaExec&, KeyOrder<CudaExec>&, const PointsOnDevice<CudaExec>&);

}  // namespace kdscope::queries
