#pragma once
// The picture of a step in VTK: points coloured by subtree, split planes, pivots, axes, labels, and the selection on
// its own layer. It renders into any render window, on or off the screen. This header includes no VTK header.

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/camera.hpp"
#include "visualizer/model/heat.hpp"
#include "visualizer/model/highlights.hpp"
#include "visualizer/model/overlay.hpp"
#include "visualizer/model/plane_mark.hpp"
#include "visualizer/style/theme.hpp"

class vtkRenderWindow;

namespace kdscope {

enum class CameraPreset : std::uint8_t { top, iso, along_x, along_y, along_z, reset };

enum class PointLabels : std::uint8_t { automatic, none, index, coordinates };

struct SceneOptions {
  /// PointLabels::automatic labels up to 50 points with their indices, in 2D; or triangles, if the tree sorts these.
  PointLabels labels = PointLabels::automatic;
  bool planes = true;
  bool cells = true;        ///< tint of the cells (2D)
  bool surface = true;      ///< triangles as a lit surface, if a trace has them (3D, and flat ones that the tree sorts)
  bool tight_boxes = true;  ///< outlines of the smallest boxes of the cells' points, if a trace has them
  Colouring colouring = Colouring::subtree;  ///< of points, cells and triangles
  bool axes = true;
  bool glyphs = true;         ///< up to a few hundred points in 2D have the shape of their subtree beside its colour
  bool glyphs_in_3d = false;  ///< the same in 3D, instead of balls
  int max_levels = 0;         ///< draws only the planes of so many top levels; 0: as many as can be distinguished
  double point_size = 1;      ///< factor
};

/// A possible target of a click: a point, a triangle, or a node by its split plane or its cell.
struct ScenePick {
  std::optional<PointId> point;
  std::optional<NodeId> node;
  std::optional<std::uint32_t> triangle = {};
  bool operator==(const ScenePick&) const = default;
};

/// A point that was edited after the run. It is drawn above the picture of the run, whose own point becomes a ghost.
struct EditMark {
  std::optional<PointId> was;  ///< the point in the run; nullopt: a new point
  std::vector<double> now;     ///< [k] in the points' units; empty: erased
  std::string label;           ///< on the mark
  std::string coordinates;     ///< beside it, while it is dragged
  bool chosen = false;
};

/// Owns renderers and actors, and draws into a window that another object owns. Use it only on the window's thread.
class Scene {
 public:
  Scene();
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Adds the renderers to a window and removes them from the previous one. Null detaches.
  void attach(vtkRenderWindow* window);
  /// Shows the cursor's step and copies its state; the camera stays unless the points are different. `added`:
  /// highlights beside those of the step. Errors: no points, points without coordinates.
  Result<void> show(const Cursor& cursor, std::span<const Highlight> added = {});
  void clear();

  void set_theme(ThemeId theme);
  ThemeId theme_id() const;
  void set_text_scale(double scale);
  /// Sets the device pixels per logical pixel; fonts, points and lines scale with it.
  void set_pixel_ratio(double ratio);
  void set_options(const SceneOptions& options);
  const SceneOptions& options() const;
  /// Sets the dimensions drawn along x, y and z; a z of -1 gives a 2D view. Returns false if a dimension does not
  /// exist.
  bool set_axes(const Axes& axes);
  const Axes& axes() const;
  bool is_2d() const;

  void set_camera_preset(CameraPreset preset);
  CameraState camera() const;
  /// Returns the preset to which the camera is fitted; nullopt once the user has moved the camera.
  std::optional<CameraPreset> fitted_to() const;
  void set_camera(const CameraState& camera);
  /// Rotates or pans by a mouse movement in device pixels of the window.
  void rotate(double dx, double dy);
  void pan(double dx, double dy);
  /// Zooms; a factor > 1 comes closer. (x, y), in window coordinates from the lower left, stays in place.
  void zoom(double factor, double x, double y);

  /// Selects one point or none. Selections are drawn on the overlay: the next rendering copies the picture below it
  /// instead of drawing it.
  void select_point(std::optional<PointId> point);
  /// Selects points, a node, triangles and a candidate plane. Points are ringed (a sample, if there are more than
  /// 20,000), and a single point is labelled. A node is marked by its cell's frame and its split plane, a triangle by
  /// its edges, and a candidate plane is drawn across its node's cell.
  void select(std::vector<PointId> points, std::optional<NodeId> node, std::vector<std::uint32_t> triangles = {},
              std::optional<PlaneMark> plane = {});
  const std::vector<std::uint32_t>& selected_triangles() const;
  std::optional<NodeId> selected_node() const;
  const std::vector<PointId>& selected_points() const;
  std::optional<PointId> selected_point() const;
  /// Shows edited points above the run's picture, the first 2,000 of them.
  void show_edits(std::vector<EditMark> marks);
  /// Shows the marks of one writer and replaces its previous ones; an empty overlay removes them.
  void show_overlay(const std::string& writer, Overlay overlay);
  /// Returns the place under (x, y) (device pixels from the lower left) in the points' units, [k]; in dimensions that
  /// are not drawn, it is the middle of the domain. nullopt in 3D and without points. `pixel` receives the length of a
  /// pixel along each dimension.
  std::optional<std::vector<double>> coordinates_at(double x, double y, std::vector<double>* pixel = nullptr) const;
  /// Returns where coordinates are drawn, in device pixels from the lower left, after a first rendering.
  std::optional<std::array<double, 2>> place_of(const std::vector<double>& coordinates) const;
  /// Returns how far from a mark's centre a pick reaches, in device pixels.
  double reach() const;

  /// Sets the two lines in the upper left; an empty line takes no room.
  void set_caption(const std::string& title, const std::string& subtitle);

  /// Returns the point under (x, y) (device pixels from the lower left), or nullopt if none is within reach.
  std::optional<PointId> pick(double x, double y) const;
  /// Returns everything under (x, y), the most likely target first: the point, then drawn split planes whose lines no
  /// triangle hides, the foremost triangle of a surface, planes by their hidden lines, (in 3D) planes by their faces
  /// from front to back, and cells. Work O(points + triangles + planes + cells drawn).
  std::vector<ScenePick> pick_all(double x, double y) const;
  /// Returns where a point is drawn, in device pixels from the lower left, after a first rendering.
  std::optional<std::array<double, 2>> place_of_point(PointId point) const;
  /// Returns the same for the middle of a node's split plane or cell; nullopt if it has none.
  std::optional<std::array<double, 2>> place_of_plane(NodeId node) const;
  std::optional<std::array<double, 2>> place_of_cell(NodeId node) const;
  /// Returns the same for the middle of a triangle; nullopt if it is not drawn.
  std::optional<std::array<double, 2>> place_of_triangle(std::uint32_t triangle) const;
  /// Returns a note about what the picture leaves out; empty if nothing.
  const std::string& note() const;
  /// Returns the beginning of the note, which reports a broken tree; empty if the tree is sound.
  std::string alarm() const;
  /// Returns the points that are marked because they violate a check of the step or are in no node; ascending.
  const std::vector<PointId>& violating_points() const;
  /// Switches to faster drawing while the camera moves or steps follow one another: clouds are drawn unsmoothed and, if
  /// there are more than points_while_moving() points, only as a sample spread over all of them. At rest, every point
  /// is drawn again.
  void set_moving(bool moving);
  bool moving() const;
  /// Returns whether there are so many points that a moving picture has only a sample of them.
  bool samples_while_moving() const;
  /// Sets the largest number of points drawn while moving; 100,000 by default. It takes effect when the next movement
  /// begins.
  void set_points_while_moving(std::size_t points);
  std::size_t points_while_moving() const;
  /// Returns the number of points in the last picture; 0 for a 3D tree over triangles, whose surface is drawn instead.
  std::size_t points_drawn() const;
  /// Returns the points and triangles with a line above them, which the step or an added highlight reads, writes or
  /// compares.
  const RoleMarks& role_marks() const;
  /// Returns the texts in the picture and their sizes in device pixels, after a rendering.
  const std::vector<std::pair<std::string, double>>& texts() const;
  /// Returns how often points and planes were drawn instead of copied, for tests and benchmarks.
  unsigned long times_drawn() const;
  /// Takes over another scene's picture: step, camera, marks, theme and everything else except its window.
  void look_like(const Scene& other);
  /// Renders the current picture off-screen in another size to a PNG file. Errors as for render_to_png().
  Result<void> save_png(int width, int height, const std::string& path) const;

 private:
  friend class OffScreen;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Returns whether an X server can be reached; without one, VTK would abort the program. The connection stays open as
/// long as the program runs, because Xvfb restarts when its last client leaves and refuses the next one meanwhile.
bool display_answers();

struct PngOptions {
  int width = 1280, height = 800;
  ThemeId theme = ThemeId::light;
  double text_scale = 1;
  SceneOptions scene;
  std::optional<CameraPreset> preset;
  std::optional<CameraState> camera;  ///< takes precedence over the preset
  std::optional<PointId> selected;
  bool caption = true;  ///< step title and phase path in the upper left
};

/// Renders the cursor's step off-screen to a PNG file. Needs an X server (Xvfb suffices). Errors: no display, a bad
/// size, a file that cannot be written.
Result<void> render_to_png(const Cursor& cursor, const PngOptions& options, const std::string& path);

}  // namespace kdscope
