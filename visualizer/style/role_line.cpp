#include "visualizer/style/role_line.hpp"

#include <algorithm>
#include <cmath>

namespace kdscope {

std::vector<Stroke> role_line(Role role, double width, double thickness) {
  switch (role) {
    case Role::write:
      return {{0, width, 0}};
    case Role::compare:
      return {{0, width, 0}, {0, width, (role_line_height - 1) * thickness}};
    case Role::read:
      break;
    default:
      return {};
  }
  // Draw at least two dashes, so that a short line looks dashed too; a gap is two thirds of a dash.
  const int dashes = std::max(2, static_cast<int>(std::lround((width / thickness + 2) / 5)));
  const double dash = width / (dashes + (dashes - 1) * 2.0 / 3);
  std::vector<Stroke> strokes;
  for (int i = 0; i < dashes; ++i) strokes.push_back({i * dash * 5 / 3, i * dash * 5 / 3 + dash, 0});
  return strokes;
}

}  // namespace kdscope
