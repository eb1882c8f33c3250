// Compares the integer closed forms of chunks with exact rationals, and tests the errors in the paper's printed
// versions (Wehr & Radkowski 2018, appendix and Algorithm 4).
#include <vector>

#include "algorithms/core/index_range.hpp"
#include "algorithms/trees/level_order/layout.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

// Test only every eleventh size under sanitizers, which slow the exhaustive sweeps down.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr std::uint32_t size_step = 11;
#else
constexpr std::uint32_t size_step = 1;
#endif

/// An exact fraction of integers that are small enough for 64 bits.
struct Rational {
  std::uint64_t numerator, denominator;
  friend bool operator<(Rational a, Rational b) { return a.numerator * b.denominator < b.numerator * a.denominator; }
};
std::uint64_t floor_of(Rational r) { return r.numerator / r.denominator; }
std::uint64_t ceiling_of(Rational r) { return floor_of(r) + (r.numerator % r.denominator != 0); }
bool is_whole(Rational r) { return r.numerator % r.denominator == 0; }

/// Returns w c for the real chunk width w = n / 2^level.
Rational width_times(std::uint64_t c, std::uint64_t n, int level) { return {c * n, 1ull << level}; }
/// Returns i / w.
Rational over_width(std::uint64_t i, std::uint64_t n, int level) { return {i << level, n}; }

/// Calls f(chunks) for every size from 1 to 4,096 and every level whose chunks are at least one wide.
template <class F>
void for_every_level(F f) {
  for (std::uint32_t n = 1; n <= 4096; n += size_step)
    for (int level = 0; level <= median_levels(n); ++level) f(ChunksOfLevel{n, level});
}

}  // namespace

TEST_CASE("chunks, splitting elements and medians agree with exact rationals for all sizes to 4,096 and all levels") {
  std::uint64_t wrong = 0, checked = 0;
  for_every_level([&](ChunksOfLevel level) {
    std::vector<bool> splits(level.n, false);
    for (std::uint32_t c = 1; c < level.count(); ++c) splits[floor_of(width_times(c, level.n, level.level))] = true;
    std::uint32_t in_front = 0, next = 0;
    for (std::uint32_t i = 0; i < level.n; ++i) {
      wrong += level.chunk_at(i) != in_front;
      wrong += level.is_splitting(i) != splits[i];
      // Evaluate appendix II as printed.
      const bool printed = i != 0 && Rational{ceiling_of(over_width(i, level.n, level.level)), 1} <
                                         over_width(i + 1, level.n, level.level);
      wrong += level.is_splitting(i) != printed;
      in_front += splits[i];
      ++checked;
    }
    // Chunks and splitting elements alternate and cover all positions.
    for (std::uint32_t c = 0; c < level.count(); ++c) {
      wrong += level.chunk(c).begin != next || level.chunk(c).end < next;
      next = level.chunk(c).end;
      if (c + 1 < level.count()) wrong += next >= level.n || !splits[next], ++next;
    }
    wrong += next != level.n;
    if (level.level == median_levels(level.n)) return;
    for (std::uint32_t c = 0; c < level.count(); ++c) {
      wrong += level.median(c) != floor_of({(2ull * c + 1) * level.n, 2ull << level.level});  // half of the real width
      wrong += level.median(c) < level.chunk(c).begin || level.median(c) >= level.chunk(c).end;
      wrong += level.node(c).value != (1u << level.level) - 1 + c;
    }
  });
  CHECK(wrong == 0);
  CHECK(checked > 8'000'000 / size_step);
}

TEST_CASE("appendix III: a chunk starts behind its splitting element, but for chunk 0, which has none") {
  std::uint64_t wrong = 0;
  for_every_level([&](ChunksOfLevel level) {
    wrong += level.chunk(0).begin != 0;  // printed as the case i != 0, which should be c != 0
    for (std::uint32_t c = 1; c < level.count(); ++c)
      wrong += level.chunk(c).begin != floor_of(width_times(c, level.n, level.level)) + 1;
  });
  CHECK(wrong == 0);
}

TEST_CASE("the medians and the leaves are all points: 2^floor(log2 n) - 1 and the rest, chunks of one point or none") {
  CHECK(median_tree_slots(0) == 0);
  CHECK(median_tree_slots(1) == 1);
  CHECK(median_tree_slots(10) == 15);
  for (std::uint32_t n = 1; n <= 4096; ++n) {
    const ChunksOfLevel last{n, median_levels(n)};
    std::uint32_t leaves = 0, largest = 0;
    for (std::uint32_t c = 0; c < last.count(); ++c)
      leaves += last.chunk(c).size(), largest = std::max(largest, last.chunk(c).size());
    REQUIRE(leaves == n - (last.count() - 1));
    REQUIRE(largest == 1);
    REQUIRE(median_tree_slots(n) == 2 * last.count() - 1);
  }
}

TEST_CASE("no recursion on integer midpoints gives the same medians") {
  // Compute the position of slot `s` of the tree when halves are rounded at each level. up: (begin + end) / 2.
  const auto differs = [](std::uint32_t n, bool up) {
    bool different = false;
    const auto recurse = [&](auto& self, PositionRange range, int level, std::uint32_t chunk) -> void {
      if (level == median_levels(n)) return;
      if (range.size() == 0) {
        different = true;
        return;
      }
      const std::uint32_t middle = (range.begin + range.end - (up ? 0 : 1)) / 2;
      different = different || middle != ChunksOfLevel{n, level}.median(chunk);
      self(self, {range.begin, middle}, level + 1, 2 * chunk);
      self(self, {middle + 1, range.end}, level + 1, 2 * chunk + 1);
    };
    recurse(recurse, {0, n}, 0, 0);
    return different;
  };
  const auto first_difference = [&](bool up) {
    std::uint32_t n = 1;
    while (!differs(n, up)) ++n;
    return n;
  };
  CHECK(first_difference(true) == 5);
  CHECK(first_difference(false) == 2);
  CHECK(ChunksOfLevel{5, 1}.median(1) == 3);
}

TEST_CASE("Algorithm 4's chunk(i) != chunk(i + 1) marks wrong elements") {
  std::uint64_t wrong = 0, levels_marked_wrongly = 0;
  for_every_level([&](ChunksOfLevel level) {
    const auto chunk_as_printed = [&](std::uint64_t i) { return floor_of(over_width(i, level.n, level.level)); };
    bool as_meant = true;
    for (std::uint32_t i = 0; i < level.n; ++i) {
      const bool marked = chunk_as_printed(i) != chunk_as_printed(i + 1);
      as_meant = as_meant && marked == level.is_splitting(i);
      // The printed test marks the end of every chunk (one too early where w c is whole), and always the last element.
      const std::uint64_t c = chunk_as_printed(i + 1);
      const Rational edge = width_times(c, level.n, level.level);
      const bool is_end = c > 0 && floor_of(edge) - (is_whole(edge) ? 1 : 0) == i;
      wrong += marked != is_end;
    }
    wrong += as_meant;  // because of the last element
    ++levels_marked_wrongly;
  });
  CHECK(wrong == 0);
  CHECK(levels_marked_wrongly > 40'000 / size_step);
}

TEST_CASE("the closed forms hold for the largest arrays") {
  const std::uint32_t n = 0x7fffffffu;
  for (int level = 0; level <= median_levels(n); ++level) {
    const ChunksOfLevel chunks{n, level};
    for (std::uint32_t c : {0u, 1u, chunks.count() / 2, chunks.count() - 1}) {
      if (c >= chunks.count()) continue;
      const std::uint32_t edge = chunks.edge(c);
      // Split w into whole and fractional part, so that no product exceeds 2^62.
      const std::uint64_t whole = n >> level, broken = n & (chunks.count() - 1);
      CHECK(edge == whole * c + (broken * c >> level));
      CHECK(chunks.is_splitting(edge) == (c != 0));
      CHECK(chunks.chunk_at(edge) == (c == 0 ? 0 : c - 1));
    }
    CHECK(chunks.edge(chunks.count()) == n);
    CHECK(chunks.chunk_at(n - 1) == chunks.count() - 1);
  }
}
