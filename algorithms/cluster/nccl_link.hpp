#pragma once
// NCCL, which moves points between the memories of devices. Only nccl_link.cpp includes nccl.h. The library is loaded
// when it is needed, so that programs start without it.

#include <memory>
#include <span>
#include <string>

#include "algorithms/cluster/communicator.hpp"

struct CUstream_st;  // what CUDA's cudaStream_t points to

namespace kdscope::cluster {

class NcclLink {
 public:
  /// Connects the devices of all ranks; the calling thread has chosen its own. Returns null where NCCL is missing on a
  /// rank, or where two ranks share a device, which NCCL refuses; `why` then has the reason. Collective.
  static std::unique_ptr<NcclLink> connect(Communicator& ranks, int device, std::string& why);
  virtual ~NcclLink() = default;
  /// Does what Communicator::exchange_runs() does with memory of the devices, behind the work that `stream` has now.
  virtual void exchange(std::span<const Run> sent, std::span<const Run> received, CUstream_st* stream) = 0;
};

}  // namespace kdscope::cluster
