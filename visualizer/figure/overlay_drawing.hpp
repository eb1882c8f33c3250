#pragma once
// The marks of overlays and of roles above a partition, in the plane and in space. The same in the window, on paper and
// on pages.

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/model/overlay.hpp"

namespace kdscope {

/// Converts coordinates in the points' units to the scene; nullopt if there are fewer than the axes need.
std::optional<std::array<double, 3>> scene_place(const Frame& frame, const std::vector<double>& coordinates);

/// A ball in the scene. Where axes are scaled separately, it is an ellipsoid.
struct SceneBall {
  std::array<double, 3> centre, reach;  ///< `reach`: half of its length along each axis
};

/// A line through places of the scene.
struct OverlayLine {
  std::vector<std::array<double, 3>> corners;
  MarkStyle style;
  bool arrow = false;                    ///< at its end
  bool between_marks = false;            ///< as of Overlay::Segment
  std::optional<SceneBall> around = {};  ///< the ball whose circle it is
};
/// Returns the outlines of planes and boxes inside the frame, those of balls, and the segments. Of a ball in space,
/// this is three great circles, which end at the frame only if the ball is larger than most of it.
std::vector<OverlayLine> overlay_lines(const Overlay& overlay, const Partition& partition, const Frame& frame,
                                       int corners_of_circle = circle_corners);

/// What an overlay is drawn above.
struct OverlayRoom {
  const Partition& partition;
  const Frame& frame;
  /// Where a place of the scene lies in the list; nullopt behind the eye.
  std::function<std::optional<std::array<double, 2>>(const std::array<double, 3>& scene)> place;
  /// Where a point lies in the list; nullopt if it is not drawn.
  std::function<std::optional<std::array<double, 2>>(PointId point)> place_of_point;
  double pixel = 1;  ///< a logical pixel
  double mark_radius = 4;
  std::array<double, 3> eye = {};  ///< in the scene, of a picture in space
};

/// Draws what belongs to the picture, without labels and what is faded.
void draw_overlay(DisplayList& list, const Overlay& overlay, const OverlayRoom& room);

/// The ink of a role's line and ring. `faded`: something hides the element.
DisplayInk role_ink(Role role, bool faded);
/// Draws the line of a role on a rim in the colour of the ground; (x, y) is the middle of its lowest stroke.
void draw_role_line(DisplayList& list, Role role, double x, double y, double width, double thick, double pixel,
                    bool faded = false);

/// Draws a ring in the shape of a subtree's mark, as pivots have.
void draw_glyph_ring(DisplayList& list, Glyph glyph, double x, double y, double radius, DisplayInk ink, double line);

/// Returns the colour of an overlay's ink.
Rgb ink_colour(const Theme& theme, Ink ink);

}  // namespace kdscope
