#pragma once
// Whole numbers of a fixed, large size. They represent floats and their differences and products exactly. Used on the
// host, for checks and references.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace kdscope {

/// A whole number of 64 * words bits in two's complement. Sums and products wrap around, so choose enough words
/// (with_enough_words).
template <int words>
class Integer {
 public:
  constexpr Integer(std::int64_t value = 0) {
    words_.fill(value < 0 ? ~0ull : 0);
    words_[0] = static_cast<std::uint64_t>(value);
  }
  /// Returns value * 2^shift, which must be whole.
  static Integer of(float value, int shift) {
    const std::uint32_t word = std::bit_cast<std::uint32_t>(value), exponent = word >> 23 & 0xffu,
                        fraction = word & 0x7fffffu;
    const int up = (exponent > 0 ? static_cast<int>(exponent) - 1 : 0) - 149 + shift;
    Integer result(exponent > 0 ? fraction | 0x800000u : fraction);
    if (result.words_[0] == 0)
      return result;  // 0 at any scale; the scale suits the other numbers, and the shift may not exist here
    if (up >= 0)
      result = result.shifted(up);
    else
      result.words_[0] >>= -up;
    return word >> 31 ? -result : result;
  }
  int sign() const {
    if (words_[words - 1] >> 63) return -1;
    for (const std::uint64_t word : words_)
      if (word != 0) return 1;
    return 0;
  }
  /// Returns the number times 2^by. by >= 0.
  Integer shifted(int by) const {
    Integer result;
    const int whole = by / 64, part = by % 64;
    for (int i = words - 1; i >= whole; --i) {
      result.words_[i] = words_[i - whole] << part;
      if (part > 0 && i > whole) result.words_[i] |= words_[i - whole - 1] >> (64 - part);
    }
    return result;
  }
  /// Returns the number of bits of a nonnegative number; 0 for 0.
  int bits() const {
    for (int i = words - 1; i >= 0; --i)
      if (words_[i] != 0) return 64 * i + static_cast<int>(std::bit_width(words_[i]));
    return 0;
  }
  /// Returns a nonnegative number times 2^-bits(): a value from 0.5 to 1, up to rounding.
  double leading() const {
    const int all = bits(), begin = all - 64, word = begin / 64, part = begin % 64;
    if (begin <= 0) return std::ldexp(static_cast<double>(words_[0]), -all);
    std::uint64_t top = words_[static_cast<std::size_t>(word)] >> part;
    if (part > 0) top |= words_[static_cast<std::size_t>(word) + 1] << (64 - part);
    return std::ldexp(static_cast<double>(top), -64);
  }
  Integer operator-() const { return Integer() - *this; }
  friend Integer operator+(const Integer& a, const Integer& b) {
    Integer sum;
    std::uint64_t carry = 0;
    for (int i = 0; i < words; ++i) {
      const std::uint64_t half = a.words_[i] + carry;
      carry = half < carry;
      sum.words_[i] = half + b.words_[i];
      carry += sum.words_[i] < half;
    }
    return sum;
  }
  friend Integer operator-(const Integer& a, const Integer& b) {
    Integer difference;
    std::uint64_t borrow = 0;
    for (int i = 0; i < words; ++i) {
      const std::uint64_t half = a.words_[i] - borrow;
      borrow = a.words_[i] < borrow;
      difference.words_[i] = half - b.words_[i];
      borrow += half < b.words_[i];
    }
    return difference;
  }
  friend Integer operator*(const Integer& a, const Integer& b) {
    Integer product;
    for (int i = 0; i < words; ++i) {
      if (a.words_[i] == 0) continue;
      std::uint64_t carry = 0;
      for (int j = 0; i + j < words; ++j) {
        Wide sum = Wide(a.words_[i]) * b.words_[j] + product.words_[i + j] + carry;
        product.words_[i + j] = static_cast<std::uint64_t>(sum);
        carry = static_cast<std::uint64_t>(sum >> 64);
      }
    }
    return product;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  std::array<std::uint64_t, words> words_;
};

/// A power of two that makes floats whole, and the number of bits that the largest one then has.
struct Scale {
  int shift, bits;
};
inline Scale scale_of(std::span<const float> values) {
  int lowest = 1000, highest = -1000;
  for (const float value : values) {
    const std::uint32_t word = std::bit_cast<std::uint32_t>(value), exponent = word >> 23 & 0xffu,
                        fraction = word & 0x7fffffu;
    const std::uint32_t mantissa = exponent > 0 ? fraction | 0x800000u : fraction;
    if (mantissa == 0) continue;
    const int unit = (exponent > 0 ? static_cast<int>(exponent) - 1 : 0) - 149;
    lowest = std::min(lowest, unit + std::countr_zero(mantissa));
    highest = std::max(highest, unit + static_cast<int>(std::bit_width(mantissa)));
  }
  return lowest > highest ? Scale{0, 0} : Scale{-lowest, highest - lowest};
}

/// Calls f(Integer<w>(), shift) with a w large enough for sums of a few dozen products of three differences of
/// `values`, times 2^26.
template <class F>
auto with_enough_words(std::span<const float> values, F f) {
  const auto [shift, bits] = scale_of(values);
  const int needed = 3 * (bits + 1) + 6 + 26;
  if (needed < 128) return f(Integer<2>(), shift);
  if (needed < 256) return f(Integer<4>(), shift);
  return f(Integer<14>(), shift);
}

}  // namespace kdscope
