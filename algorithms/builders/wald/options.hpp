#pragma once
// Parameters of Wald's builder.

#include <cstdint>

#include "algorithms/builders/option_table.hpp"
#include "algorithms/core/split.hpp"

namespace kdscope::wald {

inline constexpr std::uint32_t max_dim = 8;

enum class SortMethod : std::uint8_t { radix, comparator, bitonic };

struct WaldOptions {
  Split split = Split::round_robin;
  SortMethod sort = SortMethod::radix;
};

const OptionTable<WaldOptions>& option_table();

}  // namespace kdscope::wald
