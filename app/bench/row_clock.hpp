#pragma once
// The time that one row of a bench may take, and how often its work is repeated within it.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// Requests a stop when a row's time is over, or when the whole bench is stopped.
class RowClock {
 public:
  RowClock(std::stop_token bench, double seconds);

  std::stop_token stop() const { return source_.get_token(); }
  /// Whether the row was stopped because its time is over.
  bool over_time() const { return over_time_; }
  std::chrono::milliseconds left() const;
  double limit_s() const { return limit_s_; }

 private:
  using Clock = std::chrono::steady_clock;
  const double limit_s_;
  const Clock::time_point end_;
  std::stop_source source_;
  std::atomic<bool> over_time_ = false;
  std::mutex mutex_;
  std::condition_variable_any waits_;
  std::stop_callback<std::function<void()>> with_bench_;
  std::jthread timer_;  // last, so that it ends first
};

/// Does work `times` times and returns the time of each, in ms.
using RepeatedWork = std::function<Result<std::vector<double>>(int times)>;

/// Repeats work after `warm_ups` repetitions that do not count: `wanted` times, 0 for as often as usual, or fewer if
/// the clock does not permit so many. Errors: those of the work; cancelled if the time does not suffice for one.
Result<std::vector<double>> repeat_within(const RowClock& clock, int wanted, int warm_ups, const RepeatedWork& work);

}  // namespace kdscope
