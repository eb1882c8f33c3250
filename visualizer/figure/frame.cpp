#include "visualizer/figure/frame.hpp"

#include <algorithm>

namespace kdscope {
namespace {

constexpr double largest_aspect = 20;
constexpr double margin_2d = 0.05, margin_3d = 0.0;
/// Half the height of the band in which one-dimensional points are drawn.
constexpr double band_1d = 0.08;

}  // namespace

Frame::Frame(const Box& domain, const Axes& dims, bool equal_scales) : dims_(dims) {
  double longest = 0, shortest = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (dims_[axis] < 0) continue;
    const double extent = domain.hi[dims_[axis]] - domain.lo[dims_[axis]];
    longest = std::max(longest, extent);
    if (extent > 0) shortest = shortest > 0 ? std::min(shortest, extent) : extent;
  }
  elongation_ = shortest > 0 ? longest / shortest : 1;
  proportional_ = equal_scales && longest <= largest_aspect * shortest;
  stretches_ = !equal_scales && is_2d() && dims_[0] >= 0 && dims_[1] >= 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (dims_[axis] < 0) {
      // Where points lie on a line, the unused axis has a little room, so that planes are visible.
      lo_[axis] = axis == 1 ? -band_1d : 0;
      hi_[axis] = axis == 1 ? band_1d : 0;
      continue;
    }
    const double extent = domain.hi[dims_[axis]] - domain.lo[dims_[axis]];
    const double unit = proportional_ || extent == 0 ? longest : extent;
    scale_[axis] = unit > 0 ? 1 / unit : 1;
    const double length = extent * scale_[axis];
    // Coinciding coordinates still get a visible cell.
    const double margin = length > 0 ? length * (is_2d() ? margin_2d : margin_3d) : longest > 0 ? 0.02 : 0.5;
    origin_[axis] = domain.lo[dims_[axis]];
    lo_[axis] = -margin;
    hi_[axis] = length + margin;
  }
  unstretched_ = {scale_[1], lo_[1], hi_[1]};
}

void Frame::set_stretch(double factor) {
  scale_[1] = unstretched_[0] * factor;
  lo_[1] = unstretched_[1] * factor;
  hi_[1] = unstretched_[2] * factor;
  stretch_ = factor;
}

}  // namespace kdscope
