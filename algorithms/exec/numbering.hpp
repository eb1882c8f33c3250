#pragma once
// The parts of compact_indices, which lists the results of several elements: decide for each element, number by sums,
// write.

#include <cstdint>

#include "algorithms/core/platform.hpp"

namespace kdscope {

/// Does nothing; takes the place of a part that is not needed.
struct NoOp {
  KDSCOPE_HD void operator()(std::uint32_t) const {}
};

/// Calls both functors for each element, in order, so that several steps share one launch.
template <class First, class Then>
struct Sequence {
  First first;
  Then then;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    first(i);
    then(i);
  }
};

/// Returns `body`, or a NoOp if `was` is true because the body has already run.
template <bool was, class Body>
auto no_op_if(Body body) {
  if constexpr (was)
    return NoOp{};
  else
    return body;
}

/// Returns map(i) for i < count and 0 at i = count, so that an exclusive scan leaves the total there.
template <class T, class Map>
struct UpTo {
  Map map;
  std::uint32_t count;
  KDSCOPE_HD T operator()(std::uint32_t i) const { return i < count ? map(i) : T(0); }
};

}  // namespace kdscope
