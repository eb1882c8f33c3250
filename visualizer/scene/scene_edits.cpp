// Points that were edited after the run: ghosts at their old places, marks at their new places.

#include <algorithm>
#include <cmath>
#include <span>

#include "algorithms/text/point_name.hpp"
#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_edit_marks = 2000;
constexpr std::size_t most_edit_labels = 60;

}  // namespace

void Scene::Parts::draw_edits() {
  const DisplayInk changed = of_theme(&Theme::changed);
  const Measures m = measures();
  const std::size_t count = std::min(state.edits.size(), most_edit_marks);
  const double diameter = std::max(mark_diameter, 7 * m.pixel);
  const auto marks = std::span(state.edits).first(count);
  // Ghosts are larger, because other glyphs of the run reach further than a disc of the same size.
  for (const EditMark& mark : marks)
    if (const auto at = mark.was ? place_in_list(*mark.was) : std::nullopt)
      annotations.mark(
          *at, 1.25 * diameter + 1.5 * m.pixel, Glyph::circle,
          [](const Theme& t) { return mix(t.base, t.muted_text, 0.12); }, of_theme(&Theme::muted_text), 1.5 * m.pixel);
  for (const EditMark& mark : marks)
    if (const auto place = scene_place(state.frame, mark.now))
      if (const auto at = place_in_list(*place))
        annotations.mark(*at, diameter + 1.5 * m.pixel, Glyph::circle, changed, of_theme(&Theme::text), 1.5 * m.pixel);

  const bool labelled = count <= most_edit_labels && labels_points();
  const auto name = [&](const std::string& words, double x, double y, Rgb Theme::*ink) {
    LabelWish wish{words, {}, {x, y}, 0.6 * diameter + 0.3 * m.text, Covers::marks_and_texts, true, {}};
    wish.style.bold = true;
    wish.style.size = 0.87 * m.text;
    wish.style.ink = of_theme(ink);
    wish.style.halo = true;
    if (labelled)
      if (const auto found = labels.beside(wish)) labels.write(words, *found, 0.6 * diameter);
  };
  for (const EditMark& mark : marks) {
    const auto now_place = scene_place(state.frame, mark.now);
    const auto was = mark.was && mark.was->value < state.n() ? projection.place(&state.places[3 * mark.was->value])
                                                             : std::nullopt,
               now = now_place ? projection.place(*now_place) : std::nullopt;
    const auto [x0, y0, depth0] = was.value_or(Projection::Place());
    const auto [x1, y1, depth1] = now.value_or(Projection::Place());
    if (was) {
      if (now) name(point_name(mark.was->value), x0, y0, &Theme::muted_text);
      if (!now) {  // crossed out
        const double arm = 0.36 * diameter;
        annotations.line(x0 - arm, y0 - arm, x0 + arm, y0 + arm, changed, 3 * m.pixel);
        annotations.line(x0 - arm, y0 + arm, x0 + arm, y0 - arm, changed, 3 * m.pixel);
      }
    }
    if (!now) continue;
    const double length = std::hypot(x1 - x0, y1 - y0);
    if (was && length > 1.2 * diameter) {
      const double u = (x1 - x0) / length, v = (y1 - y0) / length, r = diameter / 2 + m.pixel;
      annotations.line(x0 + 1.25 * u * r, y0 + 1.25 * v * r, x1 - u * r, y1 - v * r, changed, 2 * m.pixel);
    }
    if (mark.chosen) {
      const double radius = diameter / 2 + 7 * m.pixel;
      annotations.circle(x1, y1, radius, of_theme(&Theme::base), 7 * m.pixel, true);
      annotations.circle(x1, y1, radius, of_theme(&Theme::selection), 4 * m.pixel);
    }
    if (mark.coordinates.empty()) {
      name(mark.label, x1, y1, &Theme::text);
      continue;
    }
    TextStyle style;
    style.bold = true;
    style.size = m.text;
    style.ink = [](const Theme& t) { return text_on(t.changed); };
    style.ground = changed;
    const std::string words = " " + mark.label + "  " + mark.coordinates + " ";
    const double width = 1.1 * widest_character * style.size * double(words.size());
    const bool left = x1 + diameter + width > projection.width, below = y1 + diameter + 2 * m.text > projection.height;
    style.across = left ? Align::end : Align::start;
    style.up = below ? Align::end : Align::start;
    annotations.text(words, x1 + (left ? -0.6 : 0.6) * diameter, y1 + (below ? -0.6 : 0.6) * diameter, style);
  }
}

/// Draws a ring with a cross at each violating point: a distinct shape for people who cannot distinguish its red from
/// other colours.
void Scene::Parts::draw_violations() {
  const Measures m = measures();
  const double radius = std::max(mark_diameter / 2 + 3 * m.pixel, 7 * m.pixel),
               arm = std::max(0.35 * radius, 3 * m.pixel);
  for (const PointId point : state.violating) {
    double x = 0, y = 0, depth = 0;
    if (point.value >= state.n() || !projection.project(&state.places[3 * std::size_t(point.value)], x, y, depth))
      continue;
    for (const bool under : {true, false}) {
      const DisplayInk ink = of_theme(under ? &Theme::base : &Theme::failed);
      const double width = (under ? 5 : 2.5) * m.pixel;
      annotations.circle(x, y, radius, ink, width, under);
      const double across = x + 0.75 * radius + arm, up = y + 0.75 * radius + arm;
      annotations.line(across - arm, up - arm, across + arm, up + arm, ink, width, under);
      annotations.line(across - arm, up + arm, across + arm, up - arm, ink, width, under);
    }
  }
}

void Scene::show_edits(std::vector<EditMark> marks) {
  const Box before = parts_->framed_domain();
  parts_->state.edits = std::move(marks);
  parts_->follow_domain(before);
}

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
  const auto place = scene_place(parts_->state.frame, coordinates);
  const auto at = parts_->state.n() > 0 && place ? parts_->projection.place(*place) : std::nullopt;
  return at ? std::optional(std::array{at->x, at->y}) : std::nullopt;
}

double Scene::reach() const {
  return std::max(parts_->mark_diameter / 2, 5 * parts_->pixel_ratio) + 2 * parts_->pixel_ratio;
}

}  // namespace kdscope
