#pragma once
// Fifty sets of points, and shares of them for several ranks.

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "algorithms/cluster/rank_build.hpp"

namespace kdscope::ranks_test {

/// Returns the begins of all shares of a set, and its end. Some ranks may have nothing.
inline std::vector<std::uint64_t> cuts(std::uint64_t n, std::uint32_t ranks, std::uint32_t number) {
  std::mt19937_64 random(number);
  std::vector<std::uint64_t> begins{0, n};
  while (begins.size() <= ranks) begins.push_back(number % 3 == 0 ? n : random() % (n + 1));
  std::ranges::sort(begins);
  return begins;
}

/// Plants zeros of both signs, and points that are at their worst for samples.
inline void spoil(PointSet& points, std::uint32_t number) {
  if (number % 5 != 0) return;
  for (std::size_t i = 0; i < points.words.size(); ++i)
    if (points.type == ScalarType::float32) {
      if (i % 3 == 0) points.words[i] = word_of(i % 2 == 0 ? 0.0f : -0.0f);
    } else if (i % 4 != 0) {
      points.words[i] = i % 2 == 0 ? 0x80000000u : 0x7fffffffu;
    }
}

inline std::string specification(std::uint32_t number) {
  const char* const generators[] = {"uniform", "grid", "clustered", "equal", "presorted", "grid", "sphere"};
  const std::uint32_t sizes[] = {0, 1, 2, 3, 5, 6, 9, 31, 100, 257, 1000, 4099, 20000, 70001};
  const std::string generator = generators[number % 7];
  const std::uint32_t n = sizes[number % 14] + (number > 28 ? number : 0), dim = 1 + number % 8;
  return generator + ":n=" + std::to_string(n) + ",dim=" + std::to_string(dim) + ",seed=" + std::to_string(number) +
         (number % 2 == 0 ? ",type=int" : "") + (generator == "grid" ? ",side=" + std::to_string(2 + number % 9) : "");
}

inline rank::RankOptions options_of(std::uint32_t number) {
  rank::RankOptions options;
  options.split = number % 4 == 1 ? Split::widest : Split::round_robin;
  return options;
}

/// Returns this rank's share of a set.
inline cluster::PointShare own_share(const cluster::Communicator& ranks, const PointSet& whole, std::uint32_t number) {
  const auto begins = cuts(whole.size(), ranks.size(), number);
  const auto at = [&](std::uint64_t point) {
    return whole.words.begin() + static_cast<std::ptrdiff_t>(point * whole.stride());
  };
  return {{whole.type, whole.dim, 0, {at(begins[ranks.rank()]), at(begins[ranks.rank() + 1])}}, begins[ranks.rank()]};
}

}  // namespace kdscope::ranks_test
