#include <cuda_runtime.h>

#include <limits>

#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/library/library.hpp"
#include "app/python/cuda_memory.hpp"

namespace kdscope::python {
namespace {

__global__ void finish(const std::uint32_t* found, float* distances, std::int64_t* indices, std::size_t count,
                       std::int64_t missing, double bound) {
  const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float distance = __fsqrt_rn(distances[i]);
  const bool is_near = found[i] != library::no_point && double(distance) < bound;
  distances[i] = is_near ? distance : std::numeric_limits<float>::infinity();
  indices[i] = is_near ? std::int64_t(found[i]) : missing;
}

}  // namespace

CudaMemory::CudaMemory(int device, std::size_t bytes) : device_(device) {
  check_cuda(cudaSetDevice(device), "choosing the device");
  if (bytes > 0) check_cuda(cudaMalloc(&address_, bytes), "allocating an array");
}

CudaMemory::~CudaMemory() {
  if (!address_) return;
  int before = 0;
  cudaGetDevice(&before);
  cudaSetDevice(device_);
  cudaFree(address_);
  cudaSetDevice(before);
  cudaGetLastError();
}

void finish_neighbours(const CudaMemory& found, const CudaMemory& distances, const CudaMemory& indices,
                       std::size_t count, std::int64_t missing, double bound) {
  if (count == 0) return;
  constexpr unsigned threads = 256;
  finish<<<static_cast<unsigned>((count - 1) / threads + 1), threads>>>(
      static_cast<const std::uint32_t*>(found.address()), static_cast<float*>(distances.address()),
      static_cast<std::int64_t*>(indices.address()), count, missing, bound);
  check_cuda(cudaGetLastError(), "finishing neighbours");
  check_cuda(cudaStreamSynchronize(nullptr), "finishing neighbours");
}

}  // namespace kdscope::python
