#pragma once
// The CUDA back end: our own kernels, and CUB for sorts, scans and reductions. It has the same members as CpuExec. Only
// CUDA units may include this header. Only this folder calls CUDA's runtime and CUB.
//
// CUB's headers take longer to compile than most units. Sorts and sums of plain arrays are compiled once, in
// cuda_sorts.cu. Members that take functors are declared here and defined in exec/scans.hpp and
// exec/comparison_sort.hpp, which only their users include.

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>

#include "algorithms/core/error.hpp"
#include "algorithms/core/platform.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/exec/multiprocessors.cuh"
#include "algorithms/exec/numbering.hpp"
#include "algorithms/exec/probe.hpp"

namespace kdscope {

/// Throws a failed CUDA call as an error that explains it to the user. doing: a clause: "sorting", "allocating tags".
void check_cuda(cudaError_t status, const std::string& doing);

/// Returns the smallest value of a warp's lanes, all of which call it.
KDSCOPE_HD inline std::uint32_t warp_smallest(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_min_sync(0xffffffffu, value);
#elif defined(__CUDA_ARCH__)
  for (int away = 16; away > 0; away /= 2) {
    const std::uint32_t other = __shfl_xor_sync(0xffffffffu, value, away);
    value = other < value ? other : value;
  }
  return value;
#else
  return value;
#endif
}

/// One block of lanes. Its members also compile for the host, so that a kernel functor can be written once.
class CudaBlock {
 public:
  KDSCOPE_HD explicit CudaBlock(std::byte* arena) : arena_(arena) {}
  KDSCOPE_HD std::uint32_t index() const {
#if defined(__CUDA_ARCH__)
    return blockIdx.x;
#else
    return 0;
#endif
  }
  KDSCOPE_HD int lane_count() const {
#if defined(__CUDA_ARCH__)
    return static_cast<int>(blockDim.x);
#else
    return 1;
#endif
  }
  template <class Body>
  KDSCOPE_HD void lanes(Body&& body) {
#if defined(__CUDA_ARCH__)
    body(static_cast<int>(threadIdx.x));
    __syncthreads();
#endif
  }
  template <class T>
  KDSCOPE_HD T* shared(int count) {
    used_ = (used_ + 15) / 16 * 16;
    T* at = reinterpret_cast<T*>(arena_ + used_);
    used_ += count * sizeof(T);
    return at;
  }
  template <class T>
  struct PerLane {
    T value;
    KDSCOPE_HD T& operator[](int) { return value; }
  };
  template <class T>
  KDSCOPE_HD PerLane<T> per_lane() {
    return {};
  }
  template <class T>
  KDSCOPE_HD T atomic_add(T* where, T value) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(where, value);
#else
    return value;
#endif
  }
  template <class T>
  KDSCOPE_HD void atomic_min([[maybe_unused]] T* where, [[maybe_unused]] T value) {
#if defined(__CUDA_ARCH__)
    atomicMin(where, value);
#endif
  }
  template <class T>
  KDSCOPE_HD void atomic_max([[maybe_unused]] T* where, [[maybe_unused]] T value) {
#if defined(__CUDA_ARCH__)
    atomicMax(where, value);
#endif
  }
  // A warp combines its values first, because all its lanes change the same word.
  KDSCOPE_HD void lower([[maybe_unused]] std::uint32_t* where, [[maybe_unused]] std::uint32_t value) {
#if defined(__CUDA_ARCH__)
    value = warp_smallest(value);
    if (threadIdx.x % 32 == 0) atomicMin(where, value);
#endif
  }
  KDSCOPE_HD void raise([[maybe_unused]] std::uint32_t* where, [[maybe_unused]] std::uint32_t value) {
#if defined(__CUDA_ARCH__)
    value = ~warp_smallest(~value);
    if (threadIdx.x % 32 == 0) atomicMax(where, value);
#endif
  }
  /// Each lane sums consecutive elements, a warp scans the sums of its lanes, and one warp scans those of the warps.
  KDSCOPE_HD void exclusive_sum([[maybe_unused]] std::uint32_t* values, [[maybe_unused]] int count) {
#if defined(__CUDA_ARCH__)
    __shared__ std::uint32_t of_warp[32];
    const int lanes = static_cast<int>(blockDim.x), lane = static_cast<int>(threadIdx.x), warps = (lanes + 31) / 32;
    // Give each lane consecutive elements, and let it sum them
    const int each = ((count + lanes - 1) / lanes) | 1;  // odd, so that the lanes of a warp read from different banks
    const int begin = lane * each < count ? lane * each : count, end = begin + each < count ? begin + each : count;
    std::uint32_t sum = 0;
    for (int i = begin; i < end; ++i) sum += values[i];
    // Scan the lanes' sums within each warp, by shuffles alone; the last lane of a warp leaves the warp's sum in shared
    // memory
    const std::uint32_t through = warp_sum_through(sum);
    if (lane % 32 == 31 || lane == lanes - 1) of_warp[lane / 32] = through;
    __syncthreads();
    // One warp scans the sums of all warps, of which a block has at most 32. Both barriers order the exchange through
    // `of_warp`.
    if (lane < 32) {
      const std::uint32_t own = lane < warps ? of_warp[lane] : 0;
      of_warp[lane] = warp_sum_through(own) - own;
    }
    __syncthreads();
    // What comes before a lane: the warps before its own, and the lanes before it in its warp. It writes its elements'
    // sums from there.
    sum = of_warp[lane / 32] + through - sum;
    for (int i = begin; i < end; ++i) {
      const std::uint32_t value = values[i];
      values[i] = sum;
      sum += value;
    }
    __syncthreads();
#endif
  }
  template <class T>
  KDSCOPE_HD void show(const BlockProbe<T>& probe, const T* values, int count) {
    if (T* to = probe.row(index(), count))
      lanes([&](int lane) {
        for (int i = lane; i < count; i += lane_count()) to[i] = values[i];
      });
  }
  KDSCOPE_HD void show(const NoProbe&, const void*, int) {}

 private:
#if defined(__CUDACC__)
  /// Returns the sum of the values of this lane and all lower lanes of its warp.
  __device__ static std::uint32_t warp_sum_through(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
    // After the step with `away`, each lane has the sum of the 2 * away lanes that end with it
    for (int away = 1; away < 32; away *= 2) {
      const std::uint32_t other = __shfl_up_sync(0xffffffffu, value, away);
      if (static_cast<int>(threadIdx.x % 32) >= away) value += other;
    }
#endif
    return value;
  }
#endif
  std::byte* arena_;
  std::size_t used_ = 0;
};

/// One warp of 32 lanes. Like those of CudaBlock, its members also compile for the host.
class CudaWarp {
 public:
  static constexpr int lane_count = 32;
  KDSCOPE_HD CudaWarp(std::uint32_t index, std::byte* arena) : index_(index), arena_(arena) {}
  KDSCOPE_HD std::uint32_t index() const { return index_; }
  template <class Body>
  KDSCOPE_HD void lanes(Body&& body) {
#if defined(__CUDA_ARCH__)
    body(static_cast<int>(threadIdx.x % 32));
    __syncwarp();
#endif
  }
  template <class Wanted>
  KDSCOPE_HD std::uint32_t ballot(Wanted&& wanted) {
#if defined(__CUDA_ARCH__)
    return __ballot_sync(0xffffffffu, wanted(static_cast<int>(threadIdx.x % 32)));
#else
    return 0;
#endif
  }
  template <class T>
  struct PerLane {
    T value;
    KDSCOPE_HD T& operator[](int) { return value; }
  };
  template <class T>
  KDSCOPE_HD PerLane<T> per_lane() {
    return {};
  }
  template <class T, class From>
  KDSCOPE_HD PerLane<T> shuffle(PerLane<T>& values, From&& from) {
#if defined(__CUDA_ARCH__)
    return {__shfl_sync(0xffffffffu, values.value, from(static_cast<int>(threadIdx.x % 32)))};
#else
    return values;
#endif
  }
  KDSCOPE_HD std::uint32_t smallest(PerLane<std::uint32_t>& values) { return warp_smallest(values.value); }
  KDSCOPE_HD std::uint32_t largest(PerLane<std::uint32_t>& values) { return ~warp_smallest(~values.value); }
  template <class T>
  KDSCOPE_HD T* shared(int count) {
    used_ = (used_ + 15) / 16 * 16;
    T* at = reinterpret_cast<T*>(arena_ + used_);
    used_ += count * sizeof(T);
    return at;
  }

 private:
  std::uint32_t index_;
  std::byte* arena_;
  std::size_t used_ = 0;
};

// Functors stay in constant memory (__grid_constant__). With a copy of a large functor in every thread's local memory,
// the tag update was ten times slower.
namespace cuda_kernels {

/// A functor may state the lanes of its blocks, and how many of them should fit on a multiprocessor: the compiler then
/// limits the registers.
template <class Body>
constexpr int most_lanes() {
  if constexpr (requires { Body::most_lanes; })
    return Body::most_lanes;
  else
    return 1024;
}
template <class Body>
constexpr int blocks_per_multiprocessor(int otherwise) {
  if constexpr (requires { Body::blocks_per_multiprocessor; })
    return Body::blocks_per_multiprocessor;
  else
    return otherwise;
}

template <class Body>
__global__ void __launch_bounds__(256, blocks_per_multiprocessor<Body>(0))
    flat(std::uint32_t n, const __grid_constant__ Body body) {
  const std::uint32_t i = blockIdx.x * 256u + threadIdx.x;
  if (i < n) body(i);
}

template <class Body>
__global__ void __launch_bounds__(most_lanes<Body>(), blocks_per_multiprocessor<Body>(1))
    blocks(const __grid_constant__ Body body) {
  extern __shared__ __align__(16) std::byte arena[];
  CudaBlock block(arena);
  body(block);
}

/// Runs blocks of 8 warps, each with its share of the shared memory.
template <class Body>
__global__ void __launch_bounds__(256, blocks_per_multiprocessor<Body>(0))
    warps(std::uint32_t count, std::uint32_t shared_bytes, const __grid_constant__ Body body) {
  extern __shared__ __align__(16) std::byte arena[];
  const std::uint32_t index = blockIdx.x * 8u + threadIdx.x / 32u;
  if (index >= count) return;
  CudaWarp warp(index, arena + threadIdx.x / 32u * shared_bytes);
  body(warp);
}

}  // namespace cuda_kernels

class CudaExec {
 public:
  static constexpr bool sorts_in_one_buffer = false;
  static constexpr bool runs_on_host = false;
  static constexpr const char* backend_name = "cuda";

  /// A point in the stream's work. Its time is known once all earlier work has run.
  class Event {
   public:
    explicit Event(cudaStream_t stream) {
      check_cuda(cudaEventCreate(&event_), "making an event");
      check_cuda(cudaEventRecord(event_, stream), "recording an event");
    }
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event& operator=(Event&& other) noexcept {
      std::swap(event_, other.event_);
      return *this;
    }
    ~Event() {
      if (event_) cudaEventDestroy(event_);
    }
    cudaEvent_t get() const { return event_; }

   private:
    cudaEvent_t event_ = nullptr;
  };

  /// Makes an executor on a device. multiprocessors: the number that kernels may use; 0 or the device's number for all.
  /// Throws if that many are not available.
  explicit CudaExec(int device = 0, std::stop_token stop = {}, int multiprocessors = 0);
  ~CudaExec();
  CudaExec(const CudaExec&) = delete;
  CudaExec& operator=(const CudaExec&) = delete;

  MemoryLedger& memory() { return memory_; }
  /// Fills all bytes of arrays allocated from now on with `byte`. For recordings; costs one pass over each array.
  void mark_unwritten(std::uint8_t byte = unwritten_byte) { fill_ = byte; }
  void* allocate(const char* name, std::size_t bytes, Allocation allocation);
  void release(void* data, std::size_t bytes, Allocation allocation) noexcept;
  template <class T>
  Array<T, CudaExec> array(const char* name, std::size_t n, Allocation allocation = Allocation::state) {
    return {*this, name, n, allocation};
  }

  template <class T>
  void upload(T* to, std::span<const T> from) {
    copy_in(to, from.data(), from.size_bytes());
  }
  template <class T>
  void copy(T* to, const T* from, std::size_t n) {
    copy_within(to, from, n * sizeof(T));
  }
  template <class T>
  void download(std::span<T> to, const T* from) {
    copy_out(to.data(), from, to.size_bytes());
  }

  template <class Body>
  void for_each(const char* name, std::uint32_t n, Body body) {
    begin();
    if (n == 0 || std::is_same_v<Body, NoOp>) return;
    const Launch launch(*this, name);
    cuda_kernels::flat<<<(n - 1) / 256 + 1, 256, 0, stream_>>>(n, body);
    check_cuda(cudaGetLastError(), name);
  }

  template <class Body>
  void for_each_block(const char* name, std::uint32_t blocks, int lanes, std::size_t shared_bytes, Body body) {
    begin();
    if (blocks == 0) return;
    const Launch launch(*this, name);
    allow_shared(name, cuda_kernels::blocks<Body>, shared_bytes);
    cuda_kernels::blocks<<<blocks, lanes, shared_bytes, stream_>>>(body);
    check_cuda(cudaGetLastError(), name);
  }

  template <class Body>
  void for_each_warp(const char* name, std::uint32_t warps, std::size_t shared_bytes, Body body) {
    begin();
    if (warps == 0) return;
    const Launch launch(*this, name);
    shared_bytes = (shared_bytes + 15) / 16 * 16;
    allow_shared(name, cuda_kernels::warps<Body>, 8 * shared_bytes);
    cuda_kernels::warps<<<(warps - 1) / 8 + 1, 256, 8 * shared_bytes, stream_>>>(
        warps, static_cast<std::uint32_t>(shared_bytes), body);
    check_cuda(cudaGetLastError(), name);
  }

  /// Sorts pairs by ascending key. Compiled for the types in cuda_sorts.cu.
  template <class Key, class Value>
  void sort_pairs(const char* name, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, std::uint32_t n,
                  int key_bits);
  /// Computes prefix sums in place. Compiled for 32 and 64-bit unsigned integers in cuda_sorts.cu.
  template <class T>
  void inclusive_sum(const char* name, T* data, std::uint32_t n);
  template <class T>
  void exclusive_sum(const char* name, T* data, std::uint32_t n);

  /// Defined in exec/comparison_sort.hpp.
  template <class T, class Less>
  void sort(const char* name, T* data, std::uint32_t n, Less less);

  // Defined in exec/scans.hpp.
  template <class T, class Map, class Combine>
  T reduce(const char* name, std::uint32_t n, Map map, Combine combine, T identity);
  template <class T, class Map>
  void transform_exclusive_scan(const char* name, std::uint32_t n, Map map, T* out);
  /// Does what CpuExec::compact_indices does. Small counts take one launch; large ones take separate launches per
  /// phase.
  template <class T, class Before, class Map, class After>
  void compact_indices(const char* name, const Compaction<T, Before, Map, After>& of);

  Event event() {
    use_device();
    return Event(stream_);
  }
  /// Makes later work wait for `event`, which may belong to another device.
  void wait_for(const Event& event) {
    check_cuda(cudaStreamWaitEvent(stream_, event.get()), "waiting for another device");
  }
  /// Lets kernels of `other` read and write this memory from now on. Throws if the device of `other` cannot reach this
  /// device's memory.
  void share_memory_with(const CudaExec& other);
  /// Waits for `to` and returns the time between both events.
  double elapsed_ms(const Event& from, const Event& to);
  void synchronize() { check_cuda(cudaStreamSynchronize(stream_), "waiting for the device"); }
  /// The stream, for libraries that put work on it themselves.
  cudaStream_t stream() const { return stream_; }
  /// Opens a step's range for profilers. Steps do not nest.
  void open_range(const char* name) {
    nvtxRangePushA(name);
    step_range_ = name;
  }
  void close_range() {
    nvtxRangePop();
    step_range_ = nullptr;
  }
  /// Returns the number of launches so far: kernels, and calls of CUB, each of which may launch several kernels.
  std::uint64_t launches() const { return launches_; }
  void check_stop() const {
    if (stop_.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
  }
  /// Returns the most bytes of shared memory that a block may use.
  std::size_t shared_limit() const {
    int bytes = 0;
    check_cuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device_),
               "choosing block sizes");
    return static_cast<std::size_t>(bytes);
  }
  /// Returns the bytes of a device's memory that nobody uses.
  static std::uint64_t free_bytes(int device);
  /// Directs the calls of this thread to the device. Other executors of the thread may use other devices.
  void use_device() const { check_cuda(cudaSetDevice(device_), "choosing the device"); }

 private:
  /// Counts a launch and names it for profilers while it is submitted. A step's range of the same name serves for its
  /// launches. Without a profiler, a range costs a few nanoseconds.
  class Launch {
   public:
    Launch(CudaExec& exec, const char* name) : named_(!exec.step_range_ || std::strcmp(exec.step_range_, name) != 0) {
      ++exec.launches_;
      if (named_) nvtxRangePushA(name);
    }
    ~Launch() {
      if (named_) nvtxRangePop();
    }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

   private:
    bool named_;
  };
  /// Checks the stop token and selects the device; called before each launch.
  void begin() const {
    check_stop();
    use_device();
  }
  /// Lets a kernel use more shared memory than every kernel may.
  template <class Kernel>
  static void allow_shared(const char* name, Kernel kernel, std::size_t bytes) {
    // Without asking, a kernel may use 48 KB. Its own arrays of fixed size count, so ask a kilobyte earlier.
    if (bytes > 47 * 1024)
      check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
                 name);
  }
  /// Runs compact_indices in one launch, with n sums.
  template <class T, class Before, class Map, class After>
  void number_short(const char* name, const Compaction<T, Before, Map, After>& of, std::uint32_t n);
  /// Runs a CUB call twice, as CUB requires: once for its scratch size, and once with scratch of that size. The scratch
  /// is kept.
  template <class Call>
  void with_scratch(const char* name, Call call) {
    std::size_t bytes = 0;
    check_cuda(call(nullptr, bytes), name);
    grow_scratch(bytes);
    check_cuda(call(scratch_.data(), bytes), name);
  }
  /// Does the same for frequent calls. Asking CUB for the size takes as long as a launch, so one answer serves all
  /// calls of the same Kind for as many items or fewer.
  template <class Kind, class Call>
  void with_scratch_up_to(const char* name, std::uint32_t n, Call call) {
    std::uint32_t& longest = longest_[&kind_of_call<Kind>];
    if (n > longest) {
      std::size_t bytes = 0;
      check_cuda(call(nullptr, bytes), name);
      grow_scratch(bytes);
      longest = n;
    }
    std::size_t bytes = scratch_.size();
    check_cuda(call(scratch_.data(), bytes), name);
  }
  template <class Kind>
  static inline char kind_of_call{};
  void grow_scratch(std::size_t bytes) {
    if (bytes <= scratch_.size()) return;
    scratch_ = {};
    auto known = std::exchange(longest_, {});  // left empty if growing throws
    scratch_ = array<std::byte>("sort scratch", bytes, Allocation::scratch);
    longest_ = std::move(known);
  }
  void copy_in(void* to, const void* from, std::size_t bytes);
  void copy_out(void* to, const void* from, std::size_t bytes);
  void copy_within(void* to, const void* from, std::size_t bytes);

  static constexpr std::size_t staging_bytes = 4096;
  int device_;
  std::stop_token stop_;
  MemoryLedger memory_;
  std::uint64_t launches_ = 0;
  const char* step_range_ = nullptr;  // name of the open step's range
  std::optional<std::uint8_t> fill_;  // the byte that fills new arrays
  std::byte* staging_ = nullptr;      ///< pinned memory for small downloads, which doubles their speed
  std::optional<Multiprocessors> limit_;
  cudaStream_t stream_ = nullptr;
  cudaMemPool_t pool_ = nullptr;
  Array<std::byte, CudaExec> scratch_;
  std::unordered_map<const void*, std::uint32_t>
      longest_;  // per kind of call, the most items for which scratch_ is known to suffice

  friend std::shared_ptr<CudaExec> rested_cuda_exec(int device, std::stop_token stop, int multiprocessors);
};

/// Returns an executor whose last owner has let go of it, or a new one: making one takes longer than a small build.
/// Such executors keep up to 128 MiB each, and a process as many as have worked at the same time, at most eight. For
/// other work than recordings, of which executors keep settings. Parameters and errors are those of CudaExec.
std::shared_ptr<CudaExec> rested_cuda_exec(int device, std::stop_token stop, int multiprocessors);

}  // namespace kdscope
