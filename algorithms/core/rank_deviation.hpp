#pragma once
// Compares two sets of measurements without assuming how they are distributed.

#include <cmath>
#include <span>

namespace kdscope {

/// Returns by how many standard deviations the pairs in which the second is smaller are more than half of all pairs
/// (Mann and Whitney's U); 0 if a set is empty.
inline double rank_deviation(std::span<const double> first, std::span<const double> second) {
  if (first.empty() || second.empty()) return 0;
  double smaller = 0;
  for (const double a : first)
    for (const double b : second) smaller += b < a ? 1 : b == a ? 0.5 : 0;
  const auto n = static_cast<double>(first.size()), m = static_cast<double>(second.size());
  return (smaller - n * m / 2) / std::sqrt(n * m * (n + m + 1) / 12);
}

}  // namespace kdscope
