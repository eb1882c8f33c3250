#pragma once
// Times the steps of a variant beside those of the original, and counts their bytes.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/variants/child_program.hpp"
#include "algorithms/variants/protocol.hpp"

namespace kdscope::variants {

/// The steps of one program's builds.
struct ProgramSteps {
  std::vector<StepTime> steps;  ///< medians over the builds
  double between_ms = 0;        ///< what a build takes beside its steps, the median over the builds
  Parameters parameters;        ///< of the builds, with "auto" resolved
};

struct StepMeasurement {
  ProgramSteps original, variant;
};

/// Returns the medians of each step over the builds of one program. Builds with another number of steps than the first
/// are left out. Precondition: there is a build.
ProgramSteps median_steps(const std::vector<BuildReport>& builds);

/// Builds with both programs in turn, `builds` times each, with every step timed. As in measure(), half of the builds
/// are done by a second pair of processes, and the first build of a process does not count. Precondition: builds >= 1.
/// The programs were compiled with Purpose::measure. Errors: those of measure().
Result<StepMeasurement> measure_steps(const std::filesystem::path& original, const std::filesystem::path& variant,
                                      ProcessRequest request, int builds, const ProgramLimits& limits,
                                      std::stop_token stop = {});

/// Builds once on the CPU and returns the steps with the bytes that they read and write in arrays. Its times mean
/// nothing. The program was compiled with Purpose::count. request: data and parameters without "auto". Errors: those of
/// measure().
Result<std::vector<StepTime>> count_bytes(const std::filesystem::path& program, ProcessRequest request,
                                          const ProgramLimits& limits, std::stop_token stop = {});

enum class RowsBy : std::uint8_t { phase, level, step };

/// Returns the row of a step: its phase, or its name if it has none; "level 3" or "no level"; or its name.
std::string row_of(const StepTime& step, RowsBy by);

/// The sums over the steps of a row. Bytes are 0 if they were not counted.
struct StepSum {
  double ms = 0;
  std::uint64_t launches = 0, bytes_read = 0, bytes_written = 0;
  std::uint64_t uncounted = 0;  ///< launches of which the bytes are only a part (StepTime)

  std::uint64_t bytes() const { return bytes_read + bytes_written; }
  /// Returns whether the bytes are all that the row reads and writes.
  bool counted() const { return uncounted == 0; }
  /// 10^9 bytes per second; 0 if it took no time or the bytes are not counted.
  double gigabytes_per_second() const;
  StepSum& operator+=(const StepSum& other);
};
struct StepRow {
  std::string name;
  std::optional<StepSum> original, variant;  ///< nullopt: none of the program's steps is in the row
};

/// Returns one row per phase, level or step, in the order in which the original reaches them; those of the variant
/// alone follow. counted: the results of count_bytes(), or empty.
std::vector<StepRow> rows_by(RowsBy by, const StepMeasurement& timed,
                             const std::vector<StepTime>& original_counted = {},
                             const std::vector<StepTime>& variant_counted = {});

/// Returns the sum over all rows of the programs, without what lies between the steps.
StepRow sum_of(const std::vector<StepRow>& rows);

}  // namespace kdscope::variants
