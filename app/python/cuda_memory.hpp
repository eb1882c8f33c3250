#pragma once
// Memory of a CUDA device that arrays of Python keep.

#include <cstddef>
#include <cstdint>

namespace kdscope::python {

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

/// Turns found points and squared distances, both [count] on the device, into what KDTree.query() returns: distances,
/// in place, and indices [count]. Missing points and those not nearer than `bound` get `missing` and infinity. Throws
/// ErrorException.
void finish_neighbours(const CudaMemory& found, const CudaMemory& distances, const CudaMemory& indices,
                       std::size_t count, std::int64_t missing, double bound);

}  // namespace kdscope::python
