// A glade with trees, mushrooms, grass and two fairies, in metres; the fairies are as tall as an arm.

#include <array>

#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/scenes.hpp"

namespace kdscope {
namespace {

constexpr double half_width = 6;

/// Draws numbers one after another.
struct Draw {
  CounterHash hash;
  std::uint64_t next = 0;
  double in(double from, double to) { return from + (to - from) * hash.unit(next++); }
};

/// The ground: gentle waves.
double ground(double x, double y) {
  return 0.16 * direction(0.11 * x + 0.03 * y).sine + 0.12 * direction(0.07 * x - 0.13 * y + 0.2).sine +
         0.035 * direction(0.43 * x + 0.31 * y).sine * direction(0.37 * y - 0.2 * x).cosine;
}

/// A leaf that points along y: a lozenge bent at its middle rib.
void leaf(TriangleMesh& mesh, const Placement& at, double size) {
  mesh.made_of(Made::green);
  mesh.patch(at.scaled(size), 2, 1, false, false, [](double u, double v) {
    const double x = (2 * v - 1) * (u == 0.5 ? 0.32 : 0.02);
    return Vector3{x, u, (u == 0.5 ? 0.12 : 0.0) * (1 - v)};
  });
}

void branch(TriangleMesh& mesh, Draw& draw, const Placement& at, double length, double radius, int depth) {
  mesh.made_of(Made::wood);
  const std::vector<Vector3> path = smooth({{0, 0, 0},
                                            {draw.in(-0.1, 0.1) * length, draw.in(-0.1, 0.1) * length, 0.5 * length},
                                            {draw.in(-0.2, 0.2) * length, draw.in(-0.2, 0.2) * length, length}},
                                           depth > 1 ? 5 : 3);
  mesh.tube(at, path, radius, 0.55 * radius, depth > 1 ? 12 : 5);
  if (depth == 0) {
    for (int i = 0; i < 12; ++i) {
      const Vector3 p = path[1 + static_cast<std::size_t>(i) % (path.size() - 1)];
      leaf(mesh, at.moved(p.x, p.y, p.z).turned_z(draw.in(0, 1)).turned_x(draw.in(-0.1, 0.18)), draw.in(0.12, 0.2));
    }
    return;
  }
  const int shoots = 7;
  for (int i = 0; i < shoots; ++i) {
    const Vector3 p = path[path.size() - 1 - static_cast<std::size_t>(i) % (path.size() / 2)];
    branch(mesh, draw,
           at.moved(p.x, p.y, p.z).turned_z(i * 0.381966 + draw.in(-0.04, 0.04)).turned_x(draw.in(0.08, 0.2)),
           length * draw.in(0.34, 0.5), radius * 0.42, depth - 1);
  }
}

void tree(TriangleMesh& mesh, Draw& draw, const Placement& at) {
  mesh.made_of(Made::wood);
  for (int i = 0; i < 5; ++i)
    mesh.tube(at.turned_z(i / 5.0 + draw.in(0, 0.1)), smooth({{0.05, 0, 0.35}, {0.22, 0, 0.08}, {0.5, 0, -0.06}}, 4),
              0.09, 0.03, 8);
  branch(mesh, draw, at, draw.in(2.3, 3.4), draw.in(0.16, 0.24), 2);
}

void mushroom(TriangleMesh& mesh, Draw& draw, const Placement& at, double size) {
  mesh.made_of(Made::red);
  const Placement up = at.scaled(size).turned_x(draw.in(-0.03, 0.03)).turned_y(draw.in(-0.03, 0.03));
  mesh.lathe(up, smooth({{0, 0, 0}, {0.16, 0, 0.02}, {0.11, 0, 0.25}, {0.09, 0, 0.6}, {0.11, 0, 0.78}}, 3), 14);
  mesh.lathe(
      up, smooth({{0.1, 0, 0.74}, {0.45, 0, 0.66}, {0.5, 0, 0.72}, {0.38, 0, 0.98}, {0.15, 0, 1.1}, {0, 0, 1.12}}, 3),
      22);
  for (int i = 0; i < 9; ++i) {
    const Direction around = direction(i * 0.381966), up_side = direction(0.08 + 0.015 * i);
    mesh.ball(
        up.moved(0.45 * up_side.cosine * around.cosine, 0.45 * up_side.cosine * around.sine, 0.7 + 0.4 * up_side.sine),
        {0.05, 0.05, 0.035}, 8, 5);
  }
}

void flower(TriangleMesh& mesh, Draw& draw, const Placement& at, double height) {
  mesh.made_of(Made::yellow);
  const double lean = draw.in(-0.1, 0.1) * height;
  mesh.tube(at, smooth({{0, 0, 0}, {lean / 3, 0, height / 2}, {lean, 0, height}}, 3), 0.006, 0.004, 5);
  const Placement head = at.moved(lean, 0, height).turned_x(draw.in(-0.08, 0.08));
  mesh.ball(head, {0.022, 0.022, 0.014}, 10, 6);
  for (int i = 0; i < 8; ++i) leaf(mesh, head.turned_z(i / 8.0).turned_x(0.04), 0.09);
}

void grass(TriangleMesh& mesh, Draw& draw, const Placement& at) {
  mesh.made_of(Made::green);
  const double height = draw.in(0.08, 0.28), lean = draw.in(0, 0.5) * height, width = draw.in(0.004, 0.009);
  mesh.patch(at.turned_z(draw.in(0, 1)), 1, 3, false, false, [&](double u, double v) {
    return Vector3{(2 * u - 1) * width * (1 - 0.9 * v), lean * v * v, height * v};
  });
}

/// Faces +y, 0.2 tall and to be scaled; beat in [-1, 1] lifts the wings.
void fairy(TriangleMesh& mesh, const Placement& at, double beat) {
  mesh.made_of(Made::white);
  mesh.ball(at.moved(0, 0, 0.165), {0.021, 0.022, 0.025}, 32, 20);
  mesh.lathe(at.moved(0, 0, 0.06),
             smooth({{0.05, 0, 0},
                     {0.03, 0, 0.03},
                     {0.016, 0, 0.055},
                     {0.024, 0, 0.072},
                     {0.02, 0, 0.084},
                     {0.006, 0, 0.088},
                     {0.006, 0, 0.096}},
                    5),
             40);
  for (int i = 0; i < 36; ++i) {
    const Placement root = at.moved(0, -0.004, 0.175).turned_z(0.5 + 0.6 * (i / 36.0 - 0.5)).turned_z(0.25);
    mesh.tube(root, smooth({{0.012, 0, 0.008}, {0.027, 0, 0}, {0.03, 0.003, -0.03}, {0.036, 0, -0.06}}, 4), 0.0018,
              0.0008, 5);
  }
  for (const double side : {-1.0, 1.0}) {
    mesh.tube(at,
              smooth({{side * 0.008, 0, 0.07},
                      {side * 0.012, 0.008, 0.03},
                      {side * 0.01, -0.02, -0.01},
                      {side * 0.01, -0.012, -0.018}},
                     6),
              0.009, 0.004, 16);
    mesh.tube(at, smooth({{side * 0.02, 0, 0.138}, {side * 0.04, 0.012, 0.115}, {side * 0.06, 0.04, 0.125}}, 6), 0.006,
              0.0035, 14);
    mesh.ball(at.moved(side * 0.063, 0.044, 0.126), {0.006, 0.006, 0.006}, 14, 8);
    mesh.ball(at.moved(side * 0.008, 0.02, 0.168), {0.003, 0.003, 0.004}, 10, 6);
    // An upper and a lower wing a side.
    for (int lower = 0; lower < 2; ++lower) {
      const Placement wing =
          at.moved(side * 0.006, -0.02, 0.12 - 0.015 * lower).turned_y(-side * (0.06 * beat + 0.05 - 0.11 * lower));
      mesh.patch(wing, 20, 12, false, false, [&](double u, double v) {
        const double reach = (lower ? 0.09 : 0.15) * u, width = (lower ? 0.05 : 0.07) * 4 * (u + 0.03) * (1.12 - u);
        return Vector3{side * reach, -0.03 * u - width * (v - 0.35), 0.006 * direction(3 * v).sine * u};
      });
    }
  }
}

void dragonfly(TriangleMesh& mesh, const Placement& at, double beat) {
  mesh.made_of(Made::blue);
  mesh.tube(at, smooth({{0, -0.14, 0}, {0, -0.07, 0.006}, {0, 0, 0}, {0, 0.03, 0}}, 10), 0.004, 0.01, 14);
  mesh.ball(at.moved(0, 0.04, 0), {0.016, 0.013, 0.012}, 24, 14);
  for (const double side : {-1.0, 1.0})
    for (const double y : {-0.005, 0.018})
      mesh.patch(at.moved(0, y, 0.008).turned_y(-side * 0.05 * beat), 14, 6, false, false, [&](double u, double v) {
        return Vector3{side * 0.12 * u, 0.02 * (v - 0.5) * (0.5 + 2 * u * (1.1 - u)) * 2, 0};
      });
}

}  // namespace

TriangleMesh fairy_forest_scene(double time) {
  TriangleMesh mesh;
  Draw draw{CounterHash(17, 0)};
  const Placement world;
  const auto on_ground = [&](double x, double y) { return world.moved(x, y, ground(x, y)); };
  mesh.made_of(Made::green);
  mesh.patch(world, 80, 80, false, false, [](double u, double v) {
    const double x = (2 * u - 1) * half_width, y = (2 * v - 1) * half_width;
    return Vector3{x, y, ground(x, y)};
  });

  // Trees at the back and the sides; the glade opens to the front.
  const std::array<std::array<double, 2>, 9> trees{{{-4.6, 3.9},
                                                    {-2.2, 4.9},
                                                    {0.6, 4.4},
                                                    {3.1, 5.0},
                                                    {5.0, 3.2},
                                                    {-5.2, 0.9},
                                                    {5.2, -0.4},
                                                    {-4.9, -2.6},
                                                    {2.0, 2.6}}};
  for (const auto& [x, y] : trees) tree(mesh, draw, on_ground(x, y).turned_z(draw.in(0, 1)));
  for (int i = 0; i < 21; ++i) {
    const double x = draw.in(-4.2, 4.2), y = draw.in(-4.5, 3);
    mushroom(mesh, draw, on_ground(x, y), i < 5 ? draw.in(0.5, 0.8) : draw.in(0.12, 0.35));
  }
  for (int i = 0; i < 50; ++i) {
    const double x = draw.in(-5.5, 5.5), y = draw.in(-5.5, 4);
    flower(mesh, draw, on_ground(x, y), draw.in(0.15, 0.4));
  }
  for (int i = 0; i < 4200; ++i) {
    // In tufts: the middle of a tuft is drawn again and again.
    const std::uint64_t tuft = static_cast<std::uint64_t>(i) / 16;
    const CounterHash middle(17, 1);
    const double x = (2 * middle.unit(2 * tuft) - 1) * 5.7 + draw.in(-0.2, 0.2),
                 y = (2 * middle.unit(2 * tuft + 1) - 1) * 5.7 + draw.in(-0.2, 0.2);
    grass(mesh, draw, on_ground(x, y));
  }
  for (int i = 0; i < 14; ++i) {
    const double x = draw.in(-5, 5), y = draw.in(-5, 4), size = draw.in(0.12, 0.45);
    mesh.made_of(Made::plain);
    mesh.ball(on_ground(x, y).turned_z(draw.in(0, 1)), {size, 0.7 * size, 0.5 * size}, 18, 10);
  }

  const Direction flight = direction(time), beat = direction(10 * time);
  fairy(mesh,
        world.moved(0.3 + 1.1 * flight.cosine, -1.6 + 0.8 * flight.sine, 1.0 + 0.25 * direction(2 * time).sine)
            .turned_z(time)
            .scaled(4),
        beat.sine);
  fairy(mesh,
        world.moved(-1.2 - 0.9 * flight.sine, -0.4 + 0.9 * flight.cosine, 1.3 - 0.2 * flight.sine)
            .turned_z(time + 0.25)
            .scaled(3.5),
        beat.cosine);
  dragonfly(mesh, world.moved(1.4 - 1.2 * flight.sine, -2.2 + 0.7 * flight.cosine, 0.75).turned_z(time + 0.6).scaled(2),
            beat.sine);
  return mesh;
}

}  // namespace kdscope
