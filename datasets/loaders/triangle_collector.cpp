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

/// a b - c d without cancellation, so that its sign is that of the exact number (Kahan).
double difference_of_products(double a, double b, double c, double d) {
  const double product = c * d;
  return std::fma(a, b, -product) - std::fma(c, d, -product);
}

/// Twice the area of a triangle, negative if it turns clockwise. The sign is exact where differences of coordinates
/// are.
double turn_of(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return difference_of_products(b.x - a.x, c.y - a.y, b.y - a.y, c.x - a.x);
}

/// Positive if b and c lie on the same side of a.
double along(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return (b.x - a.x) * (c.x - a.x) + (b.y - a.y) * (c.y - a.y);
}

/// The corners of a polygon in the coordinate plane that it is most parallel to, so that it turns counterclockwise.
std::vector<PlanePoint> flattened(const PointSet& points, const std::vector<std::uint32_t>& corners) {
  const auto at = [&](std::size_t i) {
    const std::uint32_t vertex = corners[i % corners.size()];
    return Vector3{points.value(vertex, 0), points.value(vertex, 1), points.dim > 2 ? points.value(vertex, 2) : 0};
  };
  Vector3 normal{0, 0, 0}, largest{0, 0, 0};
  const Vector3 origin = at(0);
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Vector3 each = cross(at(i) - origin, at(i + 1) - origin);
    normal = normal + each;
    if (length(each) > length(largest)) largest = each;
  }
  // Halves of a polygon that crosses itself may cancel.
  if (length(normal) < 1e-9 * length(largest)) normal = largest;
  const double x = std::fabs(normal.x), y = std::fabs(normal.y), z = std::fabs(normal.z);
  std::vector<PlanePoint> flat;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector3 p = at(i);
    PlanePoint q = z >= x && z >= y ? PlanePoint{p.x, p.y} : x >= y ? PlanePoint{p.y, p.z} : PlanePoint{p.z, p.x};
    if ((z >= x && z >= y ? normal.z : x >= y ? normal.x : normal.y) < 0) std::swap(q.x, q.y);
    flat.push_back(q);
  }
  return flat;
}

/// Cuts a polygon into triangles along diagonals. It may touch itself at corners and along edges, as one with holes
/// does whose bridges to them are passed twice.
class EarClipping {
 public:
  explicit EarClipping(std::vector<PlanePoint> corners)
      : at_(std::move(corners)), next_(at_.size()), last_(at_.size()) {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      next_[i] = i + 1 == at_.size() ? 0 : i + 1;
      last_[i] = i == 0 ? at_.size() - 1 : i - 1;
    }
  }

  /// Whether the triangles about the first corner cover the polygon: none turns clockwise by more than rounding, and
  /// together they turn about the corner once at most.
  bool fan_is_right() const {
    double area = 0;
    for (std::size_t i = 1; i + 1 < at_.size(); ++i) area += std::fabs(turn_of(at_[0], at_[i], at_[i + 1]));
    std::size_t first = 1, end = at_.size();
    while (first < end && at_[first] == at_[0]) ++first;
    while (end > first && at_[end - 1] == at_[0]) --end;
    bool beyond_half = false;
    for (std::size_t i = first; i + 1 < end; ++i) {
      if (at_[i] == at_[0] || turn_of(at_[0], at_[i], at_[i + 1]) < -1e-12 * area) return false;
      const double turn = turn_of(at_[0], at_[first], at_[i + 1]);
      if (beyond_half && turn > 0) return false;
      beyond_half = beyond_half || turn < -1e-12 * area;
    }
    return true;
  }

  /// Triples of corners; empty if the polygon cannot be cut. An ear is a corner whose triangle no edge enters. No
  /// triangle that is returned turns clockwise and no two overlap, so they cover what the polygon does: their borders
  /// add up to its own.
  std::vector<std::size_t> cut() {
    std::vector<std::size_t> triangles;
    std::size_t left = at_.size(), corner = 0, failures = 0;
    for (int kind = 0; left > 3;) {
      if (is_ear(corner, static_cast<Ear>(kind))) {
        triangles.insert(triangles.end(), {last_[corner], corner, next_[corner]});
        next_[last_[corner]] = next_[corner];
        last_[next_[corner]] = last_[corner];
        // Go on at the corner in front, whose angle changed.
        corner = last_[corner];
        --left, failures = 0, kind = 0;
        continue;
      }
      corner = next_[corner];
      if (++failures < left) continue;
      if (++kind > static_cast<int>(Ear::straight)) return {};
      failures = 0;
    }
    triangles.insert(triangles.end(), {last_[corner], corner, next_[corner]});
    if (turn_of(at_[last_[corner]], at_[corner], at_[next_[corner]]) < 0 || any_overlap(triangles)) return {};
    return triangles;
  }

 private:
  /// In the order in which they are cut: one without area whose edges lie on each other, or one of them on a point; one
  /// with area; one without area in the middle of a straight line.
  enum class Ear { spike, area, straight };

  bool is_ear(std::size_t corner, Ear kind) const {
    const PlanePoint &a = at_[last_[corner]], &b = at_[corner], &c = at_[next_[corner]];
    const double turn = turn_of(a, b, c);
    if (kind != Ear::area) return turn == 0 && (kind == Ear::straight || a == b || b == c || along(b, a, c) > 0);
    if (!(turn > 0)) return false;
    for (std::size_t i = next_[next_[corner]]; i != last_[corner]; i = next_[i])
      if (holds(a, b, c, at_[i]) && (enters(a, b, c, at_[i], at_[next_[i]]) || enters(a, b, c, at_[i], at_[last_[i]])))
        return false;
    return true;
  }
  /// Whether a triangle, its border included, holds a point.
  static bool holds(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& p) {
    const auto [left, right] = std::minmax({a.x, b.x, c.x});
    const auto [low, high] = std::minmax({a.y, b.y, c.y});
    return p.x >= left && p.x <= right && p.y >= low && p.y <= high && turn_of(a, b, p) >= 0 && turn_of(b, c, p) >= 0 &&
           turn_of(c, a, p) >= 0;
  }
  /// Whether an edge from a point of a triangle passes through its inside.
  static bool enters(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c, const PlanePoint& from,
                     const PlanePoint& to) {
    const auto inwards = [&](const PlanePoint& u, const PlanePoint& v) {
      return turn_of(u, v, from) > 0 || turn_of(u, v, to) > 0;
    };
    return inwards(a, b) && inwards(b, c) && inwards(c, a);
  }

  /// A triangle with area, and its box.
  struct Piece {
    const std::size_t* corners;
    PlanePoint low, high;
  };
  bool any_overlap(const std::vector<std::size_t>& triangles) const {
    std::vector<Piece> pieces;
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
      const PlanePoint &a = at_[triangles[t]], &b = at_[triangles[t + 1]], &c = at_[triangles[t + 2]];
      if (turn_of(a, b, c) > 0)
        pieces.push_back({&triangles[t],
                          {std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})},
                          {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})}});
    }
    for (std::size_t s = 0; s < pieces.size(); ++s)
      for (std::size_t t = s + 1; t < pieces.size(); ++t) {
        const Piece &p = pieces[s], &q = pieces[t];
        const bool apart = p.high.x <= q.low.x || q.high.x <= p.low.x || p.high.y <= q.low.y || q.high.y <= p.low.y;
        if (!apart && !lies_beside(p, q) && !lies_beside(q, p)) return true;
      }
    return false;
  }
  /// Whether an edge of one triangle has the other one on its outer side.
  bool lies_beside(const Piece& one, const Piece& other) const {
    for (int i = 0; i < 3; ++i) {
      const PlanePoint &u = at_[one.corners[i]], &v = at_[one.corners[(i + 1) % 3]];
      if (std::all_of(other.corners, other.corners + 3, [&](std::size_t p) { return turn_of(u, v, at_[p]) <= 0; }))
        return true;
    }
    return false;
  }

  std::vector<PlanePoint> at_;
  std::vector<std::size_t> next_, last_;
};

}  // namespace

void TriangleCollector::finish(const std::string& file, const std::vector<std::uint32_t>& index_in_set, DataSet& set) {
  constexpr std::size_t most_corners = 1000;
  if (!index_in_set.empty())
    for (std::uint32_t& vertex : corners_of_triangles_) vertex = index_in_set[vertex];
  const auto lacks_vertex = [](const std::uint32_t* corners, std::size_t count) {
    return std::find(corners, corners + count, no_id) != corners + count;
  };
  std::uint64_t uncut = 0, first_uncut = 0;
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
    if (cut.empty() && uncut++ == 0) first_uncut = polygon.number;
  }
  if (uncut > 0)
    set.warnings.push_back(file + ": " + count_text(uncut, "polygon is", "polygons are") +
                           " not convex, and cannot be cut along diagonals: they cross or cover themselves, or have "
                           "more than " +
                           grouped(most_corners) +
                           " corners; the triangles about the first corner stand for each. The first is face " +
                           std::to_string(first_uncut) + ", counted from 1.");
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
