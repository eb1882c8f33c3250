// The selection in the scene: the targets of a click, and the marks of the selection above the picture.

#include <vtkMatrix4x4.h>

#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/element_name.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

using Vector = std::array<double, 3>;

constexpr std::size_t most_marks = 20000;  // tinted
constexpr double tint = 0.45;              // of the selection's colour in a mark
/// The greatest distance of a click from a split plane's line, in logical pixels.
constexpr double line_reach = 5;

using PlaceInDepth = Projection::Place;

/// Returns the distance in the window from a place to the nearest place on a line; `depth` receives the depth of the
/// latter.
double distance_to_line(const PlaceInDepth& at, const PlaceInDepth& from, const PlaceInDepth& to, double& depth) {
  const double x = to.x - from.x, y = to.y - from.y, length = x * x + y * y;
  const double along = length > 0 ? std::clamp(((at.x - from.x) * x + (at.y - from.y) * y) / length, 0.0, 1.0) : 0.0;
  depth = from.depth + along * (to.depth - from.depth);
  return std::hypot(from.x + along * x - at.x, from.y + along * y - at.y);
}

/// A split plane in scene units: its axis, and its rectangle as a box that is flat along that axis.
struct PlaneShape {
  int axis = 0;
  Vector lo{}, hi{};
};

std::optional<PlaneShape> plane_across(const SceneState& s, NodeId id, int dim, double value) {
  PlaneShape shape;
  while (shape.axis < 3 && (dim < 0 || s.frame.dims()[shape.axis] != dim)) ++shape.axis;
  if (shape.axis == 3 || !scene_box(s.partition, s.frame, id, shape.lo, shape.hi)) return std::nullopt;
  const double at = std::clamp(s.frame.to_scene(shape.axis, value), shape.lo[shape.axis], shape.hi[shape.axis]);
  shape.lo[shape.axis] = shape.hi[shape.axis] = at;
  if (s.frame.is_2d()) shape.lo[2] = shape.hi[2] = 0;
  return shape;
}

std::optional<PlaneShape> plane_of(const SceneState& s, NodeId id) {
  const PartitionNode& node = s.partition.nodes()[id.value];
  return plane_across(s, id, node.split_dim, node.split_value);
}

/// Returns the outline of a plane: one line in 2D, four in 3D.
std::vector<std::pair<Vector, Vector>> outline_of(const PlaneShape& shape, bool flat) {
  if (flat) return {{shape.lo, shape.hi}};
  const int u = (shape.axis + 1) % 3, v = (shape.axis + 2) % 3;
  Vector a = shape.lo, b = shape.lo, c = shape.hi, d = shape.lo;
  b[u] = shape.hi[u];
  d[v] = shape.hi[v];
  return {{a, b}, {b, c}, {c, d}, {d, a}};
}

/// The line of sight through a point in the window, from the near to the far end of the drawn region.
struct Ray {
  Vector from{}, to{};
  /// Returns where the ray enters a box, as a share of its length; nullopt if it misses the box. A flat box is a plane.
  std::optional<double> enters(const Vector& lo, const Vector& hi) const {
    double first = 0, last = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double along = to[axis] - from[axis];
      if (std::abs(along) < 1e-12) {
        if (from[axis] < lo[axis] || from[axis] > hi[axis]) return std::nullopt;
        continue;
      }
      const double a = (lo[axis] - from[axis]) / along, b = (hi[axis] - from[axis]) / along;
      first = std::max(first, std::min(a, b));
      last = std::min(last, std::max(a, b));
    }
    return first <= last + 1e-9 ? std::optional(first) : std::nullopt;
  }
};

/// Returns where a ray meets a triangle, as a share of its length (Moeller and Trumbore); nullopt if it misses the
/// triangle.
std::optional<double> meets(const Ray& ray, const float* a, const float* b, const float* c) {
  const auto minus = [](const auto& p, const auto& q) {
    return Vector{double(p[0]) - q[0], double(p[1]) - q[1], double(p[2]) - q[2]};
  };
  const auto cross = [](const Vector& p, const Vector& q) {
    return Vector{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
  };
  const auto dot = [](const Vector& p, const Vector& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; };
  const Vector along = minus(ray.to, ray.from), ab = minus(b, a), ac = minus(c, a), h = cross(along, ac),
               from = minus(ray.from, a);
  const double det = dot(ab, h);
  if (det == 0) return std::nullopt;
  const Vector q = cross(from, ab);
  const double u = dot(from, h) / det, v = dot(along, q) / det, share = dot(ac, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && share >= 0 && share <= 1 ? std::optional(share) : std::nullopt;
}

Ray ray_through(const Projection& projection, double x, double y) {
  double inverse[16];
  vtkMatrix4x4::Invert(projection.matrix.data(), inverse);
  const auto at = [&](double depth) {
    const double clip[4]{2 * x / projection.width - 1, 2 * y / projection.height - 1, depth, 1};
    double scene[4]{};
    for (int row = 0; row < 4; ++row)
      for (int i = 0; i < 4; ++i) scene[row] += inverse[4 * row + i] * clip[i];
    return Vector{scene[0] / scene[3], scene[1] / scene[3], scene[2] / scene[3]};
  };
  return {at(-1), at(1)};
}

}  // namespace

std::optional<std::uint32_t> Scene::Parts::foremost_triangle(double x, double y, double* depth) const {
  const Ray ray = ray_through(projection, x, y);
  std::optional<std::uint32_t> triangle;
  double triangle_at = 1e300;
  for (std::uint32_t i = 0; draws_surface() && i < state.triangles.size() / 3; ++i) {
    const std::uint32_t* corners = &state.triangles[3 * std::size_t(i)];
    const auto hit = meets(ray, &state.places[3 * std::size_t(corners[0])], &state.places[3 * std::size_t(corners[1])],
                           &state.places[3 * std::size_t(corners[2])]);
    if (hit && *hit < triangle_at) triangle_at = *hit, triangle = i;
  }
  if (triangle && depth) {
    Vector at{};
    for (int axis = 0; axis < 3; ++axis) at[axis] = ray.from[axis] + triangle_at * (ray.to[axis] - ray.from[axis]);
    if (const auto there = projection.place(at)) *depth = there->depth + 1e-4;
  }
  return triangle;
}

std::optional<PointId> Scene::pick(double x, double y) const {
  if (!parts_->draws_points()) return std::nullopt;
  return pick_point(parts_->state.places, parts_->projection, x, y, reach());
}

std::vector<ScenePick> Scene::pick_all(double x, double y) const {
  const Parts& p = *parts_;
  const SceneState& s = p.state;
  std::vector<ScenePick> picks;
  if (s.n() == 0) return picks;
  const auto add = [&](const ScenePick& pick) {
    if (std::find(picks.begin(), picks.end(), pick) == picks.end()) picks.push_back(pick);
  };
  const auto add_nearest_first = [&](std::vector<std::pair<double, NodeId>>& found) {
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [distance, node] : found) add({Space::node, node.value});
    found.clear();
  };
  if (const auto point = pick(x, y)) add({Space::point, point->value});

  const bool flat = s.frame.is_2d();
  const Ray ray = ray_through(p.projection, x, y);
  double triangle_depth = 1e300;
  const std::optional<std::uint32_t> triangle = p.foremost_triangle(x, y, &triangle_depth);
  std::vector<std::pair<double, NodeId>> lines, hidden, faces;
  for (const PartitionPlane& plane : s.partition.planes()) {
    if (!s.options.planes) break;
    if (plane.level < s.first_plane_level()) continue;
    const auto shape = plane_of(s, plane.node);
    if (!shape) continue;
    double nearest = 1e300, nearest_depth = 0, depth = 0;
    for (const auto& [from, to] : outline_of(*shape, flat))
      if (const auto a = p.projection.place(from), b = p.projection.place(to); a && b)
        if (const double distance = distance_to_line({x, y, 0}, *a, *b, depth); distance < nearest)
          nearest = distance, nearest_depth = depth;
    if (nearest <= line_reach * p.pixel_ratio)
      (nearest_depth <= triangle_depth ? lines : hidden).emplace_back(nearest, plane.node);
    if (flat) continue;
    if (const auto hit = ray.enters(shape->lo, shape->hi)) faces.emplace_back(*hit, plane.node);
  }
  add_nearest_first(lines);
  if (triangle) add({Space::triangle, *triangle});
  add_nearest_first(hidden);
  add_nearest_first(faces);

  // Cells overlap in a projection of more dimensions, so none is drawn there.
  if (flat && !shows_whole(s.partition, s.frame.dims())) return picks;
  std::vector<std::pair<double, NodeId>> cells;
  for (const NodeId node : s.partition.cells()) {
    Vector lo{}, hi{};
    if (!scene_box(s.partition, s.frame, node, lo, hi)) continue;
    if (const auto hit = ray.enters(lo, hi)) cells.emplace_back(*hit, node);
  }
  add_nearest_first(cells);
  return picks;
}

namespace {

std::optional<std::array<double, 2>> in_picture(const Projection& projection, const Vector& lo, const Vector& hi) {
  const auto at = projection.place({(lo[0] + hi[0]) / 2, (lo[1] + hi[1]) / 2, (lo[2] + hi[2]) / 2});
  if (!at || at->x < 0 || at->y < 0 || at->x >= projection.width || at->y >= projection.height) return std::nullopt;
  return std::array{at->x, at->y};
}

}  // namespace

std::optional<std::array<double, 2>> Scene::place_of_plane(NodeId node) const {
  const auto shape = parts_->state.partition.alive(node) ? plane_of(parts_->state, node) : std::nullopt;
  return shape ? in_picture(parts_->projection, shape->lo, shape->hi) : std::nullopt;
}

std::optional<std::array<double, 2>> Scene::place_of_cell(NodeId node) const {
  Vector lo{}, hi{};
  if (!scene_box(parts_->state.partition, parts_->state.frame, node, lo, hi)) return std::nullopt;
  return in_picture(parts_->projection, lo, hi);
}

std::optional<std::array<double, 2>> Scene::place_of_triangle(std::uint32_t triangle) const {
  const SceneState& s = parts_->state;
  if (!parts_->draws_surface() || triangle >= s.triangles.size() / 3) return std::nullopt;
  const Vector middle = parts_->middle_of_triangle(triangle);
  return in_picture(parts_->projection, middle, middle);
}

void Scene::Parts::draw_selection() {
  selected_cell.clear();
  selected_plane.clear();
  selected_triangles.clear();
  if (state.n() == 0) {
    selected_marks.actor()->VisibilityOff();
    return;
  }
  if (state.selected_node && state.partition.alive(*state.selected_node)) draw_selected_node();
  draw_selected_triangles();
  // Selected triangles represent their corners if points are not drawn. What an overlay draws in their place is
  // elsewhere.
  if (draws_points() || (state.selected_triangles.empty() && !state.replaced()))
    draw_selected_points();
  else
    selected_marks.actor()->VisibilityOff();
}

void Scene::Parts::draw_selected_triangles() {
  constexpr std::size_t most_triangles = 2000;
  const Measures m = measures();
  const Theme& t = theme();
  const std::vector<std::uint32_t>& all = state.selected_triangles;
  if (all.empty() || all.size() > most_triangles) return;
  for (const std::uint32_t triangle : all) {
    const auto corners = corners_of(triangle);
    for (std::size_t c = 0; c < 3; ++c) selected_triangles.line(corners[c], corners[(c + 1) % 3], t.selection);
  }
  selected_triangles.finish((all.size() == 1 ? 4 : 2) * m.pixel);
  const float* first = &state.places[3 * std::size_t(state.triangles[3 * std::size_t(all.front())])];
  const auto at = all.size() == 1 ? projection.place(first) : std::nullopt;
  if (!at || state.selected_plane) return;
  TextStyle style;
  style.size = m.text;
  style.bold = true;
  style.ink = [](const Theme& t) { return text_on(t.selection); };
  style.ground = of_theme(&Theme::selection);
  style.up = at->y > projection.height - 2 * m.text ? Align::end : Align::start;
  const std::string words = " triangle " + element_name(Space::triangle, all.front()) + " ";
  const double half = 0.55 * widest_character * style.size * double(words.size());
  annotations.text(words, std::clamp(at->x, half, std::max(half, projection.width - half)), at->y, style);
}

void Scene::Parts::draw_selected_node() {
  const Measures m = measures();
  const Theme& t = theme();
  const NodeId node = *state.selected_node;
  const bool flat = state.frame.is_2d();
  Vector lo{}, hi{};
  if (!scene_box(state.partition, state.frame, node, lo, hi)) return;
  selected_cell.box_edges(lo, hi, t.selection);
  std::string words = " node " + std::to_string(node.value) + " ";
  Vector middle = lo;
  for (int axis = 0; axis < 3; ++axis) middle[axis] = (lo[axis] + hi[axis]) / 2;
  const std::optional<PlaneMark> tried =
      state.selected_plane && state.selected_plane->node == node ? state.selected_plane : std::nullopt;
  const PartitionNode& of = state.partition.nodes()[node.value];
  const int split_dim = tried ? static_cast<int>(tried->dim) : of.split_dim;
  const double split_value = tried ? tried->value : of.split_value;
  if (const auto shape = plane_across(state, node, split_dim, split_value)) {
    for (const auto& [from, to] : outline_of(*shape, flat)) selected_plane.line(from, to, t.selection);
    if (tried && !flat) {
      const auto edges = outline_of(*shape, false);
      selected_plane.face({edges[0].first, edges[1].first, edges[2].first, edges[3].first}, t.selection, 0.25);
    }
    selected_plane.finish(5 * m.pixel);
    selected_cell.finish(2 * m.pixel);
    words += " " + coordinate_name(static_cast<std::uint32_t>(split_dim), state.dim) + " = " +
             short_number(split_value) + (tried ? ", a candidate " : " ");
    for (int axis = 0; axis < 3; ++axis) middle[axis] = (shape->lo[axis] + shape->hi[axis]) / 2;
  } else {
    selected_cell.finish(4 * m.pixel);
    if (flat) middle[1] = hi[1];
    // The node is split along a dimension that is not on an axis.
    if (const PartitionNode& info = state.partition.nodes()[node.value]; info.split_dim >= 0)
      words += " " + coordinate_name(static_cast<std::uint32_t>(info.split_dim), state.dim) + " = " +
               short_number(info.split_value) + ", not on an axis ";
  }
  if (!state.selected_triangles.empty())
    words += state.selected_triangles.size() == 1 ? std::string()
                                                  : " " + grouped(state.selected_triangles.size()) + " triangles ";
  else if (state.selected_points.size() > 1)
    words += " " + grouped(state.selected_points.size()) + " points ";
  const auto at = projection.place(middle);
  // A selected point or triangle has its own label, which shows more.
  if (!at || (state.selected_points.size() == 1 && draws_points()) || (state.selected_triangles.size() == 1 && !tried))
    return;
  TextStyle style;
  style.size = m.text;
  style.bold = true;
  style.ink = [](const Theme& t) { return text_on(t.selection); };
  style.ground = of_theme(&Theme::selection);
  // Beside the middle of the split, where it covers no point
  const std::array<double, 2> mark{at->x, at->y};
  if (const auto found = labels.beside({words, style, mark, 4 * m.pixel, Covers::marks_and_texts, true, {}}))
    return labels.write(words, *found, 0);
  style.up = Align::end;
  const double half = 0.55 * widest_character * style.size * double(words.size());
  annotations.text(words, std::clamp(at->x, half, std::max(half, projection.width - half)),
                   std::clamp(at->y - 3 * m.pixel, 2 * m.text, std::max(2 * m.text, projection.height - m.text)),
                   style);
}

void Scene::Parts::draw_selected_points() {
  const Measures m = measures();
  const Theme& t = theme();
  const std::vector<PointId>& points = state.selected_points;
  const bool single = points.size() == 1, circled = points.size() <= most_circles;
  const double radius = mark_diameter / 2 + (single ? 7 : 4) * m.pixel;
  if (selection_stale) {
    std::vector<float> places;
    std::vector<Rgb> colours;
    const std::size_t stride = (points.size() + most_marks - 1) / most_marks;
    for (std::size_t i = 0; !circled && i < points.size(); i += stride) {
      const float* from = &state.places[3 * std::size_t(points[i].value)];
      places.insert(places.end(), from, from + 3);
      colours.push_back(mix(colour_of_point(points[i].value), t.selection, tint));
    }
    selected_marks.set_places(places);
    selected_marks.set_colours(colours);
    selected_marks.style(PointMarks::Shape::disc, mark_diameter, mark_outline, t.selection, true);
    selection_stale = false;
  }
  if (!circled) return;
  std::optional<PlaceInDepth> at;
  for (const PointId point : points) {
    // An edited point is ringed at its new place instead.
    if (std::any_of(state.edits.begin(), state.edits.end(),
                    [point](const EditMark& mark) { return mark.was == point; }))
      continue;
    const float* from = &state.places[3 * std::size_t(point.value)];
    at = projection.place(from);
    if (!at) continue;
    annotations.circle(at->x, at->y, radius, of_theme(&Theme::base), 7 * m.pixel, true);
    annotations.circle(at->x, at->y, radius, of_theme(&Theme::selection), 4 * m.pixel);
  }
  if (!single || !at) return;
  TextStyle style;
  style.size = m.text;
  style.bold = true;
  style.ink = [](const Theme& t) { return text_on(t.selection); };
  style.ground = of_theme(&Theme::selection);
  std::string words = " " + point_name(points.front().value) + "  " + coordinates_text(state, points.front()) + " ";
  if (std::binary_search(state.of_points.left_out.begin(), state.of_points.left_out.end(), points.front().value))
    words += " " + left_out_text(state.of_points, state.points, state.dim, points.front()) + " ";
  const double letters = 1.1 * widest_character * double(words.size());
  style.size = std::min(style.size, (projection.width - 4 * m.pixel) / letters);
  const std::array<double, 2> mark{at->x, at->y};
  if (const auto found = labels.beside({words, style, mark, radius + 4 * m.pixel, Covers::marks_and_texts, true, {}}))
    labels.write(words, *found, radius);
}

}  // namespace kdscope
