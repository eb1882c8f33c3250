// The replacement of std::from_chars() for reals reads what the standard one reads, bit for bit.

#include "algorithms/text/from_chars.hpp"

#include <bit>
#include <cstdint>
#include <random>
#include <string>

#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

template <class Real, class Bits>
void check_same(const std::string& text) {
  INFO("'" << text << "'");
  const char *first = text.data(), *last = first + text.size();
  Real expected = 7, found = 7;
  const auto wanted = std::from_chars(first, last, expected);
  const auto read = from_chars_by_strtod(first, last, found);
  CHECK(read.ptr - first == wanted.ptr - first);
  CHECK(read.ec == wanted.ec);
  if (expected == expected)
    CHECK(std::bit_cast<Bits>(found) == std::bit_cast<Bits>(expected));
  else
    CHECK(found != found);
}

void check_both(const std::string& text) {
  check_same<float, std::uint32_t>(text);
  check_same<double, std::uint64_t>(text);
}

}  // namespace

TEST_CASE("reals of every form are read as by the standard library") {
  for (const char* text : {"",
                           "-",
                           "+1",
                           " 1",
                           "1",
                           "-1",
                           "-0",
                           "0.5",
                           ".5",
                           "5.",
                           ".",
                           "-.",
                           "1e5",
                           "1E5",
                           "1e",
                           "1e+",
                           "1e-",
                           "1e-5x",
                           "1.5.2",
                           "0x10",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "0e-400",
                           "0e999999",
                           "1e39",
                           "1e-46",
                           "1e-40",
                           "4.9e-324",
                           "2.4e-324",
                           "3.4028235e38",
                           "3.4028236e38",
                           "inf",
                           "-INF",
                           "Infinity",
                           "infinit",
                           "nan",
                           "-nan",
                           "NaN(ab_1)",
                           "nan(",
                           "nan(a b)",
                           "nano",
                           "16777217",
                           "0.1",
                           "1,5",
                           "1 2",
                           "9007199254740993",
                           "123456789012345678901234567890",
                           "0.000000000000000000000000000000000000000000001401298464324817"})
    check_both(text);
}

TEST_CASE("random texts of numbers are read as by the standard library") {
  std::mt19937 random(7);
  const std::string letters = "0123456789.eE+-infa(x ";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    if (i % 2) {  // any bits of a double
      char digits[40];
      const auto value = std::bit_cast<double>((std::uint64_t(random()) << 32) | random());
      text.assign(digits, std::to_chars(digits, std::end(digits), value).ptr);
    } else {
      for (std::uint32_t length = random() % 9; length > 0; --length) text += letters[random() % letters.size()];
    }
    check_both(text);
  }
}
