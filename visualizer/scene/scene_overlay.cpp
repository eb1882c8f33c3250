// The marks of overlays, projected to the window and drawn above the picture.

#include <algorithm>

#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

using Corner = std::array<double, 3>;

constexpr double faded_depth = -0.013;  // behind marks, in front of cells and planes

template <class Mark, class Draw>
void for_first(const std::vector<Mark>& marks, Draw draw) {
  for (std::size_t i = 0; i < std::min(marks.size(), most_overlay_marks); ++i) draw(marks[i]);
}

}  // namespace

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
  const OverlayRoom room{state.partition, state.frame, place, place_of_point, measures().pixel, mark_diameter / 2};
  for (const auto& [writer, marks] : state.overlays) draw_overlay(annotations.strokes(), marks, room);
  for (const auto& [writer, marks] : state.overlays) labels.write_labels(marks);
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
