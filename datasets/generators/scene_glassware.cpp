// What light gathers behind: a metal ring, and a glass of champagne, each on a table, in centimetres.

#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/scenes.hpp"

namespace kdscope {

namespace {

/// Returns the place on a table, at time 0 its middle, of what is pushed along a figure eight and turns once on the
/// way.
Placement pushed(double time, double across, double deep) {
  return Placement().moved(across * direction(time).sine, deep * direction(2 * time).sine, 0).turned_z(time);
}

}  // namespace

TriangleMesh metal_ring_scene(double time) {
  TriangleMesh mesh;
  mesh.made_of(Made::wood);
  mesh.plate(Placement(), 12, 12, 8, 8);
  // A band with rounded edges.
  const std::vector<Vector3> band = smooth({{4.9, 0, 0.1},
                                            {5.0, 0, 0},
                                            {5.3, 0, 0},
                                            {5.4, 0, 0.1},
                                            {5.4, 0, 2.1},
                                            {5.3, 0, 2.2},
                                            {5.0, 0, 2.2},
                                            {4.9, 0, 2.1},
                                            {4.9, 0, 0.1}},
                                           2);
  mesh.made_of(Made::gold);
  mesh.patch(pushed(time, 5, 3), 88, static_cast<int>(band.size()) - 1, true, true, [&](double u, double v) {
    const Direction d = direction(u);
    const Vector3 p = band[static_cast<std::size_t>(v * static_cast<double>(band.size() - 1) + 0.5)];
    return Vector3{p.x * d.cosine, p.x * d.sine, p.z};
  });
  return mesh;
}

TriangleMesh champagne_scene(double time) {
  TriangleMesh mesh;
  mesh.made_of(Made::wood);
  mesh.plate(Placement(), 14, 14, 6, 6);
  const Placement place = pushed(time, 6, 4);
  // The glass outside and inside, down to the stem; the wine's body with its surface stands a little off the glass.
  const std::vector<Vector3> glass = smooth({{0, 0, 0.05},
                                             {3.2, 0, 0.05},
                                             {3.2, 0, 0.2},
                                             {0.6, 0, 0.8},
                                             {0.4, 0, 2},
                                             {0.4, 0, 7},
                                             {1.2, 0, 8.6},
                                             {2.6, 0, 11.5},
                                             {2.9, 0, 15},
                                             {2.5, 0, 19},
                                             {2.4, 0, 19.1},
                                             {2.75, 0, 15},
                                             {2.45, 0, 11.6},
                                             {1.0, 0, 8.9},
                                             {0, 0, 8.4}},
                                            5);
  mesh.made_of(Made::glass);
  mesh.lathe(place, glass, 96);
  const std::vector<Vector3> wine = smooth({{0, 0, 8.5},
                                            {0.95, 0, 8.95},
                                            {2.4, 0, 11.6},
                                            {2.7, 0, 15},
                                            {2.62, 0, 16.5},
                                            {2.56, 0, 16.62},
                                            {1.2, 0, 16.58},
                                            {0, 0, 16.58}},
                                           3);
  mesh.made_of(Made::wine);
  mesh.lathe(place, wine, 72);
  mesh.made_of(Made::bubble);
  // Bubbles rise in strings and gather under the surface.
  const CounterHash hash(5, 0);
  for (std::uint64_t i = 0; i < 22; ++i) {
    const Direction d = direction(0.381966 * static_cast<double>(i % 5) + 0.03 * hash.unit(3 * i));
    const double up = static_cast<double>(i) / 22, out = (i % 5) * 0.28 + 0.15 * hash.unit(3 * i + 1),
                 size = 0.06 + 0.09 * up;
    mesh.ball(place.moved(out * d.cosine, out * d.sine, 9.4 + 6.9 * up), {size, size, size}, 10, 7);
  }
  return mesh;
}

}  // namespace kdscope
