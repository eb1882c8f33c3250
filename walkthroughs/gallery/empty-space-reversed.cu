// A variant of zhou-sah with another plan_splits. Change it, then run kdscope-cli variant build empty-space-reversed.cu
#include "algorithms/builders/zhou-sah/zhou_sah.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::zhou {
// [region zhou/split_large]
/// Plans the splits of active node i. Each side in turn loses its empty space if that is more than C_e of the remaining
/// box; the tight box measures it, and all cuts can share that box. Then the longest side is halved, unless there is no
/// float between its ends.
struct MyPlanSplits : PlanSplits {
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t node = active.node[i], depth = nodes.depth[node];
    PlannedSplit* const planes = plan.planes + std::size_t(i) * most_planes;
    Box3 volume = nodes.volume[node];
    std::uint32_t pairs = 0;
    SplitPlane plane;
    for (std::uint32_t side = 0; side < 6; ++side) {
      if (depth + pairs + 1 >= rules.depth || !cuts_off_side(volume, tight[i], side, plane))
        continue;
      planes[pairs++] = {side, plane.value};
      volume = side % 2 == 1 ? below(volume, plane.dim, plane.value) : above(volume, plane.dim, plane.value);
    }
    const bool half = halves(volume, plane, rules.type);
    if (half) planes[pairs++] = {2 * plane.dim, plane.value};
    plan.pairs[i] = pairs;
    plan.halved[i] = half;  // becomes a node's index once its children are made
  }

 private:
  /// Returns whether the empty space of a side is cut off, and the plane that does it.
  KDSCOPE_HD bool cuts_off_side(const Box3& volume, const Box3& box, std::uint32_t side, SplitPlane& plane) const {
    const std::uint32_t d = side / 2;
    const bool upper = side % 2 == 1;
    plane = {d, upper ? next_coordinate(box.hi[d], rules.type) : box.lo[d]};
    const double empty = upper ? static_cast<double>(volume.hi[d]) - static_cast<double>(box.hi[d])
                               : static_cast<double>(box.lo[d]) - static_cast<double>(volume.lo[d]);
    if (empty * 100 > extent(volume, d) * rules.empty_percent) return false;
    return plane.value > volume.lo[d] && plane.value < volume.hi[d];
  }
};
// [endregion]
}  // namespace kdscope::zhou

template <>
struct kdscope::ReplacementOf<kdscope::zhou::PlanSplits> {
  using type = zhou::MyPlanSplits;
  static constexpr const char* stage = "plan_splits";
};
KDSCOPE_VARIANT_OF(zhou_sah)
