#include "algorithms/applications/photon_mapping/photon_map.hpp"

#include "algorithms/core/triangles.hpp"

namespace kdscope {

const char* name_of(PhotonEnd end) {
  constexpr const char* names[] = {"stored", "direct", "escaped", "absorbed"};
  return names[static_cast<int>(end)];
}

PhotonRequest usual_photons(std::string_view scene) {
  PhotonRequest request;
  if (scene.starts_with("champagne")) request.count = 400'000, request.k = 40;
  return request;
}

namespace photon_mapping {

const Application& application() {
  static const Application photons{"zhou-vvh", "radius-histogram"};
  return photons;
}

Sphere sphere_around_mirrors(const DataSet& scene, const SceneLook& look) {
  const MeshView mesh = mesh_of(scene);
  Box3 box = empty_box();
  for (std::uint32_t t = 0; t < scene.triangles.size() / 3; ++t) {
    const Material& material = look.materials[scene.materials.empty() ? 0 : scene.materials[t]];
    if (material.mirror > 0 || material.refraction > 0) box = united(box, box_of(mesh.triangle(t)));
  }
  if (box.lo[0] > box.hi[0]) return {};
  const Vector3 low{box.lo[0], box.lo[1], box.lo[2]}, high{box.hi[0], box.hi[1], box.hi[2]};
  return {0.5 * (low + high), 0.5 * length(high - low)};
}

std::vector<Cone> cones_of(const DataSet& scene, const SceneLook& look) {
  const Sphere sphere = sphere_around_mirrors(scene, look);
  std::vector<Cone> cones;
  if (sphere.radius == 0) return cones;
  for (const PointLight& light : look.lights) {
    const Vector3 towards = sphere.middle - light.at;
    const double away = length(towards), share = away > 0 ? sphere.radius / away : 2;
    Cone cone{light.at, ray_tracing::normalised(towards), {}, {}, 2};
    if (share < 1) {
      const double square = share * share;
      cone.height = square / (1 + std::sqrt(1 - square));  // 1 - cos, without cancellation
    }
    const Vector3 other = std::abs(cone.axis.z) < 0.9 ? Vector3{0, 0, 1} : Vector3{1, 0, 0};
    cone.right = ray_tracing::normalised(cross(other, cone.axis));
    cone.up = cross(cone.axis, cone.right);
    cones.push_back(cone);
  }
  return cones;
}

}  // namespace photon_mapping
}  // namespace kdscope
