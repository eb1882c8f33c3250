#pragma once
// The clouds of overlays in VTK: dots, or lit discs.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "visualizer/figure/frame.hpp"
#include "visualizer/model/overlay.hpp"
#include "visualizer/scene/point_cloud.hpp"
#include "visualizer/scene/surface.hpp"

class vtkRenderer;

namespace kdscope {

class OverlayClouds {
 public:
  /// Replaces the clouds in a renderer by those of overlays, by writer; in 2D all are dots. pixel: a logical pixel in
  /// device pixels. Work O(n).
  void rebuild(const std::map<std::string, Overlay>& overlays, const Frame& frame, double pixel, vtkRenderer* renderer);
  /// Returns whether clouds were built for another frame or pixel.
  bool outdated(const Frame& frame, double pixel) const { return !(frame == frame_) || pixel != pixel_; }
  /// Returns the number of points.
  std::size_t points() const { return points_; }

 private:
  void add_dots(const Overlay::Cloud& cloud, vtkRenderer* renderer);
  void add_discs(const Overlay::Cloud& cloud, vtkRenderer* renderer);
  std::array<float, 3> in_scene(const std::array<double, 3>& place) const;

  Frame frame_;
  double pixel_ = 0;
  std::size_t points_ = 0;
  std::vector<std::unique_ptr<PointMarks>> dots_;
  std::vector<std::unique_ptr<Surface>> discs_;
};

}  // namespace kdscope
