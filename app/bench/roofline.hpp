#pragma once
// The roofline of a run: the bytes and the time of every step, beside a copy of as many bytes on the same device.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/variants/step_measurement.hpp"
#include "app/recording/run.hpp"

namespace kdscope {

/// What was measured of a run, from which rows of every kind follow.
struct Roofline {
  std::string algorithm;
  std::string data;               ///< name of the data set
  Device device;                  ///< of the timed builds and of the copy
  int builds = 0;                 ///< timed builds, without the first one
  variants::ProgramSteps timed;   ///< at full speed on `device`
  std::vector<StepTime> counted;  ///< bytes of the same steps, counted on the CPU; their times mean nothing
  std::uint64_t tree_hash = 0;    ///< of the tree that the timed builds gave
  double copy_gigabytes = 0;      ///< per second, read and written

  /// Returns the time of a build in ms: all steps and what lies between them.
  double build_ms() const;
  /// Returns the shortest time per launch of any step in ms: a launch by itself costs at most that. nullopt: no step
  /// launches anything, or the clock is too coarse.
  std::optional<double> shortest_launch_ms() const;
  /// Returns how long a copy takes that reads and writes so many bytes in all, in ms; 0 if the bandwidth is unknown.
  double copy_ms(std::uint64_t bytes) const;
};

/// Why a row with bytes is not counted, as a sentence.
inline constexpr const char* bytes_not_counted =
    "Bytes not counted: a sort by comparison reads coordinates each time that it compares, and how often that is "
    "depends on the device.";

/// Builds the run several times at full speed with every step timed, counts the bytes in a build on the CPU, and
/// measures the bandwidth of a copy. The first use of a builder compiles it, which takes several seconds. Errors:
/// bad_usage for a run that records a search, and without a compiler (variants::find_kit()); those of time_run(),
/// variants::compile_original(), count_bytes() and copy_bandwidth(); cancelled.
Result<Roofline> measure_roofline(const TypedRun& run, const RunControl& control = {});
Result<Roofline> measure_roofline(const RunRequest& request, const RunControl& control = {});

/// Returns one row per phase, level or step, in the order in which a build reaches them, with the run as `original`. A
/// row without bytes comes from steps that access no array, or that the build on the CPU does not take. One with a sort
/// by comparison is not counted.
std::vector<variants::StepRow> rows_of(const Roofline& measured, variants::RowsBy by);

/// Returns the bandwidth of a row's `original` by that of a copy; 0 if either is unknown.
double share_of_copy(const variants::StepRow& row, const Roofline& measured);

/// Returns the row of a recorded step.
std::string row_of(const Step& step, variants::RowsBy by);
/// Returns the first step of a recording that belongs to a row; nullopt if none was recorded. Work O(steps).
std::optional<std::uint32_t> first_step_of(const std::string& row, variants::RowsBy by, const Trace& trace);

}  // namespace kdscope
