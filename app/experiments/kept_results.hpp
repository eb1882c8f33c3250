#pragma once
// Results of experiment files, kept per commit in a CSV file beside them, and compared with later ones.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/experiments/experiment.hpp"

namespace kdscope {

/// One measured row of an experiment file, with the program and the device that measured it. Times in ms.
struct KeptResult {
  std::string date;    ///< UTC: "2026-05-01T12:34:56Z"
  std::string commit;  ///< full hash, with "+changes" if the source tree differed from it; "unknown" without git
  std::string device;  ///< "NVIDIA H200", "2 threads of Intel Xeon"
  std::string backend;
  std::string algorithm = {}, data = {};
  std::string parameters = {};  ///< those that the file lists: "sort=radix split=widest"
  int processors = 0;           ///< as the file lists them; 0 for all
  std::size_t repeats = 0;
  double median = 0, least = 0, most = 0, mean = 0, deviation = 0;
  std::uint64_t tree_hash = 0;
  bool operator==(const KeptResult&) const = default;
};

/// The results file of an experiment file: "sweeps/my-sweep.results.csv" for "sweeps/my-sweep.yaml".
std::string results_file_of(const std::string& experiment_file);

/// The date and time now: "2026-05-01T12:34:56Z".
std::string now_in_utc();

/// A device's name as results keep it. Two machines may have the same number of threads, so the processor's name stands
/// behind it: "2 threads of Intel Xeon".
std::string kept_device(const Device& device);

/// This program's commit as results name it.
std::string kept_commit();

/// The result of a measured row of an experiment file, measured now by this program.
KeptResult kept_result(const ExperimentRow& row);

/// Reads a results file; no results if there is no such file. Errors: bad_input with the line of the first damage.
Result<std::vector<KeptResult>> read_results(const std::string& path);

/// Adds results to the end of a results file, or makes it. The file is replaced as a whole. Errors: those of
/// read_results(), io_failure.
Result<void> append_results(const std::string& path, const std::vector<KeptResult>& added);

enum class TimeVerdict { no_difference, faster, slower, unknown };
const char* name_of(TimeVerdict verdict);  ///< "no difference", "faster", "slower", "unknown"

/// The times of one run of some work, in ms.
struct TimeSummary {
  std::size_t repeats = 0;
  double median = 0, deviation = 0;
};

/// Judges the medians of two runs. They differ if they are more than 3 % and more than both deviations together apart.
/// Unknown if one has fewer than three repetitions, and thus no spread.
TimeVerdict judge(const TimeSummary& now, const TimeSummary& before);
inline TimeVerdict judge(const KeptResult& now, const KeptResult& before) {
  return judge(TimeSummary{now.repeats, now.median, now.deviation},
               TimeSummary{before.repeats, before.median, before.deviation});
}

/// A result beside the newest one of another commit.
struct Comparison {
  KeptResult before;
  TimeVerdict verdict;
};

/// Compares a result with the kept ones of the same work on the same device; nothing if another commit has none. Equal
/// programs can differ from run to run by more than within one, so every kept run of either commit must agree that it
/// is slower or faster. Work O(kept + runs of one commit x runs of the other).
std::optional<Comparison> compare(const std::vector<KeptResult>& kept, const KeptResult& now);

}  // namespace kdscope
