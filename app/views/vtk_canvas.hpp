#pragma once
// The QOpenGLWidget under the 2D/3D view: gives VTK a window inside Qt's and turns mouse input into camera moves.

#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>

#include <QImage>
#include <QOpenGLWidget>
#include <QTimer>
#include <functional>

#include "visualizer/scene/scene.hpp"

namespace kdscope {

/// Hosts a scene. The OpenGL context may come and go (undocking destroys it); VTK's side is rebuilt each time.
class VtkCanvas : public QOpenGLWidget {
 public:
  explicit VtkCanvas(Scene& scene, QWidget* parent = nullptr);
  ~VtkCanvas() override;

  /// Draws at the next chance; until then the last picture stays.
  void schedule();
  /// The same for one of many pictures: draws a sample of a large cloud, and every point once no more pictures follow.
  void schedule_quickly();
  /// Draws every point from the next picture on.
  void rest();
  /// Position in the widget -> device pixels from the lower left, and back.
  QPointF to_device(QPointF at) const;
  QPointF from_device(QPointF at) const;

  /// A click anywhere, at this place in the widget; then `picked`.
  std::function<void(QPointF)> clicked;
  /// A click on a point, a triangle, a node or nothing.
  std::function<void(const ScenePick&)> picked;
  std::function<void()> camera_moved;

 protected:
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void resizeEvent(QResizeEvent* event) override;
  void paintGL() override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void release_context();
  void gesture_ended();
  void draw();
  bool is_selected(const ScenePick& pick) const;
  void make_current(vtkObject*, unsigned long, void*);
  void is_current(vtkObject*, unsigned long, void* answer);
  void supports_opengl(vtkObject*, unsigned long, void* answer);
  void frame_wanted(vtkObject*, unsigned long, void*);

  Scene& scene_;
  vtkNew<vtkGenericOpenGLRenderWindow> window_;
  std::array<unsigned long, 4> observers_{};
  QImage annotations_;  // of the last picture
  bool dirty_ = true, painting_ = false, ready_ = false, resizing_ = false;
  QPointF pressed_, last_, clicked_;
  bool dragging_ = false, double_clicked_ = false;
  std::vector<ScenePick> under_click_;  // at the last click, and which of them it picked
  std::size_t picked_ = 0;
  double quickest_frame_ms_ = 1e9;  // of this movement, with a sample of the points
  QTimer wheel_rest_, step_rest_;
};

}  // namespace kdscope
