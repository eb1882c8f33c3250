// Points as they were edited since the run: ghosts where they were, marks where they are now.

#include <algorithm>
#include <cmath>

#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_edit_marks = 2000;
constexpr std::size_t most_edit_labels = 60;
constexpr std::size_t most_differences = 1000;

std::array<float, 3> scene_place(const Frame& frame, const std::vector<double>& coordinates) {
  std::array<float, 3> place{};
  for (int axis = 0; axis < 3; ++axis)
    if (const int d = frame.dims()[axis]; d >= 0 && static_cast<std::size_t>(d) < coordinates.size())
      place[axis] = static_cast<float>(frame.to_scene(axis, coordinates[d]));
  return place;
}

}  // namespace

void Scene::Parts::draw_edits() {
  const Theme& t = theme();
  const Measures m = measures();
  const std::size_t count = std::min(state.edits.size(), most_edit_marks);
  std::vector<float> old_places, new_places;
  const double diameter = std::max(mark_diameter, 7 * m.pixel);
  for (std::size_t i = 0; i < count; ++i) {
    const EditMark& mark = state.edits[i];
    if (mark.was && mark.was->value < state.n())
      old_places.insert(old_places.end(), &state.places[3 * mark.was->value], &state.places[3 * mark.was->value] + 3);
    if (!mark.now.empty()) {
      const auto place = scene_place(state.frame, mark.now);
      new_places.insert(new_places.end(), place.begin(), place.end());
    }
  }
  const Rgb ghost = mix(t.base, t.muted_text, 0.12);
  const auto draw = [&](PointMarks& layer, std::span<const float> places, Rgb fill, Rgb rim, double width) {
    layer.set_places(places);
    layer.set_colours(std::vector<Rgb>(places.size() / 3, fill));
    // Other glyphs of the run reach further than a disc of the same size.
    layer.style(PointMarks::Shape::disc, (&layer == &ghosts ? 1.25 : 1.0) * diameter + 1.5 * m.pixel, width, rim, true);
  };
  draw(ghosts, old_places, ghost, t.muted_text, 1.5 * m.pixel);
  draw(edited, new_places, t.changed, t.text, 1.5 * m.pixel);

  const bool labelled = count <= most_edit_labels && diameter >= 0.9 * m.text;
  for (std::size_t i = 0; i < count; ++i) {
    const EditMark& mark = state.edits[i];
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0, depth = 0;
    const bool was = mark.was && mark.was->value < state.n() &&
                     projection.project(&state.places[3 * mark.was->value], x0, y0, depth);
    const auto now_place = scene_place(state.frame, mark.now);
    const bool now = !mark.now.empty() && projection.project(now_place.data(), x1, y1, depth);
    TextStyle style;
    style.bold = true;
    style.size = std::max(0.53 * diameter, 0.6 * m.text);
    if (was) {
      if (labelled && now) {
        style.colour = t.muted_text;
        annotations.text(std::to_string(mark.was->value), x0, y0, style);
      }
      if (!now) {  // crossed out
        const double arm = 0.36 * diameter;
        annotations.line(x0 - arm, y0 - arm, x0 + arm, y0 + arm, t.changed, 3 * m.pixel);
        annotations.line(x0 - arm, y0 + arm, x0 + arm, y0 - arm, t.changed, 3 * m.pixel);
      }
    }
    if (!now) continue;
    const double length = std::hypot(x1 - x0, y1 - y0);
    if (was && length > 1.2 * diameter) {
      const double u = (x1 - x0) / length, v = (y1 - y0) / length, r = diameter / 2 + m.pixel;
      annotations.line(x0 + 1.25 * u * r, y0 + 1.25 * v * r, x1 - u * r, y1 - v * r, t.changed, 2 * m.pixel);
    }
    if (labelled) {
      style.colour = text_on(t.changed);
      annotations.text(mark.label, x1, y1, style);
    }
    if (mark.chosen) {
      const double radius = diameter / 2 + 7 * m.pixel;
      annotations.circle(x1, y1, radius, t.base, 7 * m.pixel);
      annotations.circle(x1, y1, radius, t.selection, 4 * m.pixel);
    }
    if (mark.coordinates.empty()) continue;
    style.size = m.text;
    style.colour = text_on(t.changed);
    style.ground = t.changed;
    const std::string words = " " + mark.coordinates + " ";
    const double width = 1.1 * widest_character * style.size * double(words.size());
    const bool left = x1 + diameter + width > projection.width, below = y1 + diameter + 2 * m.text > projection.height;
    style.across = left ? Align::end : Align::start;
    style.up = below ? Align::end : Align::start;
    annotations.text(words, x1 + (left ? -0.6 : 0.6) * diameter, y1 + (below ? -0.6 : 0.6) * diameter, style);
  }
}

void Scene::Parts::draw_difference() {
  const Theme& t = theme();
  const Measures m = measures();
  const DifferenceMarks& marks = state.difference;
  const Frame& frame = state.frame;
  using Corner = std::array<double, 3>;
  const auto line = [&](const Corner& from, const Corner& to, Rgb colour, double width, bool dashed) {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0, depth = 0;
    const float a[3]{float(from[0]), float(from[1]), float(from[2])}, b[3]{float(to[0]), float(to[1]), float(to[2])};
    if (!projection.project(a, x0, y0, depth) || !projection.project(b, x1, y1, depth)) return;
    const int pieces = dashed ? std::clamp(static_cast<int>(std::hypot(x1 - x0, y1 - y0) / (14 * m.pixel)), 1, 60) : 1;
    for (int i = 0; i < pieces; ++i) {
      const double u = double(i) / pieces, v = (i + (dashed ? 0.55 : 1.0)) / pieces;
      annotations.line(x0 + u * (x1 - x0), y0 + u * (y1 - y0), x0 + v * (x1 - x0), y0 + v * (y1 - y0), colour, width);
    }
  };
  /// The part of a plane inside a box: a line in 2D, the edges of a rectangle in 3D.
  const auto plane = [&](Corner lo, Corner hi, int dim, double value, Rgb colour, double width, bool dashed) {
    int axis = 0;
    while (axis < 3 && frame.dims()[axis] != dim) ++axis;
    if (axis == 3) return;
    lo[axis] = hi[axis] = std::clamp(frame.to_scene(axis, value), lo[axis], hi[axis]);
    if (frame.is_2d()) return line(lo, hi, colour, width, dashed);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    Corner corners[4]{lo, lo, hi, lo};
    corners[1][u] = hi[u];
    corners[3][v] = hi[v];
    for (int i = 0; i < 4; ++i) line(corners[i], corners[(i + 1) % 4], colour, width, dashed);
  };

  Corner lo{}, hi{};
  if (frame.is_2d()) {
    for (std::size_t i = 0; i < std::min(marks.cells.size(), most_differences); ++i) {
      if (!scene_box(state.partition, frame, marks.cells[i], lo, hi)) continue;
      double x0 = 0, y0 = 0, x1 = 0, y1 = 0, depth = 0;
      const float a[3]{float(lo[0]), float(lo[1]), 0}, b[3]{float(hi[0]), float(hi[1]), 0};
      if (!projection.project(a, x0, y0, depth) || !projection.project(b, x1, y1, depth)) continue;
      const double apart = std::max(10 * m.pixel, (x1 - x0 + y1 - y0) / 60);
      for (double c = apart * std::ceil((x0 - y1) / apart); c < x1 - y0; c += apart) {
        const double from = std::max(x0, y0 + c), to = std::min(x1, y1 + c);
        if (from < to) annotations.line(from, from - c, to, to - c, mix(t.changed, t.base, 0.45), m.pixel);
      }
    }
  }
  for (std::size_t i = 0; i < std::min(marks.old_splits.size(), most_differences); ++i) {
    const OldSplit& old = marks.old_splits[i];
    if (old.box.lo.size() < state.dim) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const int d = frame.dims()[axis];
      const bool cut_lo = d >= 0 && old.box.lo[d] > state.partition.domain().lo[d],
                 cut_hi = d >= 0 && old.box.hi[d] < state.partition.domain().hi[d];
      lo[axis] = cut_lo ? frame.to_scene(axis, old.box.lo[d]) : frame.lo(axis);
      hi[axis] = cut_hi ? frame.to_scene(axis, old.box.hi[d]) : frame.hi(axis);
    }
    plane(lo, hi, old.dim, old.value, t.muted_text, 3 * m.pixel, true);
  }
  const auto& nodes = state.partition.nodes();
  for (std::size_t i = 0; i < std::min(marks.splits.size(), most_differences); ++i) {
    const NodeId node = marks.splits[i];
    if (!state.partition.alive(node) || nodes[node.value].split_dim < 0 ||
        !scene_box(state.partition, frame, node, lo, hi))
      continue;
    plane(lo, hi, nodes[node.value].split_dim, nodes[node.value].split_value, t.changed, 5 * m.pixel, false);
  }
  for (std::size_t i = 0; i < std::min(marks.points.size(), most_differences); ++i) {
    double x = 0, y = 0, depth = 0;
    if (marks.points[i].value >= state.n() ||
        !projection.project(&state.places[3 * std::size_t(marks.points[i].value)], x, y, depth))
      continue;
    annotations.circle(x, y, mark_diameter / 2 + 4 * m.pixel, t.changed, 2.5 * m.pixel);
  }
}

/// A cross in a ring: a mark of its own, for eyes that cannot distinguish its red from other colours.
void Scene::Parts::draw_violations() {
  const Theme& t = theme();
  const Measures m = measures();
  const double radius = std::max(mark_diameter / 2 + 3 * m.pixel, 7 * m.pixel),
               arm = std::max(0.35 * radius, 3 * m.pixel);
  for (const PointId point : state.violating) {
    double x = 0, y = 0, depth = 0;
    if (point.value >= state.n() || !projection.project(&state.places[3 * std::size_t(point.value)], x, y, depth))
      continue;
    for (const auto& [ink, width] : {std::pair{t.base, 5 * m.pixel}, std::pair{t.failed, 2.5 * m.pixel}}) {
      annotations.circle(x, y, radius, ink, width);
      const double across = x + 0.75 * radius + arm, up = y + 0.75 * radius + arm;
      annotations.line(across - arm, up - arm, across + arm, up + arm, ink, width);
      annotations.line(across - arm, up + arm, across + arm, up - arm, ink, width);
    }
  }
}

void Scene::show_difference(DifferenceMarks marks) { parts_->state.difference = std::move(marks); }

void Scene::show_edits(std::vector<EditMark> marks) { parts_->state.edits = std::move(marks); }

std::optional<std::vector<double>> Scene::coordinates_at(double x, double y, std::vector<double>* pixel) const {
  const Parts& p = *parts_;
  const SceneState& s = p.state;
  if (!s.frame.is_2d() || s.n() == 0) return std::nullopt;
  const CameraState& c = s.camera;
  const double per_pixel = 2 * c.parallel_scale / p.projection.height;
  const Box& domain = s.partition.domain();
  std::vector<double> coordinates(s.dim, 0);
  if (pixel) pixel->assign(s.dim, 0);
  for (std::uint32_t d = 0; d < s.dim && d < domain.lo.size(); ++d) coordinates[d] = (domain.lo[d] + domain.hi[d]) / 2;
  const double at[2]{c.focal_point[0] + (x - p.projection.width / 2) * per_pixel,
                     c.focal_point[1] + (y - p.projection.height / 2) * per_pixel};
  for (int axis = 0; axis < 2; ++axis) {
    const int d = s.frame.dims()[axis];
    if (d < 0) continue;
    coordinates[d] = s.frame.to_world(axis, at[axis]);
    if (pixel) (*pixel)[d] = std::abs(s.frame.to_world(axis, per_pixel) - s.frame.to_world(axis, 0));
  }
  return coordinates;
}

std::optional<std::array<double, 2>> Scene::place_of(const std::vector<double>& coordinates) const {
  double x = 0, y = 0, depth = 0;
  if (parts_->state.n() == 0 ||
      !parts_->projection.project(scene_place(parts_->state.frame, coordinates).data(), x, y, depth))
    return std::nullopt;
  return std::array{x, y};
}

double Scene::reach() const {
  return std::max(parts_->mark_diameter / 2, 5 * parts_->pixel_ratio) + 2 * parts_->pixel_ratio;
}

}  // namespace kdscope
