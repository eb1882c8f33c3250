#include "algorithms/trace/coordinate_names.hpp"

#include "algorithms/core/ids.hpp"

namespace kdscope {

std::string coordinate_name(std::uint32_t dim, std::uint32_t k) {
  static constexpr const char* letters[] = {"x", "y", "z", "w"};
  return k <= 4 && dim < k ? letters[dim] : "x" + std::to_string(dim);
}

std::uint32_t dimension_of(const ArrayInfo& info, std::uint32_t component, std::uint32_t k) {
  if (info.dimension != no_id) return info.dimension;
  if (info.gather) return info.gather->source == points_array ? info.gather->component : no_id;
  if (info.value_space != Space::coordinate && info.value_space != Space::key) return no_id;
  return info.components == k ? component : info.components == 2 * k ? component % k : no_id;
}

std::string component_suffix(const ArrayInfo& info, std::uint32_t component, std::uint32_t k) {
  if (info.gather || info.components <= 1) return {};
  if (component < info.component_names.size()) return "." + info.component_names[component];
  const bool names_elements =
      info.value_space == Space::node || info.value_space == Space::point || info.value_space == Space::position;
  if (names_elements) return "[" + std::to_string(component) + "]";
  if (dimension_of(info, component, k) == no_id || info.components == k)
    return "." + coordinate_name(component, info.components);
  return (component < k ? ".low." : ".high.") + coordinate_name(component % k, k);
}

}  // namespace kdscope
