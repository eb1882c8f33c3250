#pragma once
// Lists the available processors. Does not call CUDA if there is no driver.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/points.hpp"

struct CUstream_st;  // what CUDA's cudaStream_t points to

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

/// Copies from memory of a CUDA device, in which an array of another program lies, to the host, behind the work that
/// `stream` has now; null is the default stream. Throws ErrorException: no device, or the address is none of a device.
void copy_from_cuda(void* to, const void* from, std::size_t bytes, CUstream_st* stream);

/// What checks need to know of coordinates.
struct CoordinateFacts {
  Box box;                                        ///< empty if there are no points or first_not_finite is set
  std::optional<std::uint64_t> first_not_finite;  ///< index of the first coordinate that is infinite or no number
};

/// Looks at points in memory of a CUDA device, without payload, where they are, behind the work that `stream` has now.
/// Work O(n k). Errors are those of copy_from_cuda().
CoordinateFacts look_at_cuda(const PointsView& points, CUstream_st* stream);

struct CpuDescription {
  int threads = 1;
  std::string library;  ///< "oneTBB", "OpenMP", "serial"
  std::uint64_t memory_bytes = 0;
};
CpuDescription describe_cpu();

}  // namespace kdscope
