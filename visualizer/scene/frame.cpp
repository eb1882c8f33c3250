#include "visualizer/scene/frame.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace kdscope {
namespace {

constexpr double largest_aspect = 20;
constexpr double margin_2d = 0.05, margin_3d = 0.0;
/// Half the height of the band in which one-dimensional points are drawn.
constexpr double band_1d = 0.08;

}  // namespace

Frame::Frame(const Box& domain, const Axes& dims) : dims_(dims) {
  double longest = 0, shortest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (dims_[axis] < 0) continue;
    const double extent = domain.hi[dims_[axis]] - domain.lo[dims_[axis]];
    longest = std::max(longest, extent);
    if (extent > 0) shortest = shortest > 0 ? std::min(shortest, extent) : extent;
  }
  proportional_ = longest <= largest_aspect * shortest;
  for (int axis = 0; axis < 3; ++axis) {
    if (dims_[axis] < 0) {
      // The unused axis of a line of points has a little room, so that planes can be seen.
      lo_[axis] = axis == 1 ? -band_1d : 0;
      hi_[axis] = axis == 1 ? band_1d : 0;
      continue;
    }
    const double extent = domain.hi[dims_[axis]] - domain.lo[dims_[axis]];
    const double unit = proportional_ ? longest : extent;
    scale_[axis] = unit > 0 ? 1 / unit : 1;
    const double length = extent * scale_[axis];
    // Coinciding coordinates still get a cell that can be seen.
    const double margin = length > 0 ? length * (is_2d() ? margin_2d : margin_3d) : longest > 0 ? 0.02 : 0.5;
    origin_[axis] = domain.lo[dims_[axis]];
    lo_[axis] = -margin;
    hi_[axis] = length + margin;
  }
}

std::vector<double> tick_values(double lo, double hi, int count) {
  std::vector<double> values;
  if (!(hi > lo) || count < 1) return values;
  const double rough = (hi - lo) / count, power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough * 0.999) {
      step = nice * power;
      break;
    }
  // A round number that the range misses by a hair still marks its end.
  const double hair = 0.004 * (hi - lo) / step;
  const double first = std::ceil(lo / step - hair), last = std::floor(hi / step + hair);
  for (double i = first; i <= last && values.size() < 100; ++i) values.push_back(i * step + 0.0);
  return values;
}

std::vector<std::string> tick_texts(const std::vector<double>& values) {
  std::vector<std::string> texts;
  if (values.empty()) return texts;
  double largest = 0;
  for (double v : values) largest = std::max(largest, std::abs(v));
  const double step = values.size() > 1 ? values[1] - values[0] : largest;
  const int decimals = step > 0 ? std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))) : 0;
  const bool scientific = largest >= 1e7 || decimals > 5;
  for (double v : values) {
    char text[40];
    if (scientific)
      std::snprintf(text, sizeof text, "%.4g", v);
    else
      std::snprintf(text, sizeof text, "%.*f", decimals, v);
    texts.emplace_back(text);
  }
  return texts;
}

}  // namespace kdscope
