#include "visualizer/scene/partition_shapes.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkPoints.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>
#include <vtkShaderProperty.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <string>
#include <utility>

#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/scene/mist.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_boxes = 64;  // more could not be told apart
// In 2D, shapes at lower depths lie behind the others.
constexpr double cell_depth = -0.03, plane_depth = -0.02, tight_box_depth = -0.012;

}  // namespace

struct ShapeLayer::Buffers {
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> lines, faces;
  std::vector<std::array<unsigned char, 4>> line_colours, face_colours;
};

ShapeLayer::ShapeLayer() {
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(data_);
  mapper->SetScalarModeToUseCellData();
  mapper->SetColorModeToDirectScalars();
  actor_->SetMapper(mapper);
  actor_->PickableOff();
  actor_->GetProperty()->LightingOff();
  clear();
}

void ShapeLayer::clear() {
  buffers_ = std::make_shared<Buffers>();
  actor_->VisibilityOff();
}

void ShapeLayer::line(const std::array<double, 3>& from, const std::array<double, 3>& to, Rgb c) {
  const vtkIdType ends[2]{buffers_->points->InsertNextPoint(from.data()), buffers_->points->InsertNextPoint(to.data())};
  buffers_->lines->InsertNextCell(2, ends);
  buffers_->line_colours.push_back({c.r, c.g, c.b, 255});
}

void ShapeLayer::face(const std::array<std::array<double, 3>, 4>& corners, Rgb c, double opacity) {
  vtkIdType ids[4];
  for (int i = 0; i < 4; ++i) ids[i] = buffers_->points->InsertNextPoint(corners[i].data());
  buffers_->faces->InsertNextCell(4, ids);
  buffers_->face_colours.push_back({c.r, c.g, c.b, static_cast<unsigned char>(255 * opacity + 0.5)});
}

void ShapeLayer::box_edges(const std::array<double, 3>& lo, const std::array<double, 3>& hi, Rgb colour) {
  for (int axis = 0; axis < 3; ++axis) {
    if (lo[axis] == hi[axis]) continue;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int side = 0; side < 4; ++side) {
      if ((lo[u] == hi[u] && (side & 1)) || (lo[v] == hi[v] && (side & 2))) continue;
      std::array<double, 3> from = lo, to = lo;
      from[u] = to[u] = side & 1 ? hi[u] : lo[u];
      from[v] = to[v] = side & 2 ? hi[v] : lo[v];
      to[axis] = hi[axis];
      line(from, to, colour);
    }
  }
}

void ShapeLayer::finish(double width) {
  vtkNew<vtkUnsignedCharArray> colours;
  colours->SetNumberOfComponents(4);
  for (const auto* list : {&buffers_->line_colours, &buffers_->face_colours})
    for (const auto& c : *list) colours->InsertNextTypedTuple(c.data());
  const bool translucent = std::any_of(buffers_->face_colours.begin(), buffers_->face_colours.end(),
                                       [](const auto& c) { return c[3] < 255; });
  // VTK has two flags, and "opaque" wins. Set both; otherwise planes that follow an empty partition would hide points.
  actor_->SetForceTranslucent(translucent);
  actor_->SetForceOpaque(!translucent);
  data_->Initialize();
  data_->SetPoints(buffers_->points);
  data_->SetLines(buffers_->lines);
  data_->SetPolys(buffers_->faces);
  data_->GetCellData()->SetScalars(colours);
  actor_->GetProperty()->SetLineWidth(static_cast<float>(std::max(1.0, width)));
  actor_->SetVisibility(colours->GetNumberOfTuples() > 0);
  buffers_ = std::make_shared<Buffers>();
}

void ShapeLayer::show_backs(Rgb edges) {
  vtkProperty* look = actor_->GetProperty();
  look->FrontfaceCullingOn();
  look->EdgeVisibilityOn();
  look->SetEdgeColor(edges.r / 255.0, edges.g / 255.0, edges.b / 255.0);
  // Behind everything: a mark on a wall would be cut by it, because marks have one depth
  actor_->GetShaderProperty()->ClearAllFragmentShaderReplacements();
  actor_->GetShaderProperty()->AddFragmentShaderReplacement("//VTK::Depth::Impl", true, "  gl_FragDepth = 0.999999;\n",
                                                            false);
}

void ShapeLayer::set_mist(Rgb colour, double share) {
  kdscope::set_mist(*actor_, colour, share);
  if (std::exchange(misty_, share > 0) == misty_) return;
  vtkShaderProperty* shader = actor_->GetShaderProperty();
  shader->ClearAllFragmentShaderReplacements();
  if (share > 0)
    shader->AddFragmentShaderReplacement("//VTK::Color::Impl", true,
                                         std::string("//VTK::Color::Impl\n") + far_glsl + mist_glsl, false);
}

bool Walls::rule(const Frame& frame, const Ticks& ticks, const Theme& theme, double pixel) {
  if (frame == frame_ && ticks == ticks_ && theme.id == theme_) return false;
  frame_ = frame;
  ticks_ = ticks;
  theme_ = theme.id;
  faces_.clear();
  const bool any = std::ranges::any_of(ticks, [](const auto& values) { return !values.empty(); });
  for (int normal = 0; normal < 3 && any && !frame.is_2d(); ++normal) {
    const int u = (normal + 1) % 3, v = (normal + 2) % 3;
    const auto stops = [&](int axis) {
      std::vector<double> places{frame.lo(axis)};
      for (const double value : ticks[static_cast<std::size_t>(axis)])
        if (const double at = frame.to_scene(axis, value); at > places.back() && at < frame.hi(axis))
          places.push_back(at);
      places.push_back(frame.hi(axis));
      return places;
    };
    const std::vector<double> across = stops(u), up = stops(v);
    for (const bool high : {false, true})
      for (std::size_t i = 0; i + 1 < across.size(); ++i)
        for (std::size_t j = 0; j + 1 < up.size(); ++j) {
          // From outside, the corners run counterclockwise.
          const double first = high ? across[i] : across[i + 1], second = high ? across[i + 1] : across[i];
          std::array<std::array<double, 3>, 4> corners{};
          for (std::size_t c = 0; c < 4; ++c) {
            corners[c][normal] = high ? frame.hi(normal) : frame.lo(normal);
            corners[c][u] = c == 1 || c == 2 ? second : first;
            corners[c][v] = c >= 2 ? up[j + 1] : up[j];
          }
          faces_.face(corners, mix(theme.base, theme.text, 0.025), 1);
        }
  }
  faces_.show_backs(mix(theme.base, theme.text, 0.16));
  faces_.finish(pixel);
  return true;
}

void PartitionShapes::add_to(vtkRenderer* renderer) {
  for (ShapeLayer* layer : {&cells_, &domain_, &lines_, &strong_lines_, &newest_, &fresh_, &tight_boxes_, &faces_})
    renderer->AddActor(layer->actor());
}

void PartitionShapes::clear() {
  for (ShapeLayer* layer : {&cells_, &domain_, &lines_, &strong_lines_, &newest_, &fresh_, &tight_boxes_, &faces_})
    layer->clear();
}

void PartitionShapes::rebuild(const Partition& partition, const Frame& frame, const NodeHeat& heat, const Theme& theme,
                              double pixel, PartitionParts parts) {
  clear();
  const bool flat = frame.is_2d();
  std::array<double, 3> lo{}, hi{};
  const auto rectangle = [&](int normal, double at, double depth) {
    // Returns the corners of the box's cross-section; in 2D, the "section" along z is the cell itself.
    const int u = (normal + 1) % 3, v = (normal + 2) % 3;
    std::array<std::array<double, 3>, 4> corners{};
    for (int i = 0; i < 4; ++i) {
      corners[i][normal] = at + depth;
      corners[i][u] = i == 1 || i == 2 ? hi[u] : lo[u];
      corners[i][v] = i >= 2 ? hi[v] : lo[v];
    }
    return corners;
  };

  if (flat && parts.cells) {
    // Settled cells are dimmed until all cells are settled.
    const bool finished = std::all_of(partition.cells().begin(), partition.cells().end(),
                                      [&](NodeId node) { return partition.nodes()[node.value].settled(); });
    for (NodeId node : partition.cells()) {
      if (!scene_box(partition, frame, node, lo, hi)) continue;
      const PartitionNode& info = partition.nodes()[node.value];
      Rgb ground = heat ? mix(ramp(heat.share_of_cell(node)), theme.base, 0.3) : area_colour(theme, info, finished);
      if (const double grown = parts.growth.of_children({info.parent}); !heat && grown < 1)
        ground = mix(ground, area_colour(theme, {.place = partition.nodes()[info.parent].place}, finished), 1 - grown);
      cells_.face(rectangle(2, 0, cell_depth), ground, 1);
    }
    cells_.finish(1);
  }
  if (parts.planes) {
    const bool many = partition.planes().size() > 40;
    for (const PartitionPlane& plane : partition.planes()) {
      if (plane.level < parts.first_plane_level) continue;
      const int axis = scene_plane(partition, frame, plane.node, plane.dim, plane.value, lo, hi);
      if (axis < 0) continue;
      const double at = lo[axis];
      const double grown = parts.growth.of(plane.node);
      for (int along = 0; along < 3 && grown < 1; ++along) {
        const double middle = (lo[along] + hi[along]) / 2;
        lo[along] = middle + grown * (lo[along] - middle);
        hi[along] = middle + grown * (hi[along] - middle);
      }
      if (flat) {
        std::array<double, 3> from = lo, to = hi;
        from[axis] = to[axis] = at;
        from[2] = to[2] = plane_depth + (plane.newest ? 0.005 : 0);
        if (plane.fresh)
          fresh_.line(from, to, theme.changed);
        else if (plane.newest)
          newest_.line(from, to, theme.new_plane);
        else if (plane.level < 2)
          strong_lines_.line(from, to, mix(theme.plane, theme.new_plane, 0.35));
        else
          lines_.line(from, to, theme.plane);
        continue;
      }
      // Only the edges of what the step itself makes have a colour: through a coloured face, a subtree would look like
      // another one. Many faces, and those of older planes, would hide what they divide.
      const Rgb colour = plane.fresh ? theme.changed : plane.newest ? theme.new_plane : theme.plane;
      const auto corners = rectangle(axis, at, 0);
      if (plane.fresh || plane.newest)
        faces_.face(corners, plane.fresh ? theme.plane : colour, (plane.fresh ? 0.2 : 0.09) / (many ? 3 : 1));
      ShapeLayer& edges = plane.fresh ? fresh_ : plane.newest ? newest_ : lines_;
      const Rgb edge = mix(colour, theme.base, plane.fresh ? 0 : plane.newest ? 0.2 : many ? 0.7 : 0.6);
      for (int i = 0; i < 4; ++i) edges.line(corners[i], corners[(i + 1) % 4], edge);
    }
    // The few lines of the top levels are thick; lines are thin where there are many.
    const std::size_t count = partition.planes().size();
    const double newest = count > 600 ? 1.3 : count > 60 ? (flat ? 2 : 1) : flat ? 3.5 : count > 20 ? 1.4 : 2.2;
    lines_.finish(pixel * (count > 200 ? 1 : flat ? 2 : 1.2));
    strong_lines_.finish(pixel * 2.5);
    newest_.finish(pixel * newest);
    fresh_.finish(pixel * (newest + (flat ? 1 : 0.6)));
    faces_.finish(1);
  }
  if (parts.tight_boxes && partition.cells().size() <= most_tight_boxes) {
    for (const NodeId node : partition.cells()) {
      if (!scene_tight_box(partition, frame, node, lo, hi)) continue;
      if (flat) lo[2] = hi[2] = tight_box_depth;
      // In 3D they are paler, because many of their lines lie in front of the points.
      const Rgb colour =
          heat ? ramp(heat.share_of_cell(node)) : tight_box_colour(theme, partition.nodes()[node.value].place);
      tight_boxes_.box_edges(lo, hi,
                             heat   ? mix(colour, theme.text, flat ? 0.5 : 0)
                             : flat ? colour
                                    : mix(colour, theme.base, 0.45));
    }
    tight_boxes_.finish(pixel * (!flat || partition.cells().size() > 200 ? 1 : 2));
  }
  if (parts.boxes && !flat && partition.cells().size() <= most_boxes) {
    // A little smaller than the cells, so that the boxes of two neighbours are seen
    constexpr double gap = 0.004;
    for (const NodeId node : partition.cells()) {
      if (!scene_box(partition, frame, node, lo, hi)) continue;
      for (int axis = 0; axis < 3; ++axis) {
        const double inside = std::min(gap, (hi[axis] - lo[axis]) / 4);
        lo[axis] += inside, hi[axis] -= inside;
      }
      const PartitionNode& info = partition.nodes()[node.value];
      const Rgb own = info.empty ? theme.line : subtree_colour(theme, info.place);
      const bool fades = parts.faded && node.value < parts.faded->size() && (*parts.faded)[node.value];
      tight_boxes_.box_edges(lo, hi, fades ? mix(own, theme.base, faded_share(theme)) : own);
    }
    tight_boxes_.finish(1.8 * pixel);
  }
  if (!flat)  // in 2D, the axes are the frame
    domain_.box_edges({frame.lo(0), frame.lo(1), frame.lo(2)}, {frame.hi(0), frame.hi(1), frame.hi(2)},
                      mix(theme.axis, theme.base, 0.45));
  domain_.finish(pixel);
}

}  // namespace kdscope
