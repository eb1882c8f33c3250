#pragma once
// Numbers of some 104 bits, as the unevaluated sum of two doubles (Dekker 1971).

#include <cmath>

#include "algorithms/core/platform.hpp"

namespace kdscope {

/// The sum of a double and of what rounding to it left out.
struct TwoDoubles {
  double high = 0, low = 0;

  /// Returns a + b without error.
  KDSCOPE_HD static TwoDoubles sum(double a, double b) {
    const double high = a + b, of_b = high - a;
    return {high, (a - (high - of_b)) + (b - of_b)};
  }
  /// Returns a * b without error.
  KDSCOPE_HD static TwoDoubles product(double a, double b) {
    const double high = a * b;
    return {high, std::fma(a, b, -high)};
  }

  KDSCOPE_HD friend TwoDoubles operator+(TwoDoubles a, TwoDoubles b) {
    const TwoDoubles high = sum(a.high, b.high), low = sum(a.low, b.low);
    const TwoDoubles carried = sum(high.high, high.low + low.high);
    return sum(carried.high, carried.low + low.low);
  }
  KDSCOPE_HD friend TwoDoubles operator-(TwoDoubles a) { return {-a.high, -a.low}; }
  KDSCOPE_HD friend TwoDoubles operator-(TwoDoubles a, TwoDoubles b) { return a + -b; }
  KDSCOPE_HD friend TwoDoubles operator*(TwoDoubles a, TwoDoubles b) {
    const TwoDoubles highs = product(a.high, b.high);
    return sum(highs.high, highs.low + (a.high * b.low + a.low * b.high));
  }
};

}  // namespace kdscope
