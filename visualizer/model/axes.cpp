#include "visualizer/model/axes.hpp"

#include <algorithm>
#include <utility>

#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::uint32_t most_shown_at_once = 3;

}  // namespace

Axes first_axes(std::uint32_t dim) { return {0, dim > 1 ? 1 : -1, dim == 3 ? 2 : -1}; }

bool axes_fit(const Axes& axes, std::uint32_t dim) {
  const auto [x, y, z] = axes;
  const bool different = x != y && (y < 0 || y != z) && (z < 0 || x != z);
  return x >= 0 && y >= -1 && z >= -1 && (z < 0 || y >= 0) && different && std::max({x, y, z}) < static_cast<int>(dim);
}

Axes axes_or_first(const std::optional<Axes>& wanted, std::uint32_t dim) {
  return wanted && axes_fit(*wanted, dim) ? *wanted : first_axes(dim);
}

Axes with_axis(Axes axes, int axis, int dimension, std::uint32_t dim) {
  const int before = std::exchange(axes[axis], dimension);
  for (int other = 0; other < 3; ++other)
    if (other != axis && dimension >= 0 && axes[other] == dimension) axes[other] = before;
  // If an axis lost its dimension to an axis that was unused before, it takes the first free dimension.
  for (const int left : {0, 1})
    for (int d = 0; d < static_cast<int>(dim) && axes[left] < 0 && dimension >= 0; ++d)
      if (!is_on_axis(axes, static_cast<std::uint32_t>(d))) axes[left] = d;
  return axes;
}

bool is_on_axis(const Axes& axes, std::uint32_t dimension) {
  return std::find(axes.begin(), axes.end(), static_cast<int>(dimension)) != axes.end();
}

bool shows_dimension(const Axes& axes, std::uint32_t dim, std::uint32_t dimension) {
  return dimension == no_id || dim <= most_shown_at_once || is_on_axis(axes, dimension);
}

std::string axes_names(const Axes& axes, std::uint32_t dim) {
  std::string names;
  for (const int d : axes)
    if (d >= 0) names += (names.empty() ? "" : ", ") + coordinate_name(static_cast<std::uint32_t>(d), dim);
  return names;
}

}  // namespace kdscope
