#include "visualizer/scene/annotations.hpp"

#include <vtkCellData.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty2D.h>
#include <vtkRenderer.h>
#include <vtkTextProperty.h>
#include <vtkTextRenderer.h>
#include <vtkWindow.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

/// Returns the file of the window's face, or of the one that replaces it, where Debian installs them; an empty string
/// if it has neither: VTK then uses a font of its own, with less clear digits. VTK reads files, not names of faces.
const std::string& font_file(bool bold) {
  static const auto first_of = [](std::initializer_list<const char*> paths) {
    for (const char* path : paths)
      if (std::filesystem::exists(path)) return std::string(path);
    return std::string();
  };
  static const std::string regular = first_of({"/usr/share/fonts/truetype/open-sans/OpenSans-Regular.ttf",
                                               "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"}),
                           strong = first_of({"/usr/share/fonts/truetype/open-sans/OpenSans-Bold.ttf",
                                              "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"});
  return bold ? strong : regular;
}

void apply(const TextStyle& style, vtkTextProperty* p) {
  if (font_file(style.bold).empty()) {
    p->SetFontFamilyToArial();
  } else {
    p->SetFontFamily(VTK_FONT_FILE);
    p->SetFontFile(font_file(style.bold).c_str());
  }
  p->SetFontSize(std::max(6, static_cast<int>(std::lround(style.size))));
  p->SetBold(style.bold);
  p->SetColor(style.colour.r / 255.0, style.colour.g / 255.0, style.colour.b / 255.0);
  p->SetOpacity(style.opacity);
  p->SetJustification(style.across == Align::start ? VTK_TEXT_LEFT
                      : style.across == Align::end ? VTK_TEXT_RIGHT
                                                   : VTK_TEXT_CENTERED);
  p->SetVerticalJustification(style.up == Align::start ? VTK_TEXT_BOTTOM
                              : style.up == Align::end ? VTK_TEXT_TOP
                                                       : VTK_TEXT_CENTERED);
  if (style.ground) p->SetBackgroundColor(style.ground->r / 255.0, style.ground->g / 255.0, style.ground->b / 255.0);
  p->SetBackgroundOpacity(style.ground ? 1 : 0);
}

}  // namespace

void PixelLayer::add_to(vtkRenderer* renderer) { renderer_ = renderer; }

void PixelLayer::begin() {
  used_texts_ = 0;
  written_.clear();
  rooms_.clear();
  kept_.clear();
  strokes_.clear();
}

void PixelLayer::text(const std::string& words, double x, double y, const TextStyle& style) {
  if (words.empty()) return;
  if (style.halo) {
    TextStyle rim = style;
    rim.colour = *style.halo;
    const double wide = std::max(1.0, std::round(style.size / 12));
    for (const auto& [across, up] : {std::pair{-1, -1}, {-1, 1}, {1, -1}, {1, 1}})
      write(words, x + across * wide, y + up * wide, rim);
  }
  write(words, x, y, style);
  written_.emplace_back(words, style.size);
  rooms_.push_back(room(words, x, y, style));
}

void PixelLayer::write(const std::string& words, double x, double y, const TextStyle& style) {
  if (used_texts_ == texts_.size()) {
    texts_.push_back(vtkSmartPointer<vtkTextActor>::New());
    texts_.back()->PickableOff();
    texts_.back()->SetTextScaleModeToNone();
    renderer_->AddActor2D(texts_.back());
  }
  vtkTextActor* actor = texts_[used_texts_++];
  actor->SetInput(words.c_str());
  apply(style, actor->GetTextProperty());
  actor->SetDisplayPosition(static_cast<int>(std::lround(x)), static_cast<int>(std::lround(y)));
  actor->VisibilityOn();
}

Room PixelLayer::room(const std::string& words, double x, double y, const TextStyle& style) const {
  vtkNew<vtkTextProperty> property;
  apply(style, property);
  int box[4]{};  // left, right, bottom and top from the place
  vtkWindow* window = renderer_ ? renderer_->GetVTKWindow() : nullptr;
  if (vtkTextRenderer* renderer = vtkTextRenderer::GetInstance())
    renderer->GetBoundingBox(property, words, box, window ? window->GetDPI() : 72);
  return {x + box[0], y + box[2], x + box[1] + 1, y + box[3] + 1};
}

bool PixelLayer::free(const Room& room) const {
  const auto taken = [&](const Room& other) { return room.overlaps(other); };
  return std::none_of(rooms_.begin(), rooms_.end(), taken) && std::none_of(kept_.begin(), kept_.end(), taken);
}

void PixelLayer::line(double x0, double y0, double x1, double y1, Rgb colour, double width, bool under) {
  lines({{x0, y0}, {x1, y1}}, colour, width, under);
}

void PixelLayer::lines(std::vector<std::array<double, 2>> places, Rgb colour, double width, bool under) {
  // VTK does not smooth lines in the window's pixels: a paler edge hides their steps. Upright and level ones have none.
  constexpr double edge = 0.8;
  constexpr unsigned char pale = 110;
  const bool has_steps =
      places.size() > 2 || (places.front()[0] != places.back()[0] && places.front()[1] != places.back()[1]);
  if (has_steps && !under) strokes_.push_back({places, colour, width + edge, under, pale});
  strokes_.push_back({std::move(places), colour, width, under});
}

void PixelLayer::circle(double x, double y, double radius, Rgb colour, double width, bool under) {
  std::vector<std::array<double, 2>> around;
  constexpr int corners = 48;
  for (int i = 0; i <= corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    around.push_back({x + radius * std::cos(angle), y + radius * std::sin(angle)});
  }
  lines(std::move(around), colour, width, under);
}

void PixelLayer::end() {
  for (std::size_t i = used_texts_; i < texts_.size(); ++i) texts_[i]->VisibilityOff();
  std::vector<std::pair<bool, double>> widths;  // whether above, and the width
  for (const bool above : {false, true})
    for (const Stroke& s : strokes_)
      if (const std::pair key(above, s.width); s.under != above && std::ranges::count(widths, key) == 0)
        widths.push_back(key);
  while (stroke_actors_.size() < widths.size()) {
    StrokeActor made{0, vtkSmartPointer<vtkActor2D>::New(), vtkSmartPointer<vtkPolyData>::New()};
    vtkNew<vtkPolyDataMapper2D> mapper;
    mapper->SetInputData(made.data);
    mapper->SetScalarModeToUseCellData();
    mapper->SetColorModeToDirectScalars();
    made.actor->SetMapper(mapper);
    made.actor->PickableOff();
    renderer_->AddActor2D(made.actor);
    stroke_actors_.push_back(std::move(made));
    for (const auto& text : texts_) {  // texts come last, so that no line goes through a word
      renderer_->RemoveActor2D(text);
      renderer_->AddActor2D(text);
    }
  }
  for (std::size_t i = 0; i < stroke_actors_.size(); ++i) {
    StrokeActor& drawn = stroke_actors_[i];
    drawn.actor->SetVisibility(i < widths.size());
    if (i >= widths.size()) continue;
    vtkNew<vtkPoints> points;
    vtkNew<vtkCellArray> lines;
    vtkNew<vtkUnsignedCharArray> colours;
    colours->SetNumberOfComponents(4);
    for (const Stroke& s : strokes_) {
      if (s.under == widths[i].first || s.width != widths[i].second) continue;
      lines->InsertNextCell(static_cast<int>(s.places.size()));
      for (const auto& p : s.places) lines->InsertCellPoint(points->InsertNextPoint(p[0], p[1], 0));
      const unsigned char c[4]{s.colour.r, s.colour.g, s.colour.b, s.opacity};
      colours->InsertNextTypedTuple(c);
    }
    drawn.data->SetPoints(points);
    drawn.data->SetLines(lines);
    drawn.data->GetCellData()->SetScalars(colours);
    drawn.actor->GetProperty()->SetLineWidth(static_cast<float>(std::max(1.0, widths[i].second)));
  }
}

namespace {

struct Pixel {
  double x = 0, y = 0;
};

double text_width(const std::vector<std::string>& texts, double size) {
  std::size_t widest = 0;
  for (const std::string& t : texts) widest = std::max(widest, t.size());
  return widest_character * size * static_cast<double>(widest);
}

std::optional<Pixel> on_screen(const Projection& projection, const std::array<double, 3>& at) {
  const float scene[3]{static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])};
  Pixel p;
  double depth = 0;
  if (!projection.project(scene, p.x, p.y, depth)) return std::nullopt;
  return p;
}

struct AxisPainter {
  PixelLayer& layer;
  const Frame& frame;
  const Projection& projection;
  const Theme& theme;
  const Measures& m;
  std::vector<double> draw(int axis, const std::string& name, std::array<double, 3> a, std::array<double, 3> b,
                           Pixel out) const;
};

/// Draws one axis along the edge from `a` to `b`, with its texts on the side to which `out` points. Returns its ticks.
std::vector<double> AxisPainter::draw(int axis, const std::string& name, std::array<double, 3> a,
                                      std::array<double, 3> b, Pixel out) const {
  const auto from = on_screen(projection, a), to = on_screen(projection, b);
  if (!from || !to) return {};
  const double length = std::hypot(to->x - from->x, to->y - from->y);
  if (length < (frame.is_2d() ? 4 : 1.5) * m.text) return {};
  layer.line(from->x, from->y, to->x, to->y, theme.axis, std::round(1.5 * m.pixel));

  const bool level = std::abs(out.y) > std::abs(out.x);  // texts are below or above the axis
  TextStyle style;
  style.size = m.text;
  style.colour = theme.text;
  style.across = std::abs(out.x) < 0.35 ? Align::centre : out.x < 0 ? Align::end : Align::start;
  style.up = std::abs(out.y) < 0.35 ? Align::centre : out.y < 0 ? Align::end : Align::start;
  // Only the part inside the window has ticks, so that zooming in refines them.
  const double world_a = frame.to_world(axis, a[axis]), world_b = frame.to_world(axis, b[axis]);
  double t0 = 0, t1 = 1;
  const auto clip = [&](double start, double end, double limit) {
    const double d = end - start;
    if (std::abs(d) < 1e-9) return;
    const double u = (0 - start) / d, v = (limit - start) / d;
    t0 = std::max(t0, std::min(u, v));
    t1 = std::min(t1, std::max(u, v));
  };
  clip(from->x, to->x, projection.width);
  clip(from->y, to->y, projection.height);
  if (t1 <= t0) return {};
  const double lo = world_a + (world_b - world_a) * t0, hi = world_a + (world_b - world_a) * t1;
  // Choose as many ticks as their texts have room for, side by side or one above the other.
  const double room = length * (t1 - t0);
  int count = std::max(3, static_cast<int>(room / ((level ? 4 : 3) * m.text)));
  std::vector<double> values = tick_values(lo, hi, count);
  std::vector<std::string> texts = tick_texts(values);
  // In 3D, oblique axes need room across or up.
  const double across = std::abs(to->x - from->x) / length * room, up = std::abs(to->y - from->y) / length * room;
  const auto crowded = [&] {
    const double gaps = static_cast<double>(texts.size()) - 1, apart = texts.size() > 3 ? 1 : 0.25;
    const bool beside = text_width(texts, m.text) + apart * m.text <= across / gaps;
    return level ? !beside : !frame.is_2d() && !beside && 1.3 * m.text > up / gaps;
  };
  const auto choose = [&](int wanted) {
    count = wanted;
    values = tick_values(lo, hi, count);
    texts = tick_texts(values);
  };
  // Round steps may leave one tick, which shows no scale.
  while (!frame.is_2d() && texts.size() < 3 && count < 12) choose(count + 1);
  while (count > 1 && texts.size() > 1 && crowded()) choose(count - 1);
  const double tick = 0.4 * m.text, gap = 0.75 * m.text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::array<double, 3> at = a;
    at[axis] = frame.to_scene(axis, values[i]);
    const auto p = on_screen(projection, at);
    if (!p) continue;
    layer.line(p->x, p->y, p->x + tick * out.x, p->y + tick * out.y, theme.axis, std::round(1.5 * m.pixel));
    const double x = p->x + gap * out.x, y = p->y + gap * out.y;
    if (layer.free(layer.room(texts[i], x, y, style))) layer.text(texts[i], x, y, style);
  }
  if (m.low && frame.is_2d()) {
    style.bold = true;
    style.across = level ? Align::start : Align::centre;
    style.up = level ? Align::centre : Align::start;
    layer.text(name, to->x + (level ? 0.5 * m.text : 0), to->y + (level ? 0 : 0.3 * m.text), style);
    return values;
  }
  const double clear = gap + (level ? 1.7 * m.text : text_width(texts, m.text) + 0.9 * m.text);
  style.bold = true;
  style.size = 1.15 * m.text;
  // Ticks of another axis may stand there.
  double away = clear;
  const auto middle = [&](double f, double t, double along) { return (f + t) / 2 + away * along; };
  while (away < clear + 1.5 * m.text &&
         !layer.free(layer.room(name, middle(from->x, to->x, out.x), middle(from->y, to->y, out.y), style)))
    away += 0.25 * m.text;
  layer.text(name, middle(from->x, to->x, out.x), middle(from->y, to->y, out.y), style);
  return values;
}

}  // namespace

double tick_width(const Frame& frame, int axis, double size) {
  return text_width(
      tick_texts(tick_values(frame.to_world(axis, frame.lo(axis)), frame.to_world(axis, frame.hi(axis)), 8)), size);
}

Ticks draw_axes(PixelLayer& layer, const Frame& frame, std::uint32_t dim, const Projection& projection,
                const Theme& theme, const Measures& m) {
  Ticks ticks;
  const auto corner = [&](int bits) {
    return std::array<double, 3>{bits & 1 ? frame.hi(0) : frame.lo(0), bits & 2 ? frame.hi(1) : frame.lo(1),
                                 bits & 4 ? frame.hi(2) : frame.lo(2)};
  };
  const std::array<double, 3> middle{(frame.lo(0) + frame.hi(0)) / 2, (frame.lo(1) + frame.hi(1)) / 2,
                                     (frame.lo(2) + frame.hi(2)) / 2};
  const auto centre = on_screen(projection, middle);
  if (!centre) return ticks;
  const AxisPainter painter{layer, frame, projection, theme, m};
  for (int axis = 0; axis < 3; ++axis) {
    const int d = frame.dims()[axis];
    if (d < 0) continue;
    if (frame.is_2d()) {
      ticks[axis] = painter.draw(axis, coordinate_name(d, dim), corner(0), corner(1 << axis),
                                 axis == 0 ? Pixel{0, -1} : Pixel{-1, 0});
      continue;
    }
    // Choose the outermost of the four parallel edges: preferably low for level axes, left or right for upright axes.
    int best = -1;
    double best_score = -1e300;
    Pixel best_out;
    for (int bits = 0; bits < 8; ++bits) {
      if (bits & (1 << axis)) continue;
      const auto p = on_screen(projection, corner(bits)), q = on_screen(projection, corner(bits | 1 << axis));
      if (!p || !q) continue;
      const double ex = q->x - p->x, ey = q->y - p->y, length = std::hypot(ex, ey);
      if (length < 1) continue;
      Pixel out{-ey / length, ex / length};
      const double mx = (p->x + q->x) / 2 - centre->x, my = (p->y + q->y) / 2 - centre->y;
      if (out.x * mx + out.y * my < 0) out = {-out.x, -out.y};
      const bool upright = std::abs(ey) > 2 * std::abs(ex);
      const double score = out.x * mx + out.y * my + (upright ? -0.25 * mx : -1.0 * my);
      if (score > best_score) {
        best_score = score;
        best = bits;
        best_out = out;
      }
    }
    if (best < 0) continue;
    ticks[axis] = painter.draw(axis, coordinate_name(d, dim), corner(best), corner(best | 1 << axis), best_out);
  }
  return ticks;
}

}  // namespace kdscope
