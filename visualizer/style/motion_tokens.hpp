#pragma once
// The sheet of tokens of all motion: how long a step moves, in which order, and how everything starts and stops.

#include <algorithm>

namespace kdscope::tokens {

/// How long a step moves: for the hand that made it, and for those who only look on.
inline constexpr int move_ms = 700, slow_move_ms = 1600;
/// How long a step moves if another one follows after a time: elements arrive before, with time left to look at them.
inline constexpr int move_ms_between(int interval_ms) { return std::clamp(interval_ms * 3 / 4, 1, slow_move_ms); }
/// The share of the time until which the picture of the step before fades above that of the new one.
inline constexpr double fades_until = 0.12;
/// The share of the time of a step whose elements first travel and then make something new, until which they travel;
/// what is new enters from then on. They start once the picture of the step before has faded.
inline constexpr double travels_until = 0.7;
/// The share of the time in which new things enter that each takes for itself: the last one starts when as much is
/// left.
inline constexpr double own_share = 0.5;

/// Starts and stops gently.
inline double eased(double share) {
  const double x = std::clamp(share, 0.0, 1.0);
  return x * x * (3 - 2 * x);
}
/// Returns the share of its own way that one of several has come that enter one after the other. `turn`: from 0, the
/// first one, to 1, the last one.
inline double entered(double share, double turn) { return eased((share - (1 - own_share) * turn) / own_share); }

}  // namespace kdscope::tokens
