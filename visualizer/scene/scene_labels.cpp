// Places for labels: beside their marks, inside the window, and clear of other texts and marks.

#include <algorithm>
#include <cmath>

#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

/// Names of more points than these stand close to their marks or are left out.
constexpr std::size_t most_joined = 20;

/// Returns the place in a room that is nearest to a place outside of it.
std::array<double, 2> nearest_in(const Room& room, const std::array<double, 2>& to) {
  return {std::clamp(to[0], room.left, std::max(room.left, room.right)),
          std::clamp(to[1], room.bottom, std::max(room.bottom, room.top))};
}

/// Returns the distance of a place from a line.
double distance(const std::array<double, 2>& from, const std::array<double, 2>& to, const std::array<double, 2>& at) {
  const double x = to[0] - from[0], y = to[1] - from[1], length = x * x + y * y;
  const double along = length > 0 ? std::clamp(((at[0] - from[0]) * x + (at[1] - from[1]) * y) / length, 0.0, 1.0) : 0;
  return std::hypot(from[0] + along * x - at[0], from[1] + along * y - at[1]);
}

double distance(const Room& room, const std::array<double, 2>& to) {
  const auto [x, y] = nearest_in(room, to);
  return std::hypot(x - to[0], y - to[1]);
}

/// Whether a line from (x0, y0) to (x1, y1) passes through a room.
bool crosses(const std::array<double, 4>& line, const Room& room) {
  double begin = 0, end = 1;
  const auto clip = [&](double from, double to, double low, double high) {
    const double way = to - from;
    if (way == 0) return low < from && from < high;
    const double a = (low - from) / way, b = (high - from) / way;
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
    return true;
  };
  return clip(line[0], line[2], room.left, room.right) && clip(line[1], line[3], room.bottom, room.top) && begin < end;
}

}  // namespace

std::vector<std::array<double, 2>> Scene::Parts::points_in_view() const {
  std::vector<std::array<double, 2>> places;
  for (std::size_t i = 0; i < state.n(); ++i)
    if (const auto at = projection.place(&state.places[3 * i])) places.push_back({at->x, at->y});
  return places;
}

std::optional<Room> Scene::Parts::room_between(const std::array<double, 3>& lo, const std::array<double, 3>& hi) const {
  const auto a = projection.place({lo[0], lo[1], 0.0}), b = projection.place({hi[0], hi[1], 0.0});
  return a && b ? std::optional(Room{a->x, a->y, b->x, b->y}) : std::nullopt;
}

std::optional<Room> Scene::Parts::cell_of_point(std::uint32_t point) const {
  const std::uint32_t node = node_of_point(point);
  std::array<double, 3> lo{}, hi{};
  if (state.nodes_hidden || !state.frame.is_2d() || !shows_whole(state.partition, state.frame.dims()) ||
      !state.partition.alive({node}) || !scene_box(state.partition, state.frame, {node}, lo, hi))
    return std::nullopt;
  return room_between(lo, hi);
}

void Scene::Parts::find_plane_lines() {
  plane_lines.clear();
  if (!state.frame.is_2d() || !state.options.planes) return;
  for (const PartitionPlane& plane : state.partition.planes()) {
    const PartitionNode& node = state.partition.nodes()[plane.node.value];
    std::array<double, 3> lo{}, hi{};
    int axis = 0;
    while (axis < 2 && state.frame.dims()[axis] != node.split_dim) ++axis;
    if (axis == 2 || !scene_box(state.partition, state.frame, plane.node, lo, hi)) continue;
    lo[axis] = hi[axis] = std::clamp(state.frame.to_scene(axis, node.split_value), lo[axis], hi[axis]);
    const double half = pixel_ratio;
    if (const auto line = room_between(lo, hi))
      plane_lines.push_back({line->left - half, line->bottom - half, line->right + half, line->top + half});
  }
}

/// Finds the lines and arrows of overlays, which names avoid if they can.
void Scene::Parts::find_overlay_lines() {
  overlay_lines.clear();
  for (const auto& [writer, marks] : state.overlays)
    for (const Overlay::Segment& mark : marks.segments) {
      if (overlay_lines.size() >= most_overlay_marks) return;
      const auto from = scene_place(state.frame, mark.from), to = scene_place(state.frame, mark.to);
      const auto a = from ? projection.place(*from) : std::nullopt, b = to ? projection.place(*to) : std::nullopt;
      if (a && b) overlay_lines.push_back({a->x, a->y, b->x, b->y});
    }
}

std::optional<LabelPlace> Scene::Parts::beside(const LabelWish& wish) const {
  const double edge = 2 * pixel_ratio;
  const auto& mark = wish.mark;
  std::optional<Room> plot;
  if (const Frame& frame = state.frame; frame.is_2d())
    plot = room_between({frame.lo(0), frame.lo(1), 0}, {frame.hi(0), frame.hi(1), 0});
  std::optional<LabelPlace> best;
  double least = 1e300;
  // Many lines to distant names would cover the picture.
  const double furthest = !wish.far ? 1 : wish.covers == Covers::nothing && state.n() > most_joined ? 1.7 : 4;
  for (const double times : {1.0, 1.7, 2.6, 4.0}) {
    if (times > furthest) break;
    // Diagonal places come first, because planes run straight through their points.
    for (const auto& [across, up] : {std::pair{1, 1}, {-1, 1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      LabelPlace at;
      at.style = wish.style;
      at.style.across = across > 0 ? Align::start : across < 0 ? Align::end : Align::centre;
      at.style.up = up > 0 ? Align::start : up < 0 ? Align::end : Align::centre;
      const bool diagonal = across != 0 && up != 0;
      at.x = mark[0] + across * times * wish.apart * (diagonal ? 0.8 : 1);
      at.y = mark[1] + up * times * wish.apart * (diagonal ? 0.6 : 1);
      at.room = annotations.room(wish.words, at.x, at.y, at.style);
      // Move the text into the window.
      const double right = std::min(0.0, projection.width - edge - at.room.right),
                   higher = std::min(0.0, projection.height - edge - at.room.top);
      const double dx = std::max(right, edge - at.room.left), dy = std::max(higher, edge - at.room.bottom);
      at.x += dx;
      at.y += dy;
      at.room = {at.room.left + dx, at.room.bottom + dy, at.room.right + dx, at.room.top + dy};
      if (const auto cost = cost_of(wish, at, plot, times); cost && *cost < least) {
        least = *cost;
        best = at;
      }
    }
  }
  return best;
}

/// Returns how bad a place is; nullopt if it covers more than it may. Finds whether a line must join it to its mark.
std::optional<double> Scene::Parts::cost_of(const LabelWish& wish, LabelPlace& at, const std::optional<Room>& plot,
                                            double times) const {
  const auto& mark = wish.mark;
  const double reach = (wish.covers == Covers::nothing ? 0.6 : 0.45) * mark_diameter;
  const auto hidden = std::ranges::count_if(mark_places, [&](const auto& o) { return distance(at.room, o) < reach; });
  const double own = distance(at.room, mark);
  const bool on_itself = own < std::min(0.45 * mark_diameter, 0.5 * wish.apart);
  bool leaves_cell = false;
  if (wish.cell && plot) {
    const Room inside{std::max(at.room.left, plot->left), std::max(at.room.bottom, plot->bottom),
                      std::min(at.room.right, plot->right), std::min(at.room.top, plot->top)};
    const double slack = pixel_ratio;
    leaves_cell = inside.left < inside.right && inside.bottom < inside.top &&
                  (inside.left < wish.cell->left - slack || inside.right > wish.cell->right + slack ||
                   inside.bottom < wish.cell->bottom - slack || inside.top > wish.cell->top + slack);
  }
  // A name that is nearer to another mark would be read as that mark's.
  const auto is_other = [&](const auto& o) {
    return std::hypot(o[0] - mark[0], o[1] - mark[1]) > 0.25 * mark_diameter;
  };
  const bool ambiguous =
      std::ranges::any_of(mark_places, [&](const auto& o) { return is_other(o) && distance(at.room, o) < 1.2 * own; });
  at.joined = wish.far && (times > 1 || leaves_cell || ambiguous);
  if (wish.covers == Covers::nothing && (hidden > 0 || on_itself || (ambiguous && !at.joined))) return std::nullopt;
  const bool free = annotations.free(at.room);
  if (wish.covers != Covers::marks_and_texts && !free) return std::nullopt;
  const auto end = nearest_in(at.room, mark);
  const auto struck = std::ranges::count_if(
      mark_places, [&](const auto& o) { return at.joined && is_other(o) && distance(mark, end, o) < reach; });
  const auto crossed = std::ranges::count_if(plane_lines, [&](const Room& line) { return line.overlaps(at.room); });
  const auto under = std::ranges::count_if(overlay_lines, [&](const auto& line) { return crosses(line, at.room); });
  const bool leaves_plot = plot && (at.room.left < plot->left || at.room.right > plot->right ||
                                    at.room.bottom < plot->bottom || at.room.top > plot->top);
  return 10.0 * static_cast<double>(hidden) + 100 * on_itself + 40 * !free + 3 * leaves_plot + 2.5 * (times - 1) +
         12 * leaves_cell + 6 * (ambiguous && at.joined) + 8.0 * static_cast<double>(struck) +
         2.0 * static_cast<double>(crossed) + 3.0 * static_cast<double>(under);
}

void Scene::Parts::write_beside(const std::string& words, const LabelPlace& place, std::array<double, 2> mark,
                                double radius) {
  const Measures m = measures();
  const std::array<double, 2> end = nearest_in(place.room, mark);
  const double length = std::hypot(end[0] - mark[0], end[1] - mark[1]);
  if (place.joined || length > radius + 0.6 * m.text) {
    const double share = std::min(1.0, radius / std::max(length, 1.0));
    const double x = mark[0] + share * (end[0] - mark[0]), y = mark[1] + share * (end[1] - mark[1]);
    const Rgb ink = place.style.ground.value_or(place.style.colour);
    if (place.style.halo) annotations.line(x, y, end[0], end[1], *place.style.halo, 3.5 * m.pixel, true);
    annotations.line(x, y, end[0], end[1], ink, 1.5 * m.pixel);
  }
  annotations.text(words, place.x, place.y, place.style);
}

}  // namespace kdscope
