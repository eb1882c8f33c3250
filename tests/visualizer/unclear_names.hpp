#pragma once
// Finds names in a plot that a reader could take for the names of other points.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "algorithms/text/point_name.hpp"
#include "visualizer/scene/scene.hpp"

namespace kdscope {

/// Returns the names that nearly touch another one, or stand as near to another mark as to their own without a line
/// from it. Marks on one spot share a name.
inline std::vector<std::string> unclear_names(const Scene& scene) {
  std::vector<std::string> unclear;
  const auto& names = scene.names();
  // The distance of a mark from the middle line of a name
  const auto distance = [](const WrittenName& name, const std::array<double, 2>& mark) {
    const auto [left, bottom, right, top] = name.room;
    return std::hypot(mark[0] - std::clamp(mark[0], left, right), mark[1] - (bottom + top) / 2);
  };
  for (const WrittenName& name : names) {
    const std::string words = point_name(name.point.value);
    for (const WrittenName& other : names) {
      const double digit = (name.room[3] - name.room[1]) / 2;
      if (other.point.value < name.point.value && name.room[1] < other.room[3] && other.room[1] < name.room[3] &&
          name.room[0] < other.room[2] + digit && other.room[0] < name.room[2] + digit)
        unclear.push_back(words + " nearly touches " + point_name(other.point.value));
    }
    const auto own = scene.place_of_point(name.point);
    for (std::uint32_t point = 0; point < scene.points_drawn() && own && !name.joined; ++point)
      if (const auto mark = scene.place_of_point({point});
          mark && std::hypot((*mark)[0] - (*own)[0], (*mark)[1] - (*own)[1]) > scene.mark_diameter() / 4 &&
          distance(name, *mark) < 1.3 * distance(name, *own))
        unclear.push_back(words + " may be read as " + point_name(point));
  }
  return unclear;
}

}  // namespace kdscope
