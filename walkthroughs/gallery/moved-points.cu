// A variant of wald with another make_keys. Change it, then run kdscope-cli variant build moved-points.cu
#include "algorithms/builders/wald/wald.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::wald {
// [region wald/radix_sort]
/// Packs (tag - first_tag, rank) into the low bits of a key. rank: [k][n]. Work O(1) per point.
template <class Key>
struct MyMakeKeys {
  const std::uint32_t* tags;
  const PointId* ids;
  const std::uint32_t* rank;
  Key* keys;
  SplitRule rule;
  std::uint32_t n, begin, first_tag;
  int level, rank_bits;
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    const std::uint32_t i = begin + j, tag = tags[i];
    Key key = static_cast<Key>(tag - first_tag) << rank_bits;
    if (rank_bits > 0) key |= rank[std::size_t(rule.dim_of(tag, level)) * n + i];
    keys[i] = key;
  }
};
// [endregion]
}  // namespace kdscope::wald

template <class Key>
struct kdscope::ReplacementOf<kdscope::wald::MakeKeys<Key>> {
  using type = wald::MyMakeKeys<Key>;
  static constexpr const char* stage = "make_keys";
};
KDSCOPE_VARIANT_OF(wald)
