#include "algorithms/core/scalar.hpp"

#include <limits>
#include <vector>

#include "algorithms/core/split.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("ordered keys order floats and ints as they are ordered") {
  const std::vector<float> floats{-std::numeric_limits<float>::max(), -2.5f, -1e-40f, 0.0f, 1e-40f, 1.0f, 3e38f};
  for (std::size_t i = 0; i + 1 < floats.size(); ++i)
    CHECK(ordered_key(word_of(floats[i]), ScalarType::float32) <
          ordered_key(word_of(floats[i + 1]), ScalarType::float32));
  const std::vector<std::int32_t> ints{std::numeric_limits<std::int32_t>::min(), -7, 0, 7,
                                       std::numeric_limits<std::int32_t>::max()};
  for (std::size_t i = 0; i + 1 < ints.size(); ++i)
    CHECK(ordered_key(word_of(ints[i]), ScalarType::int32) < ordered_key(word_of(ints[i + 1]), ScalarType::int32));
  for (float f : floats)
    CHECK(word_of_ordered_key(ordered_key(word_of(f), ScalarType::float32), ScalarType::float32) == word_of(f));
  for (std::int32_t i : ints)
    CHECK(word_of_ordered_key(ordered_key(word_of(i), ScalarType::int32), ScalarType::int32) == word_of(i));
}

TEST_CASE("minus zero equals zero") {
  CHECK(ordered_key(word_of(-0.0f), ScalarType::float32) == ordered_key(word_of(0.0f), ScalarType::float32));
}

TEST_CASE("the widest dimension survives extents past the float and int ranges, ties go to the lowest") {
  const auto widest = [](std::vector<float> lo, std::vector<float> hi) {
    std::vector<std::uint32_t> l, h;
    for (float f : lo) l.push_back(ordered_key(word_of(f), ScalarType::float32));
    for (float f : hi) h.push_back(ordered_key(word_of(f), ScalarType::float32));
    return widest_dimension(l.data(), h.data(), static_cast<std::uint32_t>(l.size()), ScalarType::float32);
  };
  CHECK(widest({0, 0, 0}, {1, 2, 2}) == 1);
  CHECK(widest({0, 0}, {0, 0}) == 0);
  CHECK(widest({-3e38f, -3.3e38f}, {3e38f, 3.3e38f}) == 1);
  const std::uint32_t lo[2] = {0, ordered_key(word_of(-5), ScalarType::int32)},
                      hi[2] = {0xffffffffu, ordered_key(word_of(5), ScalarType::int32)};
  CHECK(widest_dimension(lo, hi, 2, ScalarType::int32) == 0);
}
