#include <cuda_runtime.h>

#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"

namespace kdscope {

CudaDevices find_cuda_devices() {
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

void copy_from_cuda(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, from), "looking at an address");
  if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged)
    throw ErrorException({ErrorKind::bad_usage, "the array is not in the memory of a CUDA device", "",
                          "give the address of an array on a device, or state that it is on the host"});
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copying from the device");
  check_cuda(cudaStreamSynchronize(stream), "waiting for a stream");
}

}  // namespace kdscope
