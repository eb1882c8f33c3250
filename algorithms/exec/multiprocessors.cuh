#pragma once
// Restricts a run to some of the device's multiprocessors.

#include <cuda_runtime.h>

namespace kdscope {

/// A fixed set of a device's multiprocessors, as a green context (CUDA 12.5 or later). Throws no_device if that many
/// are not available. Streams made from it must be destroyed before it.
class Multiprocessors {
 public:
  Multiprocessors(int device, int count);
  ~Multiprocessors();
  Multiprocessors(const Multiprocessors&) = delete;
  Multiprocessors& operator=(const Multiprocessors&) = delete;
  /// Makes a stream whose kernels run only on these multiprocessors.
  cudaError_t make_stream(cudaStream_t& stream) const;

 private:
  void* context_ = nullptr;
};

}  // namespace kdscope
