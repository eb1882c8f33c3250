#pragma once
// The norms by which HostSearch measures, on sums that grow with every difference.

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace kdscope::library::host {

// A norm adds one dimension after another to a sum, which grows with every difference, also when rounded: so a box
// never seems farther than its points.

struct Euclidean {
  static double with(double sum, double difference) { return sum + difference * difference; }
  static double distance(double sum) { return std::sqrt(sum); }
  static double sum_at(double distance) { return distance * distance; }
};
struct SumOfSizes {
  static double with(double sum, double difference) { return sum + std::abs(difference); }
  static double distance(double sum) { return sum; }
  static double sum_at(double distance) { return distance; }
};
struct LargestSize {
  static double with(double sum, double difference) { return std::max(sum, std::abs(difference)); }
  static double distance(double sum) { return sum; }
  static double sum_at(double distance) { return distance; }
};
struct PowerSum {
  double p;
  double with(double sum, double difference) const { return sum + std::pow(std::abs(difference), p); }
  double distance(double sum) const { return std::pow(sum, 1 / p); }
  double sum_at(double distance) const { return std::pow(distance, p); }
};

/// The sum of a norm at a radius; -1, within which nothing lies, for negative ones.
template <class Norm>
double reach_of(const Norm& norm, double radius) {
  return radius < 0 ? -1 : norm.sum_at(radius);
}

/// Returns a sum of a box as it may be compared with those of points: the powers of a library may not grow with every
/// last bit of their argument.
template <class Norm>
double least_sum(double sum) {
  return std::is_same_v<Norm, PowerSum> ? sum * (1 - 0x1p-40) : sum;
}
template <class Norm>
double greatest_sum(double sum) {
  return std::is_same_v<Norm, PowerSum> ? sum * (1 + 0x1p-40) : sum;
}

/// Calls work(norm) with the norm of Minkowski's p.
template <class Work>
void with_norm(double p, Work work) {
  if (p == 2) return work(Euclidean());
  if (p == 1) return work(SumOfSizes());
  if (std::isinf(p)) return work(LargestSize());
  work(PowerSum{p});
}

}  // namespace kdscope::library::host
