#pragma once
// Cuts a mesh at the split planes of a tree's upper levels, so that each piece of its surface lies in one cell.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "visualizer/figure/frame.hpp"
#include "visualizer/model/partition.hpp"

namespace kdscope {

/// A convex piece of a triangle, in the cell of a node.
struct SurfacePiece {
  std::uint32_t triangle = 0, node = no_id;  ///< no_id without a tree
  std::vector<std::array<float, 3>> corners;
};

/// A line along which the plane of a node cuts a triangle.
struct SurfaceCut {
  std::uint32_t node = 0;
  std::array<double, 3> from{}, to{};
};

/// Cuts triangles at the planes of the upper six levels: the cells of deeper ones could not be told apart on a lit
/// surface. places: [3n] in scene units; triangles: [3t] points. Unless `cuts`, a triangle stays whole and belongs to
/// the lowest node that holds all of it; `cuts` receives the lines. Work O(triangles + pieces).
std::vector<SurfacePiece> cut_surface(std::span<const float> places, std::span<const std::uint32_t> triangles,
                                      const Partition& partition, const Frame& frame, std::vector<SurfaceCut>* cuts);

}  // namespace kdscope
