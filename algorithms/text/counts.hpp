#pragma once
// Counts with their nouns.

#include <cstdint>
#include <string>

#include "algorithms/text/numbers.hpp"

namespace kdscope {

/// Returns a count with its noun: "1 point", "24,000 points".
inline std::string count_text(std::uint64_t count, const char* one, const char* many) {
  return grouped(count) + " " + (count == 1 ? one : many);
}

}  // namespace kdscope
