#pragma once
// The steps of a variant beside those of the original, and of a run beside a copy, as tables and as JSON.

#include <string>
#include <vector>

#include "algorithms/text/json.hpp"
#include "algorithms/variants/step_measurement.hpp"
#include "app/arguments/arguments.hpp"
#include "app/bench/roofline.hpp"

namespace kdscope::cli {

/// The value of the option --by; phases if it is left out. Errors of kind bad_usage.
Result<variants::RowsBy> rows_wanted(const Arguments& arguments);

/// Returns a table of the rows' times and launches. A share is that of the variant's build. The last rows are the sum
/// of the steps, the time between them, and the whole build. between_ms: of the original and of the variant.
std::string times_table(const std::vector<variants::StepRow>& rows, double original_between_ms,
                        double variant_between_ms);

/// Returns a table of the bytes that the rows read and write, and of the GB/s that follow from their times, also as a
/// share of the device's copy bandwidth. A row with a sort by comparison is not counted; a sentence below the table
/// says why. copy_gigabytes: per second; 0 if unknown.
std::string bytes_table(const std::vector<variants::StepRow>& rows, double copy_gigabytes);

/// Writes the rows as a member "steps". bytes: whether they were counted; null in rows in which they are not known.
void write_steps(const std::vector<variants::StepRow>& rows, bool bytes, JsonWriter& json);

/// Returns a table of a run's rows: bytes, times, launches, bandwidth and its share of a copy's. The last rows are the
/// sum of the steps and a copy of as many bytes; where a row is not counted, a sentence stands in place of the copy.
std::string roofline_table(const Roofline& measured, variants::RowsBy by);

/// Writes the same rows as a member "rows".
void write_roofline_rows(const Roofline& measured, variants::RowsBy by, JsonWriter& json);

}  // namespace kdscope::cli
