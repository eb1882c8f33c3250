#pragma once
// A mesh in VTK: lit, with flat pieces in colours of their own and faint edges.

#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include <span>

#include "visualizer/scene/surface_cut.hpp"
#include "visualizer/style/colour.hpp"

class vtkRenderer;

namespace kdscope {

class Surface {
 public:
  Surface();
  vtkActor* actor() { return actor_; }
  /// Adds the lights that show its shape, fixed to the camera. The other parts of a scene are not lit.
  static void add_lights(vtkRenderer* renderer);
  /// Sets the mesh, which needs new colours afterwards.
  void set_mesh(std::span<const SurfacePiece> pieces);
  /// Sets the colours, one per piece.
  void set_colours(std::span<const Rgb> colours);
  /// Sets the width of edges in device pixels; 0 draws none.
  void set_edges(Rgb colour, double width);

 private:
  vtkNew<vtkPolyData> data_;
  vtkNew<vtkActor> actor_;
};

}  // namespace kdscope
