// Compares the neighbours of floats with those of the standard library.
#include "algorithms/core/boxes.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

/// Returns whether the neighbours of a word's float are correct; true for words that are not numbers.
bool has_its_neighbours(std::uint32_t word) {
  const float value = float_of(word);
  if (std::isnan(value)) return true;
  // Compare bit by bit, so that -0.0 counts as an error.
  return word_of(next_above(value)) == word_of(std::nextafter(value, inf) + 0.0f) &&
         word_of(next_below(value)) == word_of(std::nextafter(value, -inf) + 0.0f);
}

}  // namespace

TEST_CASE("the next float up and down, around zero, at both ends, and at every power of two") {
  const float least = std::numeric_limits<float>::denorm_min(), most = std::numeric_limits<float>::max();
  CHECK(next_below(0.0f) == -least);
  CHECK(next_below(-0.0f) == -least);
  CHECK(next_above(0.0f) == least);
  CHECK(next_above(-0.0f) == least);
  CHECK(word_of(next_above(-least)) == 0);
  CHECK(word_of(next_below(least)) == 0);
  CHECK(next_above(most) == inf);
  CHECK(next_above(inf) == inf);
  CHECK(next_above(-inf) == -most);
  CHECK(next_below(-most) == -inf);
  CHECK(next_below(-inf) == -inf);
  CHECK(next_below(inf) == most);
  std::uint32_t wrong = 0;
  for (std::uint32_t exponent = 0; exponent < 512; ++exponent)
    for (std::uint32_t i = 0; i < 512; ++i) wrong += !has_its_neighbours((exponent << 23) + i - 256);
  // Test every 251st word, which covers all exponents and all last digits.
  for (std::uint64_t word = 0; word <= 0xffffffffu; word += 251)
    wrong += !has_its_neighbours(static_cast<std::uint32_t>(word));
  CHECK(wrong == 0);
}
