#include "app/views/scene_view.hpp"

#include <QGuiApplication>
#include <QLabel>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QVBoxLayout>
#include <cmath>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/views/vtk_canvas.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

/// Why this machine cannot show VTK inside Qt; empty when it can.
QString reason_not_to_draw() {
  // On other platforms, Qt 6.4 crashes when a QOpenGLWidget is shown, and Debian's VTK supports only GLX.
  if (QGuiApplication::platformName() != QStringLiteral("xcb"))
    return SceneView::tr(
        "The 2D/3D view needs an X11 display.\nStart kdscope under X11 or XWayland (QT_QPA_PLATFORM=xcb).");
  QSurfaceFormat format;
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  QOpenGLContext context;
  context.setFormat(format);
  QOffscreenSurface surface;
  surface.create();
  if (!context.create() || !context.makeCurrent(&surface) || context.format().version() < qMakePair(3, 2))
    return SceneView::tr(
        "The 2D/3D view needs OpenGL 3.2.\nInstall Mesa's drivers (libgl1-mesa-dri) or check the display.");
  context.doneCurrent();
  return {};
}

}  // namespace

SceneView::SceneView(QWidget* parent)
    : QWidget(parent), scene_(std::make_unique<Scene>()), problem_(reason_not_to_draw()) {
  setAccessibleName(tr("2D/3D view"));
  setAccessibleDescription(
      tr("Points or triangles coloured by subtree, with split planes. Drag turns or moves, the wheel zooms, a click "
         "selects a point, a triangle, a split plane or a cell; more clicks go on to what lies below."));
  setAutoFillBackground(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  if (problem_.isEmpty()) {
    canvas_ = new VtkCanvas(*scene_);
    canvas_->setObjectName(QStringLiteral("canvas"));
    canvas_->setAccessibleName(accessibleName());
    canvas_->setAccessibleDescription(accessibleDescription());
    layout->addWidget(canvas_, 1);
    canvas_->picked = [this](const ScenePick& pick) { emit picked({pick.space, pick.index}); };
    canvas_->clicked = [this](QPointF at) {
      std::vector<double> pixel;
      auto place = coordinates_at(at, &pixel);
      if (!place) return;
      for (std::size_t d = 0; d < std::min(place->size(), pixel.size()); ++d)
        if (pixel[d] > 0) (*place)[d] = rounded_to_pixel((*place)[d], pixel[d]);
      emit place_clicked(*place, pixel);
    };
    canvas_->camera_moved = [this] { emit camera_changed(); };
  }
  message_ = plain_label(problem_);
  message_->setAlignment(Qt::AlignCenter);
  message_->setWordWrap(true);
  message_->setMinimumHeight(80);
  layout->addWidget(message_, 1);
  if (canvas_) canvas_->hide();  // until there is a step to show
  set_theme(ThemeId::light);
}

SceneView::~SceneView() { delete canvas_; }

void SceneView::show_message(const QString& text) {
  message_->setText(text);
  message_->setVisible(!text.isEmpty());
  if (canvas_) canvas_->setVisible(text.isEmpty());
}

void SceneView::show_step(const Cursor& cursor, std::span<const Highlight> added, const Concealment& concealed) {
  noting([&] {
    const Result<void> shown = scene_->show(cursor, added, concealed);
    if (canvas_) show_message(shown ? QString() : foreign_text(shown.error().message()));
    if (canvas_) canvas_->schedule_quickly();
  });
}

void SceneView::noting(const std::function<void()>& change) {
  const auto before = std::pair(note(), elongation());
  change();
  if (std::pair(note(), elongation()) != before) emit note_changed();
}

void SceneView::clear() {
  scene_->clear();
  if (canvas_) show_message({}), canvas_->hide();
  redraw();
  emit note_changed();
}

void SceneView::set_theme(ThemeId id) {
  scene_->set_theme(id);
  const Theme& t = theme(id);
  QPalette colours = palette();
  colours.setColor(QPalette::Window, QColor(t.base.r, t.base.g, t.base.b));
  colours.setColor(QPalette::WindowText, QColor(t.muted_text.r, t.muted_text.g, t.muted_text.b));
  setPalette(colours);
  redraw();
}

void SceneView::set_text_scale(double scale) {
  scene_->set_text_scale(scale);
  const double most = std::min(scale, 2.0);  // a small view holds no larger message
  message_->setFont(interface_font(static_cast<int>(100 * most), tokens::lesson_text));
  redraw();
}

void SceneView::set_camera_preset(CameraPreset preset) {
  scene_->set_camera_preset(preset);
  redraw();
  emit camera_changed();
}

void SceneView::set_axes(const Axes& axes) {
  axes_ = axes;
  place_axes();
}

void SceneView::set_flat(bool flat) {
  if (!axes_) axes_ = scene_->axes();
  flat_ = flat;
  place_axes();
}

void SceneView::place_axes() {
  const auto [x, y, z] = *axes_;
  noting([&] {
    if (scene_->set_axes({x, y, flat_ ? -1 : z})) redraw();
  });
}

void SceneView::set_options(const SceneOptions& options) {
  if (options == scene_->options()) return;
  noting([&] {
    scene_->set_options(options);
    redraw();
  });
}

void SceneView::set_growth(Growth growth) {
  if (scene_->set_growth(std::move(growth))) redraw();
}

const SceneOptions& SceneView::options() const { return scene_->options(); }

void SceneView::select_point(std::optional<PointId> point) {
  scene_->select_point(point);
  redraw();
}

void SceneView::select(std::vector<PointId> points, std::optional<NodeId> node, std::vector<std::uint32_t> triangles,
                       std::optional<PlaneMark> plane) {
  scene_->select(std::move(points), node, std::move(triangles), plane);
  redraw();
}

void SceneView::show_edits(std::vector<EditMark> marks) {
  scene_->show_edits(std::move(marks));
  redraw();
}

void SceneView::show_overlay(const std::string& writer, Overlay overlay) {
  scene_->show_overlay(writer, std::move(overlay));
  redraw();
}

QWidget* SceneView::canvas() const { return canvas_; }

std::optional<PointId> SceneView::point_at(QPointF at) const {
  if (!canvas_) return std::nullopt;
  const QPointF device = canvas_->to_device(at);
  return scene_->pick(device.x(), device.y());
}

std::optional<std::vector<double>> SceneView::coordinates_at(QPointF at, std::vector<double>* pixel) const {
  if (!canvas_) return std::nullopt;
  const QPointF device = canvas_->to_device(at);
  return scene_->coordinates_at(device.x(), device.y(), pixel);
}

std::optional<QPointF> SceneView::place_of(const std::vector<double>& coordinates) const {
  const auto at = canvas_ ? scene_->place_of(coordinates) : std::nullopt;
  return at ? std::optional(canvas_->from_device({(*at)[0], (*at)[1]})) : std::nullopt;
}

std::optional<SightLine> SceneView::line_of_sight(QPointF at) const {
  if (!canvas_) return std::nullopt;
  const QPointF device = canvas_->to_device(at);
  return scene_->line_of_sight(device.x(), device.y());
}

double SceneView::reach() const { return canvas_ ? scene_->reach() / canvas_->devicePixelRatioF() : 0; }

std::optional<PointId> SceneView::selected_point() const { return scene_->selected_point(); }
CameraState SceneView::camera() const { return scene_->camera(); }

void SceneView::set_camera(const CameraState& camera) {
  scene_->set_camera(camera);
  redraw();
}

void SceneView::look_at(const std::vector<double>& place, double radius) {
  scene_->look_at(place, radius);
  redraw();
}

std::optional<QPointF> SceneView::on_widget(std::optional<std::array<double, 2>> device) const {
  if (!device || !canvas_) return std::nullopt;
  return canvas_->mapTo(this, canvas_->from_device({(*device)[0], (*device)[1]}));
}

std::optional<QPointF> SceneView::place_of_point(PointId point) const {
  return on_widget(scene_->place_of_point(point));
}
std::optional<QPointF> SceneView::place_of_plane(NodeId node) const { return on_widget(scene_->place_of_plane(node)); }
std::optional<QPointF> SceneView::place_of_cell(NodeId node) const { return on_widget(scene_->place_of_cell(node)); }
std::optional<QPointF> SceneView::place_of_triangle(std::uint32_t triangle) const {
  return on_widget(scene_->place_of_triangle(triangle));
}
unsigned long SceneView::times_drawn() const { return scene_->times_drawn(); }
const std::vector<PointId>& SceneView::selected_points() const { return scene_->selected_points(); }
std::optional<NodeId> SceneView::selected_node() const { return scene_->selected_node(); }

bool SceneView::can_draw() const { return canvas_ != nullptr; }
QString SceneView::problem() const { return problem_; }
QImage SceneView::picture() {
  if (!canvas_ || !canvas_->isVisible()) return grab().toImage();
  canvas_->rest();
  return canvas_->grabFramebuffer();
}
std::size_t SceneView::points_drawn() const { return scene_->points_drawn(); }
std::vector<std::pair<std::string, double>> SceneView::texts() const {
  auto texts = scene_->texts();
  for (auto& [words, pixels] : texts) pixels /= devicePixelRatioF();
  return texts;
}
QString SceneView::note() const { return foreign_text(scene_->note()); }

void SceneView::redraw() {
  if (canvas_) canvas_->schedule();
}

double rounded_to_pixel(double value, double pixel) {
  const double unit = std::pow(10.0, std::floor(std::log10(pixel)));
  return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
}

}  // namespace kdscope
