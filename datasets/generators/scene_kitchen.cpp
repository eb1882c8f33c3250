// A kitchen without its ceiling and two of its walls, in metres.

#include "datasets/generators/scenes.hpp"

namespace kdscope {
namespace {

constexpr double kitchen_half_x = 3.0, kitchen_half_y = 2.4, counter_top = 0.92;

using Profile = std::vector<Vector3>;

void plate_with_rim(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::white);
  mesh.lathe(at,
             smooth({{0, 0, 0},
                     {0.07, 0, 0},
                     {0.085, 0, 0.008},
                     {0.13, 0, 0.022},
                     {0.13, 0, 0.026},
                     {0.08, 0, 0.012},
                     {0.065, 0, 0.006},
                     {0, 0, 0.006}},
                    2),
             34);
}

void cup(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::blue);
  mesh.lathe(at,
             smooth({{0, 0, 0},
                     {0.025, 0, 0},
                     {0.03, 0, 0.005},
                     {0.043, 0, 0.04},
                     {0.045, 0, 0.08},
                     {0.042, 0, 0.08},
                     {0.04, 0, 0.04},
                     {0.025, 0, 0.008},
                     {0, 0, 0.008}},
                    2),
             32);
  mesh.tube(at, smooth({{0.042, 0, 0.068}, {0.07, 0, 0.065}, {0.07, 0, 0.03}, {0.038, 0, 0.022}}, 5), 0.005, 0.005, 8);
}

void glass(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::glass);
  mesh.lathe(at,
             smooth({{0, 0, 0},
                     {0.035, 0, 0},
                     {0.03, 0, 0.004},
                     {0.005, 0, 0.02},
                     {0.005, 0, 0.09},
                     {0.036, 0, 0.13},
                     {0.034, 0, 0.2},
                     {0.033, 0, 0.2},
                     {0.034, 0, 0.13},
                     {0, 0, 0.095}},
                    2),
             32);
}

void pot(TriangleMesh& mesh, const Placement& at, double radius, double height) {
  mesh.made_of(Made::steel);
  mesh.lathe(at,
             Profile{{0, 0, 0},
                     {radius, 0, 0},
                     {radius, 0, height},
                     {radius * 1.05, 0, height},
                     {radius * 1.05, 0, height + 0.01},
                     {radius * 0.6, 0, height + 0.035},
                     {0, 0, height + 0.04}},
             48);
  mesh.ball(at.moved(0, 0, height + 0.05), {0.022, 0.022, 0.016}, 20, 10);
  for (const double side : {0.0, 0.5})
    mesh.tube(at.turned_z(side),
              smooth({{radius, 0.04, height * 0.75},
                      {radius + 0.04, 0.035, height * 0.78},
                      {radius + 0.04, -0.035, height * 0.78},
                      {radius, -0.04, height * 0.75}},
                     6),
              0.008, 0.008, 8);
}

void teapot(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::white);
  mesh.lathe(at,
             smooth({{0, 0, 0},
                     {0.06, 0, 0},
                     {0.1, 0, 0.05},
                     {0.09, 0, 0.1},
                     {0.055, 0, 0.135},
                     {0.05, 0, 0.14},
                     {0.02, 0, 0.155},
                     {0.01, 0, 0.16},
                     {0.018, 0, 0.175},
                     {0, 0, 0.185}},
                    4),
             48);
  mesh.tube(at, smooth({{0.085, 0, 0.05}, {0.14, 0, 0.07}, {0.15, 0, 0.12}, {0.18, 0, 0.14}}, 8), 0.025, 0.012, 24);
  mesh.tube(at, smooth({{-0.08, 0, 0.11}, {-0.14, 0, 0.125}, {-0.15, 0, 0.07}, {-0.095, 0, 0.045}}, 8), 0.009, 0.009,
            16);
}

void chair(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::wood);
  mesh.box(at.moved(0, 0, 0.45), {0.21, 0.21, 0.015}, 3);
  for (const double x : {-0.18, 0.18}) {
    mesh.tube(at, {{x, 0.18, 0.45}, {x, 0.19, 0.2}, {x, 0.21, 0}}, 0.018, 0.013, 10);
    mesh.tube(at, smooth({{x, -0.22, 0}, {x, -0.19, 0.45}, {x, -0.25, 1.0}}, 6), 0.015, 0.015, 10);
  }
  for (int i = 0; i < 4; ++i) {
    const double z = 0.6 + 0.1 * i, y = -0.2 - 0.012 * (i + 1);
    mesh.tube(at, smooth({{-0.18, y, z}, {0, y - 0.035, z}, {0.18, y, z}}, 6), 0.011, 0.011, 8);
  }
}

/// A cupboard whose front looks along -y: doors with frames and handles.
void cupboard(TriangleMesh& mesh, const Placement& at, double half_width, double depth, double low, double high,
              int doors) {
  mesh.made_of(Made::green);
  const double middle = (low + high) / 2, half = (high - low) / 2;
  mesh.box(at.moved(0, -depth / 2, middle), {half_width, depth / 2, half});
  for (int i = 0; i < doors; ++i) {
    const double w = half_width / doors, x = -half_width + (2 * i + 1) * w;
    mesh.box(at.moved(x, -depth - 0.01, middle), {w - 0.01, 0.01, half - 0.01});
    mesh.box(at.moved(x, -depth - 0.022, middle), {w - 0.07, 0.004, half - 0.07});
    mesh.tube(at.moved(x + (i % 2 ? -1 : 1) * (w - 0.04), -depth - 0.02, middle),
              smooth({{0, 0, -0.06}, {0, -0.03, -0.05}, {0, -0.03, 0.05}, {0, 0, 0.06}}, 5), 0.006, 0.006, 8);
  }
}

void toy_car(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::red);
  mesh.ball(at.moved(0, 0, 0.06), {0.07, 0.14, 0.04}, 36, 20);
  mesh.ball(at.moved(0, -0.02, 0.1), {0.05, 0.07, 0.045}, 30, 16);
  for (const double x : {-0.065, 0.065})
    for (const double y : {-0.08, 0.08}) mesh.ring(at.moved(x, y, 0.03).turned_y(0.25), 0.022, 0.01, 24, 12);
}

void kitchen_lamp(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::yellow);
  mesh.tube(at, {{0, 0, 1.0}, {0, 0, 0.2}}, 0.006, 0.006, 8);
  mesh.lathe(at, smooth({{0.25, 0, 0}, {0.22, 0, 0.08}, {0.08, 0, 0.17}, {0.03, 0, 0.22}, {0, 0, 0.22}}, 6), 64);
  mesh.ball(at.moved(0, 0, 0.06), {0.05, 0.05, 0.065}, 28, 18);
}

void laid_table(TriangleMesh& mesh, const Placement& at) {
  mesh.made_of(Made::wood);
  mesh.box(at.moved(0, 0, 0.74), {0.9, 0.5, 0.02}, 4);
  for (const double x : {-0.8, 0.8})
    for (const double y : {-0.4, 0.4})
      mesh.lathe(at.moved(x, y, 0),
                 smooth({{0, 0, 0},
                         {0.02, 0, 0},
                         {0.03, 0, 0.06},
                         {0.02, 0, 0.15},
                         {0.035, 0, 0.45},
                         {0.025, 0, 0.52},
                         {0.045, 0, 0.6},
                         {0.045, 0, 0.72}},
                        3),
                 24);
  const Placement top = at.moved(0, 0, 0.76);
  for (int i = 0; i < 4; ++i) {
    const Placement seat = top.moved(i % 2 ? 0.42 : -0.42, i < 2 ? -0.3 : 0.3, 0).turned_z(i < 2 ? 0 : 0.5);
    plate_with_rim(mesh, seat);
    plate_with_rim(mesh, seat.moved(0, 0, 0.012).scaled(0.75));
    cup(mesh, seat.moved(0.19, 0.14, 0).turned_z(0.1 * i));
    glass(mesh, seat.moved(-0.16, 0.16, 0));
    for (const double x : {-0.17, 0.17, 0.195}) {
      mesh.made_of(Made::steel);
      mesh.box(seat.moved(x, 0.03, 0.004), {0.005, 0.06, 0.002});
      mesh.ball(seat.moved(x, -0.075, 0.005), {0.012, 0.03, 0.004}, 14, 8);
    }
    chair(mesh, at.moved(i % 2 ? 0.42 : -0.42, i < 2 ? -0.72 : 0.72, 0).turned_z(i < 2 ? 0.0 : 0.5));
  }
  teapot(mesh, top.moved(-0.02, -0.04, 0).turned_z(0.06));
  mesh.made_of(Made::white);
  // A bowl of fruit.
  const Placement bowl = top.moved(0.12, 0.24, 0).scaled(0.8);
  mesh.lathe(bowl,
             smooth({{0, 0, 0},
                     {0.07, 0, 0},
                     {0.12, 0, 0.03},
                     {0.17, 0, 0.09},
                     {0.165, 0, 0.09},
                     {0.11, 0, 0.035},
                     {0, 0, 0.012}},
                    4),
             56);
  for (int i = 0; i < 6; ++i) {
    const Direction d = direction(i / 5.0);
    const double out = i < 5 ? 0.075 : 0;
    mesh.made_of(Made::red);
    mesh.ball(bowl.moved(out * d.cosine, out * d.sine, i < 5 ? 0.075 : 0.13), {0.045, 0.045, 0.042}, 24, 15);
  }
}

}  // namespace

TriangleMesh kitchen_scene(double time) {
  TriangleMesh mesh;
  const Placement room;
  mesh.made_of(Made::polished);
  mesh.plate(room, kitchen_half_x, kitchen_half_y, 12, 10);
  mesh.made_of(Made::white);
  mesh.box(room.moved(0, kitchen_half_y + 0.05, 1.3), {kitchen_half_x + 0.1, 0.05, 1.3});
  mesh.box(room.moved(-kitchen_half_x - 0.05, 0, 1.3), {0.05, kitchen_half_y, 1.3});

  // Along the back wall: counter, oven with pots, sink, cupboards above, tiles between.
  const Placement back = room.moved(0, kitchen_half_y, 0);
  cupboard(mesh, back.moved(-1.6, 0, 0), 1.3, 0.58, 0.1, counter_top - 0.04, 4);
  cupboard(mesh, back.moved(1.15, 0, 0), 0.75, 0.58, 0.1, counter_top - 0.04, 2);
  mesh.made_of(Made::polished);
  mesh.box(back.moved(-0.5, -0.31, counter_top - 0.02), {2.4, 0.31, 0.02});
  cupboard(mesh, back.moved(-1.6, 0, 0), 1.3, 0.34, 1.5, 2.2, 4);
  cupboard(mesh, back.moved(1.15, 0, 0), 0.75, 0.34, 1.5, 2.2, 2);
  mesh.made_of(Made::white);
  for (int row = 0; row < 5; ++row)
    for (int i = 0; i < 46; ++i)
      mesh.box(back.moved(-2.83 + 0.104 * i, -0.004, counter_top + 0.06 + 0.104 * row), {0.05, 0.004, 0.05});
  const Placement oven = back.moved(0.05, 0, 0);
  mesh.made_of(Made::dark);
  mesh.box(oven.moved(0, -0.3, 0.46), {0.32, 0.3, 0.44});
  mesh.box(oven.moved(0, -0.61, 0.4), {0.27, 0.01, 0.24});
  mesh.made_of(Made::steel);
  mesh.tube(oven.moved(0, -0.63, 0.68), smooth({{-0.24, 0, 0}, {-0.22, -0.04, 0}, {0.22, -0.04, 0}, {0.24, 0, 0}}, 6),
            0.01, 0.01, 12);
  for (int i = 0; i < 5; ++i) mesh.drum(oven.moved(-0.22 + 0.11 * i, -0.6, 0.8).turned_x(0.25), 0.022, 0.018, 0.03, 24);
  for (int i = 0; i < 4; ++i) {
    const Placement plate = oven.moved(i % 2 ? 0.16 : -0.16, i < 2 ? -0.44 : -0.16, counter_top + 0.005);
    mesh.made_of(Made::dark);
    for (int r = 1; r < 4; ++r) mesh.ring(plate, 0.03 * r, 0.006, 28, 5);
    if (i == 0) pot(mesh, plate.moved(0, 0, 0.01), 0.11, 0.14);
    if (i == 3) pot(mesh, plate.moved(0, 0, 0.01), 0.09, 0.1);
  }
  mesh.made_of(Made::steel);
  mesh.box(oven.moved(0, -0.25, 1.75), {0.32, 0.25, 0.06});
  mesh.box(oven.moved(0, -0.15, 2.1), {0.14, 0.14, 0.35});
  mesh.made_of(Made::steel);
  mesh.lathe(back.moved(-1.5, -0.31, counter_top - 0.1),
             smooth({{0, 0, 0}, {0.15, 0, 0}, {0.2, 0, 0.1}, {0.23, 0, 0.105}}, 5), 48);
  mesh.tube(back.moved(-1.5, -0.06, counter_top),
            smooth({{0, 0, 0}, {0, 0, 0.28}, {0, -0.08, 0.36}, {0, -0.18, 0.3}}, 8), 0.015, 0.012, 20);
  teapot(mesh, back.moved(-0.75, -0.3, counter_top).turned_z(0.4).scaled(1.2));
  for (int i = 0; i < 5; ++i) {
    mesh.made_of(Made::red);
    mesh.lathe(
        back.moved(-2.7 + 0.17 * i, -0.15, counter_top),
        smooth(
            {{0, 0, 0}, {0.06, 0, 0}, {0.065, 0, 0.1}, {0.05, 0, 0.16}, {0.055, 0, 0.17}, {0.03, 0, 0.19}, {0, 0, 0.2}},
            2),
        28);
    glass(mesh, back.moved(1.0 + 0.12 * i, -0.2, counter_top));
  }

  // A fridge, shelves with crockery on the left wall, table and chairs, lamp, and a car.
  const Placement fridge = back.moved(2.45, -0.35, 0);
  mesh.made_of(Made::white);
  mesh.box(fridge.moved(0, 0, 0.95), {0.35, 0.33, 0.93});
  for (const double z : {0.62, 1.56}) {
    mesh.made_of(Made::white);
    mesh.box(fridge.moved(0, -0.35, z), {0.34, 0.02, z < 1 ? 0.56 : 0.3});
    mesh.made_of(Made::steel);
    mesh.tube(fridge.moved(-0.28, -0.37, z),
              smooth({{0, 0, -0.2}, {0, -0.05, -0.18}, {0, -0.05, 0.18}, {0, 0, 0.2}}, 6), 0.012, 0.012, 12);
  }
  const Placement left = room.moved(-kitchen_half_x, 0, 0).turned_z(0.25);
  for (int shelf = 0; shelf < 3; ++shelf) {
    const Placement board = left.moved(-0.6, -0.16, 1.1 + 0.4 * shelf);
    mesh.made_of(Made::wood);
    mesh.box(board, {0.8, 0.16, 0.012});
    for (int i = 0; i < 6; ++i) {
      const Placement spot = board.moved(-0.65 + 0.26 * i, 0, 0.012);
      if (shelf == 0)
        for (int k = 0; k < 3; ++k) plate_with_rim(mesh, spot.moved(0, 0, 0.012 * k).scaled(0.9));
      if (shelf == 1) cup(mesh, spot.turned_z(0.13 * i));
      if (shelf == 2) glass(mesh, spot);
    }
  }
  laid_table(mesh, room.moved(0.5, -0.6, 0).turned_z(0.02));
  kitchen_lamp(mesh, room.moved(0.5, -0.6, 1.6));
  const Direction drive = direction(time);
  toy_car(mesh, room.moved(0.5 + 1.9 * drive.cosine, -0.6 + 1.4 * drive.sine, 0).turned_z(time).scaled(2));
  return mesh;
}

}  // namespace kdscope
