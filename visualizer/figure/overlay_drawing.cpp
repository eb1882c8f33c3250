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

template <class Mark>
std::span<const Mark> some(const std::vector<Mark>& all) {
  return std::span(all).first(std::min(all.size(), most_overlay_marks));
}

/// Cuts off the parts of a line that lie outside the frame. Returns false if nothing is left.
bool cut(const Frame& frame, Corner& from, Corner& to) {
  double begin = 0, end = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double lo = frame.lo(axis) - from[axis], hi = frame.hi(axis) - from[axis], way = to[axis] - from[axis];
    if (frame.dims()[axis] < 0 || (way == 0 && lo <= 0 && hi >= 0)) continue;
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

/// What leaves the frame would cross the axes' texts.
bool in_frame(const Frame& frame, const Corner& corner) {
  for (int axis = 0; axis < 3; ++axis)
    if (frame.dims()[axis] >= 0 && (corner[axis] < frame.lo(axis) || corner[axis] > frame.hi(axis))) return false;
  return true;
}

std::optional<SceneBall> scene_ball(const Frame& frame, const Overlay::Ball& mark) {
  const auto centre = scene_place(frame, mark.centre);
  if (!centre || !std::isfinite(mark.radius) || mark.radius <= 0) return std::nullopt;
  SceneBall ball{*centre, {}};
  for (int axis = 0; axis < 3; ++axis)
    if (frame.dims()[axis] >= 0)
      ball.reach[axis] = std::abs(frame.to_scene(axis, mark.radius) - frame.to_scene(axis, 0));
  return ball;
}

/// Whether a ball in space is drawn beyond the frame, whose longest side is 1.
bool is_whole(const Frame& frame, const SceneBall& ball) {
  return !frame.is_2d() && std::ranges::max(ball.reach) <= 0.75;
}

double dot(const Corner& a, const Corner& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Returns a place as seen from the middle of a ball, in its radii.
Corner within(const SceneBall& ball, const Corner& place) {
  Corner at{};
  for (int axis = 0; axis < 3; ++axis)
    if (ball.reach[axis] > 0) at[axis] = (place[axis] - ball.centre[axis]) / ball.reach[axis];
  return at;
}

/// Returns the rim of a ball as an eye sees it; nothing if the eye is inside.
std::vector<Corner> rim_of(const SceneBall& ball, const Corner& eye, int corners) {
  const Corner to = within(ball, eye);
  const double square = dot(to, to);
  if (square <= 1) return {};
  // Two directions across the way to the eye
  const int least =
                static_cast<int>(std::ranges::min_element(to, {}, [](double x) { return std::abs(x); }) - to.begin()),
            u = (least + 1) % 3, v = (least + 2) % 3;
  Corner across{}, up{};
  const double length = std::hypot(to[u], to[v]);
  across[u] = -to[v] / length, across[v] = to[u] / length;
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    up[axis] = (to[next] * across[last] - to[last] * across[next]) / std::sqrt(square);
  }
  const double radius = std::sqrt(1 - 1 / square);
  std::vector<Corner> rim;
  for (int i = 0; i <= corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    Corner& corner = rim.emplace_back(ball.centre);
    for (int axis = 0; axis < 3; ++axis)
      corner[axis] += ball.reach[axis] *
                      (to[axis] / square + radius * (std::cos(angle) * across[axis] + std::sin(angle) * up[axis]));
  }
  return rim;
}

/// The lines of one overlay.
struct LinesOfOverlay {
  const Partition& partition;
  const Frame& frame;
  const int corners_of_circle;
  std::vector<OverlayLine> lines = {};

  void add(const Overlay& overlay) {
    Corner lo{}, hi{};
    for (const Overlay::Plane& each : some(overlay.planes))
      if (scene_clipped_box(partition, frame, each.box, lo, hi))
        plane(lo, hi, static_cast<int>(each.dim), each.value, each.style);
    for (const Overlay::NodeSplit& split : some(overlay.splits)) {
      if (!partition.alive(split.node)) continue;
      const PartitionNode& node = partition.nodes()[split.node.value];
      if (node.split_dim >= 0 && scene_box(partition, frame, split.node, lo, hi))
        plane(lo, hi, node.split_dim, node.split_value, split.style);
    }
    for (const Overlay::BoxOutline& each : some(overlay.boxes))
      if (scene_clipped_box(partition, frame, each.box, lo, hi)) box(lo, hi, each.style);
    for (const Overlay::Ball& each : some(overlay.balls)) ball(each);
    for (const Overlay::Segment& each : some(overlay.segments)) segment(each);
  }

  /// Adds a plane: a line in 2D, the edges of a rectangle in 3D.
  void plane(Corner lo, Corner hi, int dim, double value, const MarkStyle& style) {
    const int axis = frame.axis_of(dim);
    if (axis < 0) return;
    lo[axis] = hi[axis] = std::clamp(frame.to_scene(axis, value), lo[axis], hi[axis]);
    if (frame.is_2d()) return void(lines.push_back({{lo, hi}, style}));
    rectangle(lo, hi, (axis + 1) % 3, (axis + 2) % 3, style);
  }

  /// Adds the rectangle at `lo` along two axes.
  void rectangle(const Corner& lo, const Corner& hi, int u, int v, const MarkStyle& style) {
    std::vector<Corner> corners(5, lo);
    corners[1][u] = corners[2][u] = hi[u];
    corners[2][v] = corners[3][v] = hi[v];
    lines.push_back({std::move(corners), style});
  }

  void box(const Corner& lo, const Corner& hi, const MarkStyle& style) {
    rectangle(lo, hi, 0, 1, style);
    if (frame.is_2d()) return;
    Corner upper = lo;
    upper[2] = hi[2];
    rectangle(upper, hi, 0, 1, style);
    for (int i = 0; i < 4; ++i) {
      Corner from = lo;
      if (i & 1) from[0] = hi[0];
      if (i & 2) from[1] = hi[1];
      Corner to = from;
      to[2] = hi[2];
      lines.push_back({{from, to}, style});
    }
  }

  /// Adds a ball: its circle in 2D, three great circles in 3D.
  void ball(const Overlay::Ball& mark) {
    const auto ball = scene_ball(frame, mark);
    if (!ball) return;
    const bool whole = is_whole(frame, *ball);
    for (const auto& [u, v] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{2, 0}}) {
      if (frame.is_2d() && (u != 0 || v != 1)) continue;
      std::vector<Corner> around;
      for (int i = 0; i <= corners_of_circle; ++i) {
        const double angle = 2 * std::numbers::pi * i / corners_of_circle;
        Corner corner = ball->centre;
        corner[u] += ball->reach[u] * std::cos(angle);
        corner[v] += ball->reach[v] * std::sin(angle);
        const bool inside = whole || in_frame(frame, corner);
        if (inside) around.push_back(corner);
        if ((!inside || i == corners_of_circle) && around.size() > 1)
          lines.push_back({std::exchange(around, {}), mark.style, false, false, ball});
        if (!inside) around.clear();
      }
    }
  }

  void segment(const Overlay::Segment& mark) {
    auto from = scene_place(frame, mark.from), to = scene_place(frame, mark.to);
    if (from && to && (mark.between_marks || !frame.is_2d() || cut(frame, *from, *to)))
      lines.push_back({{*from, *to}, mark.style, mark.arrow, mark.between_marks});
  }
};

/// Draws one overlay.
class OverlayPen {
 public:
  OverlayPen(DisplayList& list, const OverlayRoom& room) : list_(list), room_(room), frame_(room.frame) {}

  void draw(const Overlay& overlay) {
    if (frame_.is_2d())
      for (const NodeId node : some(overlay.hatched_cells)) hatch(node);
    for (const Overlay::Ring& each : some(overlay.rings))
      if (const auto at = room_.place_of_point(each.point)) ringed_.push_back(*at);
    for (const OverlayLine& each : overlay_lines(overlay, room_.partition, frame_)) line(each);
    for (const Overlay::Ball& each : some(overlay.balls))
      if (const auto ball = scene_ball(frame_, each); ball && is_whole(frame_, *ball))
        line({rim_of(*ball, room_.eye, circle_corners), each.style, false, false, ball}, true);
    for (const Overlay::Ball& each : some(overlay.balls)) {
      const auto centre = each.radius == 0 ? scene_place(frame_, each.centre) : std::nullopt;
      if (const auto at = centre && in_frame(frame_, *centre) ? room_.place(*centre) : std::nullopt)
        circle(*at, small_ball(), each.style);
    }
    for (const Overlay::Ring& each : some(overlay.rings))
      if (const auto at = room_.place_of_point(each.point)) circle(*at, ring_radius(), each.style);
  }

 private:
  static DisplayInk inked(Ink ink) {
    return [ink](const Theme& t) { return ink_colour(t, ink); };
  }

  void stroke(std::vector<double> at, const MarkStyle& style, double paler = 0) {
    const auto ink = [ink = style.ink, paler](const Theme& t) { return mix(ink_colour(t, ink), t.base, paler); };
    list_.line(std::move(at), ink, style.width * room_.pixel).dash =
        style.dashed ? DisplayItem::Dash::dashed : DisplayItem::Dash::solid;
  }

  void circle(const std::array<double, 2>& at, double radius, const MarkStyle& style) {
    list_.ring(at[0], at[1], radius, inked(style.ink), style.width * room_.pixel);
  }

  /// Draws a line, unless one of its ends is behind the eye. Circles end where a ring begins. In space, those on a ball
  /// are quieter than its rim, and more so behind it.
  void line(const OverlayLine& mark, bool is_rim = false) {
    if (mark.between_marks) return join(mark);
    const bool on_ball = mark.around && is_whole(frame_, *mark.around) && !is_rim;
    const Corner eye = on_ball ? within(*mark.around, room_.eye) : Corner();
    MarkStyle style = mark.style;
    if (on_ball) style.width *= 0.6;
    bool behind = false;
    std::vector<double> at;
    const auto draw = [&] {
      if (at.size() > 2)
        stroke(std::exchange(at, {}), {style.ink, style.width, style.dashed || behind}, behind ? 0.4 : 0);
      at.clear();
    };
    for (const Corner& corner : mark.corners) {
      const auto place = room_.place(corner);
      const bool is_seen = place && std::isfinite((*place)[0] + (*place)[1]);
      if (!is_seen && !mark.around) return;
      if (is_seen && !(mark.around && is_ringed(*place)))
        at.insert(at.end(), place->begin(), place->end());
      else
        draw();
      if (on_ball && (dot(within(*mark.around, corner), eye) < 1) != behind) {
        draw();
        behind = !behind;
        if (is_seen && !is_ringed(*place)) at.assign(place->begin(), place->end());
      }
    }
    if (mark.arrow && at.size() == 4) {
      const double x = at[2], y = at[3], length = std::hypot(x - at[0], y - at[1]), size = 10 * room_.pixel;
      const double u = size * (x - at[0]) / length, v = size * (y - at[1]) / length;
      if (length >= 1)
        list_.line({x - u - 0.45 * v, y - v + 0.45 * u, x, y, x - u + 0.45 * v, y - v - 0.45 * u},
                   inked(mark.style.ink), mark.style.width * room_.pixel);
    }
    draw();
  }

  /// Draws a line between a small circle and a ring, inside the frame.
  void join(const OverlayLine& mark) {
    const auto a = room_.place(mark.corners[0]), b = room_.place(mark.corners[1]);
    Corner from = mark.corners[0], to = mark.corners[1];
    if (!a || !b || !cut(frame_, from, to)) return;
    const auto first = room_.place(from), last = room_.place(to);
    const double x = (*b)[0], y = (*b)[1], length = std::hypot(x - (*a)[0], y - (*a)[1]);
    if (!first || !last || length <= small_ball() + ring_radius()) return;
    const auto share = [&](const auto& at, const auto& end, double rim) {
      return std::max(std::hypot(at[0] - end[0], at[1] - end[1]), rim) / length;
    };
    const double begin = share(*first, *a, small_ball()), end = share(*last, *b, ring_radius());
    stroke({std::lerp((*a)[0], x, begin), std::lerp((*a)[1], y, begin), std::lerp(x, (*a)[0], end),
            std::lerp(y, (*a)[1], end)},
           mark.style);
  }

  void hatch(NodeId node) {
    Corner lo{}, hi{};
    if (!scene_box(room_.partition, frame_, node, lo, hi)) return;
    const auto a = room_.place({lo[0], lo[1], 0}), b = room_.place({hi[0], hi[1], 0});
    if (!a || !b) return;
    for (const auto& [x0, y0, x1, y1] : hatching((*a)[0], -(*a)[1], (*b)[0], -(*b)[1], 10 * room_.pixel))
      list_.line(
          {x0, -y0, x1, -y1}, [](const Theme& t) { return mix(t.changed, t.base, 0.65); }, room_.pixel);
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

std::vector<OverlayLine> overlay_lines(const Overlay& overlay, const Partition& partition, const Frame& frame,
                                       int corners_of_circle) {
  LinesOfOverlay all{partition, frame, corners_of_circle};
  all.add(overlay);
  return std::move(all.lines);
}

void draw_overlay(DisplayList& list, const Overlay& overlay, const OverlayRoom& room) {
  OverlayPen(list, room).draw(overlay);
}

DisplayInk role_ink(Role role, bool faded) {
  return [=](const Theme& t) { return mix(role_colour(t, role), t.base, faded ? 0.5 : 0); };
}

void draw_role_line(DisplayList& list, Role role, double x, double y, double width, double thick, double pixel,
                    bool faded) {
  for (const bool rim : {true, false})
    for (const Stroke& stroke : role_line(role, width, thick)) {
      const double left = x - width / 2, more = rim ? 1.5 * pixel : 0;
      list.line({left + stroke.x0 - more, y - stroke.up, left + stroke.x1 + more, y - stroke.up},
                rim ? of_theme(&Theme::base) : role_ink(role, faded), thick + 2 * more);
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
