// A variant of hu with another goes_left. Change it, then run kdscope-cli variant build scan-of-marks.cu
#include "algorithms/builders/hu/hu.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::hu {
// [region hu/left_counter]
/// The summand of left_counter, an exclusive scan over the marks of all active positions.
struct MyGoesLeft : GoesLeft {
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return left_right_mark[i]; }
};
// [endregion]
}  // namespace kdscope::hu

template <>
struct kdscope::ReplacementOf<kdscope::hu::GoesLeft> {
  using type = hu::MyGoesLeft;
  static constexpr const char* stage = "goes_left";
};
KDSCOPE_VARIANT_OF(hu)
