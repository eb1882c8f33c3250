#include "algorithms/core/middle_split.hpp"

#include <cmath>
#include <limits>

#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

float middle(float lo, float hi) {
  return std::bit_cast<float>(middle_of(word_of(lo), word_of(hi), ScalarType::float32));
}
std::int32_t middle(std::int32_t lo, std::int32_t hi) {
  return static_cast<std::int32_t>(middle_of(word_of(lo), word_of(hi), ScalarType::int32));
}

}  // namespace

TEST_CASE("the middle of a side is that of its ends") {
  CHECK(middle(4.0f, 39.0f) == 21.5f);
  CHECK(middle(-3.0f, 1.0f) == -1.0f);
  CHECK(middle(-0.0f, 1.0f) == 0.5f);
  CHECK(middle(4, 39) == 22);  // like 21.5, it separates 21 from 22
  CHECK(middle(-5, -4) == -4);
  CHECK(middle(-2, 1) == 0);
}

TEST_CASE("the middle lies above the lower end and not above the upper one, whatever rounding does") {
  constexpr float largest = std::numeric_limits<float>::max(), smallest = std::numeric_limits<float>::denorm_min();
  const float ends[] = {-largest,
                        -1.0f,
                        -smallest,
                        -0.0f,
                        0.0f,
                        smallest,
                        2 * smallest,
                        3 * smallest,
                        1.0f,
                        std::nextafter(1.0f, 2.0f),
                        16777216.0f,
                        16777218.0f,
                        std::nextafter(largest, 0.0f),
                        largest};
  for (float lo : ends)
    for (float hi : ends) {
      if (!(lo < hi)) continue;
      INFO(lo << " " << hi);
      const float at = middle(lo, hi);
      CHECK(std::isfinite(at));
      CHECK(lo < at);
      CHECK(at <= hi);
    }
  CHECK(middle(-largest, largest) == 0.0f);
  CHECK(middle(1.0f, std::nextafter(1.0f, 2.0f)) == std::nextafter(1.0f, 2.0f));
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(),
                         most = std::numeric_limits<std::int32_t>::max();
  CHECK(middle(least, most) == 0);
  CHECK(middle(most - 1, most) == most);
  CHECK(middle(least, least + 1) == least + 1);
}
