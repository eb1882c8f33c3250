#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/queries/morton_keys.hpp"

namespace kdscope::queries {

template const std::uint32_t* sort_along_curve<float>(CpuExec&, KeyOrder<CpuExec>&, const PointsOnDevice<CpuExec>&);
template const std::uint32_t* sort_along_curve<double>(CpuExec&, KeyOrder<CpuExec>&, const PointsOnDevice<CpuExec>&);

}  // namespace kdscope::queries
