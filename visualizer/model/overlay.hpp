#pragma once
// Marks above the picture of a step: what an edit changed, what a search visited. Geometry is in the points' own units
// and dimensions; a picture draws the part that lies in its axes.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "visualizer/style/colour.hpp"

namespace kdscope {

/// The meaning of a mark; the theme has a colour for each.
enum class Ink : std::uint8_t { plain, muted, changed, failed, selected };

struct MarkStyle {
  Ink ink = Ink::plain;
  double width = 2;  ///< logical pixels
  bool dashed = false;
  bool operator==(const MarkStyle&) const = default;
};

/// All marks of one writer, such as What if or a search. Nodes and points are those of the run on display; marks of
/// other runs are not drawn. Of each kind, only the first most_overlay_marks are drawn.
struct Overlay {
  struct Ball {
    std::vector<double> centre;  ///< [k]
    double radius = 0;           ///< 0: a small circle of the same size in every picture
    MarkStyle style;
    bool operator==(const Ball&) const = default;
  };
  struct Segment {
    std::vector<double> from, to;  ///< [k] each
    MarkStyle style;
    bool arrow = false;          ///< at `to`
    bool between_marks = false;  ///< from the rim of a small circle to that of a ring, whose insides stay clear
    bool operator==(const Segment&) const = default;
  };
  /// The outline of a box. Its sides may be infinite, because the picture clips it.
  struct BoxOutline {
    Box box;
    MarkStyle style;
    bool operator==(const BoxOutline& o) const { return box.lo == o.box.lo && box.hi == o.box.hi && style == o.style; }
  };
  /// The part of the plane x[dim] = value that lies in a box.
  struct Plane {
    Box box;
    std::uint32_t dim = 0;
    double value = 0;
    MarkStyle style;
  };
  /// The split of a node in the run on display.
  struct NodeSplit {
    NodeId node;
    MarkStyle style;
  };
  /// A ring around a point's mark.
  struct Ring {
    PointId point;
    MarkStyle style;
    bool operator==(const Ring&) const = default;
  };
  struct Label {
    std::vector<double> at;  ///< [k]
    std::string text;
    Ink ink = Ink::plain;
    bool operator==(const Label&) const = default;
  };
  /// Points that need not belong to the run, drawn in its picture's space and hidden by what is in front of them; 3D
  /// pictures only. With normals and radii, each is a lit disc (a splat) that lies in its surface; otherwise a dot.
  struct Cloud {
    std::vector<float> places;   ///< [n x 3] in the points' units
    std::vector<float> normals;  ///< [n x 3] of unit length, or empty; (0, 0, 0) for a level disc
    std::vector<float> radii;    ///< [n] in the points' units, or empty
    std::vector<Rgb> colours;    ///< [n], or one for all
    double size = 3;             ///< diameter of a dot in logical pixels
  };

  std::vector<Ball> balls = {};
  std::vector<Segment> segments = {};
  std::vector<BoxOutline> boxes = {};
  std::vector<Plane> planes = {};
  std::vector<NodeSplit> splits = {};
  std::vector<Ring> rings = {};
  std::vector<Label> labels = {};
  std::vector<NodeId> hatched_cells = {};  ///< hatched in 2D pictures only
  std::vector<Cloud> clouds = {};
  Box reach = {};                        ///< the picture has room for it, too; empty: for the run alone
  bool replaces_run = false;             ///< whether points, triangles, planes and cells of the run are not drawn
  std::vector<NodeId> faded_cells = {};  ///< nodes that a search has pruned; their cells and points are faded
};

/// Widens a box to another one, which may have fewer dimensions, or none.
inline void widen(Box& box, const Box& reach) {
  for (std::size_t d = 0; d < std::min(box.lo.size(), reach.lo.size()); ++d) {
    box.lo[d] = std::min(box.lo[d], reach.lo[d]);
    box.hi[d] = std::max(box.hi[d], reach.hi[d]);
  }
}

inline constexpr std::size_t most_overlay_marks = 1000;
/// Corners of the polygon that stands for a circle: none is seen on a projector.
inline constexpr int circle_corners = 180;

}  // namespace kdscope
