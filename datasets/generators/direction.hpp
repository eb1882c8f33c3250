#pragma once
// Directions in a plane by a fixed sequence of +, - and *: the same bits on every machine, which libm does not promise.

#include <cmath>

namespace kdscope {

struct Direction {
  double cosine = 1, sine = 0;
};

/// The direction after so many turns from the x axis, counter-clockwise; within 1e-13 of the true one.
inline Direction direction(double turns) {
  const double quarters = std::floor(4 * turns + 0.5);
  const double angle = (turns - quarters / 4) * 6.283185307179586476925, s = angle * angle;
  const double sine = angle * (1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110 * (1 - s / 156))))));
  const double cosine =
      1 - s / 2 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90 * (1 - s / 132 * (1 - s / 182))))));
  switch (static_cast<int>(quarters - 4 * std::floor(quarters / 4))) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

}  // namespace kdscope
