// A museum's hall with its roof and front taken off, in metres.

#include <array>

#include "datasets/generators/scenes.hpp"

namespace kdscope {
namespace {

constexpr double museum_half_x = 14, museum_half_y = 8, wall_height = 7;

void column(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::white);
  mesh.box(at.moved(0, 0, 0.1), {0.62, 0.62, 0.1});
  mesh.ring(at.moved(0, 0, 0.28), 0.46, 0.1, 16, 5);
  // Sixteen flutes, and a shaft that grows narrower.
  mesh.patch(at.moved(0, 0, 0.35), 32, 4, true, false, [](double u, double v) {
    const Direction d = direction(u);
    const int i = static_cast<int>(u * 32 + 0.5);
    const double radius = (i % 2 ? 0.38 : 0.42) * (1 - 0.18 * v * v);
    return Vector3{radius * d.cosine, radius * d.sine, 4.45 * v};
  });
  const std::array<Vector3, 5> capital{
      {{0.34, 0, 0}, {0.4, 0, 0.06}, {0.36, 0, 0.12}, {0.55, 0, 0.35}, {0.55, 0, 0.42}}};
  mesh.lathe(at.moved(0, 0, 4.8), capital, 14);
  mesh.box(at.moved(0, 0, 5.3), {0.62, 0.62, 0.1});
}

void pedestal(TriangleMesh& mesh, const Placement& at, double height) {
  mesh.made_of(Made::dark);
  mesh.box(at.moved(0, 0, 0.08), {0.6, 0.6, 0.08});
  mesh.box(at.moved(0, 0, height / 2), {0.45, 0.45, height / 2});
  mesh.box(at.moved(0, 0, height), {0.55, 0.55, 0.06});
}

void vase(TriangleMesh& mesh, const Placement& at, double belly, double neck) {
  mesh.made_of(Made::blue);
  const std::vector<Vector3> profile =
      smooth({{0, 0, 0}, {0.18, 0, 0}, {belly, 0, 0.45}, {0.3, 0, 0.8}, {neck, 0, 1.0}, {neck + 0.08, 0, 1.15}}, 3);
  mesh.lathe(at, profile, 20);
  for (const double side : {0.0, 0.5})
    mesh.tube(at.turned_z(side), smooth({{0.27, 0, 0.75}, {0.5, 0, 0.95}, {neck + 0.02, 0, 1.08}}, 4), 0.03, 0.03, 6);
}

void bust(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::white);
  const std::vector<Vector3> shoulders = smooth(
      {{0, 0, 0}, {0.22, 0, 0}, {0.2, 0, 0.15}, {0.5, 0, 0.35}, {0.42, 0, 0.6}, {0.13, 0, 0.7}, {0.13, 0, 0.85}}, 3);
  mesh.lathe(at.scaled(1, 0.6, 1), shoulders, 16);
  mesh.ball(at.moved(0, 0.03, 1.08), {0.22, 0.26, 0.32}, 18, 11);
  mesh.drum(at.moved(0, 0.26, 1.1).turned_x(-0.2), 0.05, 0.01, 0.1, 6);
}

/// A standing figure, one arm raised.
void statue(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::gold);
  mesh.tube(at, smooth({{-0.2, 0.1, 0}, {-0.18, 0.05, 0.6}, {-0.12, 0, 1.15}}, 4), 0.1, 0.16, 8);
  mesh.tube(at, smooth({{0.22, -0.1, 0}, {0.2, 0.1, 0.6}, {0.12, 0, 1.15}}, 4), 0.1, 0.16, 8);
  mesh.ball(at.moved(0, 0, 1.55), {0.33, 0.22, 0.52}, 16, 10);
  mesh.ball(at.moved(0, 0.02, 2.3), {0.15, 0.18, 0.21}, 14, 9);
  mesh.drum(at.moved(0, 0, 2.0), 0.09, 0.08, 0.2, 12);
  mesh.tube(at, smooth({{-0.3, 0, 1.85}, {-0.5, 0.1, 1.5}, {-0.35, 0.3, 1.2}}, 4), 0.09, 0.06, 8);
  mesh.tube(at, smooth({{0.3, 0, 1.85}, {0.62, 0.05, 2.0}, {0.75, 0.1, 2.6}}, 4), 0.09, 0.06, 8);
  mesh.ball(at.moved(0.76, 0.1, 2.72), {0.13, 0.13, 0.13}, 12, 8);
}

/// A long-necked skeleton that stands along x.
void skeleton(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::white);
  const std::vector<Vector3> spine = smooth({{-4.6, 0.4, 1.2},
                                             {-3, -0.2, 1.5},
                                             {-1.4, 0, 2.1},
                                             {0, 0, 2.35},
                                             {1.3, 0, 2.3},
                                             {2.3, 0, 3.0},
                                             {2.9, 0, 4.1},
                                             {3.6, 0, 4.5}},
                                            6);
  mesh.tube(at, spine, 0.05, 0.08, 6);
  for (std::size_t i = 2; i + 2 < spine.size(); i += 2)
    mesh.box(at.moved(spine[i].x, spine[i].y, spine[i].z + 0.12), {0.05, 0.03, 0.14});
  for (int i = 0; i < 11; ++i) {
    const double x = -1.4 + 0.26 * i, deep = 0.95 - 0.012 * (i - 5) * (i - 5) * 1.4;
    for (const double side : {-1.0, 1.0})
      mesh.tube(at,
                smooth({{x, 0, 2.25},
                        {x + 0.05, side * 0.55, 2.1},
                        {x + 0.1, side * 0.6, 2.2 - deep * 0.7},
                        {x + 0.2, side * 0.2, 2.2 - deep}},
                       3),
                0.05, 0.03, 4);
  }
  for (const double side : {-1.0, 1.0})
    for (const double x : {-1.3, 1.4}) {
      mesh.tube(at, smooth({{x, side * 0.2, 2.2}, {x + 0.25, side * 0.5, 1.2}, {x - 0.1, side * 0.55, 0.1}}, 4), 0.11,
                0.08, 8);
      mesh.ball(at.moved(x + 0.05, side * 0.55, 0.07), {0.28, 0.16, 0.07}, 9, 5);
    }
  mesh.ball(at.moved(3.8, 0, 4.55).turned_y(0.05), {0.45, 0.2, 0.2}, 16, 10);
  mesh.box(at.moved(3.95, 0, 4.33).turned_y(0.07), {0.35, 0.12, 0.04});
}

/// Rings and blades that hang in the hall and turn against one another.
void mobile(TriangleMesh& mesh, const Placement& at, double time) {
  mesh.made_of(Made::steel);
  for (int i = 0; i < 5; ++i) {
    const Placement ring = at.turned_z((i % 2 ? -1 : 1) * time + 0.1 * i).turned_x(0.08 * i + 0.03);
    mesh.ring(ring, 1.9 - 0.32 * i, 0.045, 40, 5);
  }
  for (int i = 0; i < 24; ++i) {
    const Placement blade = at.turned_z(i / 24.0 + time).turned_y(0.3 * i).moved(0.2, 0, 0);
    mesh.patch(blade, 4, 1, false, false, [](double u, double v) {
      return Vector3{0.9 * u, 0.16 * (1 - 0.96 * u) * (2 * v - 1) + 0.1 * u * u, 0.3 * u * u};
    });
  }
  mesh.ball(at, {0.2, 0.2, 0.2}, 20, 12);
}

}  // namespace

TriangleMesh museum_scene(double time) {
  TriangleMesh mesh;
  const Placement hall;
  mesh.made_of(Made::polished);
  mesh.plate(hall, museum_half_x, museum_half_y, 14, 8);
  mesh.made_of(Made::plain);
  mesh.box(hall.moved(0, museum_half_y + 0.15, wall_height / 2), {museum_half_x + 0.3, 0.15, wall_height / 2});
  for (const double side : {-1.0, 1.0})
    mesh.box(hall.moved(side * (museum_half_x + 0.15), 0, wall_height / 2), {0.15, museum_half_y, wall_height / 2});
  mesh.box(hall.moved(0, museum_half_y - 0.12, wall_height - 0.2), {museum_half_x, 0.12, 0.2});

  // Two rows of columns carry beams.
  for (const double y : {-4.8, 4.8}) {
    for (int i = 0; i < 6; ++i) column(mesh, hall.moved(-11 + 4.4 * i, y, 0));
    mesh.made_of(Made::white);
    mesh.box(hall.moved(0, y, 5.65), {12.2, 0.5, 0.25});
  }

  // On the back wall: pictures. Along the walls: busts and vases. In the middle: the skeleton and the mobile.
  for (int i = 0; i < 7; ++i) {
    const Placement frame = hall.moved(-11.4 + 3.8 * i, museum_half_y - 0.05, 3.1);
    const double w = 0.8 + 0.25 * (i % 3), h = 1.3 - 0.2 * (i % 3);
    mesh.made_of(Made::blue);
    mesh.box(frame, {w, 0.02, h});
    for (const double side : {-1.0, 1.0}) {
      mesh.made_of(Made::gold);
      mesh.box(frame.moved(side * w, -0.04, 0), {0.07, 0.07, h + 0.07});
      mesh.box(frame.moved(0, -0.04, side * h), {w, 0.07, 0.07});
    }
  }
  for (int i = 0; i < 6; ++i) {
    const Placement at = hall.moved(-13.1, -6.3 + 2.5 * i, 0).turned_z(-0.25);
    pedestal(mesh, at, 1.1);
    if (i % 2)
      bust(mesh, at.moved(0, 0, 1.16));
    else
      vase(mesh, at.moved(0, 0, 1.16), 0.42, 0.12);
  }
  for (int i = 0; i < 4; ++i) {
    const Placement at = hall.moved(13.1, -5.4 + 3.5 * i, 0).turned_z(0.25);
    pedestal(mesh, at, 0.5);
    statue(mesh, at.moved(0, 0, 0.56));
  }
  mesh.made_of(Made::dark);
  mesh.box(hall.moved(-6, 0, 0.15), {5.6, 1.5, 0.15});
  skeleton(mesh, hall.moved(-6, 0, 0.3));
  mesh.made_of(Made::dark);
  mesh.drum(hall.moved(6, 0, 0), 2.2, 2.0, 0.4, 40);
  mobile(mesh, hall.moved(6, 0, 3.2), time);
  mesh.tube(hall, {{6, 0, 5.1}, {6, 0, 7}}, 0.02, 0.02, 6);

  // Cases with small finds, and benches.
  for (int i = 0; i < 3; ++i) {
    const Placement box = hall.moved(-3 + 4.5 * i, 6.4, 0);
    mesh.made_of(Made::wood);
    mesh.box(box.moved(0, 0, 0.45), {1.1, 0.5, 0.45});
    mesh.made_of(Made::glass);
    mesh.box(box.moved(0, 0, 1.2), {1.1, 0.5, 0.3});
    mesh.made_of(Made::gold);
    for (int k = 0; k < 6; ++k)
      mesh.ball(box.moved(-0.8 + 0.32 * k, 0.1 * (k % 3) - 0.1, 1.0), {0.1, 0.08, 0.1 - 0.01 * k}, 10, 6);
  }
  for (const double x : {-9.0, -3.0, 3.0, 9.0}) {
    mesh.made_of(Made::wood);
    mesh.box(hall.moved(x, -2.9, 0.45), {1.0, 0.25, 0.05});
    for (const double side : {-0.8, 0.8}) mesh.box(hall.moved(x + side, -2.9, 0.2), {0.06, 0.22, 0.2});
  }
  return mesh;
}

}  // namespace kdscope
