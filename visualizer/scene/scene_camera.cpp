// Cameras: presets that fit the domain between the axes' texts, and movements by the mouse.

#include <vtkMatrix4x4.h>
#include <vtkRenderWindow.h>

#include <algorithm>
#include <cmath>

#include "visualizer/scene/mist.hpp"
#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

using Vector = std::array<double, 3>;
constexpr double view_angle = 26;

Vector minus(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vector plus(const Vector& a, const Vector& b, double t) { return {a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector unit(const Vector& a) {
  const double length = std::sqrt(dot(a, a));
  return length > 0 ? Vector{a[0] / length, a[1] / length, a[2] / length} : Vector{0, 0, 1};
}

/// Gets the direction from which a preset looks at a frame, and its up direction.
void direction_of(CameraPreset preset, int up_axis, const Frame& frame, Vector& direction, Vector& up) {
  up = {0, 0, 0};
  up[up_axis] = 1;
  switch (preset) {
    case CameraPreset::along_x:
      direction = {1, 0, 0};
      break;
    case CameraPreset::along_y:
      direction = up_axis == 1 ? Vector{0, 1, 0} : Vector{0, -1, 0};
      break;
    case CameraPreset::along_z:
      direction = {0, 0, 1};
      break;
    case CameraPreset::top:
      direction = {0, 0, 0};
      direction[up_axis] = 1;
      break;
    default:
      direction = up_axis == 1 ? Vector{0.7, 0.5, 1} : Vector{0.75, -1.15, 0.7};
      // A scene on a floor is looked at from higher up.
      const auto size = [&](int axis) { return frame.hi(axis) - frame.lo(axis); };
      const double widest = std::max(size((up_axis + 1) % 3), size((up_axis + 2) % 3));
      direction[up_axis] += 0.6 * (1 - std::min(1.0, size(up_axis) / widest));
      break;
  }
  // If the preset looks along the upright axis, another axis points up in the picture.
  if (std::abs(dot(unit(direction), up)) > 0.99) up = up_axis == 1 ? Vector{0, 0, -1} : Vector{0, 1, 0};
}

/// Returns the scene units per device pixel at the focal point.
double units_per_pixel(const CameraState& c, double height) {
  if (c.parallel) return 2 * c.parallel_scale / height;
  const Vector away = minus(c.position, c.focal_point);
  return 2 * std::sqrt(dot(away, away)) * std::tan(view_angle * M_PI / 360) / height;
}

/// Returns the camera that sees the same part of the plane after the y axis was stretched.
CameraState stretched(CameraState c, double factor) {
  if (factor == 1) return c;
  c.position[1] *= factor;
  c.focal_point[1] *= factor;
  c.parallel_scale *= factor;
  return c;
}

void move(CameraState& c, double right_units, double up_units) {
  const Vector back = unit(minus(c.position, c.focal_point)), right = unit(cross(c.view_up, back)),
               up = cross(back, right);
  for (Vector* at : {&c.position, &c.focal_point}) *at = plus(plus(*at, right, right_units), up, up_units);
}

}  // namespace

std::array<double, 4> Scene::Parts::margins() const {
  auto [left, bottom, right, top] = wanted_margins();
  // A window that is too small for margins has none.
  if (left + right > 0.6 * std::max(1, window->GetSize()[0])) left = right = 0;
  if (top + bottom > 0.6 * std::max(1, window->GetSize()[1])) top = bottom = 0;
  return {left, bottom, right, top};
}

std::array<double, 4> Scene::Parts::wanted_margins() const {
  const Measures m = measures();
  const bool axes = state.options.axes;
  const bool noted = !state.title.empty() && (state.is_earlier || !state.note.empty());
  const double top = (state.title.empty() ? 0.0 : 2.2) + (state.subtitle.empty() ? 0.0 : 1.5) + (noted ? 1.5 : 0.0) +
                     (state.heat ? 3.6 : 0.0);
  const Frame& frame = state.frame;
  if (!frame.is_2d()) {
    if (!axes || !state.turned) return {m.text, 0.5 * m.text, m.text, (0.8 + top) * m.text};
    // Axes change their edges while the box turns, and the picture must not jump then.
    double side = m.text;
    for (int axis = 0; axis < 3; ++axis) side = std::max(side, tick_width(frame, axis, m.text) + 2.4 * m.text);
    return {side, 3.8 * m.text, side, (1.2 + top) * m.text};
  }
  auto margins =
      axes ? axes_margins(frame, state.dim, m) : std::array{1.8 * m.text, 1.2 * m.text, 1.8 * m.text, 1.2 * m.text};
  margins[3] += top * m.text;
  return margins;
}

void Scene::Parts::stretch_frame() {
  Frame& frame = state.frame;
  if (!window || !frame.stretches()) return;
  const auto [left, bottom, right, top] = margins();
  const double width = std::max(1, window->GetSize()[0]) - left - right,
               height = std::max(1, window->GetSize()[1]) - bottom - top;
  const double before = frame.stretch(),
               wanted = before * (frame.hi(0) - frame.lo(0)) / (frame.hi(1) - frame.lo(1)) * height / width;
  if (std::abs(wanted - before) <= 1e-9 * before) return;
  frame.set_stretch(wanted);
  state.camera = stretched(state.camera, wanted / before);
  place_in_frame();
  stale = true;
}

void Scene::Parts::fit_camera() {
  if (!window) return;
  const Frame& frame = state.frame;
  const double width = std::max(1, window->GetSize()[0]), height = std::max(1, window->GetSize()[1]);
  auto [left, bottom, right, top] = margins();
  CameraState& c = state.camera;
  const Vector centre{(frame.lo(0) + frame.hi(0)) / 2, (frame.lo(1) + frame.hi(1)) / 2,
                      (frame.lo(2) + frame.hi(2)) / 2};
  if (frame.is_2d()) {
    const double per_pixel = std::max((frame.hi(0) - frame.lo(0)) / (width - left - right),
                                      (frame.hi(1) - frame.lo(1)) / (height - bottom - top));
    c.parallel = true;
    c.parallel_scale = per_pixel * height / 2;
    c.focal_point = {centre[0] - (left - right) / 2 * per_pixel, centre[1] - (bottom - top) / 2 * per_pixel, 0};
    c.position = plus(c.focal_point, {0, 0, 1}, 2);
    c.view_up = {0, 1, 0};
    return;
  }
  Vector direction;
  if (state.turned) {
    direction = unit(*state.turned);
    // A drag begins from the size that is seen
    constexpr double soon = 0.5;  // radians
    const double turned = std::acos(std::clamp(dot(direction, state.preset_direction), -1.0, 1.0)),
                 share = std::min(1.0, turned / soon);
    const auto& [west, south, east, north] = state.preset_margins;
    left = std::lerp(west, left, share), bottom = std::lerp(south, bottom, share);
    right = std::lerp(east, right, share), top = std::lerp(north, top, share);
  } else {
    direction_of(state.preset, state.up_axis, frame, direction, c.view_up);
    direction = unit(direction);
    c.parallel = state.preset != CameraPreset::iso && state.preset != CameraPreset::reset;
  }
  // Find the nearest camera that keeps the box's corners inside the margins, then centre its picture between them.
  std::array<double, 4> over{};  // by how much the axes' texts stand out from the box
  const auto fit = [&] {
    const double west = left + over[0], south = bottom + over[1], east = right + over[2], north = top + over[3];
    std::array<double, 4> extent{};
    const auto look_from = [&](double distance) {
      c.focal_point = centre;
      c.position = plus(centre, direction, distance);
      c.parallel_scale = distance * std::tan(view_angle * M_PI / 360);
      apply_camera();
      const auto found = room_of_frame();
      if (!found) return false;
      extent = *found;
      return extent[2] - extent[0] <= width - west - east && extent[3] - extent[1] <= height - south - north;
    };
    double near = 1e-3, far = 100;
    for (int i = 0; i < 40; ++i) {
      const double middle = std::sqrt(near * far);
      (look_from(middle) ? far : near) = middle;
    }
    look_from(far);
    const double per_pixel = units_per_pixel(c, height);
    move(c, ((extent[0] + extent[2]) / 2 - (west + width - east) / 2) * per_pixel,
         ((extent[1] + extent[3]) / 2 - (south + height - north) / 2) * per_pixel);
  };
  fit();
  if (state.turned) return;
  state.preset_direction = direction, state.preset_margins = {left, bottom, right, top};
  if (!state.options.axes) return;
  PixelLayer texts = annotations;
  for (int i = 0; i < 3; ++i) {
    apply_camera();
    const auto box = room_of_frame();
    if (!box) return;
    texts.begin(width, height);
    draw_axes(texts, frame, state.dim, projection, measures());
    over = {};
    for (const Room& room : texts.rooms())
      over = {std::max(over[0], (*box)[0] - room.left), std::max(over[1], (*box)[1] - room.bottom),
              std::max(over[2], room.right - (*box)[2]), std::max(over[3], room.top - (*box)[3])};
    if (over[0] + over[2] > 0.6 * width || over[1] + over[3] > 0.6 * height) over = {};
    fit();
  }
  state.preset_margins = {left + over[0], bottom + over[1], right + over[2], top + over[3]};
}

/// Returns where the box of the frame is drawn: left, bottom, right, top; nullopt if it reaches behind the camera.
std::optional<std::array<double, 4>> Scene::Parts::room_of_frame() const {
  const Frame& frame = state.frame;
  std::array<double, 4> room{1e300, 1e300, -1e300, -1e300};
  for (int bits = 0; bits < 8; ++bits) {
    const float corner[3]{static_cast<float>(bits & 1 ? frame.hi(0) : frame.lo(0)),
                          static_cast<float>(bits & 2 ? frame.hi(1) : frame.lo(1)),
                          frame.is_2d() ? 0 : static_cast<float>(bits & 4 ? frame.hi(2) : frame.lo(2))};
    double x = 0, y = 0, depth = 0;
    if (!projection.project(corner, x, y, depth)) return std::nullopt;
    room = {std::min(room[0], x), std::min(room[1], y), std::max(room[2], x), std::max(room[3], y)};
  }
  return room;
}

double Scene::aspect() const {
  const Frame& frame = parts_->state.frame;
  const Vector size{frame.hi(0) - frame.lo(0), frame.hi(1) - frame.lo(1), frame.hi(2) - frame.lo(2)};
  if (frame.is_2d()) return size[0] / size[1];
  Vector direction, up;
  direction_of(parts_->state.preset, parts_->state.up_axis, frame, direction, up);
  if (parts_->state.turned) direction = *parts_->state.turned;
  const Vector back = unit(direction), right = unit(cross(up, back)), top = cross(back, right);
  const auto extent = [&](const Vector& along) {
    return std::abs(along[0]) * size[0] + std::abs(along[1]) * size[1] + std::abs(along[2]) * size[2];
  };
  return extent(right) / extent(top);
}

void Scene::Parts::apply_camera() {
  const CameraState& c = state.camera;
  camera->SetPosition(c.position.data());
  camera->SetFocalPoint(c.focal_point.data());
  camera->SetViewUp(c.view_up.data());
  camera->SetViewAngle(view_angle);
  camera->SetParallelScale(c.parallel_scale);
  camera->SetParallelProjection(c.parallel);
  const Frame& f = state.frame;
  const double slack = f.is_2d() ? 0.5 : 0.05;
  const double bounds[6]{f.lo(0) - slack, f.hi(0) + slack, f.lo(1) - slack,
                         f.hi(1) + slack, f.lo(2) - slack, f.hi(2) + slack};
  base->ResetCameraClippingRange(bounds);
  // The mist begins and ends with the box. Parallel views have none: their depth is read from another side.
  const Vector back = unit(minus(c.position, c.focal_point));
  double near = 1e300, far = -1e300;
  for (int bits = 0; bits < 8; ++bits) {
    const double depth = dot(back, minus(c.position, {f.lo(0) + (bits & 1 ? f.hi(0) - f.lo(0) : 0),
                                                      f.lo(1) + (bits & 2 ? f.hi(1) - f.lo(1) : 0),
                                                      f.lo(2) + (bits & 4 ? f.hi(2) - f.lo(2) : 0)}));
    near = std::min(near, depth);
    far = std::max(far, depth);
  }
  mist_range = {c.parallel ? 1 : std::max(0.0, near), far};
  for (PointMarks* cloud : {&marks, &sample}) set_mist_range(*cloud->actor(), mist_range);
  for (ShapeLayer* layer : shapes.misty()) set_mist_range(*layer->actor(), mist_range);
  if (!window) return;
  projection.width = std::max(1, window->GetSize()[0]);
  projection.height = std::max(1, window->GetSize()[1]);
  const vtkMatrix4x4* matrix =
      camera->GetCompositeProjectionTransformMatrix(projection.width / projection.height, -1, 1);
  for (int i = 0; i < 16; ++i) projection.matrix[i] = matrix->Element[i / 4][i % 4];
}

void Scene::set_camera_preset(CameraPreset preset) {
  if (std::exchange(parts_->state.frame_kept, false)) {
    parts_->place_frame();
    parts_->stale = true;
  }
  parts_->state.preset = preset;
  parts_->state.turned.reset();
  parts_->state.fitted = true;
}

CameraState Scene::camera() const {
  CameraState camera = stretched(parts_->state.camera, 1 / parts_->state.frame.stretch());
  camera.fits = parts_->state.fitted && parts_->state.turned;
  return camera;
}

std::optional<CameraPreset> Scene::fitted_to() const {
  return parts_->state.fitted && !parts_->state.turned ? std::optional(parts_->state.preset) : std::nullopt;
}

void Scene::set_camera(const CameraState& camera) {
  SceneState& s = parts_->state;
  s.camera = stretched(camera, s.frame.stretch());
  s.fitted = camera.fits && !is_2d();
  s.turned = minus(s.camera.position, s.camera.focal_point);
}

void Scene::rotate(double dx, double dy) {
  if (is_2d()) return;
  CameraState& c = parts_->state.camera;
  // The camera moves like a turntable: left and right turn about the upright axis; up and down tilt, but never over the
  // top.
  const int u = parts_->state.up_axis, a = (u + 1) % 3, b = (u + 2) % 3;
  const Vector away = minus(c.position, c.focal_point);
  const double distance = std::sqrt(dot(away, away)), speed = 0.0075;
  const bool overhead = std::hypot(away[a], away[b]) < 1e-6 * distance;
  const Vector facing = overhead ? Vector{-c.view_up[0], -c.view_up[1], -c.view_up[2]} : away;
  const double turn = std::atan2(facing[b], facing[a]) - dx * speed;
  const double tilt = std::clamp(std::asin(std::clamp(away[u] / distance, -1.0, 1.0)) - dy * speed, -1.55, 1.55);
  Vector offset{};
  offset[u] = distance * std::sin(tilt);
  offset[a] = distance * std::cos(tilt) * std::cos(turn);
  offset[b] = distance * std::cos(tilt) * std::sin(turn);
  c.position = plus(c.focal_point, offset, 1);
  c.view_up = {0, 0, 0};
  c.view_up[u] = 1;
  parts_->state.turned = offset;
}

void Scene::pan(double dx, double dy) {
  CameraState& c = parts_->state.camera;
  parts_->state.fitted = false;
  const double per_pixel = units_per_pixel(c, parts_->projection.height);
  move(c, -dx * per_pixel, -dy * per_pixel);
}

void Scene::look_at(const std::vector<double>& place, double radius) {
  SceneState& s = parts_->state;
  const auto at = scene_place(s.frame, place);
  if (!at || s.frame.is_2d()) return;
  double far = 1e-4;  // of the longest side, as near as zoom() comes
  for (int axis = 0; axis < 3; ++axis)
    far = std::max(far, std::abs(s.frame.to_scene(axis, radius) - s.frame.to_scene(axis, 0)));
  CameraState& c = s.camera;
  const double distance = far / std::sin(view_angle * M_PI / 360);
  c.position = plus(*at, unit(minus(c.position, c.focal_point)), distance);
  c.focal_point = *at;
  c.parallel_scale = far;
  s.fitted = false;
}

std::optional<SightLine> Scene::line_of_sight(double x, double y) const {
  const Parts& p = *parts_;
  const SceneState& s = p.state;
  if (s.frame.is_2d() || s.n() == 0 || p.projection.height <= 0) return std::nullopt;
  const CameraState& c = s.camera;
  const Vector back = minus(c.position, c.focal_point), right = unit(cross(c.view_up, unit(back))),
               up = cross(unit(back), right);
  const double step = units_per_pixel(c, p.projection.height);
  const Vector through =
      plus(plus(c.focal_point, right, (x - p.projection.width / 2) * step), up, (y - p.projection.height / 2) * step);
  const auto in_units = [&](const Vector& place) {
    std::vector<double> coordinates(s.dim, 0);
    for (int axis = 0; axis < 3; ++axis)
      if (const int d = s.frame.dims()[axis]; d >= 0)
        coordinates[static_cast<std::size_t>(d)] = s.frame.to_world(axis, place[static_cast<std::size_t>(axis)]);
    return coordinates;
  };
  constexpr double in_front = 10;  // the longest side of the domain is 1
  SightLine line{in_units(c.parallel ? plus(through, unit(back), in_front) : c.position), in_units(through),
                 in_units(plus(through, right, step)), in_units(plus(through, up, step)), c.parallel};
  for (std::vector<double>* pixel : {&line.right, &line.up})
    for (std::size_t d = 0; d < pixel->size(); ++d) (*pixel)[d] -= line.through[d];
  return line;
}

void Scene::zoom(double factor, double x, double y) {
  CameraState& c = parts_->state.camera;
  const Vector away = minus(c.position, c.focal_point);
  const double distance = std::sqrt(dot(away, away));
  // Limit the camera's scale or distance to between 0.0001 and 20 times the longest side of the domain.
  const double size = c.parallel ? c.parallel_scale : distance;
  factor = std::clamp(factor, size / 20, size / 1e-4);
  parts_->state.fitted = false;
  const double before = units_per_pixel(c, parts_->projection.height);
  if (c.parallel) c.parallel_scale /= factor;
  c.position = plus(c.focal_point, away, c.parallel ? 1 : 1 / factor);
  const double kept = before - units_per_pixel(c, parts_->projection.height);
  move(c, (x - parts_->projection.width / 2) * kept, (y - parts_->projection.height / 2) * kept);
}

}  // namespace kdscope
