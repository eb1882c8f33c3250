// Robots that walk through a street, in metres.

#include <array>

#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/scenes.hpp"

namespace kdscope {
namespace {

/// A leg or an arm of two parts, hinged about x; hangs from the origin.
void limb(TriangleMesh& mesh, const Placement& at, double swing, double bend, double upper, double lower,
          double radius) {
  const Placement first = at.turned_x(swing), second = first.moved(0, 0, -upper).turned_x(bend);
  mesh.ball(first, {radius * 1.5, radius * 1.5, radius * 1.5}, 12, 7);
  mesh.drum(first.moved(0, 0, -upper), radius, radius * 1.15, upper, 14);
  mesh.ball(second, {radius * 1.25, radius * 1.25, radius * 1.25}, 12, 7);
  mesh.drum(second.moved(0, 0, -lower), radius * 0.8, radius, lower, 14);
}

/// Faces +y. step in [0, 1) of two strides.
void robot(TriangleMesh& mesh, const Placement& at, double step) {
  mesh.made_of(Made::steel);
  const Direction stride = direction(step);
  const double swing = 0.07 * stride.sine, lift = 0.03 * stride.cosine * stride.cosine;
  const Placement body = at.moved(0, 0, 1.0 + lift);

  const std::vector<Vector3> torso = smooth(
      {{0, 0, 0}, {0.28, 0, 0.02}, {0.3, 0, 0.2}, {0.42, 0, 0.65}, {0.4, 0, 0.85}, {0.14, 0, 0.95}, {0.12, 0, 1.02}},
      3);
  mesh.lathe(body.scaled(1, 0.72, 1), torso, 24);
  mesh.ring(body.moved(0, 0, 0.2).scaled(1, 0.72, 1), 0.31, 0.03, 32, 6);
  for (int i = 0; i < 6; ++i)
    mesh.ball(body.moved(-0.18 + 0.18 * (i % 3), 0.27, 0.5 + 0.14 * (i / 3)), {0.04, 0.03, 0.04}, 10, 5);

  const Placement head = body.moved(0, 0, 1.22).turned_z(0.04 * stride.sine);
  mesh.ball(head, {0.27, 0.25, 0.25}, 24, 15);
  mesh.box(head.moved(0, 0.2, -0.12), {0.12, 0.06, 0.025});
  for (const double side : {-1.0, 1.0}) {
    mesh.ring(head.moved(side * 0.11, 0.21, 0.05).turned_x(0.25), 0.065, 0.018, 16, 6);
    mesh.ball(head.moved(side * 0.11, 0.21, 0.05), {0.055, 0.05, 0.055}, 12, 7);
    mesh.drum(head.moved(side * 0.25, 0, 0).turned_y(side * 0.25), 0.08, 0.06, 0.08, 16);
  }
  mesh.drum(head.moved(0, 0, 0.22), 0.012, 0.012, 0.22, 8);
  mesh.ball(head.moved(0, 0, 0.46), {0.035, 0.035, 0.035}, 8, 6);

  for (const double side : {-1.0, 1.0}) {
    const double leg = side * swing, knee = leg > 0 ? -0.02 : -0.02 + 1.1 * leg;
    const Placement hip = body.moved(side * 0.18, 0, 0.04);
    limb(mesh, hip, leg, knee, 0.46, 0.46, 0.08);
    const Placement foot = hip.turned_x(leg).moved(0, 0, -0.46).turned_x(knee).moved(0, 0.08, -0.5);
    mesh.ball(foot, {0.13, 0.24, 0.08}, 14, 8);
    const Placement shoulder = body.moved(side * 0.47, 0, 0.8).turned_y(-side * 0.03);
    limb(mesh, shoulder, -leg, 0.1, 0.36, 0.34, 0.065);
    const Placement hand = shoulder.turned_x(-leg).moved(0, 0, -0.36).turned_x(0.1).moved(0, 0, -0.38);
    mesh.ball(hand, {0.08, 0.08, 0.08}, 10, 6);
    for (int finger = 0; finger < 3; ++finger)
      mesh.tube(hand.turned_z(finger / 3.0), smooth({{0.05, 0, -0.03}, {0.1, 0, -0.1}, {0.05, 0, -0.18}}, 3), 0.02,
                0.01, 5);
  }
}

void house(TriangleMesh& mesh, const Placement& at, double half_width, int floors) {
  mesh.made_of(Made::plain);
  const double height = 3.0 * floors;
  mesh.box(at.moved(0, 3, height / 2), {half_width, 3, height / 2});
  mesh.box(at.moved(0, 2.9, height + 0.2), {half_width + 0.25, 3.3, 0.2});
  const int windows = static_cast<int>(half_width / 0.95);
  for (int floor = 0; floor < floors; ++floor)
    for (int i = 0; i < windows; ++i) {
      const Placement window = at.moved(-half_width + (2 * i + 1) * half_width / windows, 0, 3.0 * floor + 1.7);
      if (floor == 0 && i == windows / 2) {
        mesh.box(window.moved(0, -0.03, -0.5), {0.6, 0.06, 1.2});
        continue;
      }
      mesh.box(window, {0.5, 0.05, 0.75});
      mesh.box(window.moved(0, -0.12, -0.8), {0.62, 0.14, 0.05});
      mesh.box(window.moved(0, -0.06, 0), {0.03, 0.03, 0.75});
      mesh.box(window.moved(0, -0.06, 0.15), {0.5, 0.03, 0.03});
    }
}

void workshop_lamp(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::dark);
  mesh.drum(at, 0.16, 0.1, 0.5, 12);
  mesh.tube(at, smooth({{0, 0, 0.4}, {0, 0, 3.4}, {0, 0.5, 4.1}, {0, 1.2, 4.2}}, 6), 0.06, 0.04, 8);
  mesh.ball(at.moved(0, 1.25, 4.1), {0.22, 0.22, 0.16}, 12, 6);
}

}  // namespace

TriangleMesh robots_scene(double time) {
  TriangleMesh mesh;
  const Placement street;
  constexpr double half_length = 15;
  mesh.made_of(Made::dark);
  mesh.plate(street, half_length, 4.5);
  mesh.made_of(Made::plain);
  for (const double side : {-1.0, 1.0}) mesh.box(street.moved(0, side * 5.75, 0.08), {half_length, 1.25, 0.08});
  // Houses on one side only, so that one can look into the street.
  const std::array<std::array<double, 3>, 5> houses{
      {{-12.2, 2.7, 2}, {-6.6, 2.8, 4}, {-0.9, 2.8, 3}, {4.9, 2.9, 2}, {11.4, 3.5, 5}}};
  for (const auto& [x, half_width, floors] : houses)
    house(mesh, street.moved(x, 7, 0), half_width, static_cast<int>(floors));
  for (int i = 0; i < 4; ++i)
    for (const double side : {0.0, 0.5})
      workshop_lamp(mesh, street.turned_z(side).moved(-11.5 + 7.6 * i, 4.9, 0.16).turned_z(0.5));
  mesh.made_of(Made::white);
  for (int i = 0; i < 9; ++i) mesh.box(street.moved(-13.2 + 3.3 * i, 0, 0.01), {0.8, 0.08, 0.01});

  // Eleven robots, some of them the other way, each in its own step.
  const CounterHash hash(8, 0);
  for (std::uint64_t i = 0; i < 11; ++i) {
    const double way = i % 3 == 1 ? -1 : 1;
    const double along = -13.2 + 2.3 * static_cast<double>(i) + hash.unit(3 * i),
                 across = way * (1.0 + 2.4 * hash.unit(3 * i + 1));
    const Placement at = street.moved(along + way * 2.4 * time, -across, 0).turned_z(-0.25 * way);
    robot(mesh, at.scaled(1.3 + 0.5 * hash.unit(3 * i + 2)), 2 * time + 0.29 * static_cast<double>(i));
  }
  return mesh;
}

}  // namespace kdscope
