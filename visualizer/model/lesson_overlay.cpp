#include "visualizer/model/lesson_overlay.hpp"

#include <algorithm>

namespace kdscope {
namespace {

Ink ink_of(MarkInk ink) {
  switch (ink) {
    case MarkInk::plain:
      return Ink::plain;
    case MarkInk::muted:
      return Ink::muted;
    case MarkInk::changed:
      return Ink::changed;
    case MarkInk::selected:
      return Ink::selected;
  }
  return Ink::plain;
}

std::vector<double> middle(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> at(std::min(a.size(), b.size()));
  for (std::size_t d = 0; d < at.size(); ++d) at[d] = (a[d] + b[d]) / 2;
  return at;
}

void draw(Overlay& overlay, const LessonMark& mark) {
  const Ink ink = ink_of(mark.ink);
  const MarkStyle style{ink, 2.5, mark.dashed};
  const auto label = [&](std::size_t i, const std::vector<double>& at) {
    if (i < mark.labels.size()) overlay.labels.push_back({at, mark.labels[i], ink});
  };
  const auto& places = mark.places;
  switch (mark.shape) {
    case MarkShape::points:
      for (std::size_t i = 0; i < places.size(); ++i) {
        overlay.balls.push_back({places[i], 0, style});
        label(i, places[i]);
      }
      break;
    case MarkShape::line:
      for (std::size_t i = 1; i < places.size(); ++i)
        overlay.segments.push_back({places[i - 1], places[i], style, false});
      label(0, places.front());
      break;
    case MarkShape::arrows:
      for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
        overlay.segments.push_back({places[i], places[i + 1], style, true});
        label(i / 2, middle(places[i], places[i + 1]));
      }
      break;
    case MarkShape::ball:
      overlay.balls.push_back({places.front(), mark.radius, style});
      label(0, places.front());
      break;
  }
}

/// Widens a box to a place and a distance around it.
void widen(Box& box, const std::vector<double>& place, double around) {
  if (box.lo.empty()) box.lo = box.hi = place;
  for (std::size_t d = 0; d < std::min(place.size(), box.lo.size()); ++d) {
    box.lo[d] = std::min(box.lo[d], place[d] - around);
    box.hi[d] = std::max(box.hi[d], place[d] + around);
  }
}

}  // namespace

Overlay overlay_of(const Lesson& lesson, const Stop* stop) {
  Overlay overlay;
  for (const Stop& each : lesson.stops)
    for (const LessonMark& mark : each.marks)
      for (const auto& place : mark.places) widen(overlay.reach, place, mark.radius);
  for (const LessonMark& mark : stop ? stop->marks : std::vector<LessonMark>()) draw(overlay, mark);
  return overlay;
}

}  // namespace kdscope
