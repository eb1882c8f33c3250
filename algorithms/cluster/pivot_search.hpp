#pragma once
// The searches for the pivots of one level, which all ranks make together. Samples of all ranks bracket each pivot;
// sums of counts tell on which side of its bracket a pivot lies.

#include <cstdint>
#include <span>

#include "algorithms/builders/rank/order.hpp"

namespace kdscope::cluster {

/// The search for the pivot of one node. All ranks keep the same numbers, except for the positions of their own points.
struct PivotSearch {
  std::uint32_t begin = 0, end = 0;    ///< own points in the window, where these stand side by side
  std::uint64_t below = 0, count = 0;  ///< points of all ranks before the window and in it
  std::uint64_t rank = 0;              ///< of the pivot among the node's points
  std::uint32_t dim = 0;
  bool found = false;
  bool whole = false;                              ///< the sample has all points of the window
  rank::Order lo = 0, hi = rank::largest_order;    ///< the last bracket; if the sample is whole, the pivot itself
  rank::Order from = 0, to = rank::largest_order;  ///< the window
};

/// A sampled point of a node that is being split.
struct Sampled {
  std::uint32_t node, padding = 0;  ///< its place among the nodes of the level
  rank::Order order;
};

/// Sets the bracket of each search that goes on. samples: of all ranks, in any order. Work O(samples). Throws
/// ErrorException if a sample that should be whole is not.
void set_brackets(std::span<PivotSearch> searches, std::span<const Sampled> samples);

/// Where a pivot lies.
enum class Side : std::uint8_t { before, within, behind };

/// Makes the side on which the pivot lies the window. less, within: points of all ranks in the window that lie before
/// the bracket and in it.
Side take_side(PivotSearch& search, std::uint64_t less, std::uint64_t within);

}  // namespace kdscope::cluster
