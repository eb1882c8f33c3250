#pragma once
// The hash behind the seals of files. It guards against accidents, not against forgery.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace kdscope {

/// A 64-bit hash of bytes. Every step is a bijection of the state, so that a single changed byte always changes the
/// hash. Only the last piece may have a size that is no multiple of 8.
class ByteHash {
 public:
  void add(const char* data, std::size_t size) {
    for (std::size_t i = 0; i < size; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + i, size - i < 8 ? size - i : 8);
      state_ = std::rotl((state_ ^ word) * 0x9e3779b97f4a7c15ull, 29);
    }
  }
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0x6b6473636f7065ull;
};

}  // namespace kdscope
