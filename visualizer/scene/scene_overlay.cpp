// The marks of overlays, projected to the window and drawn above the picture.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "visualizer/figure/partition_drawing.hpp"
#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

using Corner = std::array<double, 3>;

constexpr double faded_depth = -0.013;  // behind marks, in front of cells and planes

template <class Mark, class Draw>
void for_first(const std::vector<Mark>& marks, Draw draw) {
  for (std::size_t i = 0; i < std::min(marks.size(), most_overlay_marks); ++i) draw(marks[i]);
}

/// Draws one overlay into the window's pixels.
class OverlayPen {
 public:
  OverlayPen(const SceneState& state, const Projection& projection, const Measures& measures, PixelLayer& layer,
             double mark_diameter)
      : state_(state), projection_(projection), measures_(measures), layer_(layer), mark_diameter_(mark_diameter) {}

  void draw(const Overlay& overlay) {
    const Rgb changed = mix(theme().changed, theme().base, 0.45);
    if (state_.frame.is_2d()) for_first(overlay.hatched_cells, [&](NodeId node) { hatch(node, changed); });
    for_first(overlay.planes, [&](const Overlay::Plane& p) {
      Corner lo{}, hi{};
      if (scene_clipped_box(state_.partition, state_.frame, p.box, lo, hi))
        plane(lo, hi, static_cast<int>(p.dim), p.value, p.style);
    });
    for_first(overlay.splits, [&](const Overlay::NodeSplit& split) {
      Corner lo{}, hi{};
      if (!state_.partition.alive(split.node)) return;
      const PartitionNode& node = state_.partition.nodes()[split.node.value];
      if (node.split_dim >= 0 && scene_box(state_.partition, state_.frame, split.node, lo, hi))
        plane(lo, hi, node.split_dim, node.split_value, split.style);
    });
    for_first(overlay.boxes, [&](const Overlay::BoxOutline& b) { box(b); });
    ringed_.clear();
    for_first(overlay.rings, [&](const Overlay::Ring& r) {
      if (const auto place = place_of(r.point)) ringed_.push_back(*place);
    });
    for_first(overlay.balls, [&](const Overlay::Ball& b) { ball(b); });
    for_first(overlay.segments, [&](const Overlay::Segment& s) { segment(s); });
    for_first(overlay.rings, [&](const Overlay::Ring& r) { ring(r); });
  }

 private:
  std::optional<std::array<double, 2>> window_place(const Corner& at) const {
    double x = 0, y = 0, depth = 0;
    if (!projection_.project(at, x, y, depth)) return std::nullopt;
    return std::array{x, y};
  }

  void line(const Corner& from, const Corner& to, const MarkStyle& style) {
    const auto a = window_place(from), b = window_place(to);
    if (!a || !b) return;
    const Rgb colour = ink_colour(theme(), style.ink);
    const double dx = (*b)[0] - (*a)[0], dy = (*b)[1] - (*a)[1], width = style.width * measures_.pixel;
    const int pieces =
        style.dashed ? std::clamp(static_cast<int>(std::hypot(dx, dy) / (14 * measures_.pixel)), 1, 60) : 1;
    for (int i = 0; i < pieces; ++i) {
      const double u = double(i) / pieces, v = (i + (style.dashed ? 0.55 : 1.0)) / pieces;
      layer_.line((*a)[0] + u * dx, (*a)[1] + u * dy, (*a)[0] + v * dx, (*a)[1] + v * dy, colour, width);
    }
  }

  /// Draws a plane: a line in 2D, the edges of a rectangle in 3D.
  void plane(Corner lo, Corner hi, int dim, double value, const MarkStyle& style) {
    int axis = 0;
    while (axis < 3 && state_.frame.dims()[axis] != dim) ++axis;
    if (axis == 3) return;
    lo[axis] = hi[axis] = std::clamp(state_.frame.to_scene(axis, value), lo[axis], hi[axis]);
    if (state_.frame.is_2d()) return line(lo, hi, style);
    rectangle(lo, hi, (axis + 1) % 3, (axis + 2) % 3, style);
  }

  /// Draws the rectangle at `lo` along two axes.
  void rectangle(const Corner& lo, const Corner& hi, int u, int v, const MarkStyle& style) {
    Corner corners[4]{lo, lo, lo, lo};
    corners[1][u] = corners[2][u] = hi[u];
    corners[2][v] = corners[3][v] = hi[v];
    for (int i = 0; i < 4; ++i) line(corners[i], corners[(i + 1) % 4], style);
  }

  void box(const Overlay::BoxOutline& mark) {
    Corner lo{}, hi{};
    if (!scene_clipped_box(state_.partition, state_.frame, mark.box, lo, hi)) return;
    rectangle(lo, hi, 0, 1, mark.style);
    if (state_.frame.is_2d()) return;
    Corner upper = lo;
    upper[2] = hi[2];
    rectangle(upper, hi, 0, 1, mark.style);
    for (int i = 0; i < 4; ++i) {
      Corner from = lo;
      if (i & 1) from[0] = hi[0];
      if (i & 2) from[1] = hi[1];
      Corner to = from;
      to[2] = hi[2];
      line(from, to, mark.style);
    }
  }

  /// Draws a ball: its circle in 2D, three great circles in 3D. If axes are scaled separately, a ball is drawn as an
  /// ellipse.
  void ball(const Overlay::Ball& mark) {
    const auto centre = scene_place(state_.frame, mark.centre);
    if (!centre || !std::isfinite(mark.radius) || mark.radius < 0) return;
    if (mark.radius == 0) {
      if (const auto place = window_place(*centre))
        layer_.circle((*place)[0], (*place)[1], small_ball(), ink_colour(theme(), mark.style.ink),
                      mark.style.width * measures_.pixel);
      return;
    }
    Corner reach{};
    for (int axis = 0; axis < 3; ++axis)
      if (state_.frame.dims()[axis] >= 0)
        reach[axis] = std::abs(state_.frame.to_scene(axis, mark.radius) - state_.frame.to_scene(axis, 0));
    for (const auto& [u, v] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{2, 0}}) {
      if (state_.frame.is_2d() && (u != 0 || v != 1)) continue;
      std::vector<std::array<double, 2>> around;
      const auto draw = [&] {
        if (around.size() > 1)
          layer_.lines(around, ink_colour(theme(), mark.style.ink), mark.style.width * measures_.pixel);
        around.clear();
      };
      for (int i = 0; i <= circle_corners; ++i) {
        const double angle = 2 * std::numbers::pi * i / circle_corners;
        Corner corner = *centre;
        corner[u] += reach[u] * std::cos(angle);
        corner[v] += reach[v] * std::sin(angle);
        const auto place = window_place(corner);
        if (place && !is_ringed(*place) && !(mark.style.dashed && i % 6 > 3))
          around.push_back(*place);
        else
          draw();
      }
      draw();
    }
  }

  void segment(const Overlay::Segment& mark) {
    const auto from = scene_place(state_.frame, mark.from), to = scene_place(state_.frame, mark.to);
    if (!from || !to) return;
    const auto a = window_place(*from), b = window_place(*to);
    if (mark.between_marks && a && b) {
      const double dx = (*b)[0] - (*a)[0], dy = (*b)[1] - (*a)[1], length = std::hypot(dx, dy);
      if (length <= small_ball() + ring_radius()) return;
      const double u = small_ball() / length, v = 1 - ring_radius() / length;
      return layer_.line((*a)[0] + u * dx, (*a)[1] + u * dy, (*a)[0] + v * dx, (*a)[1] + v * dy,
                         ink_colour(theme(), mark.style.ink), mark.style.width * measures_.pixel);
    }
    line(*from, *to, mark.style);
    if (!mark.arrow || !a || !b) return;
    const double length = std::hypot((*b)[0] - (*a)[0], (*b)[1] - (*a)[1]);
    if (length < 1) return;
    const double u = ((*b)[0] - (*a)[0]) / length, v = ((*b)[1] - (*a)[1]) / length, size = 10 * measures_.pixel;
    const Rgb colour = ink_colour(theme(), mark.style.ink);
    for (const double side : {-0.45, 0.45})
      layer_.line((*b)[0], (*b)[1], (*b)[0] - size * (u - side * v), (*b)[1] - size * (v + side * u), colour,
                  mark.style.width * measures_.pixel);
  }

  void hatch(NodeId node, Rgb colour) {
    Corner lo{}, hi{};
    if (!scene_box(state_.partition, state_.frame, node, lo, hi)) return;
    lo[2] = hi[2] = 0;
    const auto a = window_place(lo), b = window_place(hi);
    if (!a || !b) return;
    for (const auto& [x0, y0, x1, y1] : hatching((*a)[0], (*a)[1], (*b)[0], (*b)[1], 10 * measures_.pixel))
      layer_.line(x0, y0, x1, y1, colour, measures_.pixel);
  }

  void ring(const Overlay::Ring& mark) {
    if (const auto place = place_of(mark.point))
      layer_.circle((*place)[0], (*place)[1], ring_radius(), ink_colour(theme(), mark.style.ink),
                    mark.style.width * measures_.pixel);
  }
  std::optional<std::array<double, 2>> place_of(PointId point) const {
    if (point.value >= state_.n()) return std::nullopt;
    const float* at = &state_.places[3 * std::size_t(point.value)];
    return window_place({at[0], at[1], at[2]});
  }
  /// Whether a place lies within a ring, which stays clear for its point.
  bool is_ringed(const std::array<double, 2>& at) const {
    return std::ranges::any_of(
        ringed_, [&](const auto& ring) { return std::hypot(at[0] - ring[0], at[1] - ring[1]) < ring_radius(); });
  }

  double small_ball() const { return 5 * measures_.pixel; }
  double ring_radius() const { return mark_diameter_ / 2 + 5 * measures_.pixel; }
  const Theme& theme() const { return kdscope::theme(state_.theme); }

  const SceneState& state_;
  const Projection& projection_;
  const Measures& measures_;
  PixelLayer& layer_;
  double mark_diameter_;
  std::vector<std::array<double, 2>> ringed_;  // of the overlay
};

}  // namespace

void Scene::Parts::draw_overlays() {
  const Measures m = measures();
  OverlayPen pen(state, projection, m, annotations, mark_diameter);
  for (const auto& [writer, marks] : state.overlays) pen.draw(marks);
  draw_overlay_labels();
}

/// Draws each label beside its place. Labels of places outside the window are left out.
void Scene::Parts::draw_overlay_labels() {
  const Measures m = measures();
  for (const auto& [writer, marks] : state.overlays)
    for_first(marks.labels, [&](const Overlay::Label& mark) {
      const auto scene = scene_place(state.frame, mark.at);
      double x = 0, y = 0, depth = 0;
      if (!scene || !projection.project(*scene, x, y, depth)) return;
      if (x < 0 || y < 0 || x > projection.width || y > projection.height) return;
      TextStyle style;
      style.size = m.text;
      style.colour = ink_colour(theme(), mark.ink);
      style.ground = theme().base;
      const double apart = mark_diameter / 2 + 4 * m.pixel;
      if (const auto found = beside({mark.text, style, {x, y}, 1.2 * apart, Covers::marks, true, {}}))
        write_beside(mark.text, *found, {x, y}, apart);
    });
}

/// Draws a translucent face over faded cells in 2D, below the marks: show_cloud() fades each mark as a whole. In 3D,
/// such a face would hide other elements.
void Scene::Parts::draw_faded_cells() {
  faded_cells.clear();
  if (state.frame.is_2d())
    for (const auto& [writer, marks] : state.overlays)
      for_first(marks.faded_cells, [&](NodeId node) {
        Corner lo{}, hi{};
        if (!scene_box(state.partition, state.frame, node, lo, hi)) return;
        faded_cells.face({{{lo[0], lo[1], faded_depth},
                           {hi[0], lo[1], faded_depth},
                           {hi[0], hi[1], faded_depth},
                           {lo[0], hi[1], faded_depth}}},
                         theme().base, theme().dark ? 0.55 : 0.75);  // dark cells are near the ground already
      });
  hatch_empty_cells();
  faded_cells.finish(1);
}

/// Hatches, below the marks, the cells of a plot that hold nothing and never will.
void Scene::Parts::hatch_empty_cells() {
  if (!state.frame.is_2d() || !state.options.cells || state.nodes_hidden || state.replaced() ||
      !shows_whole(state.partition, state.frame.dims()))
    return;
  const Rgb ink = hatching_colour(theme());
  const double apart = 8 * pixel_ratio * 2 * state.camera.parallel_scale / std::max(1.0, projection.height);
  for (const auto& [lo, hi] : scene_empty_boxes(state.partition, state.frame))
    for (const auto& [x0, y0, x1, y1] : hatching(lo[0], lo[1], hi[0], hi[1], apart))
      faded_cells.line({x0, y0, faded_depth}, {x1, y1, faded_depth}, ink);
}

std::vector<bool> Scene::Parts::faded_nodes() const {
  std::vector<NodeId> cells;
  for (const auto& [writer, marks] : state.overlays)
    for_first(marks.faded_cells, [&](NodeId node) { cells.push_back(node); });
  return kdscope::faded_nodes(state.partition, cells);
}

void Scene::show_overlay(const std::string& writer, Overlay overlay) {
  SceneState& state = parts_->state;
  const auto found = state.overlays.find(writer);
  const bool faded = found != state.overlays.end() && !found->second.faded_cells.empty();
  if (faded || !overlay.faded_cells.empty()) {
    parts_->marks.forget_colours();
    parts_->sample.forget_colours();
    parts_->recoloured = true;
  }
  const bool has_clouds = found != state.overlays.end() && !found->second.clouds.empty();
  if (has_clouds || !overlay.clouds.empty()) parts_->clouds_stale = true;
  const bool was_replaced = state.replaced();
  const Box before = parts_->framed_domain();
  state.overlays.insert_or_assign(writer, std::move(overlay));
  parts_->follow_domain(before);
  if (state.replaced() != was_replaced) parts_->stale = true;
}

}  // namespace kdscope
