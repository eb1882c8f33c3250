#pragma once
// Where a view looks from, as a plain value. A session stores it, undo restores it, and an export repeats it.

#include <array>

namespace kdscope {

/// A camera in the scene's own units (the longest side of the domain is 1).
struct CameraState {
  std::array<double, 3> position{0, 0, 1}, focal_point{0, 0, 0}, view_up{0, 1, 0};
  double parallel_scale = 1;
  bool parallel = true;
  bool fits = false;  ///< turned by hand; its distance follows the window, so that the domain fits
  bool operator==(const CameraState&) const = default;
};

}  // namespace kdscope
