#include "datasets/scene_look.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "datasets/generators/direction.hpp"
#include "datasets/generators/triangle_mesh.hpp"

namespace kdscope {
namespace {

/// The materials by Made.
std::vector<Material> all_materials() {
  std::vector<Material> all(static_cast<std::size_t>(Made::bubble) + 1);
  const auto set = [&](Made made, const Material& material) { all[static_cast<std::size_t>(made)] = material; };
  set(Made::wood, {{0.56f, 0.38f, 0.22f}, 0, 0.1f});
  set(Made::white, {{0.86f, 0.86f, 0.84f}, 0, 0.15f});
  set(Made::red, {{0.78f, 0.16f, 0.13f}, 0, 0.3f});
  set(Made::green, {{0.24f, 0.5f, 0.2f}, 0, 0.1f});
  set(Made::blue, {{0.18f, 0.33f, 0.68f}, 0, 0.3f});
  set(Made::yellow, {{0.88f, 0.68f, 0.16f}, 0, 0.3f});
  set(Made::dark, {{0.16f, 0.16f, 0.17f}, 0, 0.2f});
  set(Made::steel, {{0.6f, 0.61f, 0.63f}, 0.45f, 0.5f});
  set(Made::gold, {{0.9f, 0.66f, 0.25f}, 0.5f, 0.5f});
  set(Made::polished, {{0.45f, 0.42f, 0.4f}, 0.2f, 0.2f});
  set(Made::glass, {{0.97f, 0.99f, 0.98f}, 0, 0.6f, 1.5f});
  set(Made::wine, {{0.98f, 0.9f, 0.62f}, 0, 0.3f, 1.33f});
  // A bubble is air in wine: its index is relative to what is around it.
  set(Made::bubble, {{1, 1, 1}, 0, 0.5f, 1 / 1.33f});
  return all;
}

struct Frame {
  Vector3 low, high, right, away, up;  ///< the axes: to the right, from the eye, up
  Vector3 at(double across, double deep, double high_up) const {
    const Vector3 middle = 0.5 * (low + high), half = 0.5 * (high - low);
    const auto scaled = [&](double share, Vector3 axis) {
      return Vector3{share * half.x * axis.x, share * half.y * axis.y, share * half.z * axis.z};
    };
    return middle + scaled(across, right) + scaled(deep, away) + scaled(high_up, up);
  }
};

Frame frame_of(const DataSet& scene) {
  const Box box = bounding_box(scene.points);
  Frame frame{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  if (box.lo.size() == 3) frame.low = {box.lo[0], box.lo[1], box.lo[2]}, frame.high = {box.hi[0], box.hi[1], box.hi[2]};
  if (scene.up_axis == 1) frame.away = {0, 0, -1}, frame.up = {0, 1, 0};
  if (scene.up_axis == 0) frame.right = {0, 1, 0}, frame.away = {0, 0, 1}, frame.up = {1, 0, 0};
  return frame;
}

/// Places of lights as shares of half the box from its middle: to the right, into the depth, and up.
using Places = std::vector<std::array<double, 3>>;

struct KnownScene {
  std::string_view id;
  std::uint32_t bounces;
  Places lights;
  EyePlace eye = {};
};

const KnownScene* known_scene(std::string_view data);

const std::vector<KnownScene>& known_scenes() {
  static const std::vector<KnownScene> known{
      {"toys", 0, {{-0.8, -1.2, 6}}},
      {"museum", 2, {{-0.35, -0.2, 0.85}, {0.4, -0.4, 0.85}}},
      {"robots", 1, {{-0.6, -1.5, 2.2}, {0.1, -1.3, 2.4}, {0.8, -1.4, 2}}},
      {"kitchen",
       8,
       {{0.15, -0.25, 0.3},
        {-0.5, -1.2, 1.4},
        {0.7, -1.1, 1.3},
        {-0.6, 0.5, 0.75},
        {0.05, 0.55, 0.75},
        {0.6, 0.5, 0.75}}},
      {"fairy-forest", 0, {{-0.9, -1.4, 3}, {0.9, -0.9, 2.6}}},
      {"dragon", 0, {{-0.8, -2.5, 2.5}}},
      {"metal-ring", 2, {{-0.75, 0.1, 5}}, {0.02, 0.15, 0.65}},
      {"champagne", 8, {{-1.6, 0.3, 1.4}}, {0.08, 0.09, 0.75}},
  };
  return known;
}

const KnownScene* known_scene(std::string_view data) {
  const auto found = std::ranges::find(known_scenes(), data.substr(0, data.find(':')), &KnownScene::id);
  return found == known_scenes().end() ? nullptr : &*found;
}

}  // namespace

SceneLook look_of(const DataSet& scene) {
  SceneLook look;
  look.materials = all_materials();
  const Frame frame = frame_of(scene);
  const KnownScene* const known = known_scene(scene.name);
  const Places places = known ? known->lights : Places{{0.6, -2.2, 2}};
  if (known) look.bounces = known->bounces;
  // Together they are as bright as one.
  const auto each = static_cast<float>(0.95 / std::sqrt(static_cast<double>(places.size())));
  for (const auto& [across, deep, up] : places) look.lights.push_back({frame.at(across, deep, up), {each, each, each}});
  return look;
}

void turn_lights(SceneLook& look, const DataSet& scene, double turns) {
  const Frame frame = frame_of(scene);
  const Vector3 middle = 0.5 * (frame.low + frame.high);
  const kdscope::Direction way = direction(turns);
  for (PointLight& light : look.lights) {
    const Vector3 from = light.at - middle;
    const double right = dot(from, frame.right), away = dot(from, frame.away), up = dot(from, frame.up);
    light.at = middle + (way.cosine * right - way.sine * away) * frame.right +
               (way.sine * right + way.cosine * away) * frame.away + up * frame.up;
  }
}

EyePlace default_eye(const std::string& data) {
  const KnownScene* const known = known_scene(data);
  return known ? known->eye : EyePlace{};
}

Camera camera_before(const DataSet& scene, std::uint32_t width, std::uint32_t height) {
  return camera_of(scene, width, height, default_eye(scene.name));
}

Camera camera_of(const DataSet& scene, std::uint32_t width, std::uint32_t height, const EyePlace& place) {
  const Frame frame = frame_of(scene);
  const kdscope::Direction around = direction(place.turned), above = direction(place.raised);
  const Vector3 backward = (above.cosine * around.sine) * frame.right + (-above.cosine * around.cosine) * frame.away +
                           above.sine * frame.up,
                right = around.cosine * frame.right + around.sine * frame.away, up = cross(backward, right);
  const Vector3 middle = 0.5 * (frame.low + frame.high);
  const double radius = std::max(0.5 * length(frame.high - frame.low), 1e-30);
  const Vector3 eye = middle + 2.5 * place.distance * radius * backward;
  // Find the pixel's side, in the plane through the middle, with which all corners of the box are in the picture of the
  // farthest eye; a nearer one sees less.
  const double to_middle = 2.5 * radius;
  double pixel = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const Vector3 at{corner & 1 ? frame.high.x : frame.low.x, corner & 2 ? frame.high.y : frame.low.y,
                     corner & 4 ? frame.high.z : frame.low.z};
    const Vector3 from_eye = at - (middle + to_middle * backward);
    const double scale = to_middle / -dot(from_eye, backward);
    pixel = std::max(
        {pixel, 2 * scale * std::abs(dot(from_eye, right)) / width, 2 * scale * std::abs(dot(from_eye, up)) / height});
  }
  if (pixel == 0) pixel = 1;
  return {eye,
          -1 * (to_middle * backward) + (-0.5 * (width - 1.0) * pixel) * right + (0.5 * (height - 1.0) * pixel) * up,
          pixel * right,
          -pixel * up,
          width,
          height};
}

}  // namespace kdscope
