#include "visualizer/scene/scene.hpp"

#include <vtkCommand.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/text/numbers.hpp"
#include "visualizer/model/mesh.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/model/violations.hpp"
#include "visualizer/scene/mist.hpp"
#include "visualizer/scene/scene_parts.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

/// The rings of more pivots would cover the points, and one another.
constexpr std::size_t most_pivots = 500, most_pivots_in_3d = 128, most_violations = 1000;
constexpr std::size_t most_clear_pivots = 64;
constexpr std::size_t most_labels = 50, most_labels_in_3d = 20;
/// Beyond this ratio of its sides, most of a view of equal scales is empty.
constexpr double most_elongated = 4;
/// More shapes than these are too small to be distinguished.
constexpr std::size_t most_glyphs = 400;
/// The edges of triangles that take fewer pixels on average would cover them.
constexpr double smallest_with_edges = 150;
/// So many triangles are looked at one by one: each stands out from the space around it.
constexpr std::size_t most_outlined = 200;

void set_background(vtkRenderer* renderer, Rgb c) { renderer->SetBackground(c.r / 255.0, c.g / 255.0, c.b / 255.0); }

}  // namespace

Scene::Parts::Parts() {
  base->SetLayer(0);
  overlay->SetLayer(1);
  overlay->InteractiveOff();
  base->SetActiveCamera(camera);
  overlay->SetActiveCamera(camera);
  base->SetPass(pass);
  Surface::add_lights(base);
  base->AddActor(walls.actor());
  base->AddActor(surface.actor());
  base->AddActor(triangle_outlines.actor());
  shapes.add_to(base);
  base->AddActor(faded_cells.actor());
  base->AddActor(marks.actor());
  base->AddActor(sample.actor());
  base->AddActor(rings.actor());
  overlay->AddActor(selected_cell.actor());
  overlay->AddActor(selected_plane.actor());
  overlay->AddActor(selected_triangles.actor());
  overlay->AddActor(selected_marks.actor());
  start_observer = base->AddObserver(vtkCommand::StartEvent, this, &Parts::before_rendering);
}

Scene::Parts::~Parts() { base->RemoveObserver(start_observer); }

Measures Scene::Parts::measures() const {
  const double width = window ? window->GetSize()[0] : 0, height = window ? window->GetSize()[1] : 0;
  const double usual = state.text_scale * pixel_ratio, growth = plot_growth(std::min(width, height) / usual);
  const double scale = usual * growth;
  // In a low view, limit the size of text so that the picture has room.
  const double text = height > 0 ? std::min(16 * scale, std::max(16 * pixel_ratio, height / 9)) : 16 * scale;
  constexpr double low = 22, narrow = 27;  // lines of text
  return {pixel_ratio * growth, text, scale, height > 0 && (height < low * text || width < narrow * text)};
}

bool Scene::Parts::labels_points() const {
  if (state.options.labels == PointLabels::none || state.n() > most_labels) return false;
  if (state.options.labels != PointLabels::automatic) return true;
  return state.frame.is_2d() ? !labels_triangles() : state.n() <= most_labels_in_3d && draws_points();
}

bool Scene::Parts::rings_pivots() const {
  return state.pivots.size() <= (state.frame.is_2d() ? most_pivots : most_pivots_in_3d);
}

bool Scene::Parts::labels_triangles() const {
  return draws_surface() && state.of_triangles && state.options.labels == PointLabels::automatic &&
         state.triangles.size() <= 3 * (state.frame.is_2d() ? most_labels : most_labels_in_3d);
}

bool Scene::Parts::outlines_triangles() const {
  return draws_surface() && state.of_triangles && state.triangles.size() <= 3 * most_outlined;
}

std::array<std::array<double, 3>, 3> Scene::Parts::corners_of(std::uint32_t triangle) const {
  std::array<std::array<double, 3>, 3> corners{};
  for (std::size_t c = 0; c < 3; ++c) {
    const float* at = &state.places[3 * std::size_t(state.triangles[3 * std::size_t(triangle) + c])];
    corners[c] = {at[0], at[1], at[2]};
  }
  return corners;
}

bool Scene::Parts::draws_glyphs() const {
  return state.n() <= most_glyphs && (state.frame.is_2d() ? state.options.glyphs : state.options.glyphs_in_3d);
}

void Scene::Parts::before_rendering() {
  if (window->GetSize()[0] != drawn_width || window->GetSize()[1] != drawn_height) stale = true;
  stretch_frame();
  if (state.fitted) fit_camera();
  apply_camera();
  const CameraState& c = state.camera;
  const bool moved = c.position != drawn_camera.position || c.focal_point != drawn_camera.focal_point ||
                     c.view_up != drawn_camera.view_up || c.parallel_scale != drawn_camera.parallel_scale ||
                     c.parallel != drawn_camera.parallel;
  if (moved && state.frame.is_2d() && labels_points()) stale = true;  // sizes of marks follow the gaps between points
  if (stale) rebuild_picture();
  const bool new_clouds = clouds_stale || clouds.outdated(state.frame, pixel_ratio);
  if (new_clouds) clouds.rebuild(state.overlays, state.frame, pixel_ratio, base);
  clouds_stale = false;
  pass->set_oblique(!state.frame.is_2d() || state.of_triangles);
  selection_stale = selection_stale || stale;
  if (stale || recoloured) {
    draw_faded_cells();
    faded = faded_nodes();
  }
  if (stale || recoloured || moved) show_cloud();
  if (stale || recoloured || moved || new_clouds) pass->invalidate();
  stale = recoloured = false;
  drawn_camera = c;
  drawn_width = window->GetSize()[0];
  drawn_height = window->GetSize()[1];
  rebuild_annotations();
}

void Scene::Parts::place_frame() {
  const Axes axes = axes_or_first(state.wanted_axes, state.dim);
  if (state.frame_kept && axes == state.frame.dims()) return;
  state.frame_kept = false;
  Frame frame(framed_domain(), axes, state.options.equal_scales);
  if (frame.stretches() && state.frame.stretches()) frame.set_stretch(state.frame.stretch());
  if (frame == state.frame && state.n() * state.dim == state.points.size()) return;
  state.frame = frame;
  state.fitted = true;
  state.preset = CameraPreset::reset;
  state.turned.reset();
  place_in_frame();
}

/// Returns the domain with what overlays reach beside it, and with new points that nobody holds.
Box Scene::Parts::framed_domain() const {
  Box box = state.partition.domain();
  for (const auto& [writer, overlay] : state.overlays) widen(box, overlay.reach);
  for (const EditMark& mark : state.edits)
    if (!mark.was && !mark.chosen) widen(box, {mark.now, mark.now});
  return box;
}

/// Places the points in another frame if what stands beside the domain has changed.
void Scene::Parts::follow_domain(const Box& before) {
  if (const Box now = framed_domain(); state.dim > 0 && (now.lo != before.lo || now.hi != before.hi)) {
    place_frame();
    stale = true;
  }
}

void Scene::Parts::place_in_frame() {
  state.places = place_points(state.points, state.dim, state.frame);
  sight_diameter = 0;
  surface.set_mesh(state.places, state.triangles);
  choose_sample();
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
    if (!glyphs.empty()) glyphs[at] = subtree_glyph(place_of_point(i));
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
  const Rgb colour = subtree_colour(theme(), place_of_point(point));
  const std::uint32_t node = node_of_point(point);
  const auto& nodes = state.partition.nodes();
  const double grown = node < nodes.size() ? state.growth.of_children({nodes[node].parent}) : 1;
  return grown < 1 ? mix(colour, subtree_colour(theme(), nodes[nodes[node].parent].place), 1 - grown) : colour;
}

Rgb Scene::Parts::mark_colour(std::size_t point, const std::vector<bool>& stored, bool finished) const {
  const Rgb colour = colour_of_point(point);
  return stored[point] && !finished && !state.heat ? dimmed(theme(), colour) : colour;
}

Glyph Scene::Parts::glyph_of_point(std::size_t point) const {
  return draws_glyphs() ? subtree_glyph(place_of_point(point)) : Glyph::circle;
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
  for (std::size_t i = 0; i < state.pivots.size(); ++i) {
    const PointId point = state.pivots[i];
    const double grown = state.was_pivot(point) ? 1 : state.growth.of_one(i, state.pivots.size()),
                 back = set_back(point.value);
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

void Scene::Parts::rebuild_surface() {
  surface.actor()->SetVisibility(draws_surface());
  triangle_outlines.clear();
  if (!draws_surface()) return;
  const Theme& t = theme();
  const bool outlined = outlines_triangles();
  // A triangle that a plane of the top levels cuts belongs to the node of that plane; triangles of the root are grey.
  const Rgb stone = mix(t.base, t.text, t.dark ? 0.62 : 0.2);
  std::vector<Rgb> colours(state.triangles.size() / 3);
  if (state.heat) {
    const std::vector<std::uint32_t> nodes =
        nodes_of_triangles(state.partition, state.points, state.dim, state.triangles);
    for (std::size_t i = 0; i < colours.size(); ++i) colours[i] = ramp(state.heat.share(nodes[i]));
  } else {
    const std::vector<TreePlace> places =
        places_of_triangles(state.partition, state.points, state.dim, state.triangles);
    const auto colour_of = [&](const TreePlace& place) {
      return outlined           ? subtree_colour(t, place)
             : place.level == 0 ? stone
                                : mix(subtree_colour(t, place), stone, 0.35);
    };
    const std::vector<std::uint32_t> nodes =
        state.growth.under_way() ? nodes_of_triangles(state.partition, state.points, state.dim, state.triangles)
                                 : std::vector<std::uint32_t>(colours.size(), no_id);
    for (std::size_t i = 0; i < colours.size(); ++i) {
      colours[i] = colour_of(places[i]);
      // A triangle that a plane cuts, or whose nodes are too deep for colours of their own, has that of a node above.
      if (nodes[i] == no_id || state.partition.nodes()[nodes[i]].place != places[i]) continue;
      const NodeId parent{state.partition.nodes()[nodes[i]].parent};
      if (const double grown = state.growth.of_children(parent); grown < 1)
        colours[i] = mix(colours[i], colour_of(state.partition.nodes()[parent.value].place), 1 - grown);
    }
  }
  surface.set_colours(colours);
  const double room = 0.3 * projection.width * projection.height / (pixel_ratio * pixel_ratio);
  const bool has_edges = room > smallest_with_edges * static_cast<double>(colours.size());
  surface.set_edges(mix(t.base, t.text, t.dark ? 0.25 : 0.5), has_edges ? pixel_ratio : 0);
  // What is hardly more than its outline keeps its colour there.
  double inside = 0;
  for (std::uint32_t i = 0; outlined && i < colours.size(); ++i)
    inside += inner_radius(i) / static_cast<double>(colours.size());
  const bool small = inside < 0.4 * measures().text;
  for (std::uint32_t i = 0; outlined && i < colours.size(); ++i) {
    auto corners = corners_of(i);
    for (std::size_t c = 0; c < 3; ++c)
      triangle_outlines.line(corners[c], corners[(c + 1) % 3], mix(colours[i], t.text, small ? 0.15 : 0.35));
    // In 2D, a shadow on the ground lifts it
    for (auto& [x, y, z] : corners) x += 0.006, y -= 0.006, z -= 0.005;
    if (state.frame.is_2d()) triangle_outlines.face({corners[0], corners[1], corners[2], corners[2]}, t.text, 0.3);
  }
  if (outlined) triangle_outlines.finish((small ? 3.5 : 2) * measures().pixel);
}

void Scene::Parts::rebuild_picture() {
  const Theme& t = theme();
  const Measures m = measures();
  const SceneState& s = state;
  const bool flat = s.frame.is_2d();
  set_background(base, t.base);
  rebuild_surface();
  if (s.n() == 0 || s.replaced()) {
    shapes.clear();
    rings.actor()->VisibilityOff();
    return;
  }

  // Cells overlap in a projection of more dimensions, so only planes are drawn there.
  const bool cells = s.options.cells && flat && shows_whole(s.partition, s.frame.dims());
  for (ShapeLayer* layer : shapes.misty()) layer->set_mist(t.base, mist());
  shapes.rebuild(s.partition, s.frame, s.heat, t, m.pixel,
                 {cells, s.options.planes, s.options.tight_boxes,
                  draws_surface() && s.of_triangles && s.options.planes && !s.heat, s.growth, s.first_plane_level()});

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
  if (draws_surface()) mark_diameter = std::min(mark_diameter, (flat ? 5 : 3.5) * m.scale);  // corners
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
      if (shaped) pivot_glyphs.push_back(subtree_glyph(place_of_point(p.value)));
    }
  rings.set_places(pivots);
  rings.set_colours(std::vector<Rgb>(pivots.size() / 3, t.pivot), pivot_glyphs);
  rings.style(PointMarks::Shape::ring, mark_diameter + 4 * m.pixel, m.pixel, t.pivot, false);
}

const RoleMarks& Scene::role_marks() const { return parts_->state.roles; }

Scene::Scene() : parts_(std::make_unique<Parts>()) {}
Scene::~Scene() { attach(nullptr); }

void Scene::attach(vtkRenderWindow* window) {
  Parts& p = *parts_;
  if (p.window == window) return;
  for (vtkRenderer* renderer : {p.base.Get(), p.overlay.Get()}) {
    if (p.window) {
      renderer->ReleaseGraphicsResources(p.window);
      p.window->RemoveRenderer(renderer);
    }
    if (window) window->AddRenderer(renderer);
  }
  p.window = window;
  p.stale = true;
  if (window) window->SetNumberOfLayers(2);
}

Result<void> Scene::show(const Cursor& cursor, std::span<const Highlight> added, const Concealment& concealed) {
  Parts& p = *parts_;
  SceneState& s = p.state;
  const TypedArray* points = cursor.step_count() ? cursor.array(points_array) : nullptr;
  const std::uint32_t dim = cursor.trace().header.dim;
  if (!points || dim == 0 || points->size() < dim) {
    clear();
    return Error{
        ErrorKind::bad_input, points ? "there are no points to draw" : "the trace has no points yet at this step",
        cursor.step_count() ? "step " + std::to_string(cursor.step()) : "", "choose data with at least one point"};
  }
  static_cast<ShownPartition&>(s) = ShownPartition::of(cursor, {most_planes_drawn(dim)}, concealed);
  const Trace::Array* recorded_points = cursor.trace().find(points_array);
  if (s.trace != cursor.shared_trace() || recorded_points->versions.size() != 1 || s.points.size() != points->size()) {
    s.trace = cursor.shared_trace();
    if (std::vector<std::uint32_t> triangles = triangles_of(cursor); triangles != s.triangles) {
      s.triangles = std::move(triangles);
      p.surface.set_mesh(s.places, s.triangles);
    }
    const bool keep = std::exchange(s.keep_frame, false) && s.dim == dim && s.points.size() == points->size();
    if (!(s.points == *points) || s.dim != dim) {
      if (s.dim != 0 && s.dim != dim) s.wanted_axes.reset();
      s.points = *points;
      s.dim = dim;
      s.up_axis = dim == 3 && cursor.trace().header.up_axis < 3 ? static_cast<int>(cursor.trace().header.up_axis) : 2;
      s.frame_kept = keep;
      if (keep) {
        p.place_in_frame();
      } else {
        s.frame = {};
        s.places.clear();
      }
      s.selected_points.clear();
      s.selected_node.reset();
      s.selected_triangles.clear();
      s.selected_plane.reset();
    }
  }
  s.of_triangles = sorts_triangles(cursor.trace());
  p.place_frame();
  show_overlay("search", search_overlay(cursor, concealed));
  p.find_heat(cursor);
  if (s.step != cursor.step()) s.old_pivots = std::move(s.pivots);
  s.pivots = points_with_role(cursor, Role::pivot, most_pivots + 1, added, concealed);
  s.roles = kdscope::role_marks(cursor, added, concealed);
  std::erase_if(s.roles.triangles, [&](const RoleMark& mark) { return mark.index >= s.triangles.size() / 3; });
  std::erase_if(s.pivots, [&](PointId id) { return id.value >= s.n(); });
  s.violating = kdscope::violating_points(cursor, most_violations);
  for (const std::uint32_t lost : s.of_points.lost) s.violating.push_back({lost});
  std::sort(s.violating.begin(), s.violating.end());
  s.violating.erase(std::unique(s.violating.begin(), s.violating.end()), s.violating.end());
  if (s.violating.size() > most_violations) s.violating.resize(most_violations);
  p.write_note();
  p.stale = true;
  return {};
}

void Scene::Parts::find_heat(const Cursor& cursor) {
  state.step = cursor.step();
  state.heat =
      state.nodes_hidden || state.is_earlier ? NodeHeat() : heat_of(cursor, state.partition, state.options.colouring);
}

void Scene::clear() {
  SceneState& s = parts_->state;
  SceneState fresh;
  fresh.theme = s.theme;
  fresh.text_scale = s.text_scale;
  fresh.options = s.options;
  fresh.wanted_axes = s.wanted_axes;
  s = std::move(fresh);
  parts_->sampled.clear();
  parts_->stale = true;
}

void Scene::set_theme(ThemeId theme) {
  parts_->state.theme = theme;
  parts_->stale = true;
}
ThemeId Scene::theme_id() const { return parts_->state.theme; }

void Scene::set_text_scale(double scale) {
  parts_->state.text_scale = std::clamp(scale, 0.5, 4.0);
  parts_->stale = true;
}

bool Scene::set_growth(Growth growth) {
  SceneState& s = parts_->state;
  if (growth.split.empty() && std::ranges::all_of(s.pivots, [&](PointId p) { return s.was_pivot(p); })) growth = {};
  if (growth == s.growth) return false;
  parts_->stale = parts_->stale || !growth.split.empty() || !s.growth.split.empty();
  s.growth = std::move(growth);
  return true;
}

void Scene::set_pixel_ratio(double ratio) {
  parts_->pixel_ratio = ratio > 0 ? ratio : 1;
  parts_->stale = true;
}

void Scene::set_options(const SceneOptions& options) {
  const bool recoloured = options.colouring != parts_->state.options.colouring;
  const bool rescaled = options.equal_scales != parts_->state.options.equal_scales;
  parts_->state.options = options;
  if (rescaled && parts_->state.dim > 0) {
    parts_->state.frame_kept = false;
    parts_->place_frame();
  }
  if (recoloured && parts_->state.trace) {
    Cursor cursor(parts_->state.trace);
    cursor.seek(parts_->state.step);
    parts_->find_heat(cursor);
  }
  if (parts_->state.n() > 0) parts_->write_note();
  parts_->stale = true;
}
const SceneOptions& Scene::options() const { return parts_->state.options; }

bool Scene::set_axes(const Axes& axes) {
  SceneState& s = parts_->state;
  if (!axes_fit(axes, s.dim > 0 ? s.dim : no_id >> 1)) return false;
  if (s.wanted_axes == axes) return true;
  s.wanted_axes = axes;
  if (s.dim > 0) {
    parts_->place_frame();
    parts_->write_note();
    parts_->stale = true;
  }
  return true;
}

const Axes& Scene::axes() const { return parts_->state.frame.dims(); }
void Scene::keep_frame() { parts_->state.keep_frame = true; }
bool Scene::is_2d() const { return parts_->state.frame.is_2d(); }
void Scene::select_point(std::optional<PointId> point) {
  select(point ? std::vector{*point} : std::vector<PointId>(), std::nullopt);
}
void Scene::select(std::vector<PointId> points, std::optional<NodeId> node, std::vector<std::uint32_t> triangles,
                   std::optional<PlaneMark> plane) {
  std::erase_if(points, [&](PointId point) { return point.value >= parts_->state.n(); });
  std::erase_if(triangles, [&](std::uint32_t triangle) { return triangle >= parts_->state.triangles.size() / 3; });
  parts_->state.selected_points = std::move(points);
  parts_->state.selected_node = node;
  parts_->state.selected_triangles = std::move(triangles);
  parts_->state.selected_plane = plane;
  parts_->selection_stale = true;
}
std::optional<NodeId> Scene::selected_node() const { return parts_->state.selected_node; }
const std::vector<std::uint32_t>& Scene::selected_triangles() const { return parts_->state.selected_triangles; }
const std::vector<PointId>& Scene::selected_points() const { return parts_->state.selected_points; }
std::optional<PointId> Scene::selected_point() const {
  const auto& points = parts_->state.selected_points;
  return points.size() == 1 ? std::optional(points.front()) : std::nullopt;
}

void Scene::set_caption(const std::string& title, const std::string& subtitle) {
  parts_->state.title = title;
  parts_->state.subtitle = subtitle;
  parts_->stale = true;
}

std::optional<std::array<double, 2>> Scene::place_of_point(PointId point) const {
  const Parts& p = *parts_;
  double x = 0, y = 0, depth = 0;
  if (point.value >= p.state.n() || !p.projection.project(&p.state.places[3 * point.value], x, y, depth))
    return std::nullopt;
  if (x < 0 || y < 0 || x >= p.projection.width || y >= p.projection.height) return std::nullopt;
  return std::array{x, y};
}

const std::string& Scene::note() const { return parts_->state.note; }
std::optional<double> Scene::elongation() const {
  const Frame& frame = parts_->state.frame;
  const bool offered =
      parts_->state.n() > 0 && frame.is_2d() && frame.proportional() && frame.elongation() > most_elongated;
  return offered ? std::optional(frame.elongation()) : std::nullopt;
}
std::array<double, 4> Scene::frame_room() const { return parts_->room_of_frame().value_or(std::array<double, 4>{}); }

std::string Scene::alarm() const { return parts_->state.of_points.lost_note(); }
const std::vector<PointId>& Scene::violating_points() const { return parts_->state.violating; }

void Scene::set_moving(bool moving) {
  Parts& p = *parts_;
  if (moving == p.moving) return;
  p.moving = moving;
  p.pass->set_smooth(!moving || p.state.n() <= most_balls);
  p.recoloured = p.recoloured || p.state.n() > most_balls;
  if (moving && p.next_while_moving != p.while_moving) {
    p.choose_sample();
    p.write_note();
  }
}
bool Scene::moving() const { return parts_->moving; }
bool Scene::samples_while_moving() const { return !parts_->sampled.empty(); }
bool Scene::samples_while_stepping() const {
  return samples_while_moving() && parts_->in_sight.size() > parts_->while_moving;
}
void Scene::set_points_while_moving(std::size_t points) {
  parts_->next_while_moving = std::max<std::size_t>(1, points);
}
std::size_t Scene::points_while_moving() const { return parts_->next_while_moving; }
std::size_t Scene::points_drawn() const { return parts_->points_drawn; }
const std::vector<std::uint32_t>& Scene::dots_in_sight() const { return parts_->in_sight; }

void Scene::set_text_width(TextWidth width) { parts_->annotations.set_text_width(std::move(width)); }
DisplayList Scene::annotations() const { return parts_->annotations.list(); }
const std::vector<std::pair<std::string, double>>& Scene::texts() const { return parts_->annotations.texts(); }

std::vector<std::array<double, 4>> Scene::text_rooms() const {
  std::vector<std::array<double, 4>> rooms;
  for (const Room& room : parts_->annotations.rooms()) rooms.push_back({room.left, room.bottom, room.right, room.top});
  return rooms;
}

const std::vector<WrittenName>& Scene::names() const { return parts_->names; }
double Scene::mark_diameter() const { return parts_->mark_diameter; }

unsigned long Scene::times_drawn() const { return parts_->pass->drawn(); }

}  // namespace kdscope
