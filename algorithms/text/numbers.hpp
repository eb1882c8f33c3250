#pragma once
// Numbers as text: exact for files, short for people.

#include <charconv>
#include <cstdint>
#include <string>

namespace kdscope {

/// Returns the shortest text that reads back as the same number of the same type.
template <class Number>
std::string shortest(Number number) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

/// Returns at most `digits` significant digits, but below 10 million all of those before the point. "3.1416",
/// "1234567", "1e+09".
std::string short_number(double value, int digits = 5);
/// Returns whole numbers below 10^15 in full, others as shortest() does. For cells of tables and CSV files.
std::string table_number(double value);
/// Returns the number with commas between thousands: "1,234,567".
std::string grouped(std::uint64_t number);
/// Returns the hash as 16 hexadecimal digits: "0x0123456789abcdef".
std::string hash_text(std::uint64_t hash);
/// Returns "1.234 ms", "12.34 ms", "123.4 ms" or "12.34 s".
std::string duration_text(double ms);
/// Returns "512 bytes" or "1.5 MiB".
std::string bytes_text(std::uint64_t bytes);

}  // namespace kdscope
