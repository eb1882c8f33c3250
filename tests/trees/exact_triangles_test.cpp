// Tests triangles against boxes: cases derived by hand, the two exact answers against each other, and the builders'
// clipping against the smallest box, over coordinates of all magnitudes.
#include "algorithms/trees/split_planes/exact_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/core/hash.hpp"
#include "algorithms/trees/split_planes/exact_integer.hpp"
#include "algorithms/trees/split_planes/triangle_clipping.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

constexpr std::array<bool, 3> open{false, false, false}, closed{true, true, true};

/// Random numbers that are the same on every machine.
struct Numbers {
  std::uint64_t state = 0;
  std::uint64_t next() { return mix64(state += 0x9e3779b97f4a7c15ull); }
  std::uint64_t below(std::uint64_t end) { return next() % end; }
  float unit() { return static_cast<float>(next() >> 40) / 16777216.0f; }
};

constexpr int families = 7;
/// Returns a coordinate of a family: evenly spread, on a small grid, a multiple of an eighth, within sixty powers of
/// two, of nearly all powers of two, of widely different magnitudes, or any word.
float coordinate(Numbers& numbers, int family) {
  const float u = 2 * numbers.unit() - 1;
  switch (family) {
    case 0:
      return u;
    case 1:
      return static_cast<float>(numbers.below(9));
    case 2:
      return static_cast<float>(numbers.below(17)) / 8 - 1;
    case 3:
      return std::ldexp(u, static_cast<int>(numbers.below(60)) - 30);
    case 4:
      return std::ldexp(u, static_cast<int>(numbers.below(250)) - 125);
    case 5:
      return u * (std::array{1.0f, 1e18f, 1e30f, 1e-40f}[numbers.below(4)]);
    default: {
      const float any = float_of(static_cast<std::uint32_t>(numbers.next()));
      return std::isfinite(any) ? any : u;
    }
  }
}

struct Case {
  ExactTriangle triangle;
  ExactBox volume, known;
};
/// Returns a random case. Some triangles are flat or thin; some volumes begin at a corner's coordinate or are flat.
Case some_case(Numbers& numbers, int family) {
  Case c;
  for (auto& corner : c.triangle)
    for (float& x : corner) x = coordinate(numbers, family) + 0.0f;
  if (numbers.below(4) == 0) {
    const std::size_t d = numbers.below(3);
    c.triangle[1][d] = c.triangle[0][d];
    if (numbers.below(2)) c.triangle[2][d] = c.triangle[0][d];
  }
  if (numbers.below(16) == 0) c.triangle[2] = c.triangle[1];
  for (std::size_t d = 0; d < 3; ++d) {
    float a = coordinate(numbers, family) + 0.0f, b = coordinate(numbers, family) + 0.0f;
    if (numbers.below(5) == 0) a = c.triangle[numbers.below(3)][d];
    if (numbers.below(20) == 0) b = a;
    c.volume.lo[d] = std::min(a, b), c.volume.hi[d] = std::max(a, b);
    const auto [lo, hi] = std::minmax({c.triangle[0][d], c.triangle[1][d], c.triangle[2][d]});
    c.known.lo[d] = std::max(lo, c.volume.lo[d]), c.known.hi[d] = std::min(hi, c.volume.hi[d]);
  }
  return c;
}
bool is_box(const ExactBox& box) { return box.lo[0] <= box.hi[0] && box.lo[1] <= box.hi[1] && box.lo[2] <= box.hi[2]; }

ExactBox clipped(const Case& c) {
  Triangle t;
  Box3 volume, known;
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::size_t i = 0; i < 3; ++i) t.corner[i][d] = c.triangle[i][d];
    volume.lo[d] = c.volume.lo[d], volume.hi[d] = c.volume.hi[d], known.lo[d] = c.known.lo[d],
    known.hi[d] = c.known.hi[d];
  }
  const Box3 box = clipped_box(t, volume, known);
  return {{box.lo[0], box.lo[1], box.lo[2]}, {box.hi[0], box.hi[1], box.hi[2]}};
}

}  // namespace

TEST_CASE("whole numbers of many words add, multiply and shift") {
  using Whole = Integer<4>;
  const Whole a = Whole::of(3e30f, 40), b = Whole::of(-7.25f, 2), c(-1);
  CHECK((a * b + a * Whole(29)).sign() == 0);
  CHECK(((a + b) * (a - b) - (a * a - b * b)).sign() == 0);
  CHECK((-b).bits() == 5);
  CHECK((c * c - Whole(1)).sign() == 0);
  CHECK((a.shifted(70) - a * Whole::of(0x1p35f, 0) * Whole::of(0x1p35f, 0)).sign() == 0);
  CHECK(Whole::of(std::numeric_limits<float>::denorm_min(), 149).bits() == 1);
  CHECK(Integer<14>::of(std::numeric_limits<float>::max(), 149).bits() == 277);
}

TEST_CASE("a triangle reaches into a cell by the rule of planes") {
  // The triangle's edges lie along the cell's sides x = 1 and y = 1, or it lies on z = 0.
  const ExactTriangle slanted{{{0, 0, 0}, {1, 0, 0}, {0, 1, 1}}}, flat{{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}};
  CHECK(reaches_into(slanted, {{0, 0, 0}, {1, 1, 1}}, open));
  CHECK_FALSE(reaches_into(slanted, {{1, 0, 0}, {2, 1, 1}}, closed));   // touches the cell in a corner
  CHECK_FALSE(reaches_into(slanted, {{0, -1, 0}, {1, 0, 1}}, closed));  // touches it in an edge
  CHECK_FALSE(reaches_into(slanted, {{0.5f, 0.5f, 0}, {1, 1, 1}}, closed));
  CHECK(reaches_into(slanted, {{0.49f, 0.49f, 0}, {1, 1, 1}}, open));
  CHECK_FALSE(reaches_into(slanted, {{0, 0, 0.5f}, {1, 0.5f, 1}}, closed));  // the plane z = y passes along its edge
  CHECK(reaches_into(flat, {{0, 0, 1}, {1, 1, 2}}, open));
  CHECK_FALSE(reaches_into(flat, {{0, 0, 0}, {1, 1, 1}}, open));
  CHECK(reaches_into(flat, {{0, 0, 0}, {1, 1, 1}}, closed));
  CHECK_FALSE(reaches_into(flat, {{0.5f, 0.5f, 1}, {1, 1, 2}}, open));
  // Test a point, and a segment along a diagonal.
  CHECK(reaches_into({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, {{1, 1, 1}, {2, 2, 2}}, open));
  CHECK_FALSE(reaches_into({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, {{0, 0, 0}, {1, 1, 1}}, open));
  CHECK(reaches_into({{{0, 0, 0}, {3, 3, 3}, {3, 3, 3}}}, {{1, 1, 1}, {2, 2, 2}}, open));
  CHECK_FALSE(reaches_into({{{0, 0, 0}, {3, 3, 3}, {3, 3, 3}}}, {{1, 0, 1}, {2, 1, 2}}, open));
  // Use coordinates that differ in the last digit, at magnitudes where doubles cannot resolve the difference.
  const float far = 1e30f;
  CHECK(reaches_into({{{-far, -far, 0}, {far, far, 0}, {far, far, 1}}}, {{1, std::nextafter(1.0f, 0.0f), 0}, {2, 2, 1}},
                     open));
  CHECK_FALSE(reaches_into({{{-far, -far, 0}, {far, far, 0}, {far, far, 1}}}, {{1, 0, 0}, {2, 1, 1}}, open));
}

TEST_CASE("whether a triangle reaches into a cell is whether its part there has an inner extent") {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const ExactBox everything{{-inf, -inf, -inf}, {inf, inf, inf}};
  for (int family = 0; family < families; ++family) {
    Numbers numbers{static_cast<std::uint64_t>(family)};
    int reaching = 0, wrong = 0;
    for (int i = 0; i < 4000; ++i) {
      const Case c = some_case(numbers, family);
      const std::array<bool, 3> ends{numbers.below(2) == 0, numbers.below(2) == 0, numbers.below(2) == 0};
      const ExactBox part = smallest_box_of_part(c.triangle, c.volume, everything);
      // A convex part has a point off a side unless the whole part lies in that side.
      bool expected = !(part == everything);
      for (std::size_t d = 0; d < 3; ++d) {
        const auto [lo, hi] = std::minmax({c.triangle[0][d], c.triangle[1][d], c.triangle[2][d]});
        if (lo == hi)
          expected = expected && (lo < c.volume.hi[d] || ends[d]);
        else
          expected =
              expected && c.volume.lo[d] < c.volume.hi[d] && part.lo[d] < c.volume.hi[d] && part.hi[d] > c.volume.lo[d];
      }
      reaching += expected;
      wrong += reaches_into(c.triangle, c.volume, ends) != expected;
    }
    INFO("family " << family);
    CHECK(wrong == 0);
    CHECK(reaching > 400);
  }
}

TEST_CASE("the builders' clipped box is the smallest box around the exact part, whatever the sizes") {
  for (int family = 0; family < families; ++family) {
    Numbers numbers{static_cast<std::uint64_t>(100 + family)};
    int clips = 0, wrong = 0;
    while (clips < 4000) {
      const Case c = some_case(numbers, family);
      if (!is_box(c.known)) continue;
      ++clips;
      wrong += !(clipped(c) == smallest_box_of_part(c.triangle, c.volume, c.known));
    }
    INFO("family " << family);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a part around zero that is smaller than the smallest float is rounded outwards past zero") {
  const float least = std::numeric_limits<float>::denorm_min();
  // At x = 1, the edge from y = -least to y = least has a third of its rise.
  const Case c{
      {{{0, -least, 0}, {3, least, 0}, {0, -least, 1}}}, {{1, -1, 0}, {2, 1, 1}}, {{1, -least, 0}, {2, least, 1}}};
  CHECK(smallest_box_of_part(c.triangle, c.volume, c.known).lo[1] == -least);
  CHECK(clipped(c).lo[1] == -least);
}
