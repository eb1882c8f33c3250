#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "algorithms/exec/cuda_arrays.hpp"
#include "algorithms/exec/cuda_exec.cuh"

namespace kdscope {

void check_cuda(cudaError_t status, const std::string& doing) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clears errors that are not sticky, so that the next run starts clean
  const std::string said =
      std::string(cudaGetErrorString(status)) + " (" + cudaGetErrorName(status) + ") while " + doing;
  switch (status) {
    case cudaErrorMemoryAllocation:
      throw ErrorException({ErrorKind::out_of_memory, "the GPU is out of memory: " + said, "",
                            "use fewer points or triangles, parameters that take less memory, or the CPU back end"});
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorInvalidDevice:
      throw ErrorException({ErrorKind::no_device, "no CUDA device can be used: " + said, "",
                            "use the CPU back end, or install an NVIDIA driver"});
    default:
      throw ErrorException({ErrorKind::device_failure, "the GPU reported an error: " + said, "",
                            "run again on the CPU back end; the data is unharmed"});
  }
}

CudaExec::CudaExec(int device, std::stop_token stop, int multiprocessors) : device_(device), stop_(std::move(stop)) {
  use_device();
  int all = 0;
  check_cuda(cudaDeviceGetAttribute(&all, cudaDevAttrMultiProcessorCount, device), "counting multiprocessors");
  if (multiprocessors > 0 && multiprocessors != all) limit_.emplace(device, multiprocessors);
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, device};
  check_cuda(cudaMemPoolCreate(&pool_, &props), "making a memory pool");
  // Keep memory that one build frees for the next; the pool returns all of it when it is destroyed.
  std::uint64_t keep_all = ~0ull;
  cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep_all);
  cudaError_t status = cudaMallocHost(&staging_, staging_bytes);
  if (status == cudaSuccess)
    status = limit_ ? limit_->make_stream(stream_) : cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
  if (status != cudaSuccess) {
    cudaFreeHost(staging_);
    cudaMemPoolDestroy(pool_);
    check_cuda(status, "making a stream");
  }
}

CudaExec::~CudaExec() {
  const SameCudaDevice same;
  cudaSetDevice(device_);
  scratch_ = {};
  cudaStreamSynchronize(stream_);
  cudaStreamDestroy(stream_);
  cudaFreeHost(staging_);
  cudaMemPoolDestroy(pool_);
  cudaGetLastError();
}

namespace {

/// The executors at rest. Never destroyed, since CUDA's runtime may end before.
struct Resting {
  std::mutex mutex;
  std::vector<std::unique_ptr<CudaExec>> execs;
};
Resting& resting() {
  static auto& all = *new Resting;
  return all;
}

}  // namespace

std::shared_ptr<CudaExec> rested_cuda_exec(int device, std::stop_token stop, int multiprocessors) {
  if (multiprocessors > 0) return std::make_shared<CudaExec>(device, std::move(stop), multiprocessors);
  std::unique_ptr<CudaExec> exec;
  {
    const std::lock_guard lock(resting().mutex);
    auto& execs = resting().execs;
    const auto found = std::ranges::find(execs, device, &CudaExec::device_);
    if (found != execs.end()) {
      exec = std::move(*found);
      execs.erase(found);
    }
  }
  if (exec) {
    exec->stop_ = std::move(stop);
    exec->memory_.reset_peaks();
  } else {
    exec = std::make_unique<CudaExec>(device, std::move(stop));
  }
  const auto rest = [](CudaExec* ended) {
    const SameCudaDevice same;
    std::unique_ptr<CudaExec> exec(ended);
    // Mapping memory takes longer than a search for a few thousand queries, so keep enough for those
    constexpr std::size_t kept_bytes = std::size_t{128} << 20, most = 8;
    cudaSetDevice(exec->device_);
    if (cudaStreamSynchronize(exec->stream_) != cudaSuccess) return;  // the device failed, and its destructor clears it
    cudaMemPoolTrimTo(exec->pool_, kept_bytes);
    const std::lock_guard lock(resting().mutex);
    if (resting().execs.size() < most) resting().execs.push_back(std::move(exec));
  };
  return {exec.release(), rest};
}

void CudaExec::share_memory_with(const CudaExec& other) {
  if (other.device_ == device_) return;
  int reachable = 0;
  check_cuda(cudaDeviceCanAccessPeer(&reachable, other.device_, device_), "asking whether devices reach one another");
  if (!reachable)
    throw ErrorException(
        {ErrorKind::device_failure,
         "GPU " + std::to_string(other.device_) + " cannot reach the memory of GPU " + std::to_string(device_), "",
         "let the process see one GPU only (CUDA_VISIBLE_DEVICES), which then takes all parts, or build in one part"});
  const cudaMemAccessDesc access{{cudaMemLocationTypeDevice, other.device_}, cudaMemAccessFlagsProtReadWrite};
  check_cuda(cudaMemPoolSetAccess(pool_, &access, 1), "sharing memory between devices");
}

void* CudaExec::allocate(const char* name, std::size_t bytes, Allocation allocation) {
  use_device();
  void* data = nullptr;
  const auto take = [&] {
    return memory_.has_room(bytes) ? cudaMallocFromPoolAsync(&data, bytes, pool_, stream_) : cudaErrorMemoryAllocation;
  };
  cudaError_t status = take();
  if (status == cudaErrorMemoryAllocation) {
    // Freed blocks of other sizes may be in the way, so return them to the driver and try once more.
    cudaGetLastError();
    cudaStreamSynchronize(stream_);
    cudaMemPoolTrimTo(pool_, 0);
    status = take();
  }
  if (status != cudaSuccess) {
    std::size_t free_bytes = 0, total_bytes = 0;
    cudaGetLastError();
    cudaMemGetInfo(&free_bytes, &total_bytes);
    check_cuda(status, "allocating " + std::to_string(bytes) + " bytes of " + name + ", with " +
                           std::to_string(free_bytes) + " of " + std::to_string(total_bytes) + " bytes free");
  }
  if (fill_) {
    status = cudaMemsetAsync(data, *fill_, bytes, stream_);
    if (status != cudaSuccess) cudaFreeAsync(data, stream_);
    check_cuda(status, std::string("filling new memory of ") + name);
  }
  memory_.took(bytes, allocation);
  return data;
}

void CudaExec::release(void* data, std::size_t bytes, Allocation allocation) noexcept {
  cudaFreeAsync(data, stream_);
  memory_.gave(bytes, allocation);
}

std::uint64_t CudaExec::free_bytes(int device) {
  std::size_t free_bytes = 0, total_bytes = 0;
  check_cuda(cudaSetDevice(device), "choosing the device");
  check_cuda(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for free memory");
  return free_bytes;
}

double CudaExec::elapsed_ms(const Event& from, const Event& to) {
  check_cuda(cudaEventSynchronize(to.get()), "waiting for the device");
  float ms = 0;
  check_cuda(cudaEventElapsedTime(&ms, from.get(), to.get()), "reading a timer");
  return ms;
}

void CudaExec::copy_in(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  // The source may lie on the device, too
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "copying to the device");
  synchronize();
}

void CudaExec::copy_out(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const bool staged = bytes <= staging_bytes;
  check_cuda(cudaMemcpyAsync(staged ? staging_ : to, from, bytes, cudaMemcpyDeviceToHost, stream_),
             "copying from the device");
  synchronize();
  if (staged) std::memcpy(to, staging_, bytes);
}

void CudaExec::copy_within(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0)
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "copying on the device");
}

}  // namespace kdscope
