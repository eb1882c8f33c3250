#include "algorithms/exec/parallel_ranges.hpp"

#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "algorithms/core/ids.hpp"
#include "algorithms/exec/threads.hpp"
#include "algorithms/exec/thrust_policy.hpp"

namespace kdscope {
namespace {

/// Ranges per thread. More of them balance uneven work better; each costs a call.
constexpr std::uint32_t ranges_per_thread = 64;

/// The first exception of the threads of a launch. It may not leave a parallel region of OpenMP by itself.
struct FirstFailure {
  std::atomic<bool> occurred = false;  ///< ranges that begin later are skipped
  std::mutex mutex;
  std::exception_ptr failure;
};

/// Runs one of `count` ranges of equal length, up to one element.
struct RunRange {
  const RangeBody* body;
  std::uint32_t n, count;
  FirstFailure* first_failure;
  std::uint32_t first(std::uint32_t range) const {
    return static_cast<std::uint32_t>(std::uint64_t(n) * range / count);
  }
  void operator()(std::uint32_t range) const {
    if (first_failure->occurred) return;
    try {
      body->run(body->functor, first(range), first(range + 1));
    } catch (...) {
      const std::lock_guard lock(first_failure->mutex);
      if (!first_failure->failure) first_failure->failure = std::current_exception();
      first_failure->occurred = true;
    }
  }
};

}  // namespace

void run_ranges(std::uint32_t n, const RangeBody& body) {
  const auto threads = static_cast<std::uint32_t>(usable_threads());
  if (n == 0) return;
  if (n == 1 || threads == 1) return body.run(body.functor, 0, n);
  const std::uint32_t count = std::min(n, threads * ranges_per_thread);
  FirstFailure failure;
  thrust::for_each(thrust_policy, thrust::counting_iterator<std::uint32_t>(0),
                   thrust::counting_iterator<std::uint32_t>(count), RunRange{&body, n, count, &failure});
  if (failure.failure) std::rethrow_exception(failure.failure);
}

template <class Key, class Value>
void sort_pairs_on_threads(HostExec& exec, Key* keys, Value* values, std::uint32_t n) {
  probe_scratch(exec, n * (sizeof(Key) + sizeof(Value)));
  CountingAllocator allocator{&exec};
  thrust::stable_sort_by_key(thrust_policy(allocator), keys, keys + n, values);
}

template <class T>
void inclusive_sum_on_threads(T* data, std::uint32_t n) {
  thrust::inclusive_scan(thrust_policy, data, data + n, data);
}

template <class T>
void exclusive_sum_on_threads(T* data, std::uint32_t n) {
  thrust::exclusive_scan(thrust_policy, data, data + n, data, T(0));
}

template void sort_pairs_on_threads(HostExec&, std::uint32_t*, std::uint32_t*, std::uint32_t);
template void sort_pairs_on_threads(HostExec&, std::uint32_t*, PointId*, std::uint32_t);
template void sort_pairs_on_threads(HostExec&, std::uint64_t*, std::uint32_t*, std::uint32_t);
template void sort_pairs_on_threads(HostExec&, std::uint64_t*, PointId*, std::uint32_t);
template void inclusive_sum_on_threads(std::uint32_t*, std::uint32_t);
template void inclusive_sum_on_threads(std::uint64_t*, std::uint32_t);
template void exclusive_sum_on_threads(std::uint32_t*, std::uint32_t);
template void exclusive_sum_on_threads(std::uint64_t*, std::uint32_t);

}  // namespace kdscope
