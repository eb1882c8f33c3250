#pragma once
// A mesh as VTK draws it: lit, with faint edges; every triangle is flat and has its own colour.

#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include <span>

#include "visualizer/style/colour.hpp"

class vtkRenderer;

namespace kdscope {

class Surface {
 public:
  Surface();
  vtkActor* actor() { return actor_; }
  /// Adds the lights that show the mesh's shape. They are fixed to the camera and do not light anything else in a
  /// scene.
  static void add_lights(vtkRenderer* renderer);
  /// Sets the mesh. places: [3n] scene coordinates; triangles: [3t] indices of these. The mesh needs new colours
  /// afterwards.
  void set_mesh(std::span<const float> places, std::span<const std::uint32_t> triangles);
  /// Sets [t] colours, one per triangle.
  void set_colours(std::span<const Rgb> colours);
  /// Sets the edges' colour and width in device pixels; a width of 0 draws none.
  void set_edges(Rgb colour, double width);
  std::size_t triangles() const { return static_cast<std::size_t>(data_->GetNumberOfPolys()); }

 private:
  vtkNew<vtkPolyData> data_;
  vtkNew<vtkActor> actor_;
};

}  // namespace kdscope
