#include "datasets/loaders/triangle_collector.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/vector3.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

struct PlanePoint {
  double x = 0, y = 0;
  bool operator==(const PlanePoint&) const = default;
};

/// Twice the area of a triangle, negative if it turns clockwise.
double turn_of(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The corners of a polygon in the coordinate plane that it is most parallel to, so that it turns counterclockwise.
std::vector<PlanePoint> flattened(const PointSet& points, const std::vector<std::uint32_t>& corners) {
  const auto at = [&](std::size_t i) {
    const std::uint32_t vertex = corners[i % corners.size()];
    return Vector3{points.value(vertex, 0), points.value(vertex, 1), points.dim > 2 ? points.value(vertex, 2) : 0};
  };
  Vector3 normal{0, 0, 0};
  const Vector3 origin = at(0);
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) normal = normal + cross(at(i) - origin, at(i + 1) - origin);
  const double x = std::fabs(normal.x), y = std::fabs(normal.y), z = std::fabs(normal.z);
  std::vector<PlanePoint> flat;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector3 p = at(i) - origin;
    PlanePoint q = z >= x && z >= y ? PlanePoint{p.x, p.y} : x >= y ? PlanePoint{p.y, p.z} : PlanePoint{p.z, p.x};
    if ((z >= x && z >= y ? normal.z : x >= y ? normal.x : normal.y) < 0) std::swap(q.x, q.y);
    flat.push_back(q);
  }
  return flat;
}

/// Cuts ears off a polygon until a triangle is left. An ear is a convex corner whose triangle holds no other corner.
class EarClipping {
 public:
  explicit EarClipping(std::vector<PlanePoint> corners)
      : at_(std::move(corners)), next_(at_.size()), last_(at_.size()) {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      next_[i] = i + 1 == at_.size() ? 0 : i + 1;
      last_[i] = i == 0 ? at_.size() - 1 : i - 1;
    }
    double area = 0;
    for (std::size_t i = 1; i + 1 < at_.size(); ++i) area += std::fabs(turn_of(at_[0], at_[i], at_[i + 1]));
    flat_ = 1e-12 * area;
  }

  bool fan_is_right() const {
    for (std::size_t i = 1; i + 1 < at_.size(); ++i)
      if (turn_of(at_[0], at_[i], at_[i + 1]) < -flat_) return false;
    return true;
  }

  /// Triples of corners; empty if the polygon cannot be cut.
  std::vector<std::size_t> cut() {
    std::vector<std::size_t> triangles;
    std::size_t left = at_.size(), corner = 0, failures = 0;
    for (bool flat_too = false; left > 3;) {
      if (is_ear(corner, flat_too)) {
        triangles.insert(triangles.end(), {last_[corner], corner, next_[corner]});
        next_[last_[corner]] = next_[corner];
        last_[next_[corner]] = last_[corner];
        // Go on at the corner in front, whose angle changed.
        corner = last_[corner];
        --left, failures = 0, flat_too = false;
        continue;
      }
      corner = next_[corner];
      if (++failures < left) continue;
      if (flat_too) return {};
      failures = 0, flat_too = true;
    }
    triangles.insert(triangles.end(), {last_[corner], corner, next_[corner]});
    const bool right = turn_of(at_[last_[corner]], at_[corner], at_[next_[corner]]) >= -flat_;
    return right ? triangles : std::vector<std::size_t>{};
  }

 private:
  /// Whether the triangle of a corner can be cut off. flat_too: also one without area, which covers nothing.
  bool is_ear(std::size_t corner, bool flat_too) const {
    const PlanePoint &a = at_[last_[corner]], &b = at_[corner], &c = at_[next_[corner]];
    const double turn = turn_of(a, b, c);
    if (turn <= flat_) return flat_too && turn >= -flat_;
    for (std::size_t i = next_[next_[corner]]; i != last_[corner]; i = next_[i]) {
      const PlanePoint& p = at_[i];
      const bool is_corner = p == a || p == b || p == c;  // polygons with holes pass some corners twice
      if (!is_corner && turn_of(a, b, p) >= 0 && turn_of(b, c, p) >= 0 && turn_of(c, a, p) >= 0) return false;
    }
    return true;
  }

  std::vector<PlanePoint> at_;
  std::vector<std::size_t> next_, last_;
  double flat_ = 0;  ///< twice the area that counts as none
};

}  // namespace

void TriangleCollector::finish(const std::string& file, const std::vector<std::uint32_t>& index_in_set, DataSet& set) {
  constexpr std::size_t most_corners = 1000;
  if (!index_in_set.empty())
    for (std::uint32_t& vertex : corners_of_triangles_) vertex = index_in_set[vertex];
  const auto lacks_vertex = [](const std::uint32_t* corners, std::size_t count) {
    return std::find(corners, corners + count, no_id) != corners + count;
  };
  std::uint64_t uncut = 0;
  for (const Polygon& polygon : polygons_) {
    std::uint32_t* const fan = &corners_of_triangles_[polygon.begin];
    if (lacks_vertex(fan, 3 * polygon.triangles)) {
      std::fill_n(fan, 3 * polygon.triangles, no_id);
      continue;
    }
    if (set.points.dim < 2) continue;
    std::vector<std::uint32_t> corners{fan[0], fan[1]};
    for (std::size_t i = 0; i < polygon.triangles; ++i) corners.push_back(fan[3 * i + 2]);
    EarClipping clipping(flattened(set.points, corners));
    if (clipping.fan_is_right()) continue;
    const auto cut = corners.size() > most_corners ? std::vector<std::size_t>{} : clipping.cut();
    for (std::size_t i = 0; i < cut.size(); ++i) fan[i] = corners[cut[i]];
    uncut += cut.empty();
  }
  if (uncut > 0)
    set.warnings.push_back(file + ": " + count_text(uncut, "polygon is", "polygons are") +
                           " not convex, and cannot be cut along diagonals: they cross themselves or have more than " +
                           grouped(most_corners) + " corners; the triangles about the first corner stand for each.");
  // Leave out triangles that lack a vertex.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < corners_of_triangles_.size(); i += 3) {
    if (lacks_vertex(&corners_of_triangles_[i], 3)) continue;
    std::copy_n(&corners_of_triangles_[i], 3, &corners_of_triangles_[kept]);
    kept += 3;
  }
  if (const std::size_t lost = (corners_of_triangles_.size() - kept) / 3; lost > 0)
    set.warnings.push_back(file + ": " + count_text(lost, "triangle is", "triangles are") +
                           " left out, whose points are.");
  corners_of_triangles_.resize(kept);
  set.triangles = std::move(corners_of_triangles_);
}

}  // namespace kdscope
