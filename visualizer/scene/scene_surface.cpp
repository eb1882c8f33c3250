// The triangles of a mesh in the scene: a lit surface in the colours of the cells that cut it, outlines, and names.

#include <vtkProperty.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "algorithms/trace/element_name.hpp"
#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/model/mesh.hpp"
#include "visualizer/scene/scene_parts.hpp"

namespace kdscope {
namespace {

/// The edges of triangles that take fewer pixels on average would cover them.
constexpr double smallest_with_edges = 150;
/// So many triangles are looked at one by one: each stands out from the space around it.
constexpr std::size_t most_outlined = 200;
constexpr double small_print = 0.87;  // of the text's size

Rgb stone(const Theme& t) { return mix(t.base, t.text, t.dark ? 0.62 : 0.2); }
Rgb cell_border(const Theme& t) { return t.dark ? mix(t.base, t.text, 0.05) : mix(t.base, t.text, 0.8); }

}  // namespace

bool Scene::Parts::labels_triangles() const {
  return draws_surface() && state.of_triangles && state.options.labels == PointLabels::automatic &&
         state.triangles.size() <= 3 * (state.frame.is_2d() ? most_labels : most_labels_in_3d);
}

bool Scene::Parts::outlines_triangles() const {
  return draws_surface() && state.of_triangles && state.triangles.size() <= 3 * most_outlined;
}

std::array<std::array<double, 3>, 3> Scene::Parts::corners_of(std::uint32_t triangle) const {
  std::array<std::array<double, 3>, 3> corners{};
  for (std::size_t c = 0; c < 3; ++c) {
    const float* at = &state.places[3 * std::size_t(state.triangles[3 * std::size_t(triangle) + c])];
    corners[c] = {at[0], at[1], at[2]};
  }
  return corners;
}

/// Returns the colour of a piece's node. The root is grey, and so is what belongs to no node.
Rgb Scene::Parts::colour_of_piece(const SurfacePiece& piece) const {
  const Theme& t = theme();
  const auto& nodes = state.partition.nodes();
  const bool outlined = outlines_triangles();
  const auto colour_of = [&](std::uint32_t node) {
    const TreePlace place = node < nodes.size() ? nodes[node].place : TreePlace{};
    return outlined           ? subtree_colour(t, place)
           : place.level == 0 ? stone(t)
                              : mix(subtree_colour(t, place), stone(t), 0.35);
  };
  Rgb own = colour_of(piece.node);
  if (outlined && fades(piece)) own = mix(own, t.base, faded_share(t));
  if (piece.node >= nodes.size() || nodes[piece.node].parent >= nodes.size()) return own;
  const std::uint32_t parent = nodes[piece.node].parent;
  const double grown = state.growth.of_children({parent});
  return grown < 1 ? mix(own, colour_of(parent), 1 - grown) : own;
}

void Scene::Parts::rebuild_surface() {
  surface.actor()->SetVisibility(draws_surface());
  triangle_outlines.clear();
  if (!draws_surface()) return;
  const Theme& t = theme();
  const bool outlined = outlines_triangles();
  if (std::exchange(surface_stale, false)) {
    cuts.clear();
    pieces = cut_surface(state.places, state.triangles, state.partition, state.frame,
                         outlined || state.heat ? nullptr : &cuts);
    surface.set_mesh(pieces);
  }
  std::vector<Rgb> colours;
  if (state.heat) {
    for (const std::uint32_t node : nodes_of_triangles(state.partition, state.points, state.dim, state.triangles))
      colours.push_back(ramp(state.heat.share(node)));
  } else {
    for (const SurfacePiece& piece : pieces) colours.push_back(colour_of_piece(piece));
  }
  surface.set_colours(colours);
  // Where two cells meet, a line parts them, for shades of neighbours are alike
  for (const SurfaceCut& cut : cuts)
    if (const double grown = state.growth.of_children({cut.node}); grown > 0)
      triangle_outlines.line(cut.from, cut.to,
                             mix(colour_of_piece({.node = cut.node}), cell_border(t), 0.4 + 0.6 * grown));
  if (!cuts.empty()) triangle_outlines.finish(1.6 * measures().pixel);
  const double room = 0.3 * projection.width * projection.height / (pixel_ratio * pixel_ratio);
  const bool has_edges = room > smallest_with_edges * static_cast<double>(state.triangles.size() / 3);
  surface.set_edges(mix(t.base, t.text, t.dark ? 0.25 : 0.5), has_edges ? pixel_ratio : 0);
  // What is hardly more than its outline keeps its colour there.
  double inside = 0;
  for (std::uint32_t i = 0; outlined && i < colours.size(); ++i)
    inside += inner_radius(i) / static_cast<double>(colours.size());
  const bool small = inside < 0.4 * measures().text;
  for (std::uint32_t i = 0; outlined && i < colours.size(); ++i) {
    auto corners = corners_of(i);
    for (std::size_t c = 0; c < 3; ++c)
      triangle_outlines.line(corners[c], corners[(c + 1) % 3],
                             mix(colours[i], t.text,
                                 fades(pieces[i]) ? 0.05
                                 : small          ? 0.15
                                                  : 0.35));
    // In 2D, a shadow on the ground lifts it
    for (auto& [x, y, z] : corners) x += 0.006, y -= 0.006, z -= 0.005;
    if (state.frame.is_2d()) triangle_outlines.face({corners[0], corners[1], corners[2], corners[2]}, t.text, 0.3);
  }
  if (outlined) triangle_outlines.finish((small ? 3.5 : 2) * measures().pixel);
}

std::array<double, 3> Scene::Parts::middle_of_triangle(std::size_t triangle) const {
  std::array<double, 3> middle{};
  for (std::size_t corner = 3 * triangle; corner < 3 * triangle + 3; ++corner)
    for (std::size_t axis = 0; axis < 3; ++axis)
      middle[axis] += state.places[3 * std::size_t(state.triangles[corner]) + axis] / 3.0;
  return middle;
}

/// Returns the middle of a triangle in the picture or, where another triangle hides it, a place half way from there to
/// a corner; nullopt if these are hidden too.
std::optional<std::array<double, 2>> Scene::Parts::seen_middle(std::uint32_t triangle) const {
  const std::array<double, 3> middle = middle_of_triangle(triangle);
  std::array<std::array<double, 3>, 4> places{middle, middle, middle, middle};
  const auto corners = corners_of(triangle);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t axis = 0; axis < 3; ++axis) places[c + 1][axis] = (middle[axis] + corners[c][axis]) / 2;
  for (const auto& place : places)
    if (const auto at = projection.place(place);
        at && (state.frame.is_2d() || foremost_triangle(at->x, at->y).value_or(triangle) == triangle))
      return std::array{at->x, at->y};
  return std::nullopt;
}

/// Returns the radius of the largest circle in the picture of a triangle, in device pixels.
double Scene::Parts::inner_radius(std::uint32_t triangle) const {
  std::array<std::array<double, 2>, 3> at{};
  const auto corners = corners_of(triangle);
  for (std::size_t c = 0; c < 3; ++c)
    if (const auto place = projection.place(corners[c])) at[c] = {place->x, place->y};
  double around = 0, twice_area = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    const auto &from = at[c], &to = at[(c + 1) % 3];
    around += std::hypot(to[0] - from[0], to[1] - from[1]);
    twice_area += from[0] * to[1] - to[0] * from[1];
  }
  return around > 0 ? std::abs(twice_area) / around : 0;
}

/// Draws each triangle's name in its middle or, in 3D, beside a triangle that is too small. Triangles behind others
/// and faded ones have none.
void Scene::Parts::draw_triangle_labels() {
  const Measures m = measures();
  LabelWish wish;
  wish.style.bold = wish.style.halo = true;
  wish.style.size = (state.frame.is_2d() ? 1.15 : small_print) * m.text;
  wish.style.ink = of_theme(&Theme::text);
  for (std::uint32_t t = 0; t < state.triangles.size() / 3; ++t) {
    const auto at = seen_middle(t);
    if (!at || (t < pieces.size() && fades(pieces[t]))) continue;
    wish.words = element_name(Space::triangle, t);
    if (!state.frame.is_2d() && inner_radius(t) < 0.8 * m.text) {
      wish.mark = *at;
      wish.apart = 0.7 * m.text;
      wish.covers = Covers::marks;
      wish.far = true;
      // Rather no name than one that stands on another triangle
      const auto stands_on = [&](const LabelPlace& place) {
        const auto [left, bottom, right, top] = place.room;
        return foremost_triangle((left + right) / 2, (bottom + top) / 2).value_or(t);
      };
      if (auto found = labels.beside(wish); found && stands_on(*found) == t) {
        found->joined = true;
        labels.write(wish.words, *found, 0);
      }
    } else if (annotations.free(annotations.room(wish.words, (*at)[0], (*at)[1], wish.style))) {
      annotations.text(wish.words, (*at)[0], (*at)[1], wish.style);
    }
  }
}

}  // namespace kdscope
