#include "visualizer/scene/surface.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkLight.h>
#include <vtkPoints.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkUnsignedCharArray.h>

namespace kdscope {

Surface::Surface() {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(data_);
  mapper->SetScalarModeToUseCellData();
  mapper->SetColorModeToDirectScalars();
  // Move the surface back a little, so that points and lines on it are in front.
  mapper->SetResolveCoincidentTopologyToPolygonOffset();
  mapper->SetRelativeCoincidentTopologyPolygonOffsetParameters(2, 2);
  actor_->SetMapper(mapper);
  actor_->PickableOff();
  actor_->VisibilityOff();
  vtkProperty* look = actor_->GetProperty();
  look->SetInterpolationToFlat();
  look->SetAmbient(0.4);
  look->SetDiffuse(0.68);
}

void Surface::add_lights(vtkRenderer* renderer) {
  renderer->AutomaticLightCreationOff();
  const struct { double from[3], strength; } lights[] = {{{-0.6, 0.8, 1}, 0.75}, {{0.9, 0.2, 0.5}, 0.3}};
  for (const auto& [from, strength] : lights) {
    vtkNew<vtkLight> light;
    light->SetLightTypeToCameraLight();
    light->SetPosition(from[0], from[1], from[2]);
    light->SetFocalPoint(0, 0, 0);
    light->SetIntensity(strength);
    renderer->AddLight(light);
  }
}

void Surface::set_mesh(std::span<const SurfacePiece> pieces) {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> cells;
  for (const SurfacePiece& piece : pieces) {
    cells->InsertNextCell(static_cast<int>(piece.corners.size()));
    for (const auto& corner : piece.corners) cells->InsertCellPoint(points->InsertNextPoint(corner.data()));
  }
  data_->Initialize();
  data_->SetPoints(points);
  data_->SetPolys(cells);
}

void Surface::set_colours(std::span<const Rgb> colours) {
  vtkNew<vtkUnsignedCharArray> scalars;
  scalars->SetNumberOfComponents(3);
  scalars->SetNumberOfTuples(static_cast<vtkIdType>(colours.size()));
  unsigned char* to = scalars->GetPointer(0);
  for (const Rgb c : colours) *to++ = c.r, *to++ = c.g, *to++ = c.b;
  data_->GetCellData()->SetScalars(scalars);
}

void Surface::set_edges(Rgb c, double width) {
  vtkProperty* look = actor_->GetProperty();
  look->SetEdgeVisibility(width > 0);
  look->SetEdgeColor(c.r / 255.0, c.g / 255.0, c.b / 255.0);
  look->SetLineWidth(static_cast<float>(width > 0 ? width : 1));
}

}  // namespace kdscope
