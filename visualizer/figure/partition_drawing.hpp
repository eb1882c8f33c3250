#pragma once
// The partition of two dimensions as a display list: cells, split planes, axes, triangles, points, and what a search
// has reached. The same on paper and on pages.

#include <optional>
#include <span>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/figure/partition_picture.hpp"

namespace kdscope {

/// The triangles of a run, for a picture that marks all of their corners; none if there are more than `most`.
struct PartitionMesh {
  std::vector<std::uint32_t> corners = {};  ///< three points per triangle
  std::vector<TreePlace> places = {};       ///< the subtrees of the triangles

  PartitionMesh() = default;
  PartitionMesh(const Cursor& cursor, const PartitionPicture& picture, std::size_t most);
};

/// The room that a drawing of a partition has, in pixels, and what it shows beside the partition.
struct PartitionRoom {
  double width = 640, height = 686;
  bool lower = false;  ///< the list is only as high as the drawing needs, at most `height`
  double text = 15;    ///< pixels of small text
  bool tight_boxes = true;
  std::vector<bool> selected = {};              ///< by point; may be shorter
  std::optional<NodeId> framed = {};            ///< the selected node
  std::span<const std::uint32_t> corners = {};  ///< three points per triangle, with
  std::span<const TreePlace> triangles = {};    ///< the subtrees of the triangles
  TextWidth width_of = {};                      ///< none: an estimate
};

struct PartitionDrawing {
  DisplayList list;  ///< all points are one item of marks, whose ids are points
  /// What a place in the list is in the points' units, along x and y: `origin` + `unit` * pixels. `dimension` is -1 for
  /// an unused axis.
  struct Axis {
    int dimension = -1;
    double origin = 0, unit = 0;
  };
  std::array<Axis, 2> axes = {};

  /// Draws a picture along x and y. Work O(planes + cells * points up to 2,000 + points).
  static PartitionDrawing of(const PartitionPicture& picture, const PartitionRoom& room);
};

}  // namespace kdscope
