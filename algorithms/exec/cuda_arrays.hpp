#pragma once
// Arrays in the memory of CUDA devices that no executor owns: those of a caller, and those that a caller gets. A build
// without CUDA has these functions, too; they throw.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "algorithms/core/points.hpp"

struct CUstream_st;  // what CUDA's cudaStream_t points to

namespace kdscope {

/// Gives the calling thread back its current CUDA device at the end of a scope whose calls choose one.
class SameCudaDevice {
 public:
  SameCudaDevice();
  ~SameCudaDevice();
  SameCudaDevice(const SameCudaDevice&) = delete;
  SameCudaDevice& operator=(const SameCudaDevice&) = delete;

 private:
  int before_ = -1;  ///< -1: none to give back
};

/// An allocation on a CUDA device, for as long as the object lives. Its end waits for what the device still does.
class CudaMemory {
 public:
  /// Throws ErrorException: no device, out of memory, a build without CUDA.
  CudaMemory(int device, std::size_t bytes);
  ~CudaMemory();
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  /// Null if there are no bytes.
  void* address() const { return address_; }
  int device() const { return device_; }

 private:
  int device_;
  void* address_ = nullptr;
};

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

}  // namespace kdscope
