#include <cuda_runtime.h>

#include "algorithms/exec/devices.hpp"

namespace kdscope {
namespace {

CudaDevices all_cuda_devices() {
  CudaDevices found;
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    cudaGetLastError();
    found.status = status == cudaErrorInsufficientDriver
                       ? "no NVIDIA driver, or one older than this build's CUDA, is installed"
                       : std::string("no CUDA device: ") +
                             (status == cudaSuccess ? "none is present" : cudaGetErrorString(status));
    return found;
  }
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, ordinal) != cudaSuccess) continue;
    if (properties.major * 10 + properties.minor < 75) continue;
    found.devices.push_back({ordinal, properties.name, properties.major, properties.minor,
                             properties.multiProcessorCount, properties.totalGlobalMem});
  }
  if (found.devices.empty()) found.status = "the CUDA devices here are older than compute capability 7.5";
  return found;
}

}  // namespace

CudaDevices find_cuda_devices() {
  // A process sees the same devices as long as it runs, and asking for their properties takes longer than a small build
  static const CudaDevices found = all_cuda_devices();
  return found;
}

}  // namespace kdscope
