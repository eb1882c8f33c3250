#include "visualizer/scene/surface_cut.hpp"

#include <algorithm>
#include <utility>

namespace kdscope {
namespace {

constexpr int deepest = 6;

using Corner = std::array<float, 3>;

/// Cuts a convex polygon at a plane. What lies on the plane belongs to both sides.
std::pair<std::vector<Corner>, std::vector<Corner>> cut(const std::vector<Corner>& corners, std::size_t axis,
                                                        float plane, SurfaceCut& line) {
  std::pair<std::vector<Corner>, std::vector<Corner>> sides;
  std::vector<Corner> ends;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Corner &a = corners[i], &b = corners[(i + 1) % corners.size()];
    if (a[axis] <= plane) sides.first.push_back(a);
    if (a[axis] >= plane) sides.second.push_back(a);
    if (a[axis] == plane) ends.push_back(a);
    if ((a[axis] < plane) == (b[axis] < plane) || a[axis] == plane || b[axis] == plane) continue;
    const float share = (plane - a[axis]) / (b[axis] - a[axis]);
    Corner between{};
    for (std::size_t d = 0; d < 3; ++d) between[d] = d == axis ? plane : a[d] + share * (b[d] - a[d]);
    for (std::vector<Corner>* list : {&sides.first, &sides.second, &ends}) list->push_back(between);
  }
  if (ends.size() == 2)
    for (std::size_t d = 0; d < 3; ++d) line.from[d] = ends[0][d], line.to[d] = ends[1][d];
  return sides;
}

}  // namespace

std::vector<SurfacePiece> cut_surface(std::span<const float> places, std::span<const std::uint32_t> triangles,
                                      const Partition& partition, const Frame& frame, std::vector<SurfaceCut>* cuts) {
  const auto& nodes = partition.nodes();
  const bool tree = partition.alive({0});
  std::vector<SurfacePiece> pieces;
  pieces.reserve(triangles.size() / 3);
  std::vector<std::pair<SurfacePiece, int>> open;
  for (std::uint32_t t = 0; t < triangles.size() / 3; ++t) {
    SurfacePiece whole{t, tree ? 0 : no_id, {}};
    for (std::size_t c = 0; c < 3; ++c) {
      const float* at = &places[3 * std::size_t(triangles[3 * std::size_t(t) + c])];
      whole.corners.push_back({at[0], at[1], at[2]});
    }
    open.emplace_back(std::move(whole), 0);
    while (!open.empty()) {
      auto [piece, level] = std::move(open.back());
      open.pop_back();
      const PartitionNode* node = level < deepest && tree ? &nodes[piece.node] : nullptr;
      const int axis = node ? frame.axis_of(node->split_dim) : -1;
      if (axis < 0) {
        pieces.push_back(std::move(piece));
        continue;
      }
      const auto along = static_cast<std::size_t>(axis);
      const auto plane = static_cast<float>(frame.to_scene(axis, node->split_value));
      const auto [low, high] = std::ranges::minmax(piece.corners, {}, [&](const Corner& c) { return c[along]; });
      const bool left = (low[along] < plane);
      const bool right = (high[along] > plane) || !left;
      const auto goes_down = [&](std::uint32_t child) { return child < nodes.size() && nodes[child].alive; };
      if (left && right) {
        if (!cuts || !goes_down(node->left) || !goes_down(node->right)) {
          pieces.push_back(std::move(piece));
          continue;
        }
        SurfaceCut line{piece.node, {}, {}};
        auto [below, above] = cut(piece.corners, along, plane, line);
        cuts->push_back(line);
        open.emplace_back(SurfacePiece{t, node->left, std::move(below)}, level + 1);
        open.emplace_back(SurfacePiece{t, node->right, std::move(above)}, level + 1);
        continue;
      }
      const std::uint32_t child = left ? node->left : node->right;
      if (goes_down(child)) {
        piece.node = child;
        open.emplace_back(std::move(piece), level + 1);
      } else {
        pieces.push_back(std::move(piece));
      }
    }
  }
  return pieces;
}

}  // namespace kdscope
