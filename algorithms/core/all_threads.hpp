#pragma once
// Runs independent work of uneven length on all threads of the machine.

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace kdscope {

/// Calls body(i, is_caller) for each i in [0, count), on all threads of the machine, in ascending order of their
/// beginnings, until a stop is requested. is_caller: whether it runs on the calling thread, which may report progress.
/// Rethrows the first exception after all threads have ended.
template <class Body>
void for_each_on_all_threads(std::size_t count, const std::stop_token& stop, const Body& body) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failed;
  std::mutex failing;
  const auto work = [&](bool is_caller) {
    try {
      for (std::size_t i = next++; i < count && !stop.stop_requested(); i = next++) body(i, is_caller);
    } catch (...) {
      next = count;
      const std::scoped_lock lock(failing);
      if (!failed) failed = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < std::thread::hardware_concurrency() && t < count; ++t)
      others.emplace_back([&] { work(false); });
    work(true);
  }
  if (failed) std::rethrow_exception(failed);
}

}  // namespace kdscope
