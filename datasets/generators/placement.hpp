#pragma once
// Where a thing stands.

#include "algorithms/core/vector3.hpp"
#include "datasets/generators/direction.hpp"

namespace kdscope {

/// An affine map, given by the images of the axes and of the origin. Each change is one in the thing's own coordinates,
/// so `Placement().moved(...).turned_z(...)` reads like a walk.
struct Placement {
  Vector3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin;

  KDSCOPE_HD Vector3 operator()(Vector3 p) const { return origin + p.x * x + p.y * y + p.z * z; }
  /// Returns the image of a direction.
  KDSCOPE_HD Vector3 along(Vector3 d) const { return d.x * x + d.y * y + d.z * z; }
  /// Returns the direction whose image is `d`. Precondition: the map turns and moves only.
  KDSCOPE_HD Vector3 back_along(Vector3 d) const { return {dot(x, d), dot(y, d), dot(z, d)}; }
  Placement moved(double dx, double dy, double dz) const { return {x, y, z, (*this)({dx, dy, dz})}; }
  Placement scaled(double sx, double sy, double sz) const { return {sx * x, sy * y, sz * z, origin}; }
  Placement scaled(double s) const { return scaled(s, s, s); }
  Placement turned_x(double turns) const {
    const Direction d = direction(turns);
    return {x, d.cosine * y + d.sine * z, d.cosine * z - d.sine * y, origin};
  }
  Placement turned_y(double turns) const {
    const Direction d = direction(turns);
    return {d.cosine * x - d.sine * z, y, d.cosine * z + d.sine * x, origin};
  }
  Placement turned_z(double turns) const {
    const Direction d = direction(turns);
    return {d.cosine * x + d.sine * y, d.cosine * y - d.sine * x, z, origin};
  }
};

}  // namespace kdscope
