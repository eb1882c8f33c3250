#pragma once
// The integer hash used by tree hashes, generators and tests.

#include <cstdint>

#include "algorithms/core/platform.hpp"

namespace kdscope {

/// Applies one round of the 64-bit finaliser of splitmix64. It uses integers only and returns the same value on every
/// machine.
KDSCOPE_HD constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

}  // namespace kdscope
