#pragma once
// Parameters of the split-and-sort builder, and the choice of a level's sort (Wehr & Radkowski 2018, Alg. 2).

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "algorithms/builders/option_table.hpp"
#include "algorithms/core/platform.hpp"

namespace kdscope::wehr {

inline constexpr std::uint32_t max_dim = 8;
/// Below this width, chunks are sorted by insertion (Alg. 2).
inline constexpr std::uint32_t insertion_below = 16;

enum class SortChoice : std::uint8_t {
  adaptive,
  adaptive_radix,
  adaptive_insertion,
  naive_radix,
  naive_insertion,
  sequential
};
enum class KeyChoice : std::uint8_t { exact, quantized };
enum class Scale : std::uint8_t { common, each };
inline constexpr std::uint32_t default_f = (1u << 25) - 1;

/// The sort of one level.
enum class Strategy : std::uint8_t { parallel_radix, sequential_radix, insertion, sequential };
constexpr const char* name_of(Strategy s) {
  constexpr const char* names[] = {"parallel radix sort", "sequential radix sort", "insertion sort", "sequential sort"};
  return names[static_cast<int>(s)];
}

struct WehrOptions {
  std::uint32_t base = 32;          ///< base of the radix sorts' digits, 2 to 256
  Automatic<std::uint32_t> tpb;     ///< threads per block, and positions that a block counts
  Automatic<std::uint32_t> cutoff;  ///< chunks of at least this width are sorted in parallel; >= tpb
  std::uint32_t f = default_f;      ///< largest quantized key
  Scale scale = Scale::common;      ///< scale of quantized keys
  SortChoice sort = SortChoice::adaptive;
  KeyChoice keys = KeyChoice::exact;
};

const OptionTable<WehrOptions>& option_table();

/// Returns the sort of a level whose chunks are n / 2^level wide (Alg. 2). Compares width and bounds exactly, without
/// division.
inline Strategy strategy_of(const WehrOptions& options, std::uint32_t n, int level) {
  const auto at_least = [&](std::uint64_t width) { return n >= width << level; };
  switch (options.sort) {
    case SortChoice::sequential:
      return Strategy::sequential;
    case SortChoice::naive_radix:
      return Strategy::sequential_radix;
    case SortChoice::naive_insertion:
      return Strategy::insertion;
    default:
      break;
  }
  if (at_least(options.cutoff)) return Strategy::parallel_radix;
  if (options.sort == SortChoice::adaptive_insertion) return Strategy::insertion;
  return options.sort == SortChoice::adaptive_radix || at_least(insertion_below) ? Strategy::sequential_radix
                                                                                 : Strategy::insertion;
}

/// One digit of a key. The source multiplies a magnitude, which overflows 32 bits for large F. Here the passes are
/// counted, and the magnitude of every pass that is run fits.
struct Digit {
  std::uint32_t base = 2, magnitude = 1;
  int shift = 0;  ///< log2 of the magnitude if base is a power of two, else -1

  static Digit of_pass(std::uint32_t base, int pass) {
    Digit digit{base, 1, std::has_single_bit(base) ? pass * (31 - std::countl_zero(base)) : -1};
    for (int i = 0; i < pass; ++i) digit.magnitude *= base;
    return digit;
  }
  KDSCOPE_HD std::uint32_t of(std::uint32_t key) const {
    return shift >= 0 ? key >> shift & (base - 1) : key / magnitude % base;
  }
};

/// Returns the number of passes that sort keys up to `max`: the number of digits of `max`, 0 for 0 (Alg. 3, line 1).
constexpr int passes_for(std::uint32_t max, std::uint32_t base) {
  int passes = 0;
  for (; max > 0; max /= base) ++passes;
  return passes;
}

}  // namespace kdscope::wehr
