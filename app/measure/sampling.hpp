#pragma once
// Takes the samples of a measured row: warms up, repeats the work, and notes what is known beside the times.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/registry/searches.hpp"
#include "app/measure/measured_row.hpp"

namespace kdscope {

/// The time that a row may take: requests a stop when it is over, or when all rows are stopped.
class RowClock {
 public:
  RowClock(std::stop_token rows, double seconds);

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
  std::stop_callback<std::function<void()>> with_rows_;
  std::jthread timer_;  // last, so that it ends first
};

/// How often to time what takes so long: as often as Wehr & Radkowski, 25 times, or down to 3 if it takes over 2 s.
int usual_repeats(double ms);

/// How samples are taken.
struct Sampling {
  int wanted = 0;                   ///< repetitions; 0: usual_repeats() by the warm-up
  int warm_ups = 1;                 ///< repetitions before, which do not count
  const RowClock* clock = nullptr;  ///< permits fewer repetitions; null: no limit of time
};

/// The warm-up of builds: the first ones load code and allocate memory that later ones reuse.
inline int warm_ups_of(std::uint64_t n) { return n <= 1'000'000 ? 2 : 1; }

/// Does work `times` times and returns the time of each, in ms. It is called twice: to warm up, and for the samples.
using RepeatedWork = std::function<Result<std::vector<double>>(int times)>;

/// Returns the times of the repetitions. Errors: those of the work; cancelled if the clock does not permit a single
/// one.
Result<std::vector<double>> take_samples(const Sampling& how, const RepeatedWork& work);

/// Takes the samples of builds, and sets the row's facts. With request.time_steps, each build is timed step by step and
/// has its own report; otherwise the last report is returned alone, with the tree. Errors: those of build();
/// failed_check if builds give different trees.
Result<std::vector<BuildReport>> sample_builds(MeasuredRow& row, RunRequest request, const Sampling& how,
                                               const RunControl& control);

/// Takes the samples of searches, and sets the row's facts but its hash. Errors: those of search().
Result<SearchReport> sample_searches(MeasuredRow& row, SearchRequest request, const Sampling& how,
                                     const RunControl& control);

/// Takes the samples of a request of an application, which counts its repetitions itself, and returns the last result.
/// work(request): the application. ms_of(result): the times of its repetitions. Errors: those of the work.
template <class Request, class Work, class Times>
auto sample_repeats(Request& request, int wanted, Work work, Times ms_of) {
  decltype(work(request)) result = Error{};
  const auto times = take_samples({wanted}, [&](int repeat) -> Result<std::vector<double>> {
    request.repeat = repeat;
    result = work(request);
    return result ? Result<std::vector<double>>(ms_of(*result)) : result.error();
  });
  return result;
}

/// The sums of two times of each repetition.
std::vector<double> sums_of(const std::vector<double>& one, const std::vector<double>& other);

/// Sets what a build's report tells beside its times.
void set_facts(MeasuredFacts& facts, const BuildReport& report);

/// The first device of a back end, or of all for `automatic`; empty if there is none.
std::optional<Device> device_on(Backend backend);

/// Upper bound of the host memory for points, tree and transfers, and on the CPU back end for the build itself.
std::uint64_t estimated_host_bytes(std::uint64_t n, std::uint32_t dim, bool on_cpu);

}  // namespace kdscope
