#pragma once
// Converts the points' units to the scene's: three chosen dimensions, scaled so that the longest side of the domain is
// one unit. Scene units keep float precision for any data.

#include <array>

#include "algorithms/core/points.hpp"
#include "visualizer/model/axes.hpp"

namespace kdscope {

/// The dimensions drawn along x, y and z, and their scales. -1: the axis is not used.
class Frame {
 public:
  Frame() = default;
  /// `domain` must have an entry for each used dimension. If extents differ more than twentyfold, each axis is scaled
  /// to unit length, and proportional() is false.
  Frame(const Box& domain, const Axes& dims);

  const Axes& dims() const { return dims_; }
  bool is_2d() const { return dims_[2] < 0; }
  bool proportional() const { return proportional_; }
  /// Converts a value in the points' units to the scene coordinate along an axis; 0 for an unused axis.
  double to_scene(int axis, double value) const { return (value - origin_[axis]) * scale_[axis]; }
  double to_world(int axis, double scene) const { return scene / scale_[axis] + origin_[axis]; }
  /// Returns a bound of the drawn region in scene units: the domain and a margin around it.
  double lo(int axis) const { return lo_[axis]; }
  double hi(int axis) const { return hi_[axis]; }
  bool operator==(const Frame&) const = default;

 private:
  Axes dims_{0, -1, -1};
  bool proportional_ = true;
  std::array<double, 3> origin_{0, 0, 0}, scale_{1, 1, 1}, lo_{0, 0, 0}, hi_{1, 0, 0};
};

}  // namespace kdscope
