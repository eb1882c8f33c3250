#include "visualizer/scene/point_cloud.hpp"

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkOpenGLPolyDataMapper.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkProperty.h>
#include <vtkShaderProperty.h>
#include <vtkUniforms.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace kdscope {
namespace {

/// Is added to the code of a faint mark's glyph. There are fewer glyphs.
constexpr int faint_glyph = 32;

void set_uniform(vtkUniforms& uniforms, const char* name, double value) {
  uniforms.SetUniformf(name, static_cast<float>(value));
}

void set_uniform(vtkUniforms& uniforms, const char* name, Rgb c) {
  const float rgb[3]{static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255};
  uniforms.SetUniform3f(name, rgb);
}

}  // namespace

PointMarks::PointMarks() {
  colours_->SetNumberOfComponents(3);
  data_->SetPoints(vtkNew<vtkPoints>());
  data_->GetPointData()->SetScalars(colours_);
  mapper_->SetInputData(data_);
  mapper_->SetColorModeToDirectScalars();
  actor_->SetMapper(mapper_);
  actor_->PickableOff();
  actor_->GetProperty()->LightingOff();
  actor_->GetProperty()->SetPointSize(3);
}

void PointMarks::style(Shape shape, double diameter, double outline, Rgb outline_colour, bool blend) {
  actor_->SetForceTranslucent(blend);
  actor_->SetForceOpaque(!blend);
  if (blend == blend_ && shape == shape_ && diameter == diameter_ && outline == outline_ &&
      outline_colour == outline_colour_)
    return;
  blend_ = blend;
  shape_ = shape;
  diameter_ = diameter;
  outline_ = outline;
  outline_colour_ = outline_colour;
  update_shader();
}

void PointMarks::set_mist(Rgb colour, double share) {
  if (colour == mist_colour_ && share == mist_share_) return;
  mist_colour_ = colour;
  mist_share_ = share;
  update_shader();
}

// Sizes and colours are uniforms: code with other numbers would be another program, which takes long to compile and
// stays in memory.
void PointMarks::update_shader() {
  vtkShaderProperty* shader = actor_->GetShaderProperty();
  shader->ClearAllShaderReplacements();
  actor_->GetProperty()->SetPointSize(static_cast<float>(std::max(1.0, diameter_ * (glyphs_ ? glyph_reach : 1))));
  vtkUniforms& uniforms = *shader->GetFragmentCustomUniforms();
  set_uniform(uniforms, "mark_radius", diameter_ / 2);
  set_uniform(uniforms, "mark_reach", glyphs_ ? glyph_reach : 1);
  set_uniform(uniforms, "mark_outline", outline_);
  set_uniform(uniforms, "outline_colour", outline_colour_);
  kdscope::set_mist(*actor_, mist_colour_, mist_share_);
  const bool mist = mist_share_ > 0;
  std::string code = std::string("//VTK::Color::Impl\n") + (mist ? far_glsl : "");
  if (shape_ == Shape::dot) {
    if (mist) shader->AddFragmentShaderReplacement("//VTK::Color::Impl", true, code + mist_glsl, false);
    return;
  }
  // Compute the distances in pixels from the mark's centre (`away`) and from its rim (`edge`); one pixel of the rim
  // fades out. The glyph is encoded as the difference to full opacity.
  code += std::string("  float radius = mark_radius") + (mist ? " * (1.0 - mist_shrunk * far)" : "") +
          ";\n"
          "  vec2 p = (2.0 * gl_PointCoord - 1.0) * mark_radius * mark_reach;\n"
          "  float away = length(p);\n";
  if (glyphs_)
    code += "  int code = int(255.5 - 255.0 * opacity), glyph = code % " + std::to_string(faint_glyph) +
            ";\n  opacity = 1.0;\n" + glyph_distance_glsl();
  else
    code += "  float edge = away - radius;\n";
  code += "  float cover = clamp(-edge, 0.0, 1.0);\n";
  if (shape_ == Shape::ring) code += "  cover *= clamp(edge + mark_outline + 1.0, 0.0, 1.0);\n";
  if (shape_ == Shape::ball)
    code +=
        "  float rise = sqrt(max(0.0, 1.0 - away * away / (radius * radius)));\n"
        "  float light = 0.62 + 0.38 * clamp(dot(vec3(p.x, -p.y, 0.0) / radius + vec3(0.0, 0.0, rise), "
        "normalize(vec3(-0.35, 0.5, 0.8))), 0.0, 1.0);\n"
        "  ambientColor *= light; diffuseColor *= light;\n";
  if (outline_ > 0 && shape_ != Shape::ring)
    code += "  float rim = clamp(edge + mark_outline + 0.5, 0.0, 1.0);\n" +
            (glyphs_ ? "  if (code >= " + std::to_string(faint_glyph) + ") rim *= 0.15;\n" : std::string()) +
            "  ambientColor = mix(ambientColor, vec3(0.0), rim);\n"
            "  diffuseColor = mix(diffuseColor, outline_colour, rim);\n";
  if (mist) code += mist_glsl;
  code += blend_ ? "  opacity *= cover;\n  if (cover <= 0.0) discard;\n" : "  if (cover < 0.5) discard;\n";
  shader->AddFragmentShaderReplacement("//VTK::Color::Impl", true, code, false);
}

void PointMarks::set_places(std::span<const float> places) {
  vtkNew<vtkFloatArray> coordinates;
  coordinates->SetNumberOfComponents(3);
  const auto count = static_cast<vtkIdType>(places.size() / 3);
  coordinates->SetNumberOfTuples(count);
  std::copy(places.begin(), places.end(), coordinates->GetPointer(0));
  vtkNew<vtkPoints> points;
  points->SetData(coordinates);
  data_->SetPoints(points);
  vtkNew<vtkCellArray> vertices;
  vertices->AllocateExact(1, count);
  vertices->InsertNextCell(static_cast<int>(count));
  for (vtkIdType i = 0; i < count; ++i) vertices->InsertCellPoint(i);
  data_->SetVerts(vertices);
  wants_colours_ = true;
  actor_->SetVisibility(count > 0);
}

void PointMarks::set_colours(std::span<const Rgb> colours) { set_colours(colours, {}); }

void PointMarks::set_colours(std::span<const Rgb> colours, std::span<const Glyph> glyphs,
                             const std::vector<bool>& faint) {
  wants_colours_ = false;
  if (glyphs_ == glyphs.empty()) {
    glyphs_ = !glyphs.empty();
    update_shader();
  }
  colours_->SetNumberOfComponents(glyphs_ ? 4 : 3);
  colours_->SetNumberOfTuples(static_cast<vtkIdType>(colours.size()));
  unsigned char* to = colours_->GetPointer(0);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    *to++ = colours[i].r;
    *to++ = colours[i].g;
    *to++ = colours[i].b;
    const int faint_code = i < faint.size() && faint[i] ? faint_glyph : 0;
    if (glyphs_) *to++ = static_cast<unsigned char>(255 - static_cast<int>(glyphs[i]) - faint_code);
  }
  colours_->Modified();
}

std::vector<float> place_points(const TypedArray& points, std::uint32_t dim, const Frame& frame) {
  const std::size_t n = dim ? points.size() / dim : 0;
  std::vector<float> places(3 * n, 0.0f);
  for (int axis = 0; axis < 3; ++axis) {
    const int d = frame.dims()[axis];
    if (d < 0) continue;
    for (std::size_t i = 0; i < n; ++i)
      places[3 * i + axis] = static_cast<float>(frame.to_scene(axis, points.number(i * dim + d)));
  }
  return places;
}

std::vector<std::uint32_t> points_in_sight(std::span<const float> places, const Projection& projection, double diameter,
                                           bool flat) {
  // OpenGL computes in single precision, snaps places to parts of a pixel, and may round sizes. So a mark covers only
  // the pixels that it reaches in any case, and it is hidden only if all pixels that it may reach are covered.
  constexpr double slack = 1.0 / 64, depth_slack = 1e-5;
  const double size = std::max(1.0, diameter), whole = std::round(size);
  const double sure = std::min(size, whole) / 2 - slack, possible = std::max(size, whole) / 2 + slack;
  const int width = static_cast<int>(projection.width), height = static_cast<int>(projection.height);
  std::vector<float> front(std::size_t(width) * std::size_t(height), 2.0f);  // the nearest depth, by pixel
  double x = 0, y = 0, depth = 0;
  // Visits the pixels with their centres at most `reach` from (x, y) in each direction, until `stops` returns true.
  const auto any_pixel = [&](double reach, auto&& stops) {
    const auto first = [&](double at) { return std::max(0, static_cast<int>(std::ceil(at - reach - 0.5))); };
    const int right = std::min(width, static_cast<int>(std::floor(x + reach + 0.5)));
    const int top = std::min(height, static_cast<int>(std::floor(y + reach + 0.5)));
    for (int row = first(y); row < top; ++row)
      for (int column = first(x); column < right; ++column)
        if (stops(front[std::size_t(row) * std::size_t(width) + std::size_t(column)])) return true;
    return false;
  };
  const auto places_point = [&](std::size_t i) {
    return projection.project(&places[3 * i], x, y, depth) && std::abs(depth) <= 1 + depth_slack && x > -possible &&
           y > -possible && x < width + possible && y < height + possible;
  };
  // A mark whose middle may be outside the window or the depth range may be cut off.
  const auto cover = [&] {
    if (x < slack || y < slack || x > width - slack || y > height - slack || std::abs(depth) > 1 - depth_slack) return;
    any_pixel(sure, [&](float& nearest) { return nearest = std::min(nearest, static_cast<float>(depth)), false; });
  };
  const std::size_t n = places.size() / 3;
  for (std::size_t i = 0; !flat && i < n; ++i)
    if (places_point(i)) cover();
  std::vector<std::uint32_t> in_sight;
  for (std::size_t i = n; i-- > 0;) {
    if (!places_point(i)) continue;
    // In a plane, only later points are in `front` yet.
    if (!any_pixel(possible, [&](float nearest) { return flat ? nearest > 1 : depth <= nearest + depth_slack; }))
      continue;
    in_sight.push_back(static_cast<std::uint32_t>(i));
    if (flat) cover();
  }
  std::reverse(in_sight.begin(), in_sight.end());
  return in_sight;
}

std::optional<PointId> pick_point(std::span<const float> places, const Projection& projection, double x, double y,
                                  double reach) {
  std::optional<PointId> best;
  double best_distance = reach, best_depth = 2;
  // Most points are far from the cursor: reject these by a few products each, without a division.
  const double* m = projection.matrix.data();
  const double cx = 2 * x / projection.width - 1, cy = 2 * y / projection.height - 1;
  const double rx = 2 * (reach + 1) / projection.width, ry = 2 * (reach + 1) / projection.height;
  for (std::size_t i = 0; 3 * i < places.size(); ++i) {
    const double sx = places[3 * i], sy = places[3 * i + 1], sz = places[3 * i + 2];
    const double w = m[12] * sx + m[13] * sy + m[14] * sz + m[15];
    if (std::abs(m[0] * sx + m[1] * sy + m[2] * sz + m[3] - cx * w) > rx * w) continue;
    if (std::abs(m[4] * sx + m[5] * sy + m[6] * sz + m[7] - cy * w) > ry * w) continue;
    double px = 0, py = 0, depth = 0;
    if (!projection.project(&places[3 * i], px, py, depth) || depth < -1 || depth > 1) continue;
    const double distance = std::hypot(px - x, py - y);
    if (distance > reach) continue;
    // Compare marks under the cursor by depth, others by distance.
    const double counted = std::max(distance, reach / 2);
    if (!best || counted < best_distance || (counted == best_distance && depth < best_depth)) {
      best = PointId{static_cast<std::uint32_t>(i)};
      best_distance = counted;
      best_depth = depth;
    }
  }
  return best;
}

}  // namespace kdscope
