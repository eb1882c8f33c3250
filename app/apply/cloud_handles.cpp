#include "app/apply/cloud_handles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/applications/point_clouds/deformation.hpp"

namespace kdscope {
namespace {

Vector3 vector_of(const std::vector<double>& coordinates) { return {coordinates[0], coordinates[1], coordinates[2]}; }

Vector3 direction_of(const SightLine& line) {
  const Vector3 along = vector_of(line.through) - vector_of(line.from);
  return (1 / length(along)) * along;
}

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

std::optional<std::uint32_t> point_on(const SightLine& line, const PointSet& points, const std::vector<float>& radii,
                                      double pixels) {
  const Vector3 from = vector_of(line.from), along = direction_of(line);
  const double middle = length(vector_of(line.through) - from), pixel = length(vector_of(line.pixel));
  std::optional<std::uint32_t> met, passed;
  double first = std::numeric_limits<double>::infinity(), closest = pixels;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const Vector3 to = Vector3{points.value(i, 0), points.value(i, 1), points.value(i, 2)} - from;
    const double away = dot(to, along);
    if (away <= 0) continue;
    const double aside = std::sqrt(std::max(0.0, dot(to, to) - away * away));
    if (aside <= radii[i] && away < first) first = away, met = i;
    const double aside_pixels = aside / (line.parallel ? pixel : pixel * away / middle);
    if (aside_pixels <= closest) closest = aside_pixels, passed = i;
  }
  return met ? met : passed;
}

Vector3 dragged(Vector3 place, const SightLine& facing, const SightLine& line) {
  const Vector3 normal = direction_of(facing), from = vector_of(line.from), along = direction_of(line);
  return from + (dot(place - from, normal) / dot(along, normal)) * along;
}

}  // namespace kdscope
