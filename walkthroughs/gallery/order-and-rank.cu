// A variant of wald with another ranks_of_order. Change it, then run kdscope-cli variant build order-and-rank.cu
#include "algorithms/builders/wald/wald.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::wald {
// [region wald/rank_coordinates]
/// Inverts a sorted order into ranks.
struct MyRanksOfOrder : RanksOfOrder {
  KDSCOPE_HD void operator()(std::uint32_t place) const { rank[place] = order[place].value; }
};
// [endregion]
}  // namespace kdscope::wald

template <>
struct kdscope::ReplacementOf<kdscope::wald::RanksOfOrder> {
  using type = wald::MyRanksOfOrder;
  static constexpr const char* stage = "ranks_of_order";
};
KDSCOPE_VARIANT_OF(wald)
