// A variant of brown with another terminate. Change it, then run kdscope-cli variant build heap-addresses.cu
#include "algorithms/builders/brown/brown.hpp"
#include "algorithms/variants/variant.hpp"

namespace kdscope::brown {
// [region brown/terminating]
/// The last partitioner: arrays of one, two or three references become nodes and leaves, with one thread per array.
struct MyTerminate : Terminate {
  KDSCOPE_HD void operator()(std::uint32_t address) const {
    const PositionRange range = array_at(n, level, address);
    if (range.begin == range.end) return;
    const std::uint32_t median = median_position(range), child = 2 * address + 1;
    put(level, address, primary[median]);
    if (median > range.begin) put(level + 1, child, primary[range.begin]);
    if (median + 1 < range.end) put(level + 1, child + 1, primary[median + 1]);
  }
};
// [endregion]
}  // namespace kdscope::brown

template <>
struct kdscope::ReplacementOf<kdscope::brown::Terminate> {
  using type = brown::MyTerminate;
  static constexpr const char* stage = "terminate";
};
KDSCOPE_VARIANT_OF(brown)
