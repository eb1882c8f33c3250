#include "algorithms/checks/super_key_checks.hpp"

#include "algorithms/trees/median_stores/super_key.hpp"

namespace kdscope {

CheckResult check_super_key_order(std::span<const PointId> references, const PointsView& points, std::uint32_t dim,
                                  bool unique, const std::string& array) {
  CheckResult f{"super-key order",
                "references ascend by super key" +
                    std::string(unique ? ", without equal points" : ", equal points by original index"),
                true, ""};
  for (std::size_t i = 1; i < references.size(); ++i) {
    const std::uint32_t a = references[i - 1].value, b = references[i].value;
    const int order = a < points.n && b < points.n ? compare_super_keys(points, a, b, dim) : 1;
    if (order > 0 || (order == 0 && (unique || a >= b)))
      f.fail_at(array, i, [&] { return "position " + std::to_string(i) + " of dimension " + std::to_string(dim); });
  }
  return f;
}

}  // namespace kdscope
