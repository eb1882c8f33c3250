#pragma once
// Cells, split planes and the box of the domain as VTK shapes.

#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include "visualizer/figure/growth.hpp"
#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/figure/pixel_layer.hpp"
#include "visualizer/model/heat.hpp"
#include "visualizer/style/theme.hpp"

class vtkRenderer;

namespace kdscope {

/// Coloured lines and faces of one width. Colours and opacity are stored per cell.
class ShapeLayer {
 public:
  ShapeLayer();
  vtkActor* actor() { return actor_; }
  void clear();
  void line(const std::array<double, 3>& from, const std::array<double, 3>& to, Rgb colour);
  void face(const std::array<std::array<double, 3>, 4>& corners, Rgb colour, double opacity);
  /// Adds the edges of a box: twelve in 3D, four in 2D.
  void box_edges(const std::array<double, 3>& lo, const std::array<double, 3>& hi, Rgb colour);
  /// Passes the added shapes to VTK. Width in device pixels.
  void finish(double width);
  /// Mixes lines and faces with the colour of the background, the more the further away they are. Needs
  /// set_mist_range().
  void set_mist(Rgb colour, double share);
  /// Draws only those faces whose corners run clockwise as seen, behind everything, with edges of this colour.
  void show_backs(Rgb edges);

 private:
  struct Buffers;
  vtkNew<vtkPolyData> data_;
  vtkNew<vtkActor> actor_;
  std::shared_ptr<Buffers> buffers_;
  bool misty_ = false;
};

/// What is drawn of a partition.
struct PartitionParts {
  bool cells, planes, tight_boxes;
  bool boxes = false;                        ///< outlines of the cells in 3D
  const Growth& growth;                      ///< planes that grow have a share of their length, around their middle
  int first_plane_level = 0;                 ///< planes of the levels above are left out
  const std::vector<bool>* faded = nullptr;  ///< [nodes] whose outlines in 3D fade; null or empty: none
};

/// The walls of a 3D box that lie behind its inside, wherever the camera stands, ruled at the ticks of the axes.
class Walls {
 public:
  vtkActor* actor() { return faces_.actor(); }
  /// Returns whether anything has changed. No ticks at all, or 2D: no walls.
  bool rule(const Frame& frame, const Ticks& ticks, const Theme& theme, double pixel);

 private:
  ShapeLayer faces_;
  Frame frame_;
  Ticks ticks_;
  ThemeId theme_ = ThemeId::light;
};

/// The shapes of a partition in the picture.
class PartitionShapes {
 public:
  void add_to(vtkRenderer* renderer);
  /// `pixel` is the size of a logical pixel in device pixels.
  /// With heat, cells and boxes have its colours, and planes have none.
  void rebuild(const Partition& partition, const Frame& frame, const NodeHeat& heat, const Theme& theme, double pixel,
               PartitionParts parts);
  void clear();
  /// Returns the layers in which depth is seen: not the faces of planes, which are translucent.
  std::array<ShapeLayer*, 6> misty() { return {&lines_, &strong_lines_, &newest_, &fresh_, &tight_boxes_, &domain_}; }

 private:
  ShapeLayer cells_, faces_, lines_, strong_lines_, newest_, fresh_, tight_boxes_, domain_;
};

}  // namespace kdscope
