#pragma once
// The steps of a variant beside those of the original, as tables and as JSON.

#include <string>
#include <vector>

#include "algorithms/text/json.hpp"
#include "algorithms/variants/step_measurement.hpp"

namespace kdscope::cli {

/// Returns a table of the rows' times and launches. A share is that of the variant's build. The last rows are the sum
/// of the steps, the time between them, and the whole build. between_ms: of the original and of the variant.
std::string times_table(const std::vector<variants::StepRow>& rows, double original_between_ms,
                        double variant_between_ms);

/// Returns a table of the bytes that the rows read and write, and of the GB/s that follow from their times, also as a
/// share of the device's copy bandwidth. copy_gigabytes: per second; 0 if unknown.
std::string bytes_table(const std::vector<variants::StepRow>& rows, double copy_gigabytes);

/// Writes the rows as a member "steps". bytes: whether they were counted.
void write_steps(const std::vector<variants::StepRow>& rows, bool bytes, JsonWriter& json);

}  // namespace kdscope::cli
