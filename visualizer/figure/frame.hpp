#pragma once
// Converts the points' units to the scene's: three chosen dimensions, scaled so that the longest side of the domain is
// one unit, or each side on its own. Scene units keep float precision for any data.

#include <algorithm>
#include <array>

#include "algorithms/core/points.hpp"
#include "visualizer/model/axes.hpp"

namespace kdscope {

/// The dimensions drawn along x, y and z, and their scales. -1: the axis is not used.
class Frame {
 public:
  Frame() = default;
  /// `domain` must have an entry for each used dimension. Without equal scales, and if extents differ more than
  /// twentyfold, each axis is scaled to unit length, and proportional() is false.
  Frame(const Box& domain, const Axes& dims, bool equal_scales = true);

  const Axes& dims() const { return dims_; }
  bool is_2d() const { return dims_[2] < 0; }
  /// Returns the axis along which a dimension is drawn; -1 if it is not, or for dimension -1.
  int axis_of(int dim) const {
    const auto found = std::find(dims_.begin(), dims_.end(), dim);
    return dim < 0 || found == dims_.end() ? -1 : static_cast<int>(found - dims_.begin());
  }
  bool proportional() const { return proportional_; }
  /// Returns whether the picture may be stretched to the room that it has: x and y are drawn, each on its own scale.
  bool stretches() const { return stretches_; }
  /// Returns how many times as long as the shortest side of the domain its longest is, among the drawn sides that have
  /// an extent.
  double elongation() const { return elongation_; }
  /// Returns the factor by which the y axis is stretched.
  double stretch() const { return stretch_; }
  /// Stretches the y axis of a frame that stretches(). Equal factors make equal frames, whatever they had been before.
  void set_stretch(double factor);
  /// Converts a value in the points' units to the scene coordinate along an axis; 0 for an unused axis.
  double to_scene(int axis, double value) const { return (value - origin_[axis]) * scale_[axis]; }
  double to_world(int axis, double scene) const { return scene / scale_[axis] + origin_[axis]; }
  /// Returns a bound of the drawn region in scene units: the domain and a margin around it.
  double lo(int axis) const { return lo_[axis]; }
  double hi(int axis) const { return hi_[axis]; }
  bool operator==(const Frame&) const = default;

 private:
  Axes dims_{0, -1, -1};
  bool proportional_ = true, stretches_ = false;
  double elongation_ = 1, stretch_ = 1;
  std::array<double, 3> origin_{0, 0, 0}, scale_{1, 1, 1}, lo_{0, 0, 0}, hi_{1, 0, 0};
  std::array<double, 3> unstretched_{};  // scale, lo and hi of the y axis
};

}  // namespace kdscope
