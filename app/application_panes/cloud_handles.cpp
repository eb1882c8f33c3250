#include "app/application_panes/cloud_handles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/applications/point_clouds/deformation.hpp"

namespace kdscope {
namespace {

Vector3 vector_of(const std::vector<double>& coordinates) { return {coordinates[0], coordinates[1], coordinates[2]}; }

/// A line of sight and the pixels around it as axes of space: also where these are not at right angles, because a
/// picture may stretch the dimensions.
struct SightAxes {
  Vector3 from, along, right, up;
  double volume;
  explicit SightAxes(const SightLine& line)
      : from(vector_of(line.from)),
        along(vector_of(line.through) - from),
        right(vector_of(line.right)),
        up(vector_of(line.up)),
        volume(dot(along, cross(right, up))) {}
  /// Returns how far away a place is, 1 in the middle of the picture, and how many pixels it lies to the right and
  /// above if pixels have the size they have there.
  Vector3 of(Vector3 place) const {
    const Vector3 to = place - from;
    return (1 / volume) * Vector3{dot(to, cross(right, up)), dot(to, cross(up, along)), dot(to, cross(along, right))};
  }
};

}  // namespace

bool CloudHandles::add(const PointSet& points, Vector3 centre, double radius) {
  std::vector<std::uint32_t> within = points_within(points, centre, radius);
  for (const auto& other : handles_) {
    std::vector<std::uint32_t> left;
    std::ranges::set_difference(within, other, std::back_inserter(left));
    within = std::move(left);
  }
  if (within.empty()) return false;
  handles_.push_back(std::move(within));
  active_ = handles_.size() - 1;
  return true;
}

void CloudHandles::remove_active() {
  if (handles_.empty()) return;
  handles_.erase(handles_.begin() + static_cast<std::ptrdiff_t>(active_));
  active_ = handles_.empty() ? 0 : handles_.size() - 1;
}

std::vector<std::uint32_t> CloudHandles::fixed() const {
  std::vector<std::uint32_t> all;
  for (std::size_t handle = 0; handle < handles_.size(); ++handle)
    if (handle != active_) all.insert(all.end(), handles_[handle].begin(), handles_[handle].end());
  std::ranges::sort(all);
  return all;
}

std::optional<std::size_t> CloudHandles::handle_of(std::uint32_t point) const {
  for (std::size_t handle = 0; handle < handles_.size(); ++handle)
    if (std::ranges::binary_search(handles_[handle], point)) return handle;
  return std::nullopt;
}

std::optional<std::uint32_t> point_on(const SightLine& line, const PointSet& points, const std::vector<float>& normals,
                                      const std::vector<float>& radii, double pixels) {
  const SightAxes axes(line);
  std::optional<std::uint32_t> met, passed;
  double first = std::numeric_limits<double>::infinity(), closest = pixels;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const Vector3 place{points.value(i, 0), points.value(i, 1), points.value(i, 2)}, at = axes.of(place);
    if (at.x <= 0) continue;  // behind the eye
    const double aside = std::hypot(at.y, at.z) / (line.parallel ? 1 : at.x);
    if (aside < closest) closest = aside, passed = i;
    Vector3 normal{normals[3 * std::size_t(i)], normals[3 * std::size_t(i) + 1], normals[3 * std::size_t(i) + 2]};
    if (length(normal) == 0) normal = {0, 0, 1};
    const double steep = dot(axes.along, normal);
    if (steep == 0) continue;  // the disc is seen from its side
    const double away = dot(place - axes.from, normal) / steep;
    if (away > 0 && away < first && length(axes.from + away * axes.along - place) <= radii[i]) first = away, met = i;
  }
  return met ? met : passed;
}

Vector3 dragged(Vector3 place, const SightLine& line) {
  const SightAxes axes(line);
  return axes.from + axes.of(place).x * axes.along;
}

}  // namespace kdscope
