// A variant of hu with another side_of_point. Change it, then run kdscope-cli variant build on-the-plane.cu
#include "algorithms/builders/hu/hu.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::hu {
// [region hu/mark]
/// Finds the side of its node's split that each active point goes to. One thread per point; the marks of all dimensions
/// then look the side up instead of comparing again.
struct MySideOfPoint : SideOfPoint {
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    const std::uint32_t node = active.owner[j], point = sequence[active.position(node, j)].value;
    const bool right =
        points.key(point, active.nodes.split_dim[node]) > ordered_key(active.nodes.split_value[node], points.type);
    side.put(point, right);
  }
};
// [endregion]
}  // namespace kdscope::hu

template <>
struct kdscope::ReplacementOf<kdscope::hu::SideOfPoint> {
  using type = hu::MySideOfPoint;
  static constexpr const char* stage = "side_of_point";
};
KDSCOPE_VARIANT_OF(hu)
