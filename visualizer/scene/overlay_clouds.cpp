#include "visualizer/scene/overlay_clouds.hpp"

#include <vtkRenderer.h>

#include <cmath>

#include "algorithms/core/vector3.hpp"

namespace kdscope {
namespace {

/// Corners of a disc. More would cost more than they show, because discs overlap.
constexpr int corners = 6;
constexpr double cosine[corners]{1, 0.5, -0.5, -1, -0.5, 0.5};
constexpr double sine[corners]{0, 0.8660254037844386, 0.8660254037844386, 0, -0.8660254037844386, -0.8660254037844386};

Vector3 vector_at(const std::vector<float>& values, std::size_t i) {
  return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}

std::vector<Rgb> colours_of(const Overlay::Cloud& cloud, std::size_t each) {
  const std::size_t n = cloud.places.size() / 3;
  std::vector<Rgb> colours;
  colours.reserve(n * each);
  for (std::size_t i = 0; i < n; ++i)
    colours.insert(colours.end(), each,
                   cloud.colours.size() == n ? cloud.colours[i]
                   : cloud.colours.empty()   ? Rgb{}
                                             : cloud.colours.front());
  return colours;
}

}  // namespace

void OverlayClouds::rebuild(const std::map<std::string, Overlay>& overlays, const Frame& frame, double pixel,
                            vtkRenderer* renderer) {
  for (const auto& dots : dots_) renderer->RemoveActor(dots->actor());
  for (const auto& discs : discs_) renderer->RemoveActor(discs->actor());
  dots_.clear(), discs_.clear();
  points_ = 0;
  frame_ = frame, pixel_ = pixel;
  for (const auto& [writer, overlay] : overlays)
    for (const Overlay::Cloud& cloud : overlay.clouds) {
      const std::size_t n = cloud.places.size() / 3;
      if (n == 0) continue;
      points_ += n;
      if (!frame.is_2d() && cloud.normals.size() == 3 * n && cloud.radii.size() == n)
        add_discs(cloud, renderer);
      else
        add_dots(cloud, renderer);
    }
}

std::array<float, 3> OverlayClouds::in_scene(const std::array<double, 3>& place) const {
  std::array<float, 3> at{};
  for (int axis = 0; axis < 3; ++axis)
    if (const int d = frame_.dims()[axis]; d >= 0 && d < 3)
      at[static_cast<std::size_t>(axis)] =
          static_cast<float>(frame_.to_scene(axis, place[static_cast<std::size_t>(d)]));
  return at;
}

void OverlayClouds::add_dots(const Overlay::Cloud& cloud, vtkRenderer* renderer) {
  std::vector<float> places;
  places.reserve(cloud.places.size());
  for (std::size_t i = 0; 3 * i + 2 < cloud.places.size(); ++i) {
    const Vector3 p = vector_at(cloud.places, i);
    const auto at = in_scene({p.x, p.y, p.z});
    places.insert(places.end(), at.begin(), at.end());
  }
  dots_.push_back(std::make_unique<PointMarks>());
  PointMarks& dots = *dots_.back();
  dots.style(PointMarks::Shape::dot, cloud.size * pixel_, 0, {}, false);
  dots.set_places(places);
  dots.set_colours(colours_of(cloud, 1));
  renderer->AddActor(dots.actor());
}

void OverlayClouds::add_discs(const Overlay::Cloud& cloud, vtkRenderer* renderer) {
  const std::size_t n = cloud.radii.size();
  std::vector<SurfacePiece> pieces(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double radius = std::isfinite(cloud.radii[i]) ? cloud.radii[i] : 0;
    const Vector3 middle = vector_at(cloud.places, i);
    Vector3 normal = vector_at(cloud.normals, i);
    if (length(normal) == 0) normal = {0, 0, 1};
    // The axis that the normal leans on least gives a direction across it
    const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
    const Vector3 least = x <= y && x <= z ? Vector3{1, 0, 0} : y <= z ? Vector3{0, 1, 0} : Vector3{0, 0, 1};
    Vector3 across = cross(normal, least);
    across = (radius / length(across)) * across;
    const Vector3 up = (1 / length(normal)) * cross(normal, across);
    for (int c = 0; c < corners; ++c) {
      const Vector3 p = middle + cosine[c] * across + sine[c] * up;
      pieces[i].corners.push_back(in_scene({p.x, p.y, p.z}));
    }
  }
  discs_.push_back(std::make_unique<Surface>());
  Surface& discs = *discs_.back();
  discs.set_mesh(pieces);
  discs.set_colours(colours_of(cloud, 1));
  discs.actor()->VisibilityOn();
  renderer->AddActor(discs.actor());
}

}  // namespace kdscope
