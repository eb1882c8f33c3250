#include "algorithms/applications/ray_tracing/picture_faults.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "algorithms/applications/finite.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope::ray_tracing {
namespace {

constexpr std::uint64_t most_pixels = 1u << 26;
constexpr std::uint32_t most_bounces = 16, most_lights = 64;
/// Flux and caustics are floats: brighter lights could overflow them. Pixels count at most 64 times white.
constexpr float brightest = 1e6f;

using Fault = std::optional<Error>;

Fault fault_of_scene(const PictureRequest& request) {
  if (!request.scene) return Error{ErrorKind::bad_usage, "no scene is open", "", "open one first"};
  const DataSet& scene = *request.scene;
  if (scene.triangles.empty() || scene.points.dim != 3 || scene.points.type != ScalarType::float32)
    return Error{ErrorKind::bad_input, "a picture needs triangles of float points in three dimensions", scene.name,
                 "choose a scene or a mesh"};
  if (const std::uint64_t most = application().most_points(); most > 0 && scene.triangles.size() / 3 > most)
    return Error{ErrorKind::bad_input, std::to_string(scene.triangles.size() / 3) + " triangles cannot be traced",
                 scene.name, "use at most " + std::to_string(most)};
  return fault_of_coordinates(scene);
}

/// Returns whether a pixel has a ray without a direction. If the eye is off the plane of the pixels, none has.
bool has_empty_ray(const Camera& camera) {
  constexpr double least = 1e-37;  // floats are as good as 0 below it
  const Vector3 normal = cross(camera.across, camera.down);
  if (std::abs(dot(camera.corner, normal)) > least * length(normal)) return false;
  for (std::uint32_t y = 0; y < camera.height; ++y)
    for (std::uint32_t x = 0; x < camera.width; ++x)
      if (!(length(camera.direction(x, y)) > least)) return true;
  return false;
}

Fault fault_of_camera(const PictureRequest& request) {
  const Camera& camera = request.camera;
  if (const std::uint64_t pixels = std::uint64_t{camera.width} * camera.height; pixels == 0 || pixels > most_pixels)
    return Error{ErrorKind::bad_usage,
                 "a picture of " + std::to_string(camera.width) + " x " + std::to_string(camera.height) +
                     " pixels cannot be traced",
                 "", "ask for 1 to " + std::to_string(most_pixels) + " pixels"};
  if (!is_finite_float(camera.eye))
    return Error{ErrorKind::bad_usage, "the eye's place is infinite or not a number", "camera",
                 "give three finite coordinates"};
  // All directions lie between those of the corners
  const std::uint32_t right = camera.width - 1, bottom = camera.height - 1;
  for (const Vector3 direction : {camera.corner, camera.across, camera.down, camera.direction(right, 0),
                                  camera.direction(0, bottom), camera.direction(right, bottom)})
    if (!is_finite_float(direction))
      return Error{ErrorKind::bad_usage, "directions of rays are infinite or not numbers", "camera",
                   "give finite directions"};
  if (has_empty_ray(camera))
    return Error{ErrorKind::bad_usage, "a pixel lies in the eye, so its ray has no direction", "camera",
                 "move the pixels away from the eye"};
  return {};
}

/// Returns an error if a number is not within its bounds. quantity: as "a share of red, green or blue".
Fault fault_of_number(float value, float least, float most, const std::string& quantity, const std::string& where) {
  if (value >= least && value <= most) return {};
  return Error{ErrorKind::bad_usage, quantity + " cannot be " + shortest(value), where,
               "give " + short_number(least) + " to " + short_number(most)};
}

Fault fault_of_colour(const Colour& colour, float most, const std::string& quantity, const std::string& where) {
  constexpr const char* names[] = {"red ", "green ", "blue "};
  for (std::size_t c = 0; c < colour.size(); ++c)
    if (auto fault = fault_of_number(colour[c], 0, most, names[c] + quantity, where)) return fault;
  return {};
}

Fault fault_of_materials(const PictureRequest& request) {
  const DataSet& scene = *request.scene;
  const std::vector<Material>& materials = request.look.materials;
  const std::size_t needed = scene.materials.empty() ? 1 : std::size_t{std::ranges::max(scene.materials)} + 1;
  if (materials.size() < needed || (!scene.materials.empty() && scene.materials.size() != scene.triangles.size() / 3))
    return Error{ErrorKind::bad_input, "triangles are made of materials that the scene lacks", scene.name,
                 "open the scene again"};
  for (std::size_t i = 0; i < materials.size(); ++i) {
    const Material& material = materials[i];
    const std::string where = "material " + std::to_string(i);
    // The sums of a pixel have room because no surface sends on more light than it receives
    if (auto fault = fault_of_colour(material.colour, 1, "of the colour", where)) return fault;
    if (auto fault = fault_of_number(material.mirror, 0, 1, "the mirrored share", where)) return fault;
    if (auto fault = fault_of_number(material.highlight, 0, 1, "the highlight", where)) return fault;
    constexpr float least_index = 0.1f, most_index = 10;
    if (material.refraction != 0)
      if (auto fault =
              fault_of_number(material.refraction, least_index, most_index, "the index of refraction", where)) {
        fault->remedy += ", or 0 for an opaque surface";
        return fault;
      }
  }
  return {};
}

Fault fault_of_lights(const PictureRequest& request) {
  const SceneLook& look = request.look;
  if (look.lights.size() > most_lights)
    return Error{ErrorKind::bad_usage, "a scene of " + std::to_string(look.lights.size()) + " lights cannot be traced",
                 "", "use at most " + std::to_string(most_lights)};
  for (std::size_t i = 0; i < look.lights.size(); ++i) {
    const std::string where = "light " + std::to_string(i);
    if (!is_finite_float(look.lights[i].at))
      return Error{ErrorKind::bad_usage, "its place is infinite or not a number", where,
                   "give three finite coordinates"};
    if (auto fault = fault_of_colour(look.lights[i].colour, brightest, "of the colour", where)) return fault;
  }
  if (auto fault = fault_of_colour(look.above, brightest, "of the colour", "light from above")) return fault;
  return fault_of_colour(look.below, brightest, "of the colour", "light from below");
}

Fault fault_of_bounces(const PictureRequest& request) {
  if (request.look.bounces <= most_bounces) return {};
  return Error{ErrorKind::bad_usage, std::to_string(request.look.bounces) + " bounces are too many", "",
               "ask for at most " + std::to_string(most_bounces)};
}

Fault fault_of_photons(const PictureRequest& request) {
  if (!request.photons) return {};
  const PhotonRequest& photons = *request.photons;
  constexpr std::uint32_t most_photons = 1u << 28, most_k = 128;
  if (photons.count == 0 || photons.count > most_photons)
    return Error{ErrorKind::bad_usage, std::to_string(photons.count) + " photons cannot be traced", "",
                 "ask for 1 to " + std::to_string(most_photons) + ", or for no caustics"};
  if (photons.k == 0 || photons.k > most_k)
    return Error{ErrorKind::bad_usage, std::to_string(photons.k) + " photons cannot be gathered at a place", "",
                 "ask for 1 to " + std::to_string(most_k)};
  if (photons.bounces > most_bounces)
    return Error{ErrorKind::bad_usage, std::to_string(photons.bounces) + " bounces of photons are too many", "",
                 "ask for at most " + std::to_string(most_bounces)};
  if (!(photons.faintest > 0) || !std::isfinite(photons.faintest))
    return Error{ErrorKind::bad_usage, "the faintest light that matters must be more than none, and finite", "",
                 "ask for 0.02"};
  return {};
}

Fault fault_of_kept_tree(const PictureRequest& request) {
  if (!request.kept || request.kept->data == request.scene) return {};
  return Error{ErrorKind::bad_usage, "the kept tree is that of another scene", request.scene->name,
               "build a tree of this one"};
}

}  // namespace

std::optional<Error> fault_of(const PictureRequest& request) {
  for (const auto check : {fault_of_scene, fault_of_camera, fault_of_materials, fault_of_lights, fault_of_bounces,
                           fault_of_photons, fault_of_kept_tree})
    if (auto fault = check(request)) return fault;
  return {};
}

}  // namespace kdscope::ray_tracing
