#include "app/bench/row_clock.hpp"

#include "algorithms/text/numbers.hpp"
#include "app/experiments/measured_build.hpp"

namespace kdscope {

RowClock::RowClock(std::stop_token bench, double seconds)
    : limit_s_(seconds),
      end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))),
      with_bench_(std::move(bench), [this] { source_.request_stop(); }),
      timer_([this](std::stop_token row_ends) {
        std::unique_lock lock(mutex_);
        waits_.wait_until(lock, row_ends, end_, [] { return false; });
        if (row_ends.stop_requested() || source_.stop_requested()) return;
        over_time_ = true;
        source_.request_stop();
      }) {}

std::chrono::milliseconds RowClock::left() const {
  return std::max(std::chrono::milliseconds(1),
                  std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()));
}

Result<std::vector<double>> repeat_within(const RowClock& clock, int wanted, int warm_ups, const RepeatedWork& work) {
  const auto from = std::chrono::steady_clock::now();
  const auto first = work(warm_ups);
  if (!first) return first.error();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - from;
  const int repeats = wanted > 0 ? wanted : usual_repeats(*std::ranges::min_element(*first));
  const double fitting = static_cast<double>(clock.left().count()) / std::max(taken.count() / warm_ups, 1e-6);
  if (fitting < 1)
    return Error{ErrorKind::cancelled, "it takes more than the time limit of " + shortest(clock.limit_s()) + " s", "",
                 "raise --time-limit"};
  return work(static_cast<int>(std::min<double>(repeats, fitting)));
}

}  // namespace kdscope
