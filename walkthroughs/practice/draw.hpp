#pragma once
// Random choices that are the same on every machine.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/core/hash.hpp"

namespace kdscope {

/// A sequence of choices from a seed, by integer hashes.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(mix64(seed + 0x9e3779b97f4a7c15ull)) {}

  /// Returns a number below `bound`, which must be at least 1.
  std::uint64_t below(std::uint64_t bound) {
    state_ += 0x9e3779b97f4a7c15ull;
    return mix64(state_) % bound;
  }
  /// Returns one element of a list that is not empty.
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(list.size()))];
  }
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[static_cast<std::size_t>(below(i))]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace kdscope
