// The marks of points in the scene: which are drawn, how large, in which colours, and how far back they stand.

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/core/hash.hpp"
#include "algorithms/text/numbers.hpp"
#include "visualizer/scene/mist.hpp"
#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

/// The rings of more pivots would cover a dense cloud.
constexpr std::size_t most_clear_pivots = 64;
/// The share of darkness in the colour of a point on a surface.
constexpr double on_surface = 0.65;
/// More shapes than these are too small to be distinguished.
constexpr std::size_t most_glyphs = 400;

}  // namespace

bool Scene::Parts::labels_points() const {
  if (state.options.labels == PointLabels::none || state.n() > most_labels) return false;
  if (state.options.labels != PointLabels::automatic) return true;
  return state.frame.is_2d() ? !labels_triangles() : state.n() <= most_labels_in_3d && draws_points();
}

bool Scene::Parts::rings_pivots() const {
  return state.pivots.size() <= (state.frame.is_2d() ? most_pivots : most_pivots_in_3d);
}

bool Scene::Parts::draws_glyphs() const {
  return state.n() <= most_glyphs && (state.frame.is_2d() ? state.options.glyphs : state.options.glyphs_in_3d);
}

void Scene::Parts::choose_sample() {
  while_moving = next_while_moving;
  sampled.clear();
  std::vector<float> places;
  if (state.n() > while_moving) {
    // Sample by a hash of the index: every n-th point would show the order of the points as a pattern.
    const std::uint64_t below =
        static_cast<std::uint64_t>(static_cast<double>(while_moving) / static_cast<double>(state.n()) * 0x1p32);
    for (std::uint32_t i = 0; i < state.n(); ++i) {
      if ((mix64(i) >> 32) >= below) continue;
      sampled.push_back(i);
      places.insert(places.end(), &state.places[3 * std::size_t(i)], &state.places[3 * std::size_t(i)] + 3);
    }
  }
  sample.set_places(places);
}

bool Scene::Parts::draws_dots() const { return state.n() > most_balls; }

void Scene::Parts::place_marks() {
  if (sight_diameter == mark_diameter && (!draws_dots() || sight == projection)) return;
  if (draws_dots()) {
    std::vector<std::uint32_t> found = points_in_sight(state.places, projection, mark_diameter, state.frame.is_2d());
    if (sight_diameter == 0 || found != in_sight) {
      in_sight = std::move(found);
      std::vector<float> places;
      places.reserve(3 * in_sight.size());
      for (const std::size_t i : in_sight) places.insert(places.end(), &state.places[3 * i], &state.places[3 * i] + 3);
      marks.set_places(places);
    }
  } else if (sight_diameter == 0) {
    in_sight.clear();
    marks.set_places(state.places);
  }
  sight = projection;
  sight_diameter = mark_diameter;
}

void Scene::Parts::show_cloud() {
  const bool some = moving && !sampled.empty();
  PointMarks& cloud = some ? sample : marks;
  if (!some && draws_points()) place_marks();
  marks.actor()->SetVisibility(!some && draws_points());
  sample.actor()->SetVisibility(some && draws_points());
  points_drawn = !draws_points() ? 0 : some ? sampled.size() : state.n();
  if (points_drawn == 0 || !cloud.wants_colours()) return;

  // A point has the colour of its subtree. Settled points are dimmed until all points are settled.
  const Theme& t = theme();
  const std::vector<bool> stored = state.settled_points(state.n());
  const bool plain = std::find(stored.begin(), stored.end(), false) == stored.end();
  const std::vector<std::uint32_t>* part = some ? &sampled : draws_dots() ? &in_sight : nullptr;
  std::vector<Rgb> colours(part ? part->size() : state.n());
  std::vector<Glyph> glyphs(draws_glyphs() ? colours.size() : 0);
  std::vector<bool> faint(faded.empty() ? 0 : colours.size());
  for (std::size_t at = 0; at < colours.size(); ++at) {
    const std::size_t i = part ? (*part)[at] : at;
    colours[at] = mark_colour(i, stored, plain);
    if (is_faded(i)) {
      colours[at] = faded_mark(t, colours[at]);
      faint[at] = true;
    }
    if (!glyphs.empty()) glyphs[at] = glyph_of_point(i);
  }
  cloud.set_colours(colours, glyphs, faint);
}

double Scene::Parts::mist() const {
  return state.frame.is_2d() || state.theme == ThemeId::high_contrast ? 0 : thickest_mist;
}

bool Scene::Parts::is_hidden(std::uint32_t point) const {
  constexpr double slack = 2e-3;  // a point of a surface is not behind it
  const auto at =
      draws_surface() && !state.frame.is_2d() ? projection.place(&state.places[3 * std::size_t(point)]) : std::nullopt;
  double surface_depth = 1;
  return at && foremost_triangle(at->x, at->y, &surface_depth) && at->depth > surface_depth + slack;
}

/// Returns how far back a point of a 3D picture is: from 0, at the front of the box, to 1, at its back or behind a
/// surface. 0 where there is no mist, and in a parallel projection without a surface.
double Scene::Parts::set_back(std::uint32_t point) const {
  if (mist() == 0) return 0;
  if (is_hidden(point)) return 1;
  const float* at = &state.places[3 * std::size_t(point)];
  const double* m = projection.matrix.data();
  const double distance = m[12] * at[0] + m[13] * at[1] + m[14] * at[2] + m[15];
  return std::clamp((distance - mist_range[0]) / std::max(mist_range[1] - mist_range[0], 1e-6), 0.0, 1.0);
}

std::uint32_t Scene::Parts::node_of_point(std::size_t point) const {
  return point < state.of_points.node.size() ? state.of_points.node[point] : no_id;
}

TreePlace Scene::Parts::place_of_point(std::size_t point) const {
  const std::uint32_t node = node_of_point(point);
  const auto& nodes = state.partition.nodes();
  return node < nodes.size() ? nodes[node].place : TreePlace{};
}

Rgb Scene::Parts::colour_of_point(std::size_t point) const {
  if (state.nodes_hidden) return mix(theme().base, theme().text, 0.3);  // no subtree's colour
  if (!state.heat.of_point.empty()) return ramp(state.heat.share_of_point(point));
  if (state.heat) return ramp(state.heat.share(node_of_point(point)));
  const auto colour_at = [&](TreePlace place) { return kdscope::mark_colour(theme(), {.place = place}, true); };
  const Rgb colour = colour_at(place_of_point(point));
  const std::uint32_t node = node_of_point(point);
  const auto& nodes = state.partition.nodes();
  const double grown = node < nodes.size() ? state.growth.of_children({nodes[node].parent}) : 1;
  return grown < 1 ? mix(colour, colour_at(nodes[nodes[node].parent].place), 1 - grown) : colour;
}

Rgb Scene::Parts::mark_colour(std::size_t point, const std::vector<bool>& stored, bool finished) const {
  // Points on a lit surface are darker than the triangles in their colour
  const Theme& t = theme();
  const Rgb own = colour_of_point(point),
            colour = draws_surface() ? mix(own, t.dark ? t.base : t.text, on_surface) : own;
  return stored[point] && !finished && !state.heat ? dimmed(t, colour) : colour;
}

Glyph Scene::Parts::glyph_of_point(std::size_t point) const {
  if (!draws_glyphs()) return Glyph::circle;
  const auto& nodes = state.partition.nodes();
  std::uint32_t node = node_of_point(point);
  if (node < nodes.size() && state.growth.of_children({nodes[node].parent}) < Growth::shows_children)
    node = nodes[node].parent;
  return subtree_glyph(node < nodes.size() ? nodes[node].place : TreePlace{});
}

void Scene::Parts::raise_marks() {
  raised.clear();
  const Theme& t = theme();
  if (draws_points() && state.frame.is_2d() && state.n() <= most_glyphs) {
    // An edited point has a ghost at its old place.
    const auto raise = [&](const std::vector<PointId>& points) {
      for (const PointId point : points)
        if (std::none_of(state.edits.begin(), state.edits.end(), [&](const EditMark& e) { return e.was == point; })) {
          std::erase(raised, point);
          raised.push_back(point);
        }
    };
    if (state.pivots.size() <= most_clear_pivots) raise(state.pivots);
    if (state.selected_points.size() <= most_circles) raise(state.selected_points);
    const std::vector<bool> stored = state.settled_points(state.n());
    const bool finished = std::find(stored.begin(), stored.end(), false) == stored.end();
    for (const PointId point : raised)
      if (const auto at = place_in_list(point))
        annotations.mark(
            *at, mark_diameter, glyph_of_point(point.value),
            [colour = mark_colour(point.value, stored, finished)](const Theme&) { return colour; }, mark_rim,
            mark_outline);
  }
  // A dense cloud would hide the rings of few pivots.
  if (state.replaced() || state.pivots.size() > most_clear_pivots) return;
  const double pixel = measures().pixel;
  const double ring = std::max(1.5 * pixel, std::min(1.5 * t.outline * pixel, mark_diameter / 5));
  for (const PointId point : state.pivots) {
    const double grown = state.was_pivot(point) ? 1 : state.growth.of_all(), back = set_back(point.value);
    if (const auto at = place_in_list(point); at && grown > 0)
      draw_glyph_ring(
          annotations.marks(), glyph_of_point(point.value), (*at)[0], (*at)[1],
          grown * (1 - most_shrunk * back) * ((mark_diameter + 3 * ring) / 2 + pixel),
          [back](const Theme& t) { return mix(t.pivot, t.base, thickest_mist * back); },
          grown * (1 - most_shrunk * back) * ring);
  }
}

void Scene::Parts::write_note() {
  const SceneState& s = state;
  state.note = note_on(s, s.frame, s.options.tight_boxes, s.first_plane_level());
  if (!rings_pivots())
    add_sentence(state.note, "Pivots are not ringed: more than " +
                                 grouped(s.frame.is_2d() ? most_pivots : most_pivots_in_3d) + ".");
  if (!sampled.empty() && draws_points())
    add_sentence(state.note, "While the view moves, 1 of " + grouped((s.n() + while_moving / 2) / while_moving) +
                                 " points is drawn; at rest, all " + grouped(s.n()) + ".");
}

void Scene::Parts::style_marks() {
  const Theme& t = theme();
  const Measures m = measures();
  const SceneState& s = state;
  const bool flat = s.frame.is_2d();
  marks.forget_colours();
  sample.forget_colours();
  const bool shaped = draws_glyphs();

  // Marks are as large as possible without covering more than about a sixth of the picture. Named ones are small, with
  // their names beside them, and do not cover one another.
  const double area = 0.4 * projection.width * projection.height;
  const bool dots = draws_dots();
  mark_diameter = std::clamp(std::sqrt(area * (flat ? 0.16 : 0.3) / double(s.n())),
                             dots ? 2 * pixel_ratio : 4 * m.pixel, 18 * m.scale);
  if (flat && labels_points() && s.options.labels != PointLabels::coordinates) {
    const double side = std::min(projection.width, projection.height);
    const double least = 0.45 * std::min(m.text, 16 * state.text_scale * pixel_ratio);
    // Points that a person moves towards each other keep the size of their marks
    const double gap = smallest_gap(points_in_view(), 3 * pixel_ratio);
    gap_of_named = s.frame_kept ? std::max(gap_of_named, gap) : gap;
    mark_diameter = std::clamp(gap_of_named / 1.2, least, std::max(least, std::min(0.8 * m.text, 0.06 * side)));
  }
  if (draws_surface()) mark_diameter = std::min(mark_diameter, 5 * m.scale);  // corners
  mark_diameter *= s.options.point_size;
  const Rgb rim = mark_rim(t);
  mark_outline = mark_diameter >= 7 * m.pixel ? std::max(1.0, std::min(1.6 * m.pixel, mark_diameter / 8)) : 0;
  marks.style(dots             ? PointMarks::Shape::dot
              : flat || shaped ? PointMarks::Shape::disc
                               : PointMarks::Shape::ball,
              mark_diameter, flat || shaped ? mark_outline : 0, rim, flat && !dots);
  sample.style(PointMarks::Shape::dot, 1.5 * mark_diameter, 0, rim, false);  // fewer, larger marks: the same area
  for (PointMarks* cloud : {&marks, &sample}) cloud->set_mist(t.base, mist());

  std::vector<float> pivots;
  std::vector<Glyph> pivot_glyphs;
  if (s.pivots.size() > most_clear_pivots && rings_pivots())
    for (PointId p : s.pivots) {
      pivots.insert(pivots.end(), &s.places[3 * p.value], &s.places[3 * p.value] + 3);
      if (shaped) pivot_glyphs.push_back(glyph_of_point(p.value));
    }
  rings.set_places(pivots);
  rings.set_colours(std::vector<Rgb>(pivots.size() / 3, t.pivot), pivot_glyphs);
  rings.style(PointMarks::Shape::ring, mark_diameter + 4 * m.pixel, m.pixel, t.pivot, false);
}

}  // namespace kdscope
