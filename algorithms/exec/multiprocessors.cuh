#pragma once
// Fewer multiprocessors for a run than the device has.

#include <cuda_runtime.h>

namespace kdscope {

/// Some multiprocessors of a device, by a green context (CUDA 12.5 or later); they are always the same ones. Throws
/// no_device where so many cannot be had. Streams that it makes are destroyed before it.
class Multiprocessors {
 public:
  Multiprocessors(int device, int count);
  ~Multiprocessors();
  Multiprocessors(const Multiprocessors&) = delete;
  Multiprocessors& operator=(const Multiprocessors&) = delete;
  /// A stream whose kernels run on these alone.
  cudaError_t make_stream(cudaStream_t& stream) const;

 private:
  void* context_ = nullptr;
};

}  // namespace kdscope
