// Texts above the picture: axes, labels and captions.

#include <algorithm>
#include <cmath>
#include <set>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/scene/scene_parts.hpp"
#include "visualizer/style/axis.hpp"
#include "visualizer/style/role_line.hpp"

namespace kdscope {
namespace {

using Place = Projection::Place;

/// Of more points with rings and lines, none has its name, and none is looked for behind a surface. Names of hidden
/// points would crowd the picture sooner.
constexpr std::size_t most_named = 16, most_named_behind = 8;

}  // namespace

std::string coordinates_text(const SceneState& s, PointId point) {
  std::string text;
  for (std::uint32_t d = 0; d < s.dim; ++d) {
    if (s.dim > 4 && !is_on_axis(s.frame.dims(), d)) continue;
    text += (text.empty() ? "" : ", ") + (s.dim > 4 ? coordinate_name(d, s.dim) + " " : std::string()) +
            with_minus_sign(short_number(s.points.number(std::size_t(point.value) * s.dim + d)));
  }
  return s.dim > 4 ? text : "(" + text + ")";
}

void Scene::Parts::rebuild_annotations() {
  annotations.begin(projection.width, projection.height);
  names.clear();
  // Labels do not avoid more marks than these, which cover the picture anyway.
  constexpr std::size_t most_avoided = 2000;
  std::vector<std::array<double, 2>> avoided;
  if (draws_points() && state.n() <= most_avoided) avoided = points_in_view();
  for (std::uint32_t t = 0; !draws_points() && labels_triangles() && t < state.triangles.size() / 3; ++t)
    if (const auto at = seen_middle(t)) avoided.push_back(*at);
  labels.begin(measures(), mark_diameter, std::move(avoided));
  if (state.options.planes) labels.avoid(state.partition);
  for (const auto& [writer, marks] : state.overlays) labels.avoid(marks);
  for (std::uint32_t t = 0; labels_triangles() && t < state.triangles.size() / 3; ++t) labels.avoid(corners_of(t));
  raise_marks();
  draw_caption();
  // The more important texts come first: later ones avoid them.
  Ticks ticks;
  if (state.n() > 0) {
    if (state.options.axes) {
      ticks = draw_axes(annotations, state.frame, state.dim, projection, measures());
      draw_axes_cross(annotations, state.frame, state.dim, projection, measures());
    }
    draw_role_marks();
    draw_heat_legend();
    draw_violations();
    if (labels_triangles()) draw_triangle_labels();  // which stand in their triangles: others have a choice
    draw_overlays();
    draw_edits();
  }
  if (walls.rule(state.frame, ticks, theme(), pixel_ratio)) pass->invalidate();
  draw_selection();
  if (state.n() > 0) {
    if (labels_points())
      draw_point_labels();
    else if (!state.frame.is_2d() && state.options.labels != PointLabels::none && draws_points())
      draw_ring_labels();
    if (labels_points() && state.dim >= 2 && state.options.cells) labels.number_cells(state.partition, state.growth);
  }
}

/// Draws step title, phase path and note in the upper left.
void Scene::Parts::draw_caption() {
  const Measures m = measures();
  TextStyle style;
  style.across = Align::start;
  style.up = Align::end;
  double y = projection.height - 0.8 * m.text;
  // Long lines are set in smaller text instead of being cut off. If the title shrinks, all lines shrink in proportion.
  const auto fitting = [&](const std::string& words, double size, double bold) {
    return std::min(size,
                    (projection.width - 2 * m.text) / (widest_character * bold * std::max(1.0, double(words.size()))));
  };
  const double shrunk = fitting(state.title, 1.45 * m.text, 1.1) / (1.45 * m.text);
  const auto caption = [&](const std::string& words, double size, Rgb Theme::*ink, bool bold) {
    if (words.empty()) return;
    style.size = fitting(words, shrunk * size, bold ? 1.1 : 1);
    style.ink = of_theme(ink);
    style.bold = bold;
    annotations.text(words, m.text, y, style);
    y -= 1.5 * shrunk * size;
  };
  caption(state.title, 1.45 * m.text, &Theme::text, true);
  caption(state.subtitle, m.text, &Theme::muted_text, false);
  if (state.title.empty()) return;  // a window shows the note, and marks what is earlier, itself
  std::string note = earlier_note(state);
  add_sentence(note, state.note);
  caption(note, m.text, &Theme::muted_text, false);
}

/// Draws a line above each point and triangle that the step reads, writes or compares. If there are many of these, no
/// lines are drawn, because they would hide the picture.
void Scene::Parts::draw_role_marks() {
  for (const RoleMark& point : state.roles.points) {
    if (state.roles.points.size() > most_role_lines || !draws_points() || point.index >= state.n()) break;
    // The ring of a pivot lies between the mark and the line.
    if (const auto at = projection.place(&state.places[3 * std::size_t(point.index)]))
      labels.draw_role({at->x, at->y}, mark_diameter / 2 + 3.5 * labels.role_thickness(), point.role, true,
                       state.roles.points.size() <= most_named && is_hidden(point.index));
  }
  for (const RoleMark& triangle : state.roles.triangles) {
    if (state.roles.triangles.size() > most_role_lines || !draws_surface()) break;
    // Leave room for the triangle's number in its middle.
    if (const auto at = seen_middle(triangle.index)) labels.draw_role(*at, measures().text, triangle.role, false);
  }
}

/// Draws, in the upper right, the meaning of the colours and the range of their values.
void Scene::Parts::draw_heat_legend() {
  if (!state.heat) return;
  const Measures m = measures();
  const bool sizes = state.options.colouring == Colouring::leaf_size;
  const std::string title = !state.heat.of_point.empty() ? "nodes that the query visits"
                            : !sizes                     ? "depth in the tree"
                            : state.of_triangles         ? "triangles in the leaf"
                                                         : "points in the leaf";
  const double margin = 0.7 * m.text, most = projection.width - 2 * margin;
  TextStyle style;
  style.size = std::min(m.text, most / (widest_character * double(title.size())));
  style.ink = of_theme(&Theme::text);
  style.ground = of_theme(&Theme::base);  // hides the picture below it
  style.across = Align::end;
  style.up = Align::end;
  const double right = projection.width - margin, width = std::min(most, 9 * style.size), high = 0.7 * style.size;
  double y = projection.height - margin;
  annotations.text(title, right, y, style);
  y -= 1.45 * style.size;
  constexpr int steps = 48;
  for (int i = 0; i < steps; ++i) {
    const double x = right - width + (i + 0.5) * width / steps;
    annotations.line(
        x, y - high, x, y, [i](const Theme&) { return ramp((i + 0.5) / steps); }, width / steps + 1);
  }
  y -= high + 0.3 * style.size;
  annotations.text(short_number(state.heat.high), right, y, style);
  if (state.heat.low == state.heat.high) return;
  style.across = Align::start;
  annotations.text(short_number(state.heat.low), right - width, y, style);
}

std::vector<std::array<double, 2>> Scene::Parts::points_in_view() const {
  std::vector<std::array<double, 2>> places;
  for (std::size_t i = 0; i < state.n(); ++i)
    if (const auto at = projection.place(&state.places[3 * i])) places.push_back({at->x, at->y});
  return places;
}

std::optional<NamedPoint> Scene::Parts::named(std::uint32_t point, bool even_hidden) const {
  const auto at = projection.place(&state.places[3 * std::size_t(point)]);
  const bool hidden = is_hidden(point);
  if (!at || (hidden && !even_hidden)) return std::nullopt;
  const auto found = std::ranges::find(raised, PointId{point});
  const auto height = found == raised.end() ? 0 : found - raised.begin() + 1;
  // In 3D, names of what is in front come first, and those further back are dimmed
  constexpr double dimmed_from = 0.6;
  const double back = set_back(point);
  return NamedPoint{.point = point,
                    .at = {at->x, at->y},
                    .raised = static_cast<std::size_t>(state.frame.is_2d() ? double(height) : 1000 * (1 - back)),
                    .ringed = height > 0,
                    .cell = state.nodes_hidden ? std::nullopt : labels.cell_of(state.partition, node_of_point(point)),
                    .faded = hidden || is_faded(point) || back > dimmed_from};
}

void Scene::Parts::draw_point_labels() {
  std::vector<NamedPoint> points;
  for (std::uint32_t i = 0; i < state.n(); ++i)
    if (const auto point = named(i)) points.push_back(*point);
  name_points(std::move(points), state.options.labels == PointLabels::coordinates ? Covers::marks : Covers::nothing);
}

void Scene::Parts::name_points(std::vector<NamedPoint> points, Covers covers) {
  NameRules rules{.covers = covers};
  // The selection's label shows the same, larger.
  if (state.selected_points.size() == 1) rules.labelled = state.selected_points.front().value;
  if (state.options.labels == PointLabels::coordinates)
    rules.words = [this](std::uint32_t point) { return coordinates_text(state, {point}); };
  rules.far = state.frame.is_2d() && !rules.words;
  names = labels.name(std::move(points), rules);
}

/// Names the points that have rings or lines, where points are too many to name them all: those behind a surface
/// faintly, as their marks are.
void Scene::Parts::draw_ring_labels() {
  std::set<std::uint32_t> ringed;
  for (const PointId point : state.pivots) ringed.insert(point.value);
  for (const auto& [writer, marks] : state.overlays)
    for (const Overlay::Ring& ring : marks.rings)
      if (ring.point.value < state.n()) ringed.insert(ring.point.value);
  if (ringed.size() > most_named) return;
  if (ringed.size() + state.roles.points.size() <= most_named)
    for (const RoleMark& point : state.roles.points)
      if (point.index < state.n()) ringed.insert(point.index);
  std::vector<NamedPoint> points;
  for (const std::uint32_t i : ringed)
    if (auto point = named(i, ringed.size() <= most_named_behind)) {
      point->ringed = true;
      points.push_back(std::move(*point));
    }
  name_points(std::move(points), Covers::marks);
}

}  // namespace kdscope
