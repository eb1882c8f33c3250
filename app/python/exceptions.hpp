#pragma once
// Errors of the library as exceptions of Python, and work that Ctrl+C stops.

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "algorithms/core/error.hpp"

namespace kdscope::python {

/// Raises an error: ValueError for what the caller gave, OSError for files, MemoryError, KeyboardInterrupt for work
/// that was stopped, otherwise RuntimeError. The interpreter's lock is held.
[[noreturn]] void raise(const Error& error);

/// Returns what a result holds, or raises its error.
template <class T>
T value_of(Result<T> result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Returns work(stop), which returns a Result, and raises its error. The interpreter's lock is released meanwhile, so
/// work() may touch nothing of Python. is_long: the work goes on on another thread, while this one looks for Ctrl+C
/// every 50 ms and stops it; the exception of the signal's handler passes on. Otherwise starting a thread would take
/// longer than the work.
template <class Work>
auto interruptible(bool is_long, Work work) {
  using Returned = decltype(work(std::stop_token()));
  if (!is_long) {
    auto result = [&] {
      const pybind11::gil_scoped_release released;
      return work(std::stop_token());
    }();
    return value_of(std::move(result));
  }
  std::stop_source stop;
  std::future<Returned> running;
  {
    const pybind11::gil_scoped_release released;
    running = std::async(std::launch::async, [&] { return work(stop.get_token()); });
    while (running.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      const pybind11::gil_scoped_acquire acquired;
      if (PyErr_CheckSignals() == 0) continue;
      stop.request_stop();
      pybind11::error_already_set raised;
      const pybind11::gil_scoped_release waiting;
      running.wait();
      throw raised;
    }
  }
  return value_of(running.get());
}

}  // namespace kdscope::python
