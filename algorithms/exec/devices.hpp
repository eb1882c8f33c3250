#pragma once
// Lists the available processors. Does not call CUDA if there is no driver.

#include <cstdint>
#include <string>
#include <vector>

namespace kdscope {

struct CudaDevice {
  int ordinal = 0;
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
};

struct CudaDevices {
  std::vector<CudaDevice> devices;
  std::string status;  ///< why there is no device, in one sentence; empty otherwise
};
CudaDevices find_cuda_devices();

struct CpuDescription {
  int threads = 1;
  std::string library;  ///< "oneTBB", "OpenMP", "serial"
  std::uint64_t memory_bytes = 0;
};
CpuDescription describe_cpu();

}  // namespace kdscope
