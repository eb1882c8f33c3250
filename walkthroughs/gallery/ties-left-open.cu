// A variant of wald with another less_by_tag_then_coordinate.
#include "algorithms/builders/wald/wald.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::wald {
// [region wald/comparator_sort]
/// less() of §3.1: by tag, within a tag by the coordinate in the dimension that the subtree splits.
struct MyLessByTagThenCoordinate : LessByTagThenCoordinate {
  KDSCOPE_HD bool operator()(const TaggedPoint& a, const TaggedPoint& b) const {
    if (a.tag != b.tag) return a.tag < b.tag;
    const std::uint32_t dim = rule.dim_of(a.tag, level);
    const std::uint32_t x = points.key(a.id.value, dim), y = points.key(b.id.value, dim);
    return x < y;
  }
};
// [endregion]
}  // namespace kdscope::wald

template <>
struct kdscope::ReplacementOf<kdscope::wald::LessByTagThenCoordinate> {
  using type = wald::MyLessByTagThenCoordinate;
  static constexpr const char* stage = "less_by_tag_then_coordinate";
};
KDSCOPE_VARIANT_OF(wald)
