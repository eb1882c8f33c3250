#pragma once
// How a scene is seen: what its triangles are made of, its lights, and the eye.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/core/vector3.hpp"

namespace kdscope {

/// A share of red, green and blue light.
using Colour = std::array<float, 3>;

/// How a surface meets light. An opaque one reflects `mirror` of it like a mirror, and scatters `colour` of the rest. A
/// clear one (refraction > 0) bounds a body with this index of refraction on the side that the triangle faces away
/// from; it reflects and transmits by Fresnel's equations, and what it transmits is tinted by `colour`.
struct Material {
  Colour colour{0.72f, 0.7f, 0.67f};
  float mirror = 0;      ///< 0 to 1
  float highlight = 0;   ///< share of a light that shines back around the mirrored direction, 0 to 1
  float refraction = 0;  ///< index of refraction, over that outside; below 1 for a bubble; 0: opaque
};

/// A point light, equally bright at every distance.
struct PointLight {
  Vector3 at;
  Colour colour;
};

/// An eye and the rays from it through the pixels of a picture, row by row from the top left.
struct Camera {
  Vector3 eye;
  Vector3 corner;        ///< from the eye to the middle of the first pixel
  Vector3 across, down;  ///< from a pixel to the next in its row, and to the one below it
  std::uint32_t width = 1, height = 1;

  KDSCOPE_HD Vector3 direction(std::uint32_t x, std::uint32_t y) const { return corner + x * across + y * down; }
  std::uint32_t pixels() const { return width * height; }
};

struct SceneLook {
  std::vector<Material> materials;  ///< DataSet::materials are indices of it
  std::vector<PointLight> lights;
  Colour above{0.55f, 0.68f, 0.85f}, below{0.32f, 0.3f, 0.28f};  ///< light from outside of the scene, by height
  std::uint32_t bounces = 0;  ///< how often light is mirrored or refracted on its way to the eye
};

/// Returns the materials and lights of a scene of this project; for other meshes, plain triangles and a light behind
/// the eye. The scenes of Zhou et al. 2008, Fig. 4, have the source's numbers of lights and bounces.
SceneLook look_of(const DataSet& scene);

/// Turns the lights about the axis that points up through the middle of the scene, counter-clockwise.
void turn_lights(SceneLook& look, const DataSet& scene, double turns);

/// Where an eye stands that looks at the middle of a scene: how far it has turned about the axis that points up, from
/// the front to the right, and how far it is raised, both in turns; and its distance, 1 for the whole scene in sight.
struct EyePlace {
  double turned = 0.08, raised = 0.056, distance = 1;
  bool operator==(const EyePlace&) const = default;
};
/// Returns a good place for a scene of this project, named by its data; for other meshes, one a little to the right and
/// above.
EyePlace default_eye(const std::string& data);
/// Returns the camera of an eye. Precondition: three dimensions.
Camera camera_of(const DataSet& scene, std::uint32_t width, std::uint32_t height, const EyePlace& eye);
Camera camera_before(const DataSet& scene, std::uint32_t width, std::uint32_t height);  ///< that of the default eye

}  // namespace kdscope
