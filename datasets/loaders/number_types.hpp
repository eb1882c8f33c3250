#pragma once
// The number types that file headers declare, read from bytes of either order and from text.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/text_scan.hpp"

namespace kdscope {

enum class NumberType : std::uint8_t { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

constexpr std::size_t size_of(NumberType type) {
  constexpr std::uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}
constexpr bool is_integer(NumberType type) { return type < NumberType::float32; }

/// A number of a declared type; `real` is always set, the others for whole types.
struct TypedNumber {
  bool whole = false;
  std::int64_t integer = 0;  ///< a uint64 beyond int64 saturates
  double real = 0;           ///< of text and of whole types: the nearest float, infinite if too large for one
  double precise = 0;        ///< the nearest double
  std::uint64_t magnitude = 0;
  std::string_view text = {};  ///< as it stands in the file; empty in binary files

  bool fits_int32() const { return integer >= INT32_MIN && integer <= INT32_MAX; }
  /// All digits of a number of a whole type.
  std::string digits() const { return (integer < 0 ? "-" : "") + std::to_string(magnitude); }
};

/// The bytes of a value, in the order of this machine.
template <class Value>
Value load_value(const char* bytes, std::endian order) {
  char copy[sizeof(Value)];
  for (std::size_t i = 0; i < sizeof(Value); ++i)
    copy[i] = bytes[order == std::endian::native ? i : sizeof(Value) - 1 - i];
  Value value;
  std::memcpy(&value, copy, sizeof(Value));
  return value;
}

template <class Value>
TypedNumber typed_number(Value value) {
  if constexpr (std::numeric_limits<Value>::is_integer) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    const auto bits = static_cast<std::uint64_t>(value);
    const bool negative = value < Value{0}, beyond = !negative && bits > static_cast<std::uint64_t>(most);
    return {true, beyond ? most : static_cast<std::int64_t>(value), static_cast<double>(static_cast<float>(value)),
            static_cast<double>(value), negative ? 0 - bits : bits};
  } else {
    return {false, 0, static_cast<double>(value), static_cast<double>(value)};
  }
}

/// Reads size_of(type) bytes.
inline TypedNumber load_number(const char* bytes, NumberType type, std::endian order) {
  switch (type) {
    case NumberType::int8:
      return typed_number(load_value<std::int8_t>(bytes, order));
    case NumberType::uint8:
      return typed_number(load_value<std::uint8_t>(bytes, order));
    case NumberType::int16:
      return typed_number(load_value<std::int16_t>(bytes, order));
    case NumberType::uint16:
      return typed_number(load_value<std::uint16_t>(bytes, order));
    case NumberType::int32:
      return typed_number(load_value<std::int32_t>(bytes, order));
    case NumberType::uint32:
      return typed_number(load_value<std::uint32_t>(bytes, order));
    case NumberType::int64:
      return typed_number(load_value<std::int64_t>(bytes, order));
    case NumberType::uint64:
      return typed_number(load_value<std::uint64_t>(bytes, order));
    case NumberType::float32:
      return typed_number(load_value<float>(bytes, order));
    case NumberType::float64:
      return typed_number(load_value<double>(bytes, order));
  }
  return {};
}

/// Reads a token; refuses what is no number, or no integer of that type where an integer is declared.
template <class Where>
TypedNumber read_typed(std::string_view token, NumberType type, const Where& where) {
  if (is_integer(type)) {
    if (std::uint64_t value = 0; type == NumberType::uint64 && read_integer(token, value)) return typed_number(value);
    const int bits = 8 * static_cast<int>(size_of(type));
    const bool is_signed = static_cast<int>(type) % 2 == 0;
    std::int64_t value = 0;
    const int value_bits = is_signed ? bits - 1 : bits;
    if (!read_integer(token, value) || (value_bits < 63 && (value >= 0 ? value : -(value + 1)) >> value_bits != 0) ||
        (value < 0 && !is_signed))
      refuse(where(), excerpt(token) + " is no integer of the declared type");
    return typed_number(value);
  }
  const NumberText number = read_number(token);
  if (number.kind == NumberText::Kind::too_large && std::isinf(number.precise))
    refuse(where(), excerpt(token) + " is too large for a number of 64 bits");
  if (number.kind == NumberText::Kind::not_a_number) refuse(where(), excerpt(token) + " is not a number");
  const bool is_int32 = number.kind == NumberText::Kind::integer;
  return {.real = is_int32 ? number.integer : static_cast<double>(number.real),
          .precise = is_int32 ? number.integer : number.precise,
          .text = token};
}

/// "file, byte 1234".
inline std::string byte_position(const std::string& file, std::uint64_t offset) {
  return file + ", byte " + std::to_string(offset);
}

/// Refuses bytes behind the last record, but for one line end or two zeros, which some writers append. Where more bytes
/// follow, the records may lie elsewhere than the header says, whatever these bytes are.
inline void refuse_trailing_bytes(std::string_view bytes, std::size_t end, const std::string& file) {
  constexpr std::size_t most = 2;
  const std::size_t left = bytes.size() - end;
  if (left > most || bytes.find_first_not_of(std::string_view(" \t\r\n\0", 5), end) != std::string_view::npos)
    refuse(byte_position(file, end),
           std::to_string(left) + (left == 1 ? " byte follows" : " bytes follow") + " the last record",
           "check the counts and types in the header");
}

}  // namespace kdscope
