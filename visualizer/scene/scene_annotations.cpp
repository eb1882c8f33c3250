// Texts above the picture: axes, labels and captions.

#include <algorithm>
#include <cmath>
#include <set>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/scene/scene_parts.hpp"
#include "visualizer/style/role_line.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_cell_labels = 40, most_named_points = 6;
constexpr double small_print = 0.87;  // of the text's size

using Place = Projection::Place;

}  // namespace

std::string coordinates_text(const SceneState& s, PointId point) {
  std::string text;
  for (std::uint32_t d = 0; d < s.dim; ++d) {
    if (s.dim > 4 && !is_on_axis(s.frame.dims(), d)) continue;
    text += (text.empty() ? "" : ", ") + (s.dim > 4 ? coordinate_name(d, s.dim) + " " : std::string()) +
            short_number(s.points.number(std::size_t(point.value) * s.dim + d));
  }
  return s.dim > 4 ? text : "(" + text + ")";
}

void Scene::Parts::rebuild_annotations() {
  annotations.begin(projection.width, projection.height);
  names.clear();
  // Labels do not avoid more marks than these, which cover the picture anyway.
  constexpr std::size_t most_avoided = 2000;
  mark_places.clear();
  if (draws_points() && state.n() <= most_avoided) mark_places = points_in_view();
  find_plane_lines();
  find_overlay_lines();
  raise_marks();
  draw_caption();
  // The more important texts come first: later ones avoid them.
  Ticks ticks;
  if (state.n() > 0) {
    if (state.options.axes) ticks = draw_axes(annotations, state.frame, state.dim, projection, theme(), measures());
    draw_role_marks();
    draw_heat_legend();
    draw_violations();
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
    if (labels_triangles()) draw_triangle_labels();
    if (labels_points()) draw_cell_labels();
  }
}

/// Draws step title, phase path and note in the upper left.
void Scene::Parts::draw_caption() {
  const Measures m = measures();
  const Theme& t = theme();
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
  const auto caption = [&](const std::string& words, double size, Rgb colour, bool bold) {
    if (words.empty()) return;
    style.size = fitting(words, shrunk * size, bold ? 1.1 : 1);
    style.colour = colour;
    style.bold = bold;
    annotations.text(words, m.text, y, style);
    y -= 1.5 * shrunk * size;
  };
  caption(state.title, 1.45 * m.text, t.text, true);
  caption(state.subtitle, m.text, t.muted_text, false);
  if (!state.title.empty()) caption(state.note, m.text, t.muted_text, false);
}

/// Draws a line above each point and triangle that the step reads, writes or compares. If there are many of these, no
/// lines are drawn, because they would hide the picture.
void Scene::Parts::draw_role_marks() {
  const Measures m = measures();
  const double thick = std::max(2.0 * m.pixel, 0.14 * m.text), width = std::max(1.1 * mark_diameter, 1.6 * m.text);
  const auto mark = [&](const Place& at, double above, Role role) {
    draw_role_line(annotations.strokes(), role, at.x, projection.height - at.y - above, width, thick, m.pixel);
    annotations.keep_clear(
        {at.x - width / 2, at.y + above - thick, at.x + width / 2, at.y + above + (role_line_height + 1) * thick});
  };
  for (const RoleMark& point : state.roles.points) {
    if (state.roles.points.size() > most_role_lines || !draws_points() || point.index >= state.n()) break;
    // The ring of a pivot lies between the mark and the line.
    if (const auto at = projection.place(&state.places[3 * std::size_t(point.index)]))
      mark(*at, mark_diameter / 2 + 3.5 * thick, point.role);
  }
  for (const RoleMark& triangle : state.roles.triangles) {
    if (state.roles.triangles.size() > most_role_lines || !draws_surface()) break;
    // Leave room for the triangle's number in its middle.
    if (const auto at = projection.place(middle_of_triangle(triangle.index))) mark(*at, m.text, triangle.role);
  }
}

/// Draws, in the upper right, the meaning of the colours and the range of their values.
void Scene::Parts::draw_heat_legend() {
  if (!state.heat) return;
  const Measures m = measures();
  const Theme& t = theme();
  const bool sizes = state.options.colouring == Colouring::leaf_size;
  const std::string title = !state.heat.of_point.empty() ? "nodes that the query visits"
                            : !sizes                     ? "depth in the tree"
                            : state.of_triangles         ? "triangles in the leaf"
                                                         : "points in the leaf";
  const double margin = 0.7 * m.text, most = projection.width - 2 * margin;
  TextStyle style;
  style.size = std::min(m.text, most / (widest_character * double(title.size())));
  style.colour = t.text;
  style.ground = t.base;  // hides the picture below it
  style.across = Align::end;
  style.up = Align::end;
  const double right = projection.width - margin, width = std::min(most, 9 * style.size), high = 0.7 * style.size;
  double y = projection.height - margin;
  annotations.text(title, right, y, style);
  y -= 1.45 * style.size;
  constexpr int steps = 48;
  for (int i = 0; i < steps; ++i) {
    const double x = right - width + (i + 0.5) * width / steps;
    annotations.line(x, y - high, x, y, ramp((i + 0.5) / steps), width / steps + 1);
  }
  y -= high + 0.3 * style.size;
  annotations.text(short_number(state.heat.high), right, y, style);
  if (state.heat.low == state.heat.high) return;
  style.across = Align::start;
  annotations.text(short_number(state.heat.low), right - width, y, style);
}

std::array<double, 3> Scene::Parts::middle_of_triangle(std::size_t triangle) const {
  std::array<double, 3> middle{};
  for (std::size_t corner = 3 * triangle; corner < 3 * triangle + 3; ++corner)
    for (std::size_t axis = 0; axis < 3; ++axis)
      middle[axis] += state.places[3 * std::size_t(state.triangles[corner]) + axis] / 3.0;
  return middle;
}

std::vector<std::vector<std::uint32_t>> Scene::Parts::points_by_spot() const {
  std::vector<std::vector<std::uint32_t>> spots;
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < state.n(); ++i) {
    const auto at = projection.place(&state.places[3 * std::size_t(i)]);
    if (!at) continue;
    std::size_t spot = 0;
    while (spot < spots.size() && std::hypot(places[spot].x - at->x, places[spot].y - at->y) > 0.2 * mark_diameter)
      ++spot;
    if (spot == spots.size()) {
      spots.emplace_back();
      places.push_back(*at);
    }
    spots[spot].push_back(i);
  }
  return spots;
}

/// Names raised marks first, and then those whose cells have the least room.
void Scene::Parts::draw_point_labels() {
  // The order in which marks cover one another: raised marks lie above all others.
  std::vector<std::size_t> height(state.n(), 0);
  for (std::size_t i = 0; i < raised.size(); ++i) height[raised[i].value] = i + 1;
  const auto below = [&](std::size_t a, std::size_t b) {
    return height[a] != height[b] ? height[a] < height[b] : a < b;
  };
  const auto room_in = [&](std::uint32_t point) {
    const auto cell = cell_of_point(point);
    return cell ? (cell->right - cell->left) * (cell->top - cell->bottom) : 1e300;
  };
  struct Spot {
    std::uint32_t top;
    double room;
    std::vector<std::uint32_t> points;
  };
  std::vector<Spot> spots;
  for (std::vector<std::uint32_t>& points : points_by_spot()) {
    const std::uint32_t top = *std::max_element(points.begin(), points.end(), below);
    spots.push_back({top, room_in(top), std::move(points)});
  }
  std::ranges::stable_sort(spots, [&](const Spot& a, const Spot& b) {
    return height[a.top] != height[b.top] ? height[a.top] > height[b.top] : a.room < b.room;
  });
  for (const Spot& spot : spots) write_point_name(spot.top, spot.points, height[spot.top] > 0);
}

/// Names the points that have rings, where points are too many to name them all.
void Scene::Parts::draw_ring_labels() {
  constexpr std::size_t most_named = 16;
  std::set<std::uint32_t> ringed;
  for (const PointId point : state.pivots) ringed.insert(point.value);
  for (const auto& [writer, marks] : state.overlays)
    for (const Overlay::Ring& ring : marks.rings)
      if (ring.point.value < state.n()) ringed.insert(ring.point.value);
  if (ringed.size() > most_named) return;
  for (const std::uint32_t point : ringed) write_point_name(point, {point}, true);
}

/// Writes the name of a point, or the names of all points on its spot, beside the mark.
void Scene::Parts::write_point_name(std::uint32_t point, const std::vector<std::uint32_t>& spot, bool ringed) {
  const Measures m = measures();
  const auto at = projection.place(&state.places[3 * std::size_t(point)]);
  if (!at) return;
  // The selection's label shows the same, larger, and a mark below another label needs no name.
  const bool selected = state.selected_points.size() == 1 && state.selected_points.front() == PointId{point};
  if (selected && spot.size() == 1) return;
  if (!annotations.free({at->x, at->y, at->x + 1, at->y + 1})) return;
  const bool coordinates = state.options.labels == PointLabels::coordinates;
  LabelWish wish;
  wish.words = (coordinates ? coordinates_text(state, {point}) + (spot.size() > 1 ? " " : "") : std::string()) +
               (coordinates && spot.size() == 1 ? std::string() : point_names(spot, most_named_points));
  wish.style.bold = true;
  wish.style.size = small_print * m.text;
  wish.style.colour = is_faded(point) ? faded_name(theme()) : theme().text;
  wish.style.halo = theme().base;
  wish.mark = {at->x, at->y};
  wish.apart = (ringed ? 1.0 : 0.5) * mark_diameter + 0.3 * m.text;
  wish.covers = coordinates || !labels_points() ? Covers::marks : Covers::nothing;
  wish.far = state.frame.is_2d() && !coordinates;
  wish.cell = cell_of_point(point);
  const auto found = beside(wish);
  if (!found) return;
  write_beside(wish.words, *found, wish.mark, (ringed ? 1.0 : 0.55) * mark_diameter);
  names.push_back({{point}, {found->room.left, found->room.bottom, found->room.right, found->room.top}, found->joined});
}

/// Draws each triangle's index in its middle or, in 3D, where triangles are small and seen from their sides, beside it.
void Scene::Parts::draw_triangle_labels() {
  const Measures m = measures();
  LabelWish wish;
  wish.style.bold = true;
  wish.style.size = (state.frame.is_2d() ? 1.15 : small_print) * m.text;
  wish.style.colour = theme().text;
  for (std::uint32_t t = 0; t < state.triangles.size() / 3; ++t) {
    const auto at = projection.place(middle_of_triangle(t));
    if (!at) continue;
    wish.words = std::to_string(t);
    if (!state.frame.is_2d()) {
      wish.style.halo = theme().base;
      wish.mark = {at->x, at->y};
      wish.apart = 0.7 * m.text;
      wish.covers = Covers::marks;
      if (const auto found = beside(wish)) annotations.text(wish.words, found->x, found->y, found->style);
    } else if (annotations.free(annotations.room(wish.words, at->x, at->y, wish.style))) {
      annotations.text(wish.words, at->x, at->y, wish.style);
    }
  }
}

void Scene::Parts::draw_cell_labels() {
  const Measures m = measures();
  const Theme& t = theme();
  if (!state.frame.is_2d() || state.dim < 2 || !shows_whole(state.partition, state.frame.dims()) ||
      !state.options.cells || state.partition.cells().size() > most_cell_labels)
    return;
  const double size = 1.5 * m.text;
  for (NodeId node : state.partition.cells()) {
    std::array<double, 3> lo{}, hi{};
    const PartitionNode& info = state.partition.nodes()[node.value];
    if (info.point != no_id || info.empty || !scene_box(state.partition, state.frame, node, lo, hi)) continue;
    const auto a = projection.place({lo[0], lo[1], 0}), b = projection.place({hi[0], hi[1], 0});
    const std::string words = std::to_string(node.value);
    const double half_width = 0.3 * size * words.size() + 0.45 * size, half_height = 0.85 * size;
    if (!a || !b || b->x - a->x < 2 * half_width || b->y - a->y < 2 * half_height) continue;
    // Use the first place with enough room, starting at the corners, or else the place furthest from any point.
    Place best;
    const double enough = mark_diameter / 2 + 1.4 * half_width;
    double best_room = -1;
    for (double v : {1.0, 0.0, 0.5}) {
      for (double u : {0.0, 1.0, 0.5}) {
        const Place at{a->x + half_width + u * (b->x - a->x - 2 * half_width),
                       a->y + half_height + v * (b->y - a->y - 2 * half_height)};
        if (best_room >= enough) continue;
        const Room place{at.x - half_width, at.y - half_height, at.x + half_width, at.y + half_height};
        if (!annotations.free(place)) continue;
        if (std::ranges::any_of(plane_lines, [&](const Room& line) { return line.overlaps(place); })) continue;
        double room = 1e6;
        for (std::size_t i = 0; i < state.n(); ++i)
          if (const auto p = projection.place(&state.places[3 * i]))
            room = std::min(room, std::hypot(p->x - at.x, p->y - at.y));
        if (room > best_room) {
          best_room = room;
          best = at;
        }
      }
    }
    if (best_room < mark_diameter / 2 + half_width) continue;
    TextStyle style;
    style.size = size;
    style.bold = true;
    style.colour = mix(subtree_colour(t, state.partition.nodes()[node.value].place), t.text, 0.35);
    annotations.text(words, best.x, best.y, style);
  }
}

}  // namespace kdscope
