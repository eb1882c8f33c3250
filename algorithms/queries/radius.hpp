#pragma once
// Which points lie within a radius: one rule for balls, boxes and the k nearest, on every back end.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "algorithms/queries/query_point.hpp"

namespace kdscope::queries {

/// A radius as searches compare with it. A point lies within the radius if its squared distance, in the arithmetic of
/// searches, is at most squared_reach().
///
/// Integers: the distance, rounded to a double, is at most the radius. Floats: the radius is first enlarged by what
/// rounding to float can add to a distance of two points that were written with more digits. This is
/// min((m + r) / 2^22, r / 2^10), where m is the query's largest coordinate without its sign: 2^-24 of each of two
/// coordinates, and as much again for the arithmetic. So the neighbours in a lattice of spacing r are found, and a
/// distance that kdscope printed finds its point. The second bound keeps the enlargement below a thousandth of r where
/// coordinates are so large that floats cannot tell more.
template <class Number>
class Radius {
 public:
  /// radius: not negative; none stands for all points.
  explicit Radius(std::optional<double> radius) {
    if (!radius) return;
    if constexpr (sizeof(Number) == sizeof(float)) {
      radius_ = static_cast<float>(std::min<double>(*radius, std::numeric_limits<float>::max()));
      if (static_cast<double>(radius_) < *radius)
        radius_ = std::nextafter(radius_, std::numeric_limits<float>::infinity());
    } else {
      radius_ = *radius;
      squared_ = radius_ * radius_;
      for (double next = squared_; std::sqrt(next) <= radius_ && next < std::numeric_limits<double>::max();) {
        squared_ = next;
        next = std::nextafter(next, std::numeric_limits<double>::infinity());
      }
      while (std::sqrt(squared_) > radius_) squared_ = std::nextafter(squared_, 0.0);
    }
  }

  /// Returns the largest squared distance within the radius of a query, given by its coordinate words.
  KDSCOPE_HD Number squared_reach(const std::uint32_t* words, std::uint32_t dim) const {
    if constexpr (sizeof(Number) == sizeof(float)) {
      const Number largest = reach(words, dim);
      return largest * largest;
    } else {
      return squared_;
    }
  }
  /// Returns the largest distance within the radius of a query, not squared, for metrics that do not square.
  KDSCOPE_HD Number reach(const std::uint32_t* words, std::uint32_t dim) const {
    if (radius_ == std::numeric_limits<Number>::infinity() || sizeof(Number) != sizeof(float)) return radius_;
    Number largest = 0;
    for (std::uint32_t d = 0; d < dim; ++d) {
      const Number coordinate = number_of<Number>(words[d]), size = coordinate < 0 ? -coordinate : coordinate;
      if (size > largest) largest = size;
    }
    const Number rounding = (largest + radius_) * Number(0x1p-22), most = radius_ * Number(0x1p-10);
    return radius_ + (rounding < most ? rounding : most);
  }

 private:
  Number radius_ = std::numeric_limits<Number>::infinity(), squared_ = std::numeric_limits<Number>::infinity();
};

}  // namespace kdscope::queries
