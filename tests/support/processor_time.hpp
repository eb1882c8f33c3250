#pragma once
// Runs two pieces of work alternately and returns the median ratio of their processor times, which other programs on
// the machine hardly change.

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <vector>

namespace kdscope::test {

/// Returns the processor seconds that all threads of this program have used.
inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Returns the same with the processes that this one started, once they have ended.
inline double processor_seconds_with_children() {
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  double seconds = processor_seconds();
  for (const timeval& part : {children.ru_utime, children.ru_stime})
    seconds += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  return seconds;
}

/// Runs both in turns, `pairs` times after one turn that does not count. Returns the median of the ratios of their
/// processor times, work to reference.
template <class Work, class Reference>
double cost_ratio(Work work, Reference reference, int pairs = 9) {
  const auto seconds = [](auto& run) {
    const double from = processor_seconds();
    run();
    return processor_seconds() - from;
  };
  std::vector<double> ratios;
  for (int pair = -1; pair < pairs; ++pair) {
    const double of_work = seconds(work), of_reference = seconds(reference);
    if (pair >= 0) ratios.push_back(of_work / std::max(of_reference, 1e-9));
  }
  std::ranges::nth_element(ratios, ratios.begin() + pairs / 2);
  return ratios[static_cast<std::size_t>(pairs / 2)];
}

}  // namespace kdscope::test
