// A horned, scaled dragon whose body winds over the ground.

#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/scenes.hpp"

namespace kdscope {
namespace {

/// How thick the body is from the tail's tip (0) to the neck (1).
double girth(double v) {
  const double from_tail = v < 0.45 ? v / 0.45 : 1, to_neck = v > 0.72 ? (1 - v) / 0.28 : 1;
  const double tail = from_tail * (2 - from_tail), neck = 0.5 + 0.5 * to_neck * (2 - to_neck);
  return 0.02 + 0.98 * tail * neck;
}

/// Skin around frames: rows of scales that overlap towards the tail, smooth below where the belly is ridged.
void skin(TriangleMesh& mesh, const std::vector<Placement>& frames, double thickness, int around, int along,
          int scales_around, int scales_along) {
  mesh.patch(Placement(), around, along, true, false, [&](double u, double v) {
    const auto i = static_cast<std::size_t>(v * static_cast<double>(frames.size() - 1) + 0.5);
    const Direction d = direction(u);
    // A hair more, so that the first row of a scale is not taken for the last of the one before.
    const double row = v * scales_along + 1e-6, odd = static_cast<double>(static_cast<int>(row) % 2);
    const double across = u * scales_around + 0.5 * odd + 1e-6, in_row = row - std::floor(row),
                 in_scale = across - std::floor(across) - 0.5;
    const double belly = d.sine < -0.55 ? 1 : 0;
    const double scale = belly > 0 ? 0.05 * in_row : 0.13 * (1 - in_row) * (1 - 4 * in_scale * in_scale);
    const double radius = thickness * girth(v) * (1 + scale);
    return frames[i]({radius * d.cosine, 1.12 * radius * d.sine, 0});
  });
}

/// So many points at even distances along a path.
std::vector<Vector3> evenly(const std::vector<Vector3>& path, int points) {
  std::vector<double> way(path.size());
  for (std::size_t i = 1; i < path.size(); ++i) way[i] = way[i - 1] + length(path[i] - path[i - 1]);
  std::vector<Vector3> even;
  for (std::size_t i = 1; std::ssize(even) < points;) {
    const double at = way.back() * static_cast<double>(even.size()) / (points - 1);
    if (way[i] < at && i + 1 < path.size())
      ++i;
    else
      even.push_back(path[i - 1] + ((at - way[i - 1]) / (way[i] - way[i - 1])) * (path[i] - path[i - 1]));
  }
  return even;
}

/// The body's frames with their y axes turned up, so that back and belly stay where they belong.
std::vector<Placement> upright(std::vector<Placement> frames) {
  for (Placement& f : frames) {
    Vector3 y = Vector3{0, 0, 1} - f.z.z * f.z;
    y = (1 / (length(y) + 1e-9)) * y;
    f.y = y, f.x = cross(y, f.z);
  }
  return frames;
}

void claw(TriangleMesh& mesh, const Placement& at) {
  mesh.ball(at, {0.2, 0.26, 0.13}, 32, 18);
  for (int i = 0; i < 4; ++i) {
    const Placement toe = at.turned_z(0.12 * (i - 1.5));
    mesh.tube(toe, smooth({{0, 0.12, 0}, {0, 0.34, 0.06}, {0, 0.5, -0.06}}, 8), 0.075, 0.06, 16);
    mesh.tube(toe, smooth({{0, 0.48, -0.04}, {0, 0.6, 0.0}, {0, 0.68, -0.1}}, 8), 0.05, 0.004, 12);
  }
}

void leg(TriangleMesh& mesh, const Placement& at, double side, bool front) {
  const double bend = front ? -0.3 : 0.35;
  const std::vector<Vector3> path =
      smooth({{0, 0, 0}, {side * 0.45, bend, -0.25}, {side * 0.6, -0.4 * bend, -0.75}, {side * 0.62, 0.05, -1.15}}, 14);
  mesh.tube(at, path, 0.34, 0.15, 36);
  claw(mesh, at.moved(side * 0.62, 0.1, -1.18));
}

void head(TriangleMesh& mesh, const Placement& at) {
  // Skull and snout from one lathe surface along y, the lower jaw from another.
  const Placement forward = at.turned_x(-0.25);
  const std::vector<Vector3> skull = smooth({{0, 0, -0.45},
                                             {0.3, 0, -0.38},
                                             {0.42, 0, -0.05},
                                             {0.36, 0, 0.25},
                                             {0.27, 0, 0.6},
                                             {0.28, 0, 0.9},
                                             {0.2, 0, 1.05},
                                             {0, 0, 1.1}},
                                            14);
  mesh.lathe(forward.scaled(1, 0.72, 1), skull, 72);
  const std::vector<Vector3> jaw =
      smooth({{0, 0, -0.2}, {0.2, 0, -0.1}, {0.22, 0, 0.3}, {0.19, 0, 0.8}, {0.1, 0, 0.95}, {0, 0, 0.97}}, 12);
  mesh.lathe(at.moved(0, 0, -0.3).turned_x(-0.045).turned_x(-0.25).scaled(1, 0.4, 1), jaw, 48);
  for (const double side : {-1.0, 1.0}) {
    mesh.ball(at.moved(side * 0.26, 0.22, 0.2), {0.1, 0.1, 0.1}, 32, 18);
    mesh.ring(at.moved(side * 0.27, 0.23, 0.2).turned_y(side * 0.2), 0.11, 0.03, 32, 12);
    mesh.ball(at.moved(side * 0.12, 1.0, 0.12), {0.07, 0.09, 0.06}, 20, 12);
    mesh.tube(at,
              smooth({{side * 0.22, -0.2, 0.22},
                      {side * 0.38, -0.55, 0.55},
                      {side * 0.36, -1.0, 0.66},
                      {side * 0.5, -1.35, 0.95}},
                     16),
              0.1, 0.008, 24);
    mesh.tube(at, smooth({{side * 0.36, -0.15, 0.02}, {side * 0.62, -0.4, 0.1}, {side * 0.75, -0.7, 0.05}}, 12), 0.07,
              0.006, 24);
    mesh.tube(
        at,
        smooth({{side * 0.18, 0.95, 0.0}, {side * 0.5, 1.2, 0.2}, {side * 0.75, 1.0, -0.1}, {side * 1.0, 1.25, -0.25}},
               16),
        0.03, 0.006, 16);
    for (int i = 0; i < 9; ++i) {
      const double y = 0.35 + 0.08 * i;
      mesh.tube(
          at, {{side * 0.21, y, -0.12}, {side * 0.21, y + 0.01, -0.2}, {side * 0.21, y + 0.03, -0.26 - 0.02 * (i % 3)}},
          0.025, 0.003, 10);
    }
  }
  for (int i = 0; i < 18; ++i) {
    const double turn = 0.5 + 0.5 * (i / 17.0);
    const Placement root = at.moved(0, -0.32, 0).turned_y(turn + 0.5);
    mesh.tube(root, smooth({{0.36, 0, 0}, {0.62, -0.35, 0}, {0.66, -0.8 - 0.1 * (i % 3), 0}}, 8), 0.06, 0.006, 12);
  }
}

}  // namespace

TriangleMesh dragon_scene(double time) {
  TriangleMesh mesh;
  constexpr int along = 640;
  // From the tail's tip over two windings up to the neck.
  const std::vector<Vector3> control = {{-6.4, -1.6, 1.3}, {-6.3, -0.5, 0.5}, {-5.0, 0.5, 0.25}, {-3.6, -0.2, 0.8},
                                        {-2.2, -0.5, 1.7}, {-0.6, 0.4, 1.3},  {0.8, 0.5, 1.25},  {1.9, -0.1, 1.75},
                                        {2.7, -0.05, 2.6}, {3.0, 0.05, 3.5},  {3.5, 0.2, 4.2}};
  const std::vector<Placement> body = upright(frames_along(evenly(smooth(control, 200), along + 1)));
  mesh.made_of(Made::green);
  skin(mesh, body, 0.62, 120, along, 24, 80);

  // Spines along the back, the tail's tuft, legs, head.
  for (int i = 24; i + 12 < along; i += 10) {
    const Placement& back = body[static_cast<std::size_t>(i)];
    const double r = 0.62 * girth(double(i) / along);
    mesh.tube(back.moved(0, 1.1 * r, 0),
              smooth({{0, -0.05, 0}, {0, 0.25 + 0.25 * r, -0.08}, {0, 0.35 + 0.5 * r, -0.3}}, 6), 0.05 + 0.09 * r,
              0.004, 10);
  }
  for (int i = 0; i < 12; ++i)
    mesh.tube(body.front().turned_z(i / 12.0), smooth({{0, 0, 0.05}, {0.16, 0, -0.35}, {0.1, 0, -0.95}}, 10), 0.06,
              0.004, 12);
  for (const double side : {-1.0, 1.0}) {
    leg(mesh, Placement().moved(-2.75 + 0.1 * side, -0.45, 1.25).turned_z(-0.2).moved(0.3 * side, 0, 0), side, false);
    leg(mesh, Placement().moved(1.3, 0.15, 1.25).turned_z(-0.3).moved(0.3 * side, 0.15 * side, 0), side, true);
  }
  head(mesh, Placement().moved(3.65, 0.28, 4.35).turned_z(-0.21).turned_x(-0.04).scaled(1.15));

  // Pieces fly away from the middle of the body, tumble and fall; those that reach the ground stay there.
  mesh.refine_to(252'000);
  const CounterHash hash(3, 0);
  mesh.scatter(0.42, [&](std::size_t piece, Vector3 middle) {
    const std::uint64_t i = 6 * piece;
    const auto spread = [&](std::uint64_t k) { return 2 * hash.unit(i + k) - 1; };
    const Vector3 away = middle - Vector3{0, 0, 1.2};
    const Vector3 speed =
        2.2 * (1 / (0.4 + length(away))) * away + Vector3{0.7 * spread(0), 0.7 * spread(1), 2 + 0.9 * spread(2)};
    Vector3 to = middle + (2 * time) * speed;
    to.z = std::max(to.z - 9 * time * time, std::min(middle.z, -0.1));
    return Placement{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, to}
        .turned_x(time * spread(3))
        .turned_y(time * spread(4))
        .turned_z(time * spread(5));
  });
  return mesh;
}

}  // namespace kdscope
