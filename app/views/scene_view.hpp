#pragma once
// The 2D/3D view: a QOpenGLWidget that hosts a VTK scene. Without usable OpenGL, it shows the reason.

#include <QImage>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"
#include "app/session/session.hpp"
#include "visualizer/scene/scene.hpp"
#include "visualizer/style/theme.hpp"

class QLabel;

namespace kdscope {

class VtkCanvas;

/// Shows the partition at a cursor's step. Survives being undocked, redocked, hidden and shown.
/// Requires QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts) before QApplication is created.
class SceneView : public QWidget {
  Q_OBJECT

 public:
  explicit SceneView(QWidget* parent = nullptr);
  ~SceneView() override;

  /// Draws the step at which the cursor stands, except for what is hidden. Copies what it needs. The camera stays
  /// unless the points change. `added`: highlights in addition to those of the step.
  void show_step(const Cursor& cursor, std::span<const Highlight> added = {}, const Concealment& concealed = {});
  /// Back to the empty state.
  void clear();
  void set_theme(ThemeId theme);
  /// Scales text, points and lines; 0.8 to 3.
  void set_text_scale(double scale);
  void set_camera_preset(CameraPreset preset);
  /// Puts dimensions, which must exist, on the axes. A z of -1 makes a 2D view.
  void set_axes(const Axes& axes);
  /// Draws only x and y, whatever the axes are; used while points are edited.
  void set_flat(bool flat);
  void set_options(const SceneOptions& options);
  /// See Scene::set_growth().
  void set_growth(Growth growth);
  const SceneOptions& options() const;
  /// Marks the selection on the overlay; the points are not redrawn. Nullopt removes the mark.
  void select_point(std::optional<PointId> point);
  void select(std::vector<PointId> points, std::optional<NodeId> node, std::vector<std::uint32_t> triangles = {},
              std::optional<PlaneMark> plane = {});
  const std::vector<std::uint32_t>& selected_triangles() const { return scene_->selected_triangles(); }
  std::optional<PointId> selected_point() const;
  const std::vector<PointId>& selected_points() const;
  std::optional<NodeId> selected_node() const;

  /// The scene that is shown, to draw it elsewhere.
  const Scene& scene() const { return *scene_; }
  /// See Scene::keep_frame().
  void keep_frame() { scene_->keep_frame(); }
  /// Shows edited points over the picture of the run.
  void show_edits(std::vector<EditMark> marks);
  /// See Scene::show_overlay().
  void show_overlay(const std::string& writer, Overlay overlay);
  /// For editing with the mouse; places are in canvas() coordinates. Null if only the placeholder can be shown.
  QWidget* canvas() const;
  bool is_2d() const { return scene_->is_2d(); }
  std::optional<PointId> point_at(QPointF at) const;
  /// Coordinates of all dimensions at a place; pixel: receives the size of a pixel along each, 0 for those not drawn.
  std::optional<std::vector<double>> coordinates_at(QPointF at, std::vector<double>* pixel = nullptr) const;
  std::optional<QPointF> place_of(const std::vector<double>& coordinates) const;
  /// The line of sight through a place; see Scene::line_of_sight().
  std::optional<SightLine> line_of_sight(QPointF at) const;
  double reach() const;

  CameraState camera() const;
  std::optional<CameraPreset> fitted_to() const { return scene_->fitted_to(); }
  void set_camera(const CameraState& camera);
  /// See Scene::look_at().
  void look_at(const std::vector<double>& place, double radius);
  /// Where a point is drawn, in widget coordinates; none when it is not in the picture.
  std::optional<QPointF> place_of_point(PointId point) const;
  /// The same for the middle of a node's split plane, and of its cell.
  std::optional<QPointF> place_of_plane(NodeId node) const;
  std::optional<QPointF> place_of_cell(NodeId node) const;
  /// The same for a triangle of a surface.
  std::optional<QPointF> place_of_triangle(std::uint32_t triangle) const;
  /// How often points and planes were actually drawn.
  unsigned long times_drawn() const;
  /// False where only the placeholder can be shown.
  bool can_draw() const;
  /// Why not; empty when it can.
  QString problem() const;
  /// The picture as the user sees it when the view rests (for tests).
  QImage picture();
  /// Number of points drawn; only a sample while a large cloud moves or steps.
  std::size_t points_drawn() const;
  /// The texts in the picture with their sizes in pixels.
  std::vector<std::pair<std::string, double>> texts() const;
  /// What the view leaves out ("planes of levels 9 to 16 ..."); empty when nothing.
  QString note() const;
  /// See Scene::elongation().
  std::optional<double> elongation() const { return scene_->elongation(); }
  /// The beginning of the note, which reports a broken tree. Empty if the tree is sound.
  QString alarm() const { return QString::fromStdString(scene_->alarm()); }

 signals:
  /// A click on a point, a triangle, or a node by its split plane or its cell; beside all of them, an empty selection.
  /// Further clicks at the same place pick what lies below.
  void picked(const kdscope::Selection& selection);
  /// Every click in a 2D view: its place in the points' units, [k], rounded as far as a pixel's size allows. `pixel`:
  /// the size of a pixel along each dimension, 0 for those not drawn.
  void place_clicked(const std::vector<double>& coordinates, const std::vector<double>& pixel);
  /// What note() or elongation() returns changed.
  void note_changed();
  /// The user moved the camera (once per gesture), or chose a preset.
  void camera_changed();

 private:
  void show_message(const QString& text);
  void redraw();
  void place_axes();
  /// Changes the scene, and emits note_changed() if that changes what the view reports.
  void noting(const std::function<void()>& change);
  std::optional<QPointF> on_widget(std::optional<std::array<double, 2>> device) const;

  std::unique_ptr<Scene> scene_;
  std::optional<Axes> axes_;
  bool flat_ = false;
  VtkCanvas* canvas_ = nullptr;  // null with the placeholder
  QLabel* message_ = nullptr;    // in place of the canvas while there is nothing to draw
  QString problem_;
};

/// Rounds a coordinate as far as a pixel's size allows.
double rounded_to_pixel(double value, double pixel);

}  // namespace kdscope
