// Places for labels: beside their marks, inside the window, and clear of other texts and marks.

#include <algorithm>
#include <cmath>

#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

/// Labels do not avoid more marks than these, which cover the picture anyway.
constexpr std::size_t most_avoided = 2000;

/// Returns the place in a room that is nearest to a place outside of it.
std::array<double, 2> nearest_in(const Room& room, const std::array<double, 2>& to) {
  return {std::clamp(to[0], room.left, std::max(room.left, room.right)),
          std::clamp(to[1], room.bottom, std::max(room.bottom, room.top))};
}

double distance(const Room& room, const std::array<double, 2>& to) {
  const auto [x, y] = nearest_in(room, to);
  return std::hypot(x - to[0], y - to[1]);
}

}  // namespace

void Scene::Parts::find_mark_places() {
  mark_places.clear();
  if (!draws_points() || state.n() > most_avoided) return;
  double x = 0, y = 0, depth = 0;
  for (std::size_t i = 0; i < state.n(); ++i)
    if (projection.project(&state.places[3 * i], x, y, depth)) mark_places.push_back({x, y});
}

std::optional<LabelPlace> Scene::Parts::beside(const std::string& words, TextStyle style, std::array<double, 2> mark,
                                               double apart, Covers covers, bool far) const {
  const double edge = 2 * pixel_ratio;
  std::array<double, 2> lo{}, hi{};
  double depth = 0;
  const bool plot = state.frame.is_2d() &&
                    projection.project(std::array{state.frame.lo(0), state.frame.lo(1), 0.0}, lo[0], lo[1], depth) &&
                    projection.project(std::array{state.frame.hi(0), state.frame.hi(1), 0.0}, hi[0], hi[1], depth);
  std::optional<LabelPlace> best;
  double least = 1e300;
  for (const double times : {1.0, 2.6}) {
    if (times > 1 && !far) break;
    // Diagonal places come first, because planes run straight through their points.
    for (const auto& [across, up] : {std::pair{1, 1}, {-1, 1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
      LabelPlace at;
      at.style = style;
      at.style.across = across > 0 ? Align::start : across < 0 ? Align::end : Align::centre;
      at.style.up = up > 0 ? Align::start : up < 0 ? Align::end : Align::centre;
      const bool diagonal = across != 0 && up != 0;
      at.x = mark[0] + across * times * apart * (diagonal ? 0.8 : 1);
      at.y = mark[1] + up * times * apart * (diagonal ? 0.6 : 1);
      at.room = annotations.room(words, at.x, at.y, at.style);
      // Move the text into the window.
      const double right = std::min(0.0, projection.width - edge - at.room.right),
                   higher = std::min(0.0, projection.height - edge - at.room.top);
      const double dx = std::max(right, edge - at.room.left), dy = std::max(higher, edge - at.room.bottom);
      at.x += dx;
      at.y += dy;
      at.room = {at.room.left + dx, at.room.bottom + dy, at.room.right + dx, at.room.top + dy};
      const double hidden = static_cast<double>(std::count_if(
          mark_places.begin(), mark_places.end(),
          [&](const std::array<double, 2>& other) { return distance(at.room, other) < 0.45 * mark_diameter; }));
      const double own = distance(at.room, mark);
      const bool on_itself = own < std::min(0.45 * mark_diameter, 0.5 * apart);
      // A name that is nearer to another mark would be read as that mark's.
      const bool ambiguous =
          std::any_of(mark_places.begin(), mark_places.end(), [&](const std::array<double, 2>& other) {
            return std::hypot(other[0] - mark[0], other[1] - mark[1]) > 0.25 * mark_diameter &&
                   distance(at.room, other) < 1.2 * own;
          });
      if (covers == Covers::nothing && (hidden > 0 || on_itself || ambiguous)) continue;
      const bool free = annotations.free(at.room);
      if (covers != Covers::marks_and_texts && !free) continue;
      const bool leaves_plot =
          plot && (at.room.left < lo[0] || at.room.right > hi[0] || at.room.bottom < lo[1] || at.room.top > hi[1]);
      const double cost = 10 * hidden + 100 * on_itself + 40 * !free + 3 * leaves_plot + 4 * (times > 1);
      if (cost >= least) continue;
      least = cost;
      best = at;
    }
  }
  return best;
}

void Scene::Parts::write_beside(const std::string& words, const LabelPlace& place, std::array<double, 2> mark,
                                double radius) {
  const Measures m = measures();
  const std::array<double, 2> end = nearest_in(place.room, mark);
  const double length = std::hypot(end[0] - mark[0], end[1] - mark[1]);
  if (length > radius + 0.6 * m.text) {
    const double share = radius / length;
    annotations.line(mark[0] + share * (end[0] - mark[0]), mark[1] + share * (end[1] - mark[1]), end[0], end[1],
                     place.style.ground.value_or(place.style.colour), 1.5 * m.pixel);
  }
  annotations.text(words, place.x, place.y, place.style);
}

}  // namespace kdscope
