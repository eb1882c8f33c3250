#include <cuda_runtime.h>

#include <algorithm>

#include "algorithms/exec/cuda_exec.cuh"
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

/// Returns the device in whose memory an address lies. Throws ErrorException if it lies in none.
int device_of(const void* address) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, address), "looking at an address");
  if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged)
    throw ErrorException({ErrorKind::bad_usage, "the array is not in the memory of a CUDA device", "",
                          "give the address of an array on a device, or state that it is on the host"});
  return attributes.device;
}

/// The most dimensions whose box a thread keeps in registers.
constexpr std::uint32_t dimensions_at_once = 8;

/// What the blocks of look() have seen. Keys ascend with the coordinates.
struct Seen {
  std::uint32_t low[dimensions_at_once], high[dimensions_at_once];
  unsigned long long not_finite;  ///< index of the first such coordinate
};

/// Looks at the dimensions [first, first + dimensions_at_once) of all points. Each thread goes through the points in
/// strides of the grid, a warp joins what its lanes saw without memory, and one lane adds it to *seen.
__global__ void look(PointsView points, std::uint32_t first, Seen* seen) {
  std::uint32_t low[dimensions_at_once], high[dimensions_at_once];
  for (std::uint32_t d = 0; d < dimensions_at_once; ++d) low[d] = ~0u, high[d] = 0;
  unsigned long long not_finite = ~0ull;
  const std::uint32_t step = gridDim.x * blockDim.x;
  for (std::uint64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < points.n; i += step)
#pragma unroll
    for (std::uint32_t d = 0; d < dimensions_at_once; ++d) {
      if (first + d >= points.dim) break;
      const std::uint32_t word = points.word(i, first + d), key = ordered_key(word, points.type);
      low[d] = min(low[d], key), high[d] = max(high[d], key);
      if (points.type == ScalarType::float32 && (word & 0x7f800000u) == 0x7f800000u)
        not_finite = min(not_finite, static_cast<unsigned long long>(i * points.dim + first + d));
    }
#pragma unroll
  for (std::uint32_t d = 0; d < dimensions_at_once; ++d) {
    low[d] = warp_smallest(low[d]), high[d] = ~warp_smallest(~high[d]);
    if (threadIdx.x % 32 == 0) atomicMin(&seen->low[d], low[d]), atomicMax(&seen->high[d], high[d]);
  }
  if (not_finite != ~0ull) atomicMin(&seen->not_finite, not_finite);
}

}  // namespace

CudaDevices find_cuda_devices() {
  // A process sees the same devices as long as it runs, and asking for their properties takes longer than a small build
  static const CudaDevices found = all_cuda_devices();
  return found;
}

CoordinateFacts look_at_cuda(const PointsView& points, CUstream_st* stream) {
  CoordinateFacts facts;
  if (points.n == 0) return facts;
  check_cuda(cudaSetDevice(device_of(points.words)), "choosing the device");
  Seen* there = nullptr;
  check_cuda(cudaMallocAsync(&there, sizeof(Seen), stream), "allocating a box");
  constexpr unsigned threads = 256;
  const unsigned blocks = std::min(1024u, (points.n - 1) / threads + 1);
  cudaError_t status = cudaSuccess;
  for (std::uint32_t first = 0; first < points.dim && status == cudaSuccess; first += dimensions_at_once) {
    Seen seen;
    std::fill_n(seen.low, dimensions_at_once, ~0u);
    std::fill_n(seen.high, dimensions_at_once, 0u);
    seen.not_finite = ~0ull;
    status = cudaMemcpyAsync(there, &seen, sizeof(Seen), cudaMemcpyHostToDevice, stream);
    look<<<blocks, threads, 0, stream>>>(points, first, there);
    if (status == cudaSuccess) status = cudaGetLastError();
    if (status == cudaSuccess) status = cudaMemcpyAsync(&seen, there, sizeof(Seen), cudaMemcpyDeviceToHost, stream);
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
    if (seen.not_finite < facts.first_not_finite.value_or(~0ull)) facts.first_not_finite = seen.not_finite;
    for (std::uint32_t d = 0; d < dimensions_at_once && first + d < points.dim; ++d) {
      facts.box.lo.push_back(scalar_value(word_of_ordered_key(seen.low[d], points.type), points.type));
      facts.box.hi.push_back(scalar_value(word_of_ordered_key(seen.high[d], points.type), points.type));
    }
  }
  cudaFreeAsync(there, stream);
  check_cuda(status, "looking at coordinates");
  if (facts.first_not_finite) facts.box = {};
  return facts;
}

void copy_from_cuda(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  device_of(from);
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copying from the device");
  check_cuda(cudaStreamSynchronize(stream), "waiting for a stream");
}

}  // namespace kdscope
