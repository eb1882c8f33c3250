#pragma once
// Parameters of Wald's builder.

#include <cstdint>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/split.hpp"

namespace kdscope::wald {

inline constexpr std::uint32_t max_dim = 8;

enum class SortMethod : std::uint8_t { radix, comparator, bitonic };

struct WaldOptions {
  Split split = Split::round_robin;
  SortMethod sort = SortMethod::radix;
};

/// Options from completed parameters.
inline WaldOptions options_of(const Parameters& parameters) {
  WaldOptions options;
  if (parameters.at("split") == "widest") options.split = Split::widest;
  if (parameters.at("sort") == "comparator") options.sort = SortMethod::comparator;
  if (parameters.at("sort") == "bitonic") options.sort = SortMethod::bitonic;
  return options;
}

}  // namespace kdscope::wald
