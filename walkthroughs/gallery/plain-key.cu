// A variant of brown with another super_key_less. Change it, then run kdscope-cli variant build plain-key.cu
#include "algorithms/builders/brown/brown.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::brown {
// [region brown/super_key]
/// Order of the references in a dimension; ties are broken by original index.
struct MySuperKeyLess : SuperKeyLess {
  KDSCOPE_HD bool operator()(const Reference& a, const Reference& b) const {
    if (a.value != b.value) return a.value < b.value;
    return original ? original[a.point.value] < original[b.point.value] : a.point < b.point;
  }
};
// [endregion]
}  // namespace kdscope::brown

template <>
struct kdscope::ReplacementOf<kdscope::brown::SuperKeyLess> {
  using type = brown::MySuperKeyLess;
  static constexpr const char* stage = "super_key_less";
};
KDSCOPE_VARIANT_OF(brown)
