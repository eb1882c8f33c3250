#pragma once
// How the elements of a row fly to the columns that a step gives them, so that none covers another: elements that pass
// each other do so in different lanes of the row, or one after the other.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/core/index_range.hpp"
#include "visualizer/model/motion.hpp"

namespace kdscope {

/// The way of an element that travels, or that makes room for others.
struct Flight {
  std::uint64_t column = 0;    ///< where the element belongs
  double early = 0, late = 0;  ///< its columns before and after the step; those out of sight follow at the edges
  std::size_t rank = 0;        ///< among those that pass each other, 0 passes above all others
  std::size_t lanes = 1;       ///< so many they need; 0 for an element that appears once the others have landed
  std::size_t waves = 1;       ///< they fly in so many waves
  double delay = 0;            ///< from 0 to 1: the first of those that fly the same way starts first
};

/// A moment of a flight.
struct FlightMoment {
  double column = 0;  ///< its left edge, in columns
  double lifted = 0;  ///< from 0, in its cell, to 1, in its lane
  double lane = 0;    ///< from 0, the highest
};

/// The flights of a row at the columns in sight. Work O(columns in sight, squared).
class Flights {
 public:
  /// `backwards`: the elements fly as if a motion forwards ran backwards.
  Flights(const Travel& travel, IndexRange sight, bool backwards);

  /// Those in higher lanes follow those in lower ones.
  std::span<const Flight> all() const { return flights_; }
  /// Returns the flight of the element that belongs in a column; null if it stands still.
  const Flight* to(std::uint64_t column) const;
  /// Returns where an element is at a share of the motion's time, from 0 to 1.
  FlightMoment at(const Flight& flight, double time) const;

 private:
  bool backwards_;
  std::vector<Flight> flights_;
};

}  // namespace kdscope
