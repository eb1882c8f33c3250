#include "app/views/vtk_canvas.hpp"

#include <vtkCommand.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLPaintDevice>
#include <QPainter>
#include <QWheelEvent>
#include <cmath>
#include <utility>

#include "app/appearance/display_painter.hpp"

namespace kdscope {
namespace {

constexpr std::size_t fewest_while_moving = 20000;

}  // namespace

VtkCanvas::VtkCanvas(Scene& scene, QWidget* parent) : QOpenGLWidget(parent), scene_(scene) {
  QSurfaceFormat format;
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setAlphaBufferSize(8);
  setFormat(format);
  setMinimumSize(160, 120);
  setFocusPolicy(Qt::ClickFocus);

  window_->SetReadyForRendering(false);
  window_->SetOwnContext(0);
  window_->SetFrameBlitModeToNoBlit();
  window_->SetMultiSamples(0);
  window_->SetAlphaBitPlanes(1);
  // Qt's contexts are forward compatible and draw no wide lines: VTK must draw them itself.
  window_->SetForceMaximumHardwareLineWidth(1);
  observers_ = {window_->AddObserver(vtkCommand::WindowMakeCurrentEvent, this, &VtkCanvas::make_current),
                window_->AddObserver(vtkCommand::WindowIsCurrentEvent, this, &VtkCanvas::is_current),
                window_->AddObserver(vtkCommand::WindowSupportsOpenGLEvent, this, &VtkCanvas::supports_opengl),
                window_->AddObserver(vtkCommand::WindowFrameEvent, this, &VtkCanvas::frame_wanted)};
  scene_.attach(window_);
  scene_.set_text_width(text_width_in(font()));

  wheel_rest_.setSingleShot(true);
  wheel_rest_.setInterval(250);
  connect(&wheel_rest_, &QTimer::timeout, this, [this] { gesture_ended(); });
  step_rest_.setSingleShot(true);
  step_rest_.setInterval(150);
  connect(&step_rest_, &QTimer::timeout, this, [this] { rest(); });
}

VtkCanvas::~VtkCanvas() {
  release_context();
  // The base class's destructor destroys the context, when there is no VtkCanvas left to call.
  if (context()) disconnect(context(), nullptr, this, nullptr);
  for (unsigned long observer : observers_) window_->RemoveObserver(observer);
  scene_.attach(nullptr);
}

void VtkCanvas::changeEvent(QEvent* event) {
  // The first font is the system's, which the window replaces: texts of other widths would have wrong grounds
  if (event->type() == QEvent::FontChange) scene_.set_text_width(text_width_in(font()));
  QOpenGLWidget::changeEvent(event);
}

void VtkCanvas::schedule() {
  dirty_ = true;
  update();
}

void VtkCanvas::schedule_quickly() {
  if (scene_.samples_while_stepping()) {
    scene_.set_moving(true);
    step_rest_.start();
  }
  schedule();
}

void VtkCanvas::rest() {
  step_rest_.stop();
  if (dragging_ || wheel_rest_.isActive() || !scene_.moving()) return;
  scene_.set_moving(false);
  schedule();
}

QPointF VtkCanvas::to_device(QPointF at) const {
  const double ratio = devicePixelRatioF();
  return {at.x() * ratio, (height() - at.y()) * ratio};
}

QPointF VtkCanvas::from_device(QPointF at) const {
  const double ratio = devicePixelRatioF();
  return {at.x() / ratio, height() - at.y() / ratio};
}

void VtkCanvas::initializeGL() {
  // Direct, because the context would be gone when a queued call arrives.
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &VtkCanvas::release_context,
          static_cast<Qt::ConnectionType>(Qt::DirectConnection | Qt::UniqueConnection));
  window_->SetReadyForRendering(true);
  window_->GetState()->Reset();
  window_->OpenGLInitContext();
  ready_ = dirty_ = true;
}

void VtkCanvas::release_context() {
  if (!ready_) return;
  ready_ = false;
  makeCurrent();
  window_->Finalize();
  window_->SetReadyForRendering(false);
  doneCurrent();
}

void VtkCanvas::resizeGL(int width, int height) {
  const double ratio = devicePixelRatioF();
  window_->SetSize(static_cast<int>(std::lround(width * ratio)), static_cast<int>(std::lround(height * ratio)));
  scene_.set_pixel_ratio(ratio);
  dirty_ = true;
}

// Qt paints at once for each size that a layout tries, and again when it shows the last one.
void VtkCanvas::resizeEvent(QResizeEvent* event) {
  resizing_ = true;
  QOpenGLWidget::resizeEvent(event);
  resizing_ = false;
  schedule();
}

void VtkCanvas::paintGL() {
  if (resizing_) return;
  vtkOpenGLState* state = window_->GetState();
  state->Reset();
  state->Push();
  state->vtkglDepthFunc(GL_LEQUAL);
  painting_ = true;
  if (dirty_) draw();
  dirty_ = painting_ = false;

  makeCurrent();
  QOpenGLFunctions* gl = context()->functions();
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, defaultFramebufferObject());
  const int *size = window_->GetSize(), width = size[0], height = size[1];
  state->vtkglDisable(GL_SCISSOR_TEST);
  state->vtkglViewport(0, 0, width, height);
  window_->BlitDisplayFramebuffer(0, 0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  // Make every pixel opaque: the desktop would shine through those that VTK left translucent.
  gl->glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
  state->vtkglColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  state->vtkglClearColor(0, 0, 0, 1);
  gl->glClear(GL_COLOR_BUFFER_BIT);
  state->vtkglColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  // Not on the widget, because grab() would redirect that painter.
  QOpenGLPaintDevice device(width, height);
  QPainter(&device).drawImage(0, 0, annotations_);
  state->Pop();
}

/// Measures how long a moving picture takes, so that gesture_ended() can make it take about as long as a frame of a
/// film. The sample of points changes only between movements: within one, points would flicker.
void VtkCanvas::draw() {
  const bool measured = scene_.moving() && scene_.samples_while_moving();
  QElapsedTimer timer;
  timer.start();
  window_->Render();
  annotations_ = QImage(window_->GetSize()[0], window_->GetSize()[1], QImage::Format_ARGB32_Premultiplied);
  annotations_.fill(Qt::transparent);
  QPainter painter(&annotations_);
  painter.setRenderHint(QPainter::Antialiasing);
  paint_display_list(painter, scene_.annotations(), theme(scene_.theme_id()), font());
  painter.end();
  if (!measured) return;
  context()->functions()->glFinish();
  quickest_frame_ms_ = std::min(quickest_frame_ms_, static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

// QOpenGLWidget::makeCurrent() would bind Qt's framebuffer while VTK builds its own.
void VtkCanvas::make_current(vtkObject*, unsigned long, void*) {
  if (context() && QOpenGLContext::currentContext() != context() && context()->surface())
    context()->makeCurrent(context()->surface());
}

void VtkCanvas::is_current(vtkObject*, unsigned long, void* answer) {
  *static_cast<bool*>(answer) = context() && QOpenGLContext::currentContext() == context();
}

void VtkCanvas::supports_opengl(vtkObject*, unsigned long, void* answer) { *static_cast<int*>(answer) = 1; }

void VtkCanvas::frame_wanted(vtkObject*, unsigned long, void*) {
  if (!painting_) update();
}

void VtkCanvas::mousePressEvent(QMouseEvent* event) {
  pressed_ = last_ = event->position();
  dragging_ = double_clicked_ = false;
}

void VtkCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() == Qt::NoButton) return;
  if (!dragging_ && (event->position() - pressed_).manhattanLength() < QApplication::startDragDistance()) return;
  dragging_ = true;
  scene_.set_moving(true);
  const QPointF moved = (event->position() - last_) * devicePixelRatioF();
  last_ = event->position();
  const bool turns = !scene_.is_2d() && event->buttons() == Qt::LeftButton && !(event->modifiers() & Qt::ShiftModifier);
  if (turns)
    scene_.rotate(moved.x() / devicePixelRatioF(), -moved.y() / devicePixelRatioF());
  else
    scene_.pan(moved.x(), -moved.y());
  schedule();
}

void VtkCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (dragging_) {
    if (event->buttons() == Qt::NoButton) gesture_ended();
    return;
  }
  if (event->button() != Qt::LeftButton || !picked) return;
  if (std::exchange(double_clicked_, false)) return;
  // Another click at the same place picks what lies below.
  if (clicked) clicked(event->position());
  const QPointF at = to_device(event->position());
  std::vector<ScenePick> under = scene_.pick_all(at.x(), at.y());
  const bool again = under == under_click_ &&
                     (event->position() - clicked_).manhattanLength() < QApplication::startDragDistance() &&
                     picked_ < under.size() && is_selected(under[picked_]);
  picked_ = again ? (picked_ + 1) % under.size() : 0;
  under_click_ = std::move(under);
  clicked_ = event->position();
  picked(under_click_.empty() ? ScenePick() : under_click_[picked_]);
}

bool VtkCanvas::is_selected(const ScenePick& pick) const {
  if (pick.space == Space::triangle) return scene_.selected_triangles() == std::vector{pick.index};
  return pick.space == Space::point ? scene_.selected_point() == PointId{pick.index}
                                    : scene_.selected_node() == NodeId{pick.index};
}

void VtkCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  double_clicked_ = true;
  const QPointF at = to_device(event->position());
  if (scene_.pick(at.x(), at.y())) return;
  scene_.set_camera_preset(CameraPreset::reset);
  gesture_ended();
}

void VtkCanvas::wheelEvent(QWheelEvent* event) {
  const QPointF at = to_device(event->position());
  scene_.set_moving(true);
  scene_.zoom(std::pow(1.0015, event->angleDelta().y()), at.x(), at.y());
  wheel_rest_.start();
  schedule();
  event->accept();
}

void VtkCanvas::gesture_ended() {
  dragging_ = false;
  const double ms = std::exchange(quickest_frame_ms_, 1e9);
  if (ms > 60 && ms < 1e9)
    scene_.set_points_while_moving(std::max(fewest_while_moving, scene_.points_while_moving() / 2));
  if (ms < 12) scene_.set_points_while_moving(scene_.points_while_moving() * 2);
  scene_.set_moving(false);
  schedule();
  if (camera_moved) camera_moved();
}

}  // namespace kdscope
