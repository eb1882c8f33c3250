#pragma once
// Random numbers as a function of (seed, stream, counter): integer hashing only, so every machine makes the same bytes.

#include <cstdint>

#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"

namespace kdscope {

/// One stream of random numbers; any number of threads may ask for any counter in any order.
class CounterHash {
 public:
  CounterHash(std::uint64_t seed, std::uint64_t stream) : key_(mix64(mix64(seed + golden) + stream * golden)) {}

  /// 64 random bits.
  std::uint64_t bits(std::uint64_t counter) const { return mix64(key_ + (counter + 1) * golden); }
  /// A number in [0, 1), a multiple of 2^-32.
  double unit(std::uint64_t counter) const { return static_cast<double>(bits(counter) >> 32) * 0x1p-32; }
  /// Nearly normal, mean 0, variance 1, within +-6: the sum of twelve 16-bit uniforms. Takes counters 3c to 3c+2.
  double normal(std::uint64_t counter) const {
    std::uint64_t sum = 0;
    for (std::uint64_t word = 0; word < 3; ++word) {
      const std::uint64_t b = bits(3 * counter + word);
      sum += (b & 0xffff) + (b >> 16 & 0xffff) + (b >> 32 & 0xffff) + (b >> 48);
    }
    return (static_cast<double>(sum) + 6.0) * 0x1p-16 - 6.0;
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ull;
  std::uint64_t key_;
};

}  // namespace kdscope
