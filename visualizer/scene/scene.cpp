#include "visualizer/scene/scene.hpp"

#include <vtkCommand.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>

#include <algorithm>
#include <utility>

#include "algorithms/core/ids.hpp"
#include "visualizer/model/mesh.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/model/violations.hpp"
#include "visualizer/scene/scene_parts.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_violations = 1000;
/// Beyond this ratio of its sides, most of a view of equal scales is empty.
constexpr double most_elongated = 4;

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
  if (stale || recoloured) faded = faded_nodes();
  if (stale) rebuild_picture();
  const bool new_clouds = clouds_stale || clouds.outdated(state.frame, pixel_ratio);
  if (new_clouds) clouds.rebuild(state.overlays, state.frame, pixel_ratio, base);
  clouds_stale = false;
  pass->set_oblique(!state.frame.is_2d() || state.of_triangles);
  selection_stale = selection_stale || stale;
  if (stale || recoloured) draw_faded_cells();
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
  const bool is_same = frame == state.frame;
  if (is_same && !state.places.empty()) return;
  state.frame = frame;
  if (!is_same) {  // edited points that are taken back are looked at as before
    state.fitted = true;
    state.preset = CameraPreset::reset;
    state.turned.reset();
  }
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
  surface_stale = true;
  choose_sample();
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
  shapes.rebuild(
      s.partition, s.frame, s.heat, t, m.pixel,
      {cells, s.options.planes, s.options.tight_boxes, draws_surface() && s.of_triangles && s.options.planes && !s.heat,
       s.growth, s.first_plane_level(), &faded});
  style_marks();
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
  s.move_to(cursor, {most_planes_drawn(dim)}, concealed);
  const Trace::Array* recorded_points = cursor.trace().find(points_array);
  if (s.trace != cursor.shared_trace() || recorded_points->versions.size() != 1 || s.points.size() != points->size()) {
    s.trace = cursor.shared_trace();
    s.triangles = triangles_of(cursor);
    const bool keep = std::exchange(s.keep_frame, false) && s.dim == dim && s.points.size() == points->size();
    if (!(s.points == *points) || s.dim != dim) {
      if (s.dim != 0 && s.dim != dim) s.wanted_axes.reset();
      s.points = *points;
      s.dim = dim;
      s.up_axis = dim == 3 && cursor.trace().header.up_axis < 3 ? static_cast<int>(cursor.trace().header.up_axis) : 2;
      s.frame_kept = keep;
      s.places.clear();
      if (keep) p.place_in_frame();
      s.selected_points.clear();
      s.selected_node.reset();
      s.selected_triangles.clear();
      s.selected_plane.reset();
    }
  }
  s.of_triangles = sorts_triangles(cursor.trace());
  p.place_frame();
  if (s.step != cursor.step()) {
    s.old_pivots = std::move(s.pivots);
    s.old_search = std::move(s.search);
  }
  p.show_search(search_overlay(cursor, concealed));
  p.find_heat(cursor);
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
  surface_stale = true;
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
  const bool searches = !s.search.reach.lo.empty();
  if (growth.split.empty() && !searches && std::ranges::all_of(s.pivots, [&](PointId p) { return s.was_pivot(p); }))
    growth = {};
  if (growth == s.growth) return false;
  parts_->stale = parts_->stale || !growth.split.empty() || !s.growth.split.empty();
  s.growth = std::move(growth);
  if (searches) parts_->show_search(std::move(s.search));
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
  // Which points are in sight is not known before the first picture, whose size changes until the layout has settled
  return samples_while_moving() && (parts_->sight_diameter == 0 || parts_->in_sight.size() > parts_->while_moving);
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
