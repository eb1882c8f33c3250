#pragma once
// Parts of compact_indices, which lists what several elements become: decide for each, number by sums, write.

#include <cstdint>

#include "algorithms/core/platform.hpp"

namespace kdscope {

/// In the place of a part that is not needed.
struct NoOp {
  KDSCOPE_HD void operator()(std::uint32_t) const {}
};

/// Both for each element, one after the other: several steps in one launch.
template <class First, class Then>
struct Sequence {
  First first;
  Then then;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    first(i);
    then(i);
  }
};

/// `body`, unless it `was` run already.
template <bool was, class Body>
auto no_op_if(Body body) {
  if constexpr (was)
    return NoOp{};
  else
    return body;
}

/// map below `count`, and nothing to add at it, where the sum of all comes to stand.
template <class T, class Map>
struct UpTo {
  Map map;
  std::uint32_t count;
  KDSCOPE_HD T operator()(std::uint32_t i) const { return i < count ? map(i) : T(0); }
};

}  // namespace kdscope
