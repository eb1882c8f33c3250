#pragma once
// Cells, split planes and the box of the domain as VTK shapes.

#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include "visualizer/model/heat.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/scene/frame.hpp"
#include "visualizer/style/theme.hpp"

class vtkRenderer;

namespace kdscope {

/// Coloured lines and faces of one line width; the VTK cells have the colours and opacity.
class ShapeLayer {
 public:
  ShapeLayer();
  vtkActor* actor() { return actor_; }
  void clear();
  void line(const std::array<double, 3>& from, const std::array<double, 3>& to, Rgb colour);
  void face(const std::array<std::array<double, 3>, 4>& corners, Rgb colour, double opacity);
  /// Adds the edges of a box: twelve in 3D, four in 2D.
  void box_edges(const std::array<double, 3>& lo, const std::array<double, 3>& hi, Rgb colour);
  /// Passes the added shapes to VTK. `width` is in device pixels.
  void finish(double width);

 private:
  struct Buffers;
  vtkNew<vtkPolyData> data_;
  vtkNew<vtkActor> actor_;
  std::shared_ptr<Buffers> buffers_;
};

/// The shapes of a partition: cells, split planes, smallest boxes and the domain.
class PartitionShapes {
 public:
  void add_to(vtkRenderer* renderer);
  /// Builds the shapes anew. `pixel` is the size of a logical pixel in device pixels. With `heat`, cells and boxes have
  /// its colours, and planes have no subtree's colour.
  void rebuild(const Partition& partition, const Frame& frame, const NodeHeat& heat, const Theme& theme, double pixel,
               bool cells, bool planes, bool tight_boxes);
  void clear();

 private:
  ShapeLayer cells_, faces_, lines_, strong_lines_, newest_, fresh_, tight_boxes_, domain_;
};

/// Gets a node's box in scene units; returns false if it has none.
bool scene_box(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
               std::array<double, 3>& hi);
/// Gets the smallest box of a node's points in scene units; returns false if there is none or if it has no extent along
/// any axis.
bool scene_tight_box(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
                     std::array<double, 3>& hi);
/// With more cells, smallest boxes are not drawn, because they could not be distinguished and would cover the points.
inline constexpr std::size_t most_tight_boxes = 1000;
inline constexpr const char* too_many_tight_boxes = "Smallest boxes are not drawn: more than 1,000.";
/// Returns the colour of a smallest box's outline.
Rgb tight_box_colour(const Theme& theme, const TreePlace& place);

}  // namespace kdscope
