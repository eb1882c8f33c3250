#pragma once
// The text of the file that stores the searches of one device (tuning.hpp).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// One measurement of a search: the time for n points with one value.
struct TuningRow {
  std::string algorithm, parameter;
  std::uint64_t n = 0;
  std::string value;
  double median_ms = 0;
};

/// Returns the file's text, from which parse_tuning() reads the same rows.
std::string tuning_text(const Device& device, const std::vector<TuningRow>& rows);

/// Returns the rows of a file that was stored for `device`. Errors are of kind bad_input at `path`: another version,
/// another device, a damaged line, a truncated file.
Result<std::vector<TuningRow>> parse_tuning(std::string_view text, const Device& device, const std::string& path);

}  // namespace kdscope
