#pragma once
// Counts with their nouns.

#include <cstdint>
#include <string>

namespace kdscope {

/// Returns a count with its noun: "1 point", "24 points".
inline std::string count_text(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace kdscope
