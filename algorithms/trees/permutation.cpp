#include "algorithms/trees/permutation.hpp"

#include <vector>

namespace kdscope {

CheckResult check_permutation(std::span<const PointId> point_of_position, const std::string& array) {
  CheckResult f{"permutation", "every point is there exactly once", true, ""};
  std::vector<bool> seen(point_of_position.size());
  for (std::size_t i = 0; i < point_of_position.size(); ++i) {
    const std::uint32_t id = point_of_position[i].value;
    if (id < seen.size() && !seen[id])
      seen[id] = true;
    else
      f.fail_at(array, i, [&] {
        return array + "[" + std::to_string(i) + "]" + " is " + std::to_string(id) +
               (id < seen.size() ? ", a second time" : ", which is no point");
      });
  }
  return f;
}

}  // namespace kdscope
