#include "datasets/generators/workbench_scan.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/core/vector3.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/parallel_chunks.hpp"

namespace kdscope {
namespace {

constexpr double nothing = std::numeric_limits<double>::infinity();

struct Ray {
  Vector3 origin, direction;
};

/// A turn about the vertical axis, given by cosine and sine so that no libm is needed.
struct Turn {
  double cosine = 1, sine = 0;
  Vector3 into_local(Vector3 v) const { return {cosine * v.x + sine * v.y, cosine * v.y - sine * v.x, v.z}; }
};

/// A box that stands turned about the vertical axis.
struct TurnedBox {
  Vector3 centre, half;
  Turn turn;
};

/// A capped cylinder along the x, y or z axis of a turned frame.
struct Cylinder {
  Vector3 centre;
  double radius = 0, half_length = 0;
  int axis = 2;
  Turn turn;
};

struct Ball {
  Vector3 centre;
  double radius = 0;
};

// Each returns the distance along the ray, in lengths of its direction, to the first hit ahead, or `nothing`.

double hit(const TurnedBox& box, const Ray& ray) {
  const Vector3 o = box.turn.into_local(ray.origin - box.centre), d = box.turn.into_local(ray.direction);
  const double origin[] = {o.x, o.y, o.z}, direction[] = {d.x, d.y, d.z}, half[] = {box.half.x, box.half.y, box.half.z};
  double enter = 0, leave = nothing;
  for (int axis = 0; axis < 3; ++axis) {
    if (direction[axis] == 0) {
      if (origin[axis] < -half[axis] || origin[axis] > half[axis]) return nothing;
      continue;
    }
    double near = (-half[axis] - origin[axis]) / direction[axis], far = (half[axis] - origin[axis]) / direction[axis];
    if (near > far) std::swap(near, far);
    if (near > enter) enter = near;
    if (far < leave) leave = far;
  }
  return enter > 0 && enter <= leave ? enter : nothing;
}

double hit(const Ball& ball, const Ray& ray) {
  const Vector3 o = ray.origin - ball.centre;
  const double a = dot(ray.direction, ray.direction), b = dot(o, ray.direction);
  const double root = b * b - a * (dot(o, o) - ball.radius * ball.radius);
  if (root < 0) return nothing;
  const double t = (-b - std::sqrt(root)) / a;
  return t > 0 ? t : nothing;
}

double hit(const Cylinder& cylinder, const Ray& ray) {
  const Vector3 o = cylinder.turn.into_local(ray.origin - cylinder.centre);
  const Vector3 d = cylinder.turn.into_local(ray.direction);
  const double origin[] = {o.x, o.y, o.z}, direction[] = {d.x, d.y, d.z};
  const int along = cylinder.axis, u = (along + 1) % 3, v = (along + 2) % 3;
  double nearest = nothing;
  const double a = direction[u] * direction[u] + direction[v] * direction[v];
  const double b = origin[u] * direction[u] + origin[v] * direction[v];
  const double c = origin[u] * origin[u] + origin[v] * origin[v] - cylinder.radius * cylinder.radius;
  const double root = b * b - a * c;
  if (a > 0 && root >= 0) {
    const double t = (-b - std::sqrt(root)) / a;
    const double at = origin[along] + t * direction[along];
    if (t > 0 && at >= -cylinder.half_length && at <= cylinder.half_length) nearest = t;
  }
  for (const double cap : {-cylinder.half_length, cylinder.half_length}) {
    if (direction[along] == 0) break;
    const double t = (cap - origin[along]) / direction[along];
    const double pu = origin[u] + t * direction[u], pv = origin[v] + t * direction[v];
    if (t > 0 && t < nearest && pu * pu + pv * pv <= cylinder.radius * cylinder.radius) nearest = t;
  }
  return nearest;
}

constexpr Turn turned_37 = {0.8, 0.6}, turned_23 = {12.0 / 13, -5.0 / 13}, turned_53 = {0.6, 0.8}, straight = {};
constexpr double desk_top = 0.75;

// All lengths in metres.
constexpr std::array boxes = {
    TurnedBox{{0, 1.5, -0.05}, {3.0, 3.0, 0.05}, straight},            // floor
    TurnedBox{{0, 2.25, 1.25}, {3.0, 0.05, 1.25}, straight},           // back wall
    TurnedBox{{0, 1.5, desk_top - 0.02}, {0.8, 0.4, 0.02}, straight},  // desk top
    TurnedBox{{-0.74, 1.16, 0.365}, {0.03, 0.03, 0.365}, straight},    // legs
    TurnedBox{{0.74, 1.16, 0.365}, {0.03, 0.03, 0.365}, straight},
    TurnedBox{{-0.74, 1.84, 0.365}, {0.03, 0.03, 0.365}, straight},
    TurnedBox{{0.74, 1.84, 0.365}, {0.03, 0.03, 0.365}, straight},
    TurnedBox{{-0.48, 1.55, desk_top + 0.12}, {0.16, 0.10, 0.12}, turned_37},  // large box
    TurnedBox{{-0.46, 1.56, desk_top + 0.28}, {0.09, 0.07, 0.04}, turned_23},  // small box on the large one
    TurnedBox{{-0.16, 1.25, desk_top + 0.03}, {0.10, 0.04, 0.03}, turned_23},  // flat box in front
    TurnedBox{{0.62, 1.68, desk_top + 0.17}, {0.06, 0.06, 0.17}, turned_53},   // tall box
};
constexpr std::array cylinders = {
    Cylinder{{-0.02, 1.66, desk_top + 0.11}, 0.055, 0.11, 2, straight},   // can
    Cylinder{{0.05, 1.22, desk_top + 0.018}, 0.018, 0.12, 0, turned_23},  // loose bar on the desk
};
constexpr std::array balls = {Ball{{0.50, 1.30, desk_top + 0.05}, 0.05}};

constexpr Vector3 piston_stands = {0.28, 1.36, desk_top};

/// The piston stands on its skirt; between the rings the crown is narrower. `at`: its base.
struct Piston {
  Vector3 at;
  TurnedBox rod{at + Vector3{0, 0, 0.26}, {0.022, 0.012, 0.10}, turned_37};
  std::array<Cylinder, 7> rounds{Cylinder{at + Vector3{0, 0, 0.045}, 0.090, 0.045, 2, straight},  // skirt
                                 Cylinder{at + Vector3{0, 0, 0.095}, 0.083, 0.005, 2, straight},  // groove
                                 Cylinder{at + Vector3{0, 0, 0.107}, 0.090, 0.007, 2, straight},  // ring
                                 Cylinder{at + Vector3{0, 0, 0.119}, 0.083, 0.005, 2, straight},  // groove
                                 Cylinder{at + Vector3{0, 0, 0.136}, 0.090, 0.012, 2, straight},  // crown
                                 Cylinder{at + Vector3{0, 0, 0.165}, 0.018, 0.10, 0, turned_37},  // pin, across the rod
                                 Cylinder{at + Vector3{0, 0, 0.38}, 0.040, 0.014, 1, turned_37}};  // the rod's big end

  void nearer_hit(const Ray& ray, double& nearest) const {
    if (const double t = hit(rod, ray); t < nearest) nearest = t;
    for (const Cylinder& part : rounds)
      if (const double t = hit(part, ray); t < nearest) nearest = t;
  }
};

/// All that the camera may see in a frame.
class Room {
 public:
  explicit Room(std::uint32_t frame)
      : moved_(frame != 0), place_(piston_place(frame)), piston_{moved_ ? Vector3{} : piston_stands} {}

  double nearest_hit(const Ray& ray) const {
    double nearest = nothing;
    const auto look_at = [&](const auto& parts) {
      for (const auto& part : parts)
        if (const double t = hit(part, ray); t < nearest) nearest = t;
    };
    look_at(boxes);
    look_at(cylinders);
    look_at(balls);
    // A piston that has moved is hit in its own coordinates; where it stands, in those of the room, without rounding
    piston_.nearer_hit(
        moved_ ? Ray{place_.back_along(ray.origin - place_.origin), place_.back_along(ray.direction)} : ray, nearest);
    return nearest;
  }

 private:
  bool moved_;
  Placement place_;
  Piston piston_;
};

constexpr Vector3 camera = workbench_camera;
constexpr Vector3 projector = {0.27, -0.35, 1.55};  // 15 cm beside the camera, as wide as a long-range sensor's base

/// Camera rays through a width x height grid of pixels, 4:3, about 58 degrees wide; length 1 along the optical axis.
struct Camera {
  std::uint32_t width, height;
  Ray ray(std::uint64_t pixel) const {
    // The optical axis looks down at the middle of the desk.
    constexpr double forward_y = 12.0 / 13, forward_z = -5.0 / 13;
    const double u = (static_cast<double>(pixel % width) + 0.5) / width - 0.5;
    const double v = 0.5 - (static_cast<double>(pixel / width) + 0.5) / height;
    const double right = 1.1 * u, up = 0.825 * v;
    return {camera, {right, forward_y - forward_z * up, forward_z + forward_y * up}};
  }
};

/// Whether the projector lights a point that the camera sees.
bool is_lit(const Room& room, Vector3 point) {
  const Ray ray{projector, point - projector};
  return room.nearest_hit(ray) > 1 - 1e-6;
}

/// Noisy points of every pixel that returns a range, in pixel order.
std::vector<Vector3> scan(const Room& room, const Camera& view, const CounterHash& noise) {
  const std::uint64_t pixels = std::uint64_t{view.width} * view.height;
  std::vector<double> range(pixels);
  parallel_chunks(pixels, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t pixel = begin; pixel < end; ++pixel) {
      const Ray ray = view.ray(pixel);
      const double t = room.nearest_hit(ray);
      range[pixel] = t < nothing && is_lit(room, ray.origin + t * ray.direction) ? t : nothing;
    }
  });
  std::vector<Vector3> points;
  for (std::uint64_t pixel = 0; pixel < pixels; ++pixel) {
    if (range[pixel] == nothing) continue;
    const Ray ray = view.ray(pixel);
    const double t = range[pixel] + 0.0008 * range[pixel] * range[pixel] * noise.normal(pixel);
    points.push_back(ray.origin + t * ray.direction);
  }
  return points;
}

}  // namespace

Placement piston_place(std::uint32_t frame) {
  const double time = double(frame % workbench_frames) / workbench_frames;
  const double sine = direction(time).sine, up = (1 - direction(time).cosine) / 2;  // up and down once
  return Placement()
      .moved(piston_stands.x + 0.06 * sine, piston_stands.y + 0.1 * up, piston_stands.z + 0.16 * up)
      .turned_z(0.16 * sine)
      .turned_x(0.05 * up);
}

TriangleMesh piston_model() {
  const Piston piston{};
  TriangleMesh mesh;
  mesh.made_of(Made::steel);
  // The profile of the rounds that stand on one another, from the middle of the base to that of the crown
  std::vector<Vector3> profile{{0, 0, 0}};
  for (const Cylinder& round : piston.rounds)
    if (round.axis == 2)
      for (const double end : {-round.half_length, round.half_length})
        profile.push_back({round.radius, 0, round.centre.z + end});
  profile.push_back({0, 0, profile.back().z});
  constexpr int segments = 96;
  mesh.lathe({}, profile, segments);
  const Placement turned{{turned_37.cosine, turned_37.sine, 0}, {-turned_37.sine, turned_37.cosine, 0}, {0, 0, 1}, {}};
  // The rod's lower end is inside of the piston
  const double lower = profile.back().z, upper = piston.rod.centre.z + piston.rod.half.z;
  mesh.box(turned.moved(0, 0, (lower + upper) / 2), {piston.rod.half.x, piston.rod.half.y, (upper - lower) / 2});
  for (const Cylinder& round : piston.rounds) {
    if (round.axis == 2) continue;
    const Placement across = turned.moved(0, 0, round.centre.z);
    const Placement along = round.axis == 0 ? across.turned_y(0.25) : across.turned_x(-0.25);
    mesh.drum(along.moved(0, 0, -round.half_length), round.radius, round.radius, 2 * round.half_length, segments / 2);
  }
  return mesh;
}

PointSet workbench_scan(std::uint32_t n, std::uint64_t seed, std::uint32_t frame) {
  PointSet set;
  set.dim = 3;
  if (n == 0) return set;
  const Room room(frame);
  const CounterHash noise(seed, frame);

  // Some pixels return nothing: look with ever finer grids until enough do, then leave out the surplus evenly.
  std::vector<Vector3> seen;
  for (std::uint32_t height = 2; seen.size() < n; height += height / 16 + 1)
    if (const std::uint64_t pixels = std::uint64_t{height} * height * 4 / 3; pixels >= n)
      seen = scan(room, {height * 4 / 3, height}, noise);
  set.words.reserve(std::size_t{n} * 3);
  for (std::uint64_t i = 0; i < n; ++i) {
    const Vector3 p = seen[i * seen.size() / n];
    for (const double c : {p.x, p.y, p.z}) set.words.push_back(word_of(static_cast<float>(c)));
  }
  return set;
}

}  // namespace kdscope
