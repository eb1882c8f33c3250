// Tests clipping: compares the box of a triangle's part inside a box with parts derived by hand and with points of the
// triangle.
#include "algorithms/trees/split_planes/triangle_clipping.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trees/split_planes/planes.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

bool within(const Box3& inner, const Box3& outer) {
  bool all = true;
  for (int d = 0; d < 3; ++d) all = all && inner.lo[d] >= outer.lo[d] && inner.hi[d] <= outer.hi[d];
  return all;
}

float unit(std::uint64_t key) { return static_cast<float>(mix64(key) >> 40) / 16777216.0f; }

}  // namespace

TEST_CASE("a clipped box is that of the part, tighter than the box cut at the planes") {
  // The part below x = 1 reaches only y = 1, where the triangle crosses the plane; the cut box reaches 2.
  const Triangle t{{{0, 0, 0}, {2, 2, 0}, {2, 0, 1}}};
  const Box3 volume{{0, 0, 0}, {1, 2, 1}}, box = clipped_box(t, volume, below(box_of(t), 0, 1));
  CHECK(box.lo[0] == 0);
  CHECK(box.hi[0] == 1);
  CHECK(box.lo[1] == 0);
  CHECK(box.hi[1] == 1);
  CHECK(box.hi[2] == 0.5f);
  // Test a triangle with nothing to clip, and one without a part in the box, for which the known box is returned.
  CHECK(clipped_box(t, box_of(t), box_of(t)).hi[1] == 2);
  const Box3 far{{5, 5, 5}, {6, 6, 6}};
  CHECK(clipped_box(t, far, far).lo[0] == 5);
}

TEST_CASE("a clipped box holds every point of the triangle in the volume, and stays in what is known") {
  int met = 0;
  for (std::uint64_t round = 0; round < 2000; ++round) {
    Triangle t;
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d)
        t.corner[c][d] =
            round % 5 == 0 && d == 1 ? 0.5f : 3 * unit(round * 16 + static_cast<std::uint64_t>(3 * c + d)) - 1;
    Box3 volume;
    for (int d = 0; d < 3; ++d)
      volume.lo[d] = unit(round * 16 + static_cast<std::uint64_t>(9 + d)),
      volume.hi[d] = volume.lo[d] + unit(round * 16 + static_cast<std::uint64_t>(12 + d));
    Box3 known = box_of(t);
    for (std::uint32_t d = 0; d < 3; ++d) known = above(below(known, d, volume.hi[d]), d, volume.lo[d]);
    bool meets = true;
    for (int d = 0; d < 3; ++d) meets = meets && known.lo[d] <= known.hi[d];
    if (!meets) continue;
    ++met;
    const Box3 box = clipped_box(t, volume, known);
    CHECK(within(box, known));
    for (int i = 0; i <= 12; ++i)
      for (int j = 0; i + j <= 12; ++j) {
        double p[3];
        bool in = true;
        for (int d = 0; d < 3; ++d) {
          p[d] = (static_cast<double>(t.corner[0][d]) * i + static_cast<double>(t.corner[1][d]) * j +
                  static_cast<double>(t.corner[2][d]) * (12 - i - j)) /
                 12;
          in = in && p[d] > static_cast<double>(volume.lo[d]) + 1e-9 && p[d] < static_cast<double>(volume.hi[d]) - 1e-9;
        }
        for (int d = 0; d < 3 && in; ++d) {
          CHECK(p[d] >= static_cast<double>(box.lo[d]) - 1e-9);
          CHECK(p[d] <= static_cast<double>(box.hi[d]) + 1e-9);
        }
      }
  }
  CHECK(met > 200);
}

TEST_CASE("clipping in doubles gives the exact box or leaves it open, from tiny coordinates to huge ones") {
  std::uint64_t key = 1;
  const auto random = [&] { return mix64(key++); };
  const auto coordinate = [&](int mixture) {
    const float centred = static_cast<float>(random() >> 40) / 16777216.0f - 0.5f;
    switch (mixture) {
      case 0:
        return static_cast<float>(random() % 7) - 3;
      case 1:
        return centred;
      case 2:
        return std::ldexp(centred, static_cast<int>(random() % 250) - 125) + 0.0f;
      default:
        return (static_cast<float>(random() % 9) - 4) * std::numeric_limits<float>::denorm_min();
    }
  };
  for (const int mixture : {0, 1, 2, 3}) {
    INFO(mixture);
    int found = 0;
    for (int round = 0; round < 20000; ++round) {
      Triangle t;
      for (auto& corner : t.corner)
        for (float& x : corner) x = coordinate(mixture);
      // Most sides of the volume are those of the triangle's box, so few sides cut it.
      const Box3 whole = box_of(t);
      Box3 volume = whole;
      for (int d = 0; d < 3; ++d) {
        if (random() % 4 == 0) volume.lo[d] = coordinate(mixture);
        if (random() % 4 == 0) volume.hi[d] = coordinate(mixture);
        if (volume.lo[d] > volume.hi[d]) std::swap(volume.lo[d], volume.hi[d]);
      }
      Box3 known = whole, box;
      for (std::uint32_t d = 0; d < 3; ++d) known = above(below(known, d, volume.hi[d]), d, volume.lo[d]);
      if (!within(known, whole) || !PartInDoubles(t, volume).box(known, box)) continue;
      ++found;
      const Box3 same = clipped_exactly(t, volume, known);
      for (int d = 0; d < 3; ++d) {
        CHECK(word_of(box.lo[d]) == word_of(same.lo[d]));
        CHECK(word_of(box.hi[d]) == word_of(same.hi[d]));
      }
    }
    CHECK(found > 2000);
  }
}

TEST_CASE("sides of lines and planes are the signs of exact sums, in integers and beyond them") {
  std::uint64_t key = 1;
  const auto random = [&] { return mix64(key++); };
  int in_integers = 0, zeros = 0;
  for (int round = 0; round < 30000; ++round) {
    // The coordinates range from small integers, many of which lie in one plane, to floats whose magnitudes do not fit
    // together into 64-bit integers.
    const int spread = round % 3 == 0 ? 0 : round % 3 == 1 ? 8 : 40;
    const auto coordinate = [&] {
      const auto small = static_cast<float>(random() % 5) - 2;
      return spread == 0 ? small
                         : std::ldexp(small + static_cast<float>(random() >> 40),
                                      static_cast<int>(random() % static_cast<unsigned>(spread)) - 60);
    };
    Triangle t;
    for (auto& corner : t.corner)
      for (float& x : corner) x = coordinate();
    const float x[3] = {coordinate(), coordinate(), coordinate()}, *a = t.corner[0], *b = t.corner[1], *c = t.corner[2];
    std::int64_t grid[6];
    in_integers += on_one_grid<6>({a[0], a[1], b[0], b[1], x[0], x[1]}, grid);

    ExactSum line;
    line.add(1, b[0], x[1]), line.add(-1, b[0], a[1]), line.add(-1, a[0], x[1]);
    line.add(-1, b[1], x[0]), line.add(1, b[1], a[0]), line.add(1, a[1], x[0]);
    CHECK(side_of_line(a, b, 0, 1, x[0], x[1]) == line.sign());

    ExactSum plane;
    const auto add = [&](int sign, const float* p, const float* q, const float* r) {
      plane.add(sign, p[0], q[1], r[2]), plane.add(-sign, p[0], q[2], r[1]), plane.add(sign, p[1], q[2], r[0]);
      plane.add(-sign, p[1], q[0], r[2]), plane.add(sign, p[2], q[0], r[1]), plane.add(-sign, p[2], q[1], r[0]);
    };
    add(1, b, c, x), add(-1, a, c, x), add(1, a, b, x), add(-1, a, b, c);
    CHECK(side_of_plane(t, x) == plane.sign());
    zeros += plane.sign() == 0;
  }
  CHECK(in_integers > 10000);
  CHECK(in_integers < 29000);
  CHECK(zeros > 500);
  // Test signs that doubles compute wrongly.
  const float near = next_above(1);
  const Triangle thin{{{0, 0, 0}, {1, 1, 1}, {1, near, 1}}};
  const float above[3] = {0.5f, 0.5f, next_above(0.5f)}, in[3] = {0.5f, 0.5f, 0.5f};
  CHECK(side_of_plane(thin, in) == 0);
  CHECK(side_of_plane(thin, above) != 0);
}

TEST_CASE("planes part what they touch by one rule, and empty space is cut a float above what ends there") {
  CHECK(goes_left(0, 1));
  CHECK_FALSE(goes_right(0, 1, 1));  // ends at the plane
  CHECK_FALSE(goes_left(1, 1));      // begins at it
  CHECK(goes_right(1, 2, 1));
  CHECK(goes_right(1, 1, 1));  // lies in it
  CHECK((goes_left(0, 1) && goes_right(0, 2, 1)));
  const Box3 volume{{0, 0, 0}, {4, 4, 4}}, tight{{2, 0.5f, 0}, {4, 2, 4}};
  SplitPlane plane;
  CHECK(cuts_off(volume, tight, 0, 25, plane));
  CHECK(plane.value == 2);
  CHECK_FALSE(cuts_off(volume, tight, 1, 25, plane));
  CHECK_FALSE(cuts_off(volume, tight, 2, 25, plane));
  CHECK(cuts_off(volume, tight, 3, 25, plane));
  CHECK(plane.value > 2);
  CHECK(next_below(plane.value) == 2);
  CHECK_FALSE(goes_right(0, 2, plane.value));
  CHECK(halves(volume, plane));
  CHECK(plane.dim == 0);
  CHECK(plane.value == 2);
  CHECK_FALSE(halves({{1, 1, 1}, {1, next_above(1), 1}}, plane));
  CHECK_FALSE(halves({{1, 1, 1}, {1, 1, 1}}, plane));
  CHECK(next_above(0) > 0);
  CHECK(next_above(-1e-45f) == 0);
}
