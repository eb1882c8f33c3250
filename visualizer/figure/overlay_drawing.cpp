#include "visualizer/figure/overlay_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "visualizer/style/role_line.hpp"

namespace kdscope {
namespace {

using Corner = std::array<double, 3>;

/// Draws one overlay.
class OverlayPen {
 public:
  OverlayPen(DisplayList& list, const OverlayRoom& room) : list_(list), room_(room), frame_(room.frame) {}

  void draw(const Overlay& overlay) {
    const auto some = [](const auto& all) { return std::span(all).first(std::min(all.size(), most_overlay_marks)); };
    Corner lo{}, hi{};
    if (frame_.is_2d())
      for (const NodeId node : some(overlay.hatched_cells)) hatch(node);
    for (const Overlay::Plane& each : some(overlay.planes))
      if (scene_clipped_box(room_.partition, frame_, each.box, lo, hi))
        plane(lo, hi, static_cast<int>(each.dim), each.value, each.style);
    for (const Overlay::NodeSplit& split : some(overlay.splits)) {
      if (!room_.partition.alive(split.node)) continue;
      const PartitionNode& node = room_.partition.nodes()[split.node.value];
      if (node.split_dim >= 0 && scene_box(room_.partition, frame_, split.node, lo, hi))
        plane(lo, hi, node.split_dim, node.split_value, split.style);
    }
    for (const Overlay::BoxOutline& each : some(overlay.boxes))
      if (scene_clipped_box(room_.partition, frame_, each.box, lo, hi)) box(lo, hi, each.style);
    for (const Overlay::Ring& each : some(overlay.rings))
      if (const auto at = room_.place_of_point(each.point)) ringed_.push_back(*at);
    for (const Overlay::Ball& each : some(overlay.balls)) ball(each);
    for (const Overlay::Segment& each : some(overlay.segments)) segment(each);
    for (const Overlay::Ring& each : some(overlay.rings))
      if (const auto at = room_.place_of_point(each.point)) circle(*at, ring_radius(), each.style);
  }

 private:
  static DisplayInk inked(Ink ink) {
    return [ink](const Theme& t) { return ink_colour(t, ink); };
  }

  /// Draws a line through places of the scene, unless one is behind the eye.
  void line(std::span<const Corner> corners, const MarkStyle& style) {
    std::vector<double> at;
    for (const Corner& corner : corners) {
      const auto place = room_.place(corner);
      if (!place || !std::isfinite((*place)[0] + (*place)[1])) return;
      at.insert(at.end(), place->begin(), place->end());
    }
    stroke(std::move(at), style);
  }

  void stroke(std::vector<double> at, const MarkStyle& style) {
    list_.line(std::move(at), inked(style.ink), style.width * room_.pixel).dash =
        style.dashed ? DisplayItem::Dash::dashed : DisplayItem::Dash::solid;
  }

  void circle(const std::array<double, 2>& at, double radius, const MarkStyle& style) {
    list_.ring(at[0], at[1], radius, inked(style.ink), style.width * room_.pixel);
  }

  /// Draws a plane: a line in 2D, the edges of a rectangle in 3D.
  void plane(Corner lo, Corner hi, int dim, double value, const MarkStyle& style) {
    int axis = 0;
    while (axis < 3 && frame_.dims()[axis] != dim) ++axis;
    if (axis == 3) return;
    lo[axis] = hi[axis] = std::clamp(frame_.to_scene(axis, value), lo[axis], hi[axis]);
    if (frame_.is_2d()) return line(std::array{lo, hi}, style);
    rectangle(lo, hi, (axis + 1) % 3, (axis + 2) % 3, style);
  }

  /// Draws the rectangle at `lo` along two axes.
  void rectangle(const Corner& lo, const Corner& hi, int u, int v, const MarkStyle& style) {
    std::array<Corner, 5> corners{lo, lo, lo, lo, lo};
    corners[1][u] = corners[2][u] = hi[u];
    corners[2][v] = corners[3][v] = hi[v];
    line(corners, style);
  }

  void box(const Corner& lo, const Corner& hi, const MarkStyle& style) {
    rectangle(lo, hi, 0, 1, style);
    if (frame_.is_2d()) return;
    Corner upper = lo;
    upper[2] = hi[2];
    rectangle(upper, hi, 0, 1, style);
    for (int i = 0; i < 4; ++i) {
      Corner from = lo;
      if (i & 1) from[0] = hi[0];
      if (i & 2) from[1] = hi[1];
      Corner to = from;
      to[2] = hi[2];
      line(std::array{from, to}, style);
    }
  }

  /// Draws a ball: its circle in 2D, three great circles in 3D. If axes are scaled separately, a ball is drawn as an
  /// ellipse.
  void ball(const Overlay::Ball& mark) {
    const auto centre = scene_place(frame_, mark.centre);
    if (!centre || !std::isfinite(mark.radius) || mark.radius < 0) return;
    if (mark.radius == 0) {
      if (const auto place = in_frame(*centre) ? room_.place(*centre) : std::nullopt)
        circle(*place, small_ball(), mark.style);
      return;
    }
    Corner reach{};
    for (int axis = 0; axis < 3; ++axis)
      if (frame_.dims()[axis] >= 0)
        reach[axis] = std::abs(frame_.to_scene(axis, mark.radius) - frame_.to_scene(axis, 0));
    for (const auto& [u, v] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{2, 0}}) {
      if (frame_.is_2d() && (u != 0 || v != 1)) continue;
      std::vector<double> around;
      const auto draw = [&] {
        if (around.size() > 2) stroke(std::exchange(around, {}), mark.style);
        around.clear();
      };
      for (int i = 0; i <= circle_corners; ++i) {
        const double angle = 2 * std::numbers::pi * i / circle_corners;
        Corner corner = *centre;
        corner[u] += reach[u] * std::cos(angle);
        corner[v] += reach[v] * std::sin(angle);
        const auto place = in_frame(corner) ? room_.place(corner) : std::nullopt;
        if (place && !is_ringed(*place))
          around.insert(around.end(), place->begin(), place->end());
        else
          draw();
      }
      draw();
    }
  }

  /// What leaves the frame would cross the axes' texts.
  bool in_frame(const Corner& corner) const {
    for (int axis = 0; axis < 3; ++axis)
      if (frame_.dims()[axis] >= 0 && (corner[axis] < frame_.lo(axis) || corner[axis] > frame_.hi(axis))) return false;
    return true;
  }

  /// Cuts off the parts of a line that lie outside the frame. Returns false if nothing is left.
  bool cut(Corner& from, Corner& to) const {
    double begin = 0, end = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const double lo = frame_.lo(axis) - from[axis], hi = frame_.hi(axis) - from[axis], way = to[axis] - from[axis];
      if (frame_.dims()[axis] < 0 || (way == 0 && lo <= 0 && hi >= 0)) continue;
      if (way == 0) return false;
      begin = std::max(begin, std::min(lo / way, hi / way));
      end = std::min(end, std::max(lo / way, hi / way));
    }
    const Corner whole = from;
    for (int axis = 0; axis < 3; ++axis) {
      from[axis] = std::lerp(whole[axis], to[axis], begin);
      to[axis] = std::lerp(whole[axis], to[axis], end);
    }
    return begin < end;
  }

  void segment(const Overlay::Segment& mark) {
    auto from = scene_place(frame_, mark.from), to = scene_place(frame_, mark.to);
    if (!from || !to) return;
    const auto a = room_.place(*from), b = room_.place(*to);
    if (!a || !b) return;
    const double x = (*b)[0], y = (*b)[1], length = std::hypot(x - (*a)[0], y - (*a)[1]), size = 10 * room_.pixel;
    if ((frame_.is_2d() || mark.between_marks) && !cut(*from, *to)) return;
    if (mark.between_marks) {
      const auto first = room_.place(*from), last = room_.place(*to);
      if (!first || !last || length <= small_ball() + ring_radius()) return;
      const auto share = [&](const auto& at, const auto& end, double rim) {
        return std::max(std::hypot(at[0] - end[0], at[1] - end[1]), rim) / length;
      };
      const double begin = share(*first, *a, small_ball()), end = share(*last, *b, ring_radius());
      return stroke({std::lerp((*a)[0], x, begin), std::lerp((*a)[1], y, begin), std::lerp(x, (*a)[0], end),
                     std::lerp(y, (*a)[1], end)},
                    mark.style);
    }
    line(std::array{*from, *to}, mark.style);
    if (!mark.arrow || length < 1) return;
    const double u = size * (x - (*a)[0]) / length, v = size * (y - (*a)[1]) / length;
    list_.line({x - u - 0.45 * v, y - v + 0.45 * u, x, y, x - u + 0.45 * v, y - v - 0.45 * u}, inked(mark.style.ink),
               mark.style.width * room_.pixel);
  }

  void hatch(NodeId node) {
    Corner lo{}, hi{};
    if (!scene_box(room_.partition, frame_, node, lo, hi)) return;
    const auto a = room_.place({lo[0], lo[1], 0}), b = room_.place({hi[0], hi[1], 0});
    if (!a || !b) return;
    for (const auto& [x0, y0, x1, y1] : hatching((*a)[0], -(*a)[1], (*b)[0], -(*b)[1], 10 * room_.pixel))
      list_.line(
          {x0, -y0, x1, -y1}, [](const Theme& t) { return mix(t.changed, t.base, 0.45); }, room_.pixel);
  }

  double small_ball() const { return 5 * room_.pixel; }
  double ring_radius() const { return room_.mark_radius + 5 * room_.pixel; }

  /// Whether a place lies within a ring, which stays clear for its point.
  bool is_ringed(const std::array<double, 2>& at) const {
    return std::ranges::any_of(
        ringed_, [&](const auto& ring) { return std::hypot(at[0] - ring[0], at[1] - ring[1]) < ring_radius(); });
  }

  DisplayList& list_;
  const OverlayRoom& room_;
  std::vector<std::array<double, 2>> ringed_;  // of the overlay
  const Frame& frame_;
};

}  // namespace

std::optional<Corner> scene_place(const Frame& frame, const std::vector<double>& coordinates) {
  Corner place{};
  for (int axis = 0; axis < 3; ++axis) {
    const int d = frame.dims()[axis];
    if (d < 0) continue;
    if (static_cast<std::size_t>(d) >= coordinates.size()) return std::nullopt;
    place[axis] = frame.to_scene(axis, coordinates[d]);
  }
  return place;
}

void draw_overlay(DisplayList& list, const Overlay& overlay, const OverlayRoom& room) {
  OverlayPen(list, room).draw(overlay);
}

void draw_role_line(DisplayList& list, Role role, double x, double y, double width, double thick, double pixel) {
  for (const bool rim : {true, false})
    for (const Stroke& stroke : role_line(role, width, thick)) {
      const double left = x - width / 2, more = rim ? 1.5 * pixel : 0;
      list.line(
          {left + stroke.x0 - more, y - stroke.up, left + stroke.x1 + more, y - stroke.up},
          [rim, role](const Theme& t) { return rim ? t.base : role_colour(t, role); }, thick + 2 * more);
    }
}

void draw_glyph_ring(DisplayList& list, Glyph glyph, double x, double y, double radius, DisplayInk ink, double line) {
  if (glyph == Glyph::circle) return void(list.ring(x, y, radius, std::move(ink), line));
  std::vector<double> corners;
  for (const auto& [across, down] : glyph_outline(glyph))
    corners.insert(corners.end(), {x + radius * across, y + radius * down});
  list.add({.shape = DisplayItem::Shape::polygon, .at = std::move(corners), .ink = std::move(ink), .width = line});
}

Rgb ink_colour(const Theme& theme, Ink ink) {
  constexpr std::array inks{&Theme::text, &Theme::muted_text, &Theme::changed, &Theme::failed, &Theme::selection};
  return theme.*inks[static_cast<std::size_t>(ink)];
}

}  // namespace kdscope
