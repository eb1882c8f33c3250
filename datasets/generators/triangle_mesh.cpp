#include "datasets/generators/triangle_mesh.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <queue>

namespace kdscope {
namespace {

Vector3 normalised(Vector3 v) {
  const double l = length(v);
  return l > 0 ? (1 / l) * v : Vector3{0, 0, 1};
}

}  // namespace

std::vector<Vector3> smooth(const std::vector<Vector3>& control, int steps) {
  std::vector<Vector3> curve;
  const auto at = [&](std::ptrdiff_t i) { return control[std::clamp<std::ptrdiff_t>(i, 0, std::ssize(control) - 1)]; };
  for (std::ptrdiff_t i = 0; i + 1 < std::ssize(control); ++i)
    for (int s = 0; s < steps; ++s) {
      const double t = double(s) / steps;
      const Vector3 a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
      curve.push_back(b + (0.5 * t) * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * b - 3 * c + d - a))));
    }
  curve.push_back(control.back());
  return curve;
}

std::vector<Placement> frames_along(const std::vector<Vector3>& path) {
  std::vector<Placement> frames(path.size());
  Vector3 across;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Vector3 along = normalised(path[std::min(i + 1, path.size() - 1)] - path[i > 0 ? i - 1 : 0]);
    // The first frame leans on the axis that the path follows least.
    if (i == 0) across = std::abs(along.z) < 0.9 ? cross({0, 0, 1}, along) : Vector3{1, 0, 0};
    across = normalised(across - dot(across, along) * along);
    frames[i] = {across, cross(along, across), along, path[i]};
  }
  return frames;
}

void TriangleMesh::join(std::uint32_t first, int columns, int rows, int across, int up) {
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const auto vertex = [&](int di, int dj) {
        return first + static_cast<std::uint32_t>((j + dj) % up * across + (i + di) % across);
      };
      triangle(vertex(0, 0), vertex(1, 0), vertex(1, 1));
      triangle(vertex(0, 0), vertex(1, 1), vertex(0, 1));
    }
}

void TriangleMesh::box(const Placement& at, Vector3 half, int cells) {
  const Vector3 x{half.x, 0, 0}, y{0, half.y, 0}, z{0, 0, half.z};
  const std::array<std::array<Vector3, 3>, 6> faces{
      {{x, y, z}, {y, z, x}, {z, x, y}, {y, x, -1 * z}, {z, y, -1 * x}, {x, z, -1 * y}}};
  for (const auto& face : faces)
    patch(at, cells, cells, false, false,
          [&](double s, double t) { return face[2] + (2 * s - 1) * face[0] + (2 * t - 1) * face[1]; });
}

void TriangleMesh::lathe(const Placement& at, std::span<const Vector3> profile, int segments) {
  // A ring of vertices, or one where the profile meets the axis.
  const auto ring_of = [&](Vector3 p) {
    const auto first = static_cast<std::uint32_t>(vertices_.size());
    for (int i = 0; i < (p.x == 0 ? 1 : segments); ++i) {
      const Direction d = direction(double(i) / segments);
      add(at({p.x * d.cosine, p.x * d.sine, p.z}));
    }
    return first;
  };
  std::uint32_t below = ring_of(profile[0]);
  for (std::size_t j = 1; j < profile.size(); ++j) {
    const std::uint32_t above = ring_of(profile[j]);
    for (int i = 0; i < segments; ++i) {
      const auto here = static_cast<std::uint32_t>(i), next = static_cast<std::uint32_t>((i + 1) % segments);
      const bool tip_below = profile[j - 1].x == 0, tip_above = profile[j].x == 0;
      if (!tip_below) triangle(below + here, below + next, above + (tip_above ? 0 : next));
      if (!tip_above) triangle(below + (tip_below ? 0 : here), above + next, above + here);
    }
    below = above;
  }
}

void TriangleMesh::ball(const Placement& at, Vector3 radii, int segments, int rings) {
  std::vector<Vector3> profile;
  for (int j = 0; j <= rings; ++j) {
    const Direction d = direction(0.5 * j / rings - 0.25);
    profile.push_back({j == 0 || j == rings ? 0 : d.cosine, 0, d.sine});
  }
  lathe(at.scaled(radii.x, radii.y, radii.z), profile, segments);
}

void TriangleMesh::drum(const Placement& at, double lower, double upper, double height, int segments) {
  lathe(at, std::array<Vector3, 4>{{{0, 0, 0}, {lower, 0, 0}, {upper, 0, height}, {0, 0, height}}}, segments);
}

void TriangleMesh::tube(const Placement& at, const std::vector<Vector3>& path, double from, double to, int segments) {
  const std::vector<Placement> frames = frames_along(path);
  const auto last = path.size() - 1;
  const auto first = static_cast<std::uint32_t>(vertices_.size());
  patch(at, segments, static_cast<int>(last), true, false, [&](double u, double v) {
    const auto i = static_cast<std::size_t>(v * static_cast<double>(last) + 0.5);
    const double radius = from + (to - from) * v;
    const Direction d = direction(u);
    return frames[i]({radius * d.cosine, radius * d.sine, 0});
  });
  const std::uint32_t foot = add(at(path.front())), head = add(at(path.back()));
  const std::uint32_t top = first + static_cast<std::uint32_t>(last) * static_cast<std::uint32_t>(segments);
  for (std::uint32_t i = 0, n = static_cast<std::uint32_t>(segments); i < n; ++i) {
    triangle(foot, first + (i + 1) % n, first + i);
    triangle(head, top + i, top + (i + 1) % n);
  }
}

void TriangleMesh::plate(const Placement& at, double half_x, double half_y, int cells_x, int cells_y) {
  patch(at, cells_x, cells_y, false, false, [&](double u, double v) {
    return Vector3{(2 * u - 1) * half_x, (2 * v - 1) * half_y, 0};
  });
}

void TriangleMesh::ring(const Placement& at, double radius, double thickness, int segments, int sides) {
  patch(at, segments, sides, true, true, [&](double u, double v) {
    const Direction around = direction(u), section = direction(v);
    const double r = radius + thickness * section.cosine;
    return Vector3{r * around.cosine, r * around.sine, thickness * section.sine};
  });
}

std::vector<std::uint32_t> TriangleMesh::cut(double side) {
  std::map<std::array<double, 3>, std::uint32_t> piece_of_cube;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> copy_of;
  std::vector<std::uint32_t> piece;
  std::vector<Vector3> copies;
  for (std::size_t t = 0; t < size(); ++t) {
    const Vector3 c = centre(t);
    const std::array<double, 3> cube{std::floor(c.x / side), std::floor(c.y / side), std::floor(c.z / side)};
    piece.push_back(piece_of_cube.try_emplace(cube, static_cast<std::uint32_t>(piece_of_cube.size())).first->second);
    for (std::size_t i = 3 * t; i < 3 * t + 3; ++i) {
      const auto [copy, made] =
          copy_of.try_emplace({piece.back(), triangles_[i]}, static_cast<std::uint32_t>(copies.size()));
      if (made) copies.push_back(vertices_[triangles_[i]]);
      triangles_[i] = copy->second;
    }
  }
  vertices_ = std::move(copies);
  return piece;
}

void TriangleMesh::refine_to(std::size_t n) {
  struct Edge {
    double square;
    std::size_t triangle;
    int from;
    bool operator<(const Edge& other) const {
      return square != other.square ? square < other.square : triangle > other.triangle;
    }
  };
  const auto longest = [&](std::size_t t) {
    Edge edge{-1, t, 0};
    for (int c = 0; c < 3; ++c)
      if (const Vector3 along = corner(t, (c + 1) % 3) - corner(t, c); dot(along, along) > edge.square)
        edge = {dot(along, along), t, c};
    return edge;
  };
  std::priority_queue<Edge> edges;
  for (std::size_t t = 0; t < size() && size() < n; ++t) edges.push(longest(t));
  while (size() < n) {
    const Edge edge = edges.top();
    edges.pop();
    std::uint32_t* const at = &triangles_[3 * edge.triangle];
    const std::uint32_t a = at[edge.from], b = at[(edge.from + 1) % 3], c = at[(edge.from + 2) % 3];
    const std::uint32_t middle = add(0.5 * (vertices_[a] + vertices_[b]));
    at[0] = a, at[1] = middle, at[2] = c;
    made_of(materials_[edge.triangle]);
    triangle(middle, b, c);
    edges.push(longest(edge.triangle));
    edges.push(longest(size() - 1));
  }
}

DataSet TriangleMesh::data_set() const {
  DataSet set;
  set.points.dim = 3;
  set.points.words.reserve(3 * vertices_.size());
  for (const Vector3 v : vertices_)
    for (const double c : {v.x, v.y, v.z}) set.points.words.push_back(word_of(static_cast<float>(c)));
  set.triangles = triangles_;
  if (std::ranges::any_of(materials_, [](Made made) { return made != Made::plain; }))
    for (const Made made : materials_) set.materials.push_back(static_cast<std::uint8_t>(made));
  return set;
}

}  // namespace kdscope
