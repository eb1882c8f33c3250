// The marks of overlays, projected to the window and drawn above the picture.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <ranges>

#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

using Corner = std::array<double, 3>;

constexpr double faded_depth = -0.013;  // behind marks, in front of cells and planes

template <class Mark, class Draw>
void for_first(const std::vector<Mark>& marks, Draw draw) {
  for (std::size_t i = 0; i < std::min(marks.size(), most_overlay_marks); ++i) draw(marks[i]);
}

/// Lets the marks that `before` lacks enter one after the other: first what the step looks at, then where it leads,
/// then what is out of reach. Lines grow, circles and boxes widen.
Overlay entering(Overlay now, const Overlay& before, const Growth& growth) {
  std::vector<std::function<void(double grown)>> fresh;
  const auto enter = [&](auto&& marks, const auto& old, auto grow) {
    for (auto& mark : marks)
      if (std::ranges::find(old, mark) == old.end())
        fresh.push_back([&mark, grow](double grown) { grow(mark, grown); });
  };
  enter(now.boxes | std::views::reverse, before.boxes, [](Overlay::BoxOutline& mark, double grown) {
    for (std::size_t d = 0; d < std::min(mark.box.lo.size(), mark.box.hi.size()); ++d) {
      const double middle = std::midpoint(mark.box.lo[d], mark.box.hi[d]);
      mark.box.lo[d] = std::lerp(middle, mark.box.lo[d], grown);
      mark.box.hi[d] = std::lerp(middle, mark.box.hi[d], grown);
    }
  });
  enter(now.segments, before.segments, [](Overlay::Segment& mark, double grown) {
    for (std::size_t d = 0; d < std::min(mark.from.size(), mark.to.size()); ++d)
      mark.to[d] = std::lerp(mark.from[d], mark.to[d], grown);
  });
  enter(now.balls, before.balls, [&before](Overlay::Ball& mark, double grown) {
    const auto old = std::ranges::find_if(before.balls, [&](const Overlay::Ball& ball) {
      return ball.radius > 0 && ball.centre == mark.centre && ball.style == mark.style;
    });
    mark.radius = std::lerp(old == before.balls.end() ? 0 : old->radius, mark.radius, grown);
  });
  enter(now.rings, before.rings, [](Overlay::Ring& mark, double grown) { mark.style.width *= grown; });
  enter(now.labels, before.labels, [](Overlay::Label& mark, double grown) {
    if (grown < 0.5) mark.text.clear();
  });
  enter(now.faded_cells, before.faded_cells, [](NodeId& node, double grown) {
    if (grown < 0.5) node = {no_id};
  });
  for (std::size_t i = 0; i < fresh.size(); ++i) fresh[i](growth.of_one(i, fresh.size()));
  std::erase_if(now.labels, [](const Overlay::Label& mark) { return mark.text.empty(); });
  std::erase_if(now.rings, [](const Overlay::Ring& mark) { return mark.style.width == 0; });
  std::erase(now.faded_cells, NodeId{no_id});
  return now;
}

}  // namespace

void Scene::Parts::show_search(Overlay marks) {
  state.search = std::move(marks);
  show_overlay("search",
               state.growth.under_way() ? entering(state.search, state.old_search, state.growth) : state.search);
}

std::optional<std::array<double, 2>> Scene::Parts::place_in_list(const std::array<double, 3>& scene) const {
  const auto at = projection.place(scene);
  return at ? std::optional(std::array{at->x, projection.height - at->y}) : std::nullopt;
}

std::optional<std::array<double, 2>> Scene::Parts::place_in_list(PointId point) const {
  if (point.value >= state.n()) return std::nullopt;
  const float* at = &state.places[3 * std::size_t(point.value)];
  return place_in_list({at[0], at[1], at[2]});
}

void Scene::Parts::draw_overlays() {
  const auto place = [this](const std::array<double, 3>& scene) { return place_in_list(scene); };
  const auto place_of_point = [this](PointId point) { return place_in_list(point); };
  std::array<double, 3> eye = state.camera.position;
  for (int axis = 0; state.camera.parallel && axis < 3; ++axis)  // from as far away as matters
    eye[axis] += 1e3 * (eye[axis] - state.camera.focal_point[axis]);
  const OverlayRoom room{state.partition, state.frame, place, place_of_point, measures().pixel, mark_diameter / 2, eye};
  for (const auto& [writer, marks] : state.overlays) draw_overlay(annotations.strokes(), marks, room);
  for (const auto& [writer, marks] : state.overlays) labels.write_labels(marks);
}

/// Draws a translucent face over faded cells in 2D, below the marks: show_cloud() fades each mark as a whole. In 3D,
/// such a face would hide other elements: triangles and outlines of cells have paler colours.
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
                         theme().base, faded_share(theme()));
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
  parts_->show_overlay(writer, std::move(overlay));
}

void Scene::Parts::show_overlay(const std::string& writer, Overlay overlay) {
  const auto found = state.overlays.find(writer);
  const bool faded = found != state.overlays.end() && !found->second.faded_cells.empty();
  if (faded || !overlay.faded_cells.empty()) {
    marks.forget_colours();
    sample.forget_colours();
    recoloured = true;
    stale = stale || outlines_triangles();
  }
  const bool has_clouds = found != state.overlays.end() && !found->second.clouds.empty();
  if (has_clouds || !overlay.clouds.empty()) clouds_stale = true;
  const bool was_replaced = state.replaced();
  const Box before = framed_domain();
  state.overlays.insert_or_assign(writer, std::move(overlay));
  follow_domain(before);
  if (state.replaced() != was_replaced) stale = true;
}

}  // namespace kdscope
