// A variant of brown with another pick_medians. Change it, then run kdscope-cli variant build backwards-path.cu
#include "algorithms/builders/brown/brown.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::brown {
// [region brown/pick_medians]
/// Puts the medians of a level's arrays into its store and into the references of their parents, with one thread per
/// array. primary: the sorted array of the level's dimension; stores: all levels; less, greater: [n] by point, null if
/// no nodes are built.
struct MyPickMedians : PickMedians {
  KDSCOPE_HD void operator()(std::uint32_t address) const {
    const PositionRange range = array_of(address);
    if (range.begin < range.end) put(level, address, primary[median_position(range)]);
  }

 private:
  /// Follows the path to an array: each bit of the address keeps the positions before a median (0) or behind it (1).
  KDSCOPE_HD PositionRange array_of(std::uint32_t address) const {
    PositionRange range{0, n};
    for (int bit = 0; bit < level && range.begin < range.end; ++bit) {
      const std::uint32_t median = median_position(range);
      if (address >> bit & 1)
        range.begin = median + 1;
      else
        range.end = median;
    }
    return range;
  }
};
// [endregion]
}  // namespace kdscope::brown

template <>
struct kdscope::ReplacementOf<kdscope::brown::PickMedians> {
  using type = brown::MyPickMedians;
  static constexpr const char* stage = "pick_medians";
};
KDSCOPE_VARIANT_OF(brown)
