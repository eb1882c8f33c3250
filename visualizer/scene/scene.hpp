#pragma once
// The picture of a step in VTK: points by subtree, split planes, pivots, axes, labels, and the selection on its own
// layer. Renders into any render window, on the screen or not. Include cost: no VTK header.

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
  PointLabels labels =
      PointLabels::automatic;  ///< automatic: index, in 2D, up to 50 points, or triangles where the tree sorts these
  bool planes = true;
  bool cells = true;    ///< tint of the cells (2D)
  bool surface = true;  ///< triangles as a lit surface, where a trace has them (3D, and flat ones that the tree sorts)
  bool tight_boxes = true;  ///< outlines of the smallest boxes of the cells' points, where a trace has them
  Colouring colouring = Colouring::subtree;  ///< of points, cells and triangles
  bool axes = true;
  bool glyphs = true;         ///< a few hundred points in 2D wear the shape of their subtree beside its colour
  bool glyphs_in_3d = false;  ///< the same in 3D, instead of balls
  int max_levels = 0;         ///< planes of the top levels only; 0: chosen so that they can be distinguished
  double point_size = 1;      ///< factor
};

/// What a click may mean: a point, a triangle, or a node by its split plane or its cell.
struct ScenePick {
  std::optional<PointId> point;
  std::optional<NodeId> node;
  std::optional<std::uint32_t> triangle = {};
  bool operator==(const ScenePick&) const = default;
};

/// A point as it was edited since the run: drawn above the picture of the run, whose own point becomes a ghost.
struct EditMark {
  std::optional<PointId> was;  ///< in the run; none: a new point
  std::vector<double> now;     ///< [k] in the points' units; empty: erased
  std::string label;           ///< on the mark
  std::string coordinates;     ///< beside it, while it is dragged
  bool chosen = false;
};

/// Owns renderers and actors; draws into a window that somebody else owns. One thread, the window's.
class Scene {
 public:
  Scene();
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Adds the renderers to a window; takes them out of the one before. Null detaches.
  void attach(vtkRenderWindow* window);
  /// Copies the step's state; the camera stays unless the points are others. `added`: highlights beside those of the
  /// step. Errors: no points, points without coordinates.
  Result<void> show(const Cursor& cursor, std::span<const Highlight> added = {});
  void clear();

  void set_theme(ThemeId theme);
  ThemeId theme_id() const;
  void set_text_scale(double scale);
  /// Device pixels a logical one: fonts, points and lines follow.
  void set_pixel_ratio(double ratio);
  void set_options(const SceneOptions& options);
  const SceneOptions& options() const;
  /// Dimensions drawn along x, y and z; z of -1 gives a 2D view. Returns false when a dimension does not exist.
  bool set_axes(const Axes& axes);
  const Axes& axes() const;
  bool is_2d() const;

  void set_camera_preset(CameraPreset preset);
  CameraState camera() const;
  /// The preset that the camera is fitted to; none once a person has moved it.
  std::optional<CameraPreset> fitted_to() const;
  void set_camera(const CameraState& camera);
  /// By how the mouse moved, in device pixels of the window.
  void rotate(double dx, double dy);
  void pan(double dx, double dy);
  /// factor > 1 comes closer; (x, y) stays where it is, window coordinates from the lower left.
  void zoom(double factor, double x, double y);

  /// Marks on the overlay: the next rendering copies the picture below it instead of drawing it.
  void select_point(std::optional<PointId> point);
  /// Several points are ringed; of more than 20,000 some. A single one is named too. A node shows as the frame of its
  /// cell and its split plane, a triangle by its edges, and a plane that was tried across its node's cell.
  void select(std::vector<PointId> points, std::optional<NodeId> node, std::vector<std::uint32_t> triangles = {},
              std::optional<PlaneMark> plane = {});
  const std::vector<std::uint32_t>& selected_triangles() const;
  std::optional<NodeId> selected_node() const;
  const std::vector<PointId>& selected_points() const;
  std::optional<PointId> selected_point() const;
  /// Edited points over the run's picture, the first 2,000 of them.
  void show_edits(std::vector<EditMark> marks);
  /// Marks of one writer, instead of those that it had; an empty overlay takes them away.
  void show_overlay(const std::string& writer, Overlay overlay);
  /// The place under (x, y) (device pixels from the lower left) in the points' units, [k]; dimensions that are not
  /// drawn are in the middle of the domain. None in 3D and without points. `pixel` gets the length of a pixel along
  /// each.
  std::optional<std::vector<double>> coordinates_at(double x, double y, std::vector<double>* pixel = nullptr) const;
  /// Where coordinates are drawn, device pixels from the lower left, after a first rendering.
  std::optional<std::array<double, 2>> place_of(const std::vector<double>& coordinates) const;
  /// How far from a mark's centre a pick reaches, device pixels.
  double reach() const;

  /// Two lines in the upper left; empty ones take no room.
  void set_caption(const std::string& title, const std::string& subtitle);

  /// The point under (x, y) (device pixels from the lower left), or none within reach.
  std::optional<PointId> pick(double x, double y) const;
  /// Everything under (x, y), what is meant most likely first: the point, drawn split planes by the lines that no
  /// triangle hides, the foremost triangle of a surface, planes by their other lines, then (3D) by their faces from the
  /// front, then cells. Work O(points + triangles + planes + cells drawn).
  std::vector<ScenePick> pick_all(double x, double y) const;
  /// Where a point is drawn, device pixels from the lower left, after a first rendering.
  std::optional<std::array<double, 2>> place_of_point(PointId point) const;
  /// The same for the middle of a node's split plane, and of its cell; none where it has none.
  std::optional<std::array<double, 2>> place_of_plane(NodeId node) const;
  std::optional<std::array<double, 2>> place_of_cell(NodeId node) const;
  /// The same for the middle of a triangle, where it is drawn.
  std::optional<std::array<double, 2>> place_of_triangle(std::uint32_t triangle) const;
  /// What the picture leaves out, one sentence; empty when nothing.
  const std::string& note() const;
  /// The beginning of the note, which reports a broken tree; empty if the tree is sound.
  std::string alarm() const;
  /// The points that are marked because they violate a check of the step or are in no node, ascending.
  const std::vector<PointId>& violating_points() const;
  /// While the camera moves or steps follow one another, clouds are drawn unsmoothed, and of more than
  /// points_while_moving() points a sample that is spread over all; every point again when it rests.
  void set_moving(bool moving);
  bool moving() const;
  /// There are so many points that a moving picture has a sample of them only.
  bool samples_while_moving() const;
  /// At most so many points are drawn while moving; 100,000 at first. Takes effect when the next movement begins.
  void set_points_while_moving(std::size_t points);
  std::size_t points_while_moving() const;
  /// Points in the last picture; of a tree over triangles none, the surface stands for them.
  std::size_t points_drawn() const;
  /// The points and triangles with a line above them: the step, or what is added to it, reads, writes or compares them.
  const RoleMarks& role_marks() const;
  /// What is written in the picture, and how large, device pixels; after a rendering.
  const std::vector<std::pair<std::string, double>>& texts() const;
  /// How often points and planes were really drawn, for tests and benchmarks.
  unsigned long times_drawn() const;
  /// Takes over another scene's picture: step, camera, marks, theme, everything but its window.
  void look_like(const Scene& other);
  /// The picture as it stands, in another size, off-screen into a PNG file. Errors as render_to_png().
  Result<void> save_png(int width, int height, const std::string& path) const;

 private:
  friend class OffScreen;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Whether an X server can be reached; without one VTK would abort the program. Keeps a connection open for as long as
/// the program runs: Xvfb starts over when its last client leaves, and refuses the next one meanwhile.
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

/// Renders the cursor's step off-screen to a PNG file. Needs an X server (Xvfb will do). Errors: no display, bad size,
/// file that cannot be written.
Result<void> render_to_png(const Cursor& cursor, const PngOptions& options, const std::string& path);

}  // namespace kdscope
