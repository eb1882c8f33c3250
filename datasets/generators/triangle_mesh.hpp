#pragma once
// Triangle meshes put together from parametric parts: boxes, lathe surfaces, tubes, patches.

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/core/vector3.hpp"
#include "datasets/generators/placement.hpp"

namespace kdscope {

/// Points on the Catmull-Rom curve through `control`, `steps` a section, both ends included.
std::vector<Vector3> smooth(const std::vector<Vector3>& control, int steps);

/// A frame at each point of a path: z along it, x and y across, turned as little as possible from one to the next.
std::vector<Placement> frames_along(const std::vector<Vector3>& path);

/// What a part of a scene is made of: an index into SceneLook::materials.
enum class Made : std::uint8_t {
  plain,
  wood,
  white,
  red,
  green,
  blue,
  yellow,
  dark,
  steel,
  gold,
  polished,
  glass,
  wine,
  bubble
};

class TriangleMesh {
 public:
  std::size_t size() const { return triangles_.size() / 3; }  ///< triangles

  /// Parts that follow are made of this.
  void made_of(Made material) { material_ = material; }

  /// A box of so many half extents about its origin; each face has cells x cells squares of two triangles.
  void box(const Placement& at, Vector3 half, int cells = 1);
  /// Turns a profile (x: radius, z: height) about the z axis; what rises faces away from it. A point of radius 0 is one
  /// vertex, the middle of a fan.
  void lathe(const Placement& at, std::span<const Vector3> profile, int segments);
  /// An ellipsoid; rings from pole to pole.
  void ball(const Placement& at, Vector3 radii, int segments, int rings);
  /// A cylinder or a cone's frustum with closed ends, from z = 0 up.
  void drum(const Placement& at, double lower, double upper, double height, int segments);
  /// A tube around a path, its radius from `from` to `to`, ends closed.
  void tube(const Placement& at, const std::vector<Vector3>& path, double from, double to, int segments);
  /// A rectangle in x and y about the origin, facing z.
  void plate(const Placement& at, double half_x, double half_y, int cells_x = 1, int cells_y = 1);
  /// A ring of circular section about the z axis.
  void ring(const Placement& at, double radius, double thickness, int segments, int sides);
  /// The image of place(u, v), u and v in [0, 1], as columns x rows squares of two triangles; a closed direction has
  /// its end joined to its start.
  template <class Place>
  void patch(const Placement& at, int columns, int rows, bool closed_u, bool closed_v, const Place& place) {
    const int across = columns + !closed_u, up = rows + !closed_v;
    const auto first = static_cast<std::uint32_t>(vertices_.size());
    for (int j = 0; j < up; ++j)
      for (int i = 0; i < across; ++i) vertices_.push_back(at(place(double(i) / columns, double(j) / rows)));
    join(first, columns, rows, across, up);
  }

  /// Cuts the mesh into pieces, the triangles whose centres share a cube of `side`, each with vertices of its own, and
  /// moves them: move(piece, centre of the piece) gives where. Pieces are numbered in the order of their first
  /// triangles.
  template <class Move>
  void scatter(double side, const Move& move) {
    const std::vector<std::uint32_t> piece = cut(side);
    std::vector<Vector3> middle;
    std::vector<double> weight;
    for (std::size_t t = 0; t < size(); ++t) {
      if (piece[t] >= middle.size()) middle.emplace_back(), weight.push_back(0);
      middle[piece[t]] = middle[piece[t]] + centre(t);
      ++weight[piece[t]];
    }
    std::vector<Placement> place;
    for (std::size_t i = 0; i < middle.size(); ++i) {
      middle[i] = (1 / weight[i]) * middle[i];
      place.push_back(move(i, middle[i]));
    }
    std::vector<bool> moved(vertices_.size());
    for (std::size_t c = 0; c < triangles_.size(); ++c)
      if (const std::uint32_t v = triangles_[c]; !moved[v]) {
        moved[v] = true;
        vertices_[v] = place[piece[c / 3]](vertices_[v] - middle[piece[c / 3]]);
      }
  }

  /// Splits the triangle with the longest edge at that edge's middle until there are n. Precondition: at most n so far.
  void refine_to(std::size_t n);
  /// The mesh as a data set of float vertices, without a name.
  DataSet data_set() const;

 private:
  std::uint32_t add(Vector3 vertex) {
    vertices_.push_back(vertex);
    return static_cast<std::uint32_t>(vertices_.size() - 1);
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    triangles_.insert(triangles_.end(), {a, b, c});
    materials_.push_back(material_);
  }
  void join(std::uint32_t first, int columns, int rows, int across, int up);
  Vector3 corner(std::size_t t, int c) const { return vertices_[triangles_[3 * t + c]]; }
  Vector3 centre(std::size_t t) const { return (1.0 / 3) * (corner(t, 0) + corner(t, 1) + corner(t, 2)); }
  std::vector<std::uint32_t> cut(double side);

  std::vector<Vector3> vertices_;
  std::vector<std::uint32_t> triangles_;
  std::vector<Made> materials_;  ///< of each triangle
  Made material_ = Made::plain;
};

}  // namespace kdscope
