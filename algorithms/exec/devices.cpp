#include "algorithms/exec/devices.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "algorithms/core/error.hpp"
#include "algorithms/exec/cuda_arrays.hpp"

namespace kdscope {

CpuDescription describe_cpu() {
  CpuDescription cpu;
  cpu.memory_bytes =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
#if defined(KDSCOPE_CPU_TBB)
  cpu.library = "oneTBB";
#elif defined(KDSCOPE_CPU_OMP)
  cpu.library = "OpenMP";
#else
  cpu.library = "serial";
  return cpu;
#endif
  cpu.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return cpu;
}

#if !defined(KDSCOPE_HAS_CUDA)
CudaDevices find_cuda_devices() { return {{}, "this build has no CUDA back end"}; }
SameCudaDevice::SameCudaDevice() = default;
SameCudaDevice::~SameCudaDevice() = default;
CudaMemory::CudaMemory(int device, std::size_t) : device_(device) {
  throw ErrorException({ErrorKind::no_device, "this build has no CUDA back end", "", "use arrays on the host"});
}
CudaMemory::~CudaMemory() = default;
void copy_from_cuda(void*, const void*, std::size_t, CUstream_st*) {
  throw ErrorException({ErrorKind::no_device, "this build has no CUDA back end, and the array is on a CUDA device", "",
                        "copy the array to the host"});
}
CoordinateFacts look_at_cuda(const PointsView&, CUstream_st* stream) {
  copy_from_cuda(nullptr, nullptr, 0, stream);
  return {};
}
#endif

}  // namespace kdscope
