#pragma once
// How the elements of a row move to the columns that a step gives them, as a hand sorts cards: as many as possible keep
// their order and move aside; the others are lifted out, one after the other, and put in where they belong.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/core/index_range.hpp"
#include "visualizer/model/motion.hpp"

namespace kdscope {

/// The way of an element that travels, or that makes room for others.
struct Flight {
  /// What one lifted element adds to the way, while it is in the air from `start` on, for `length`, in shares of the
  /// motion's time.
  struct Leg {
    double start = 0, length = 1;
    double by = 0;                  ///< columns
    double passed = 0, passes = 1;  ///< comes when the lifted element, which passes so many, has passed so many
  };
  std::uint64_t column = 0;    ///< where the element belongs
  double early = 0, late = 0;  ///< its columns before and after the step; those out of sight follow at the edges
  bool is_new = false;         ///< it appears once the others have landed
  bool is_lifted = false;
  double start = 0, length = 1;  ///< when it is lifted
  std::vector<Leg> legs = {};
};

/// A moment of a flight.
struct FlightMoment {
  double column = 0;  ///< its left edge, in columns
  double lifted = 0;  ///< from 0, in its cell, to 1
};

/// The flights of a row at the columns in sight. Work O(columns in sight, squared).
class Flights {
 public:
  /// `backwards`: the elements fly as if a motion forwards ran backwards.
  Flights(const Travel& travel, IndexRange sight, bool backwards);

  /// Those that are lifted follow those that are not.
  std::span<const Flight> all() const { return flights_; }
  /// Returns the flight of the element that belongs in a column; null if it stands still.
  const Flight* to(std::uint64_t column) const;
  /// Returns where an element is at a share of the motion's time, from 0 to 1. A new element is lifted until it
  /// appears.
  FlightMoment at(const Flight& flight, double time) const;

 private:
  bool backwards_;
  std::vector<Flight> flights_;
};

}  // namespace kdscope
