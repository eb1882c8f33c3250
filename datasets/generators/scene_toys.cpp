// Toys on a floor, in decimetres.

#include <array>

#include "datasets/generators/scenes.hpp"

namespace kdscope {
namespace {

constexpr double track_radius = 7;

void wheel(TriangleMesh& mesh, const Placement& at, double radius) {
  mesh.made_of(Made::dark);
  mesh.drum(at.moved(0, 0, -0.12), radius, radius, 0.24, 14);
}

/// A wagon that rolls along +y on two axles, its wheels' feet at z = 0.
void wheels(TriangleMesh& mesh, const Placement& at, double half_length) {
  for (const double x : {-0.55, 0.55})
    for (const double y : {-half_length, half_length}) wheel(mesh, at.moved(x, y, 0.3).turned_y(0.25), 0.3);
}

void engine(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::red);
  wheels(mesh, at, 0.9);
  mesh.box(at.moved(0, 0, 0.55), {0.6, 1.4, 0.12});
  mesh.drum(at.moved(0, -0.4, 1.2).turned_x(-0.25), 0.55, 0.55, 1.8, 24);
  mesh.box(at.moved(0, -0.9, 1.25), {0.6, 0.5, 0.6});
  mesh.box(at.moved(0, -0.9, 1.95), {0.75, 0.65, 0.08});
  mesh.drum(at.moved(0, 1.0, 1.6), 0.16, 0.32, 0.75, 16);
  mesh.ball(at.moved(0, 0.2, 1.75), {0.2, 0.2, 0.25}, 12, 8);
}

void train(TriangleMesh& mesh, const Placement& middle, double time) {
  mesh.made_of(Made::wood);
  for (const double radius : {track_radius - 0.5, track_radius + 0.5})
    mesh.ring(middle.moved(0, 0, 0.2), radius, 0.06, 64, 4);
  for (int i = 0; i < 44; ++i) mesh.box(middle.turned_z(i / 44.0).moved(track_radius, 0, 0.08), {0.8, 0.16, 0.06});
  for (int i = 0; i < 4; ++i) {
    const Placement at = middle.turned_z(time + 0.36 - 0.075 * i).moved(track_radius, 0, 0.26);
    if (i == 0) {
      engine(mesh, at);
      continue;
    }
    wheels(mesh, at, 0.8);
    mesh.made_of(Made::green);
    mesh.box(at.moved(0, 0, 0.55), {0.65, 1.25, 0.12});
    if (i == 1)
      for (int k = 0; k < 7; ++k)
        mesh.ball(at.moved(0.25 * (k % 2) - 0.12, 0.3 * k - 0.9, 0.95), {0.33, 0.33, 0.33}, 8, 5);
    if (i == 2) mesh.drum(at.moved(0, -1.1, 1.15).turned_x(-0.25), 0.5, 0.5, 2.2, 20);
    if (i == 3) mesh.box(at.moved(0, 0, 1.0), {0.55, 1.1, 0.35});
  }
}

void bear(TriangleMesh& mesh, const Placement& at, double wave) {
  mesh.made_of(Made::wood);
  mesh.ball(at.moved(0, 0, 1.3), {1.1, 1.0, 1.3}, 22, 14);
  const Placement head = at.moved(0, 0.1, 3.1).turned_z(0.03 * wave);
  mesh.ball(head, {0.95, 0.9, 0.85}, 20, 12);
  mesh.ball(head.moved(0, 0.8, -0.2), {0.38, 0.35, 0.3}, 12, 7);
  mesh.ball(head.moved(0, 1.15, -0.1), {0.12, 0.08, 0.1}, 8, 6);
  for (const double side : {-1.0, 1.0}) {
    mesh.ball(head.moved(side * 0.7, 0, 0.7), {0.35, 0.18, 0.35}, 10, 6);
    mesh.ball(head.moved(side * 0.33, 0.8, 0.2), {0.1, 0.08, 0.1}, 8, 6);
    const double lift = side > 0 ? 0.22 + 0.08 * wave : -0.08;
    const Placement arm = at.moved(side * 0.95, 0.1, 2.1).turned_y(-side * lift);
    mesh.ball(arm.moved(side * 0.75, 0, 0), {0.85, 0.36, 0.36}, 14, 8);
    mesh.ball(at.moved(side * 0.6, 1.0, 0.42), {0.42, 1.0, 0.42}, 14, 8);
  }
}

void duck(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::yellow);
  mesh.ball(at.moved(0, 0, 0.8), {0.8, 1.2, 0.75}, 20, 12);
  mesh.ball(at.moved(0, 0.85, 1.9), {0.55, 0.55, 0.55}, 16, 9);
  mesh.drum(at.moved(0, 1.25, 1.85).turned_x(-0.25).scaled(1, 0.45, 1), 0.3, 0.18, 0.55, 10);
  mesh.ball(at.moved(0, -1.15, 1.2).turned_x(0.08), {0.3, 0.5, 0.16}, 12, 6);
  for (const double side : {-1.0, 1.0}) mesh.ball(at.moved(side * 0.75, -0.1, 0.95), {0.16, 0.75, 0.4}, 10, 6);
}

}  // namespace

TriangleMesh toys_scene(double time) {
  TriangleMesh mesh;
  const Placement floor;
  const Direction swing = direction(time), fast = direction(4 * time);
  mesh.made_of(Made::white);
  mesh.plate(floor, 15, 11, 3, 2);
  mesh.made_of(Made::blue);
  mesh.drum(floor.moved(0, 0, 0.001), 5.6, 5.6, 0.05, 48);

  train(mesh, floor.scaled(1.25, 1, 1), time);
  bear(mesh, floor.moved(-2.6, 1.4, 0.05).turned_z(0.42), fast.sine);
  duck(mesh, floor.moved(2.4 + 0.4 * swing.cosine, 2.6 + 0.4 * swing.sine, 0.05).turned_z(time));

  // A tower of rings on a peg, and a spinning top that leans.
  const Placement tower = floor.moved(2.9, -1.8, 0.05);
  mesh.made_of(Made::wood);
  mesh.drum(tower, 1.3, 1.3, 0.25, 24);
  mesh.drum(tower, 0.2, 0.14, 3.4, 12);
  mesh.made_of(Made::yellow);
  for (int i = 0; i < 6; ++i) mesh.ring(tower.moved(0, 0, 0.55 + 0.5 * i), 0.95 - 0.1 * i, 0.27, 20, 8);
  const std::array<Vector3, 7> top{
      {{0, 0, 0}, {0.08, 0, 0.1}, {0.95, 0, 0.9}, {0.95, 0, 1.1}, {0.14, 0, 1.5}, {0.1, 0, 2.3}, {0, 0, 2.35}}};
  mesh.made_of(Made::blue);
  mesh.lathe(floor.moved(-0.6, -2.6, 0.05).turned_z(time * 5).turned_x(0.05), top, 28);

  // Blocks: a pyramid, and some that lie about.
  mesh.made_of(Made::red);
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < 3 - row; ++i)
      mesh.box(floor.moved(11 + 0.08 * i, -4.5 + 1.75 * i + 0.87 * row, 0.8 + 1.6 * row).turned_z(0.02 * (i - row)),
               {0.8, 0.8, 0.8});
  const std::array<std::array<double, 3>, 6> lying{
      {{-12, 6, 0.1}, {-10.4, 7.7, 0.23}, {11.5, 6.5, 0.06}, {-12.6, -3, 0.17}, {-4.6, -1.2, 0.09}, {10, 8.6, 0.2}}};
  mesh.made_of(Made::green);
  for (const auto& [x, y, turn] : lying) mesh.box(floor.moved(x, y, 0.8).turned_z(turn), {0.8, 0.8, 0.8});

  // A ball that bounces, a drum with its sticks.
  mesh.made_of(Made::red);
  mesh.ball(floor.moved(-10.5, -7.5, 1.3 + 2.2 * fast.sine * fast.sine), {1.3, 1.3, 1.3}, 22, 12);
  const Placement drum = floor.moved(11.8, 2.2, 0);
  mesh.made_of(Made::blue);
  mesh.drum(drum, 1.5, 1.5, 1.7, 28);
  mesh.made_of(Made::white);
  for (const double z : {0.08, 1.62}) mesh.ring(drum.moved(0, 0, z), 1.52, 0.08, 28, 5);
  for (const double side : {-1.0, 1.0}) {
    const Placement stick = drum.moved(side * 0.3, 0.2, 1.8).turned_z(side * 0.08).turned_y(0.24);
    mesh.made_of(Made::wood);
    mesh.drum(stick.moved(0, 0, -1.2), 0.06, 0.06, 2.4, 8);
    mesh.ball(stick.moved(0, 0, 1.25), {0.14, 0.14, 0.14}, 10, 6);
  }
  return mesh;
}

}  // namespace kdscope
