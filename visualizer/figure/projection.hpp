#pragma once
// From the scene to pixels.

#include <array>
#include <optional>

namespace kdscope {

/// The projection from scene coordinates to device pixels from the lower left of the picture, and to depth.
struct Projection {
  std::array<double, 16> matrix{};  ///< scene to clip coordinates, row-major
  double width = 1, height = 1;
  struct Place {
    double x = 0, y = 0, depth = 0;
  };
  /// Returns false for a place behind the eye.
  template <class Number>
  bool project(const Number* scene, double& x, double& y, double& depth) const {
    const auto row = [&](std::size_t r) {
      return matrix[4 * r] * scene[0] + matrix[4 * r + 1] * scene[1] + matrix[4 * r + 2] * scene[2] + matrix[4 * r + 3];
    };
    const double w = row(3);
    if (w <= 0) return false;
    x = (row(0) / w + 1) * 0.5 * width;
    y = (row(1) / w + 1) * 0.5 * height;
    depth = row(2) / w;
    return true;
  }
  /// Returns the same; nullopt for a place behind the eye.
  template <class Number>
  std::optional<Place> place(const Number* scene) const {
    Place at;
    return project(scene, at.x, at.y, at.depth) ? std::optional(at) : std::nullopt;
  }
  std::optional<Place> place(const std::array<double, 3>& scene) const { return place(scene.data()); }
  bool operator==(const Projection&) const = default;
};

}  // namespace kdscope
