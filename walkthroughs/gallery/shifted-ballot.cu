// A variant of brown with another sub_warps. Change it, then run kdscope-cli variant build shifted-ballot.cu
#include "algorithms/builders/brown/brown.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::brown {
// [region brown/sub_warps]
/// The third partitioner: sub-warps of 16, 8 or 4 lanes, each with one array and one comparison per lane. to: [n].
struct MySubWarps : SubWarps {
  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    auto range = warp.template per_lane<PositionRange>();
    auto point = warp.template per_lane<PointId>();
    auto side = warp.template per_lane<int>();
    const std::uint32_t arrays = 1u << parting.level, of_sub_warp = (1u << width) - 1;
    warp.lanes([&](int lane) {
      const std::uint32_t address = warp.index() * (32 / width) + lane / width;
      range[lane] = address < arrays ? array_at(parting.n, parting.level, address) : PositionRange{0, 0};
      const std::uint32_t i = range[lane].begin + lane % width;
      side[lane] = 0;
      if (i >= range[lane].end) return;
      point[lane] = parting.from[i];
      side[lane] = parting.side(point[lane], parting.median_of(address));
    });
    const std::uint32_t less = warp.ballot([&](int lane) { return side[lane] < 0; }),
                        greater = warp.ballot([&](int lane) { return side[lane] > 0; });
    warp.lanes([&](int lane) {
      if (side[lane] == 0) return;
      const int first = lane / static_cast<int>(width) * static_cast<int>(width);
      const std::uint32_t mask = (side[lane] < 0 ? less : greater) >> (first + 1) & of_sub_warp;
      to[(side[lane] < 0 ? range[lane].begin : median_position(range[lane]) + 1) + ones_before(mask, lane - first)] =
          point[lane];
    });
  }
};
// [endregion]
}  // namespace kdscope::brown

template <>
struct kdscope::ReplacementOf<kdscope::brown::SubWarps> {
  using type = brown::MySubWarps;
  static constexpr const char* stage = "sub_warps";
};
KDSCOPE_VARIANT_OF(brown)
