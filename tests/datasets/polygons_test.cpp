// Tests that polygons of any shape are cut into triangles that cover exactly what the polygon does: by the area of a
// polygon in whole numbers, and by counting the triangles over points of the plane.

#include <array>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "datasets/loaders/loaders.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::polygons_test {

namespace {

struct At {
  std::int64_t x, y;
  bool operator==(const At&) const = default;
};
using Polygon = std::vector<At>;

std::int64_t twice_area(const At& a, const At& b, const At& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}
/// The shoelace formula.
std::int64_t twice_area(const Polygon& polygon) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const At &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    sum += p.x * q.y - q.x * p.y;
  }
  return sum;
}
/// How often a polygon turns about a point that is on none of its edges.
int winding(const Polygon& polygon, const At& p) {
  int turns = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const At &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    if (a.y <= p.y && b.y > p.y && twice_area(a, b, p) > 0) ++turns;
    if (a.y > p.y && b.y <= p.y && twice_area(a, b, p) < 0) --turns;
  }
  return turns;
}

/// A polygon as a face of an OBJ file, in one of the three coordinate planes. `shared`: corners in one place are one
/// vertex.
DataSet read(const Polygon& polygon, int plane, bool shared) {
  std::string vertices, face = "f";
  Polygon known;
  for (const At& p : polygon) {
    std::size_t index = 0;
    while (index < known.size() && !(shared && known[index] == p)) ++index;
    if (index == known.size()) {
      known.push_back(p);
      std::array<std::int64_t, 3> at{7, 7, 7};
      at[static_cast<std::size_t>(plane)] = p.x;
      at[static_cast<std::size_t>(plane + 1) % 3] = p.y;
      vertices += "v " + std::to_string(at[0]) + " " + std::to_string(at[1]) + " " + std::to_string(at[2]) + "\n";
    }
    face += " " + std::to_string(index + 1);
  }
  return parse_points(FileFormat::obj, vertices + face + "\n", "file").value();
}

std::vector<Polygon> triangles_of(const DataSet& set, int plane) {
  std::vector<Polygon> triangles;
  for (std::size_t i = 0; i < set.triangles.size(); i += 3) {
    Polygon& triangle = triangles.emplace_back();
    for (std::size_t c = 0; c < 3; ++c) {
      const auto along = [&](int d) {
        return static_cast<std::int64_t>(set.points.value(set.triangles[i + c], static_cast<std::uint32_t>(d % 3)));
      };
      triangle.push_back({along(plane), along(plane + 1)});
    }
  }
  return triangles;
}

std::string text_of(const Polygon& polygon) {
  std::string text;
  for (const At& p : polygon) text += "(" + std::to_string(p.x) + "," + std::to_string(p.y) + ") ";
  return text;
}

/// Checks the triangles of a polygon that covers each place once or not at all.
void check_cut(const Polygon& polygon, int plane, bool shared) {
  const DataSet set = read(polygon, plane, shared);
  INFO(text_of(polygon) << "in plane " << plane << (shared ? ", shared" : ""));
  CHECK(set.warnings.empty());
  const std::vector<Polygon> triangles = triangles_of(set, plane);
  CHECK(triangles.size() == polygon.size() - 2);
  const int side = twice_area(polygon) < 0 ? -1 : 1;
  std::int64_t sum = 0;
  for (const Polygon& triangle : triangles) {
    CHECK(side * twice_area(triangle) >= 0);
    sum += twice_area(triangle);
  }
  CHECK(sum == twice_area(polygon));
  // Coordinates are multiples of 30, which these places are not, nor do they lie on many lines through them.
  for (std::int64_t x = -23; x < 400; x += 30)
    for (std::int64_t y = -18; y < 400; y += 30) {
      const int inside = side * winding(polygon, {x, y});
      int covered = 0;
      bool on_edge = false;
      for (const Polygon& t : triangles) {
        covered += side * winding(t, {x, y});
        for (std::size_t i = 0; i < 3; ++i) on_edge = on_edge || twice_area(t[i], t[(i + 1) % 3], {x, y}) == 0;
      }
      if (!on_edge && covered != inside) FAIL_CHECK("covered " << covered << " times at " << x << ", " << y);
    }
}

/// In every plane, from every corner, both ways round.
void check_everywhere(Polygon polygon) {
  for (At& p : polygon) p = {30 * p.x, 30 * p.y};
  for (std::size_t first = 0; first < polygon.size(); ++first) {
    std::rotate(polygon.begin(), polygon.begin() + 1, polygon.end());
    for (const bool shared : {false, true}) check_cut(polygon, static_cast<int>(first % 3), shared);
    Polygon reversed(polygon.rbegin(), polygon.rend());
    check_cut(reversed, static_cast<int>((first + 1) % 3), first % 2 == 0);
  }
}

/// The outline of a random tree of cells, counterclockwise: where cells touch that the tree does not join, the outline
/// touches itself along an edge. A corner at every step, or only where it turns.
Polygon maze(std::mt19937& random, std::uint32_t cells, bool every_step) {
  constexpr int side = 5;
  constexpr int step_x[] = {1, 0, -1, 0}, step_y[] = {0, 1, 0, -1};
  bool open[side][side][4] = {}, used[side][side] = {};
  used[2][2] = true;
  std::vector<At> grown{{2, 2}};
  while (grown.size() < cells) {
    const At from = grown[random() % grown.size()];
    const auto way = random() % 4;
    const At to{from.x + step_x[way], from.y + step_y[way]};
    if (to.x < 0 || to.y < 0 || to.x >= side || to.y >= side || used[to.x][to.y]) continue;
    used[to.x][to.y] = true;
    open[from.x][from.y][way] = open[to.x][to.y][(way + 2) % 4] = true;
    grown.push_back(to);
  }
  // Walk along the closed sides of cells, counterclockwise, from below the lowest cell.
  At cell = grown[0];
  for (const At& each : grown)
    if (each.y < cell.y) cell = each;
  const At begin = cell;
  constexpr int below = 3, corner_x[] = {1, 1, 0, 0}, corner_y[] = {0, 1, 1, 0};
  int wall = below;
  Polygon outline;
  do {
    outline.push_back({cell.x + corner_x[wall], cell.y + corner_y[wall]});
    wall = (wall + 1) % 4;
    while (open[cell.x][cell.y][wall]) {
      cell = {cell.x + step_x[wall], cell.y + step_y[wall]};
      wall = (wall + 3) % 4;
    }
  } while (!(cell == begin && wall == below));
  if (every_step) return outline;
  Polygon turns;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const At &a = outline[(i + outline.size() - 1) % outline.size()], &b = outline[i],
             &c = outline[(i + 1) % outline.size()];
    if (twice_area(a, b, c) != 0 || a == c) turns.push_back(b);
  }
  return turns;
}

}  // namespace

TEST_CASE("polygons that touch themselves, repeat corners, run straight on or have holes are cut rightly") {
  const std::vector<Polygon> polygons = {
      // an arrow head, a comb
      {{0, 0}, {4, 4}, {0, 8}, {1, 4}},
      {{0, 0}, {7, 0}, {7, 5}, {6, 5}, {6, 1}, {5, 1}, {5, 5}, {4, 5}, {4, 1}, {3, 1}, {3, 5}, {0, 5}},
      // squares that share a corner, on both sides; three about one corner, in any order
      {{0, 0}, {3, 0}, {3, 3}, {6, 3}, {6, 6}, {3, 6}, {3, 3}, {0, 3}},
      {{4, 4}, {8, 4}, {8, 8}, {4, 8}, {4, 4}, {0, 4}, {0, 0}, {4, 0}},
      {{4, 4}, {8, 4}, {8, 5}, {4, 4}, {0, 4}, {0, 0}, {4, 4}, {5, 8}, {3, 8}},
      // a notch whose tip touches an edge, a corner and the tip of another notch
      {{0, 0}, {8, 0}, {8, 6}, {6, 6}, {4, 0}, {2, 6}, {0, 6}},
      {{0, 0}, {4, 0}, {8, 0}, {8, 6}, {6, 6}, {4, 0}, {2, 6}, {0, 6}},
      {{0, 0}, {3, 0}, {4, 3}, {5, 0}, {8, 0}, {8, 6}, {5, 6}, {4, 3}, {3, 6}, {0, 6}},
      // corners that repeat: at once, at the end, along straight edges
      {{0, 0}, {0, 0}, {6, 0}, {6, 0}, {6, 0}, {6, 4}, {0, 4}},
      {{0, 0}, {6, 0}, {3, 1}, {3, 5}, {0, 0}},
      {{0, 0}, {2, 0}, {4, 0}, {6, 0}, {6, 3}, {6, 6}, {3, 6}, {0, 6}, {0, 4}, {0, 2}},
      {{0, 0}, {2, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 4}, {2, 6}, {0, 6}, {0, 3}},
      // needles outwards, inwards, bent, and from the middle of an edge
      {{0, 0}, {6, 0}, {9, 0}, {6, 0}, {6, 6}, {0, 6}},
      {{0, 0}, {6, 0}, {6, 6}, {3, 3}, {6, 6}, {0, 6}},
      {{0, 0}, {6, 0}, {8, 1}, {9, 4}, {8, 1}, {6, 0}, {6, 6}, {0, 6}},
      {{0, 0}, {3, 0}, {3, 2}, {5, 3}, {3, 2}, {3, 0}, {6, 0}, {6, 6}, {0, 6}},
      // a hole, two from one corner, a chain of two, one that touches the border, one in a bay
      {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {3, 3}, {3, 6}, {6, 6}, {6, 3}, {3, 3}},
      {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {2, 5}, {2, 7}, {4, 7}, {2, 5}, {0, 0}, {5, 2}, {7, 4}, {7, 2}, {5, 2}},
      {{0, 0},
       {9, 0},
       {9, 9},
       {0, 9},
       {0, 0},
       {2, 2},
       {2, 4},
       {4, 4},
       {5, 5},
       {5, 7},
       {7, 7},
       {7, 5},
       {5, 5},
       {4, 4},
       {4, 2},
       {2, 2}},
      {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {2, 5}, {5, 5}, {5, 2}},
      {{0, 0}, {9, 0}, {5, 3}, {9, 6}, {9, 9}, {0, 9}, {0, 0}, {2, 4}, {2, 7}, {5, 7}, {3, 5}, {2, 4}},
      // a frame of which one side is a line alone
      {{0, 0}, {6, 0}, {6, 6}, {0, 6}, {0, 0}, {0, 5}, {5, 5}, {5, 0}},
  };
  for (const Polygon& polygon : polygons) check_everywhere(polygon);
}

TEST_CASE("outlines that touch themselves along edges and at corners are cut rightly") {
  std::mt19937 random(7);
  for (std::uint32_t i = 0; i < 60; ++i) check_everywhere(maze(random, 2 + i % 20, i % 2 == 0));
}

TEST_CASE("polygons that cross or cover themselves are counted, with the first of them") {
  const std::vector<Polygon> polygons = {
      {{0, 0}, {4, 4}, {4, 0}, {0, 4}},                                                  // a bow
      {{0, 0}, {6, 6}, {6, 0}, {0, 4}},                                                  // with unequal halves
      {{5, 9}, {2, 0}, {10, 6}, {0, 6}, {8, 0}},                                         // a pentagram
      {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {4, 0}, {4, 4}, {0, 4}},                  // a square twice
      {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {2, 1}, {3, 3}, {1, 2}},                  // a part again
      {{4, 4}, {8, 4}, {8, 8}, {4, 8}, {4, 4}, {4, 0}, {0, 0}, {0, 4}},                  // an eight over a corner
      {{0, 0}, {9, 0}, {9, 9}, {0, 9}, {0, 0}, {3, 3}, {6, 3}, {6, 6}, {3, 6}, {3, 3}},  // a hole the wrong way round
  };
  for (const Polygon& polygon : polygons)
    for (const int plane : {0, 1, 2}) {
      INFO(text_of(polygon) << "in plane " << plane);
      const DataSet set = read(polygon, plane, true);
      REQUIRE(set.warnings.size() == 1);
      CHECK(set.warnings[0].starts_with("file: 1 polygon is not convex, and cannot be cut along diagonals"));
    }
  const auto many = parse_points(FileFormat::obj,
                                 "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nf 1 2 3 4\nf 1 2 3\nf 1 3 2 4\nf 1 2 3 4\n"
                                 "f 1 3 4 2\n",
                                 "file")
                        .value();
  REQUIRE(many.warnings.size() == 1);
  CHECK(many.warnings[0].starts_with("file: 2 polygons are not convex"));
  CHECK(many.warnings[0].ends_with("The first is face 3, counted from 1."));
  CHECK(many.triangles.size() == 3 * 9);
}

}  // namespace kdscope::polygons_test
