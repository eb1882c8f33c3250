#pragma once
// The text of a file that keeps the searches of one device; tuning.hpp says what they are.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// One place of the search: how long n points took with one value.
struct TuningRow {
  std::string algorithm, parameter;
  std::uint64_t n = 0;
  std::string value;
  double median_ms = 0;
};

/// The file's text; parse_tuning() reads the same rows back.
std::string tuning_text(const Device& device, const std::vector<TuningRow>& rows);

/// The rows of a file that was stored for `device`. Errors are of kind bad_input, at `path`: another version, another
/// device, a damaged line, an end too early.
Result<std::vector<TuningRow>> parse_tuning(std::string_view text, const Device& device, const std::string& path);

}  // namespace kdscope
