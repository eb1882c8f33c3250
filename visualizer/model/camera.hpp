#pragma once
// The camera of a view as a plain value: sessions save it, undo restores it, and exports reuse it.

#include <array>

namespace kdscope {

/// A camera in the scene's own units (the longest side of the domain is 1).
struct CameraState {
  std::array<double, 3> position{0, 0, 1}, focal_point{0, 0, 0}, view_up{0, 1, 0};
  double parallel_scale = 1;
  bool parallel = true;
  bool operator==(const CameraState&) const = default;
};

}  // namespace kdscope
