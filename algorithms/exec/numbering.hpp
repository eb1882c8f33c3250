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

/// The phases that list the results of several elements: before(i) for i < items decides; out[i] becomes the sum of map
/// over [0, i) for i <= count; after(i) for i < count writes.
template <class T, class Before, class Map, class After>
struct Compaction {
  std::uint32_t items;
  Before before;
  std::uint32_t count;
  Map map;
  T* out;  ///< [count + 1]
  After after;
  T* sum = nullptr;  ///< receives the sum of all elements on the host, which waits for the device; may be null
};
template <class T, class Before, class Map, class After>
Compaction(std::uint32_t, Before, std::uint32_t, Map, T*, After, T* = nullptr) -> Compaction<T, Before, Map, After>;

/// Returns map(i) for i < count and 0 at i = count, so that an exclusive scan leaves the total there.
template <class T, class Map>
struct UpTo {
  Map map;
  std::uint32_t count;
  KDSCOPE_HD T operator()(std::uint32_t i) const { return i < count ? map(i) : T(0); }
};

}  // namespace kdscope
