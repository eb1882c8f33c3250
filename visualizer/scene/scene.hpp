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
#include "visualizer/figure/display_list.hpp"
#include "visualizer/figure/growth.hpp"
#include "visualizer/figure/plot_labels.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/camera.hpp"
#include "visualizer/model/concealment.hpp"
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
  PointLabels labels = PointLabels::automatic;  ///< automatic: the name, for up to 50 points in 2D and 20 in
                                                ///< 3D, or triangles in 2D if the tree sorts these
  bool planes = true;
  bool all_planes = false;  ///< in 3D; otherwise those of the newest level and of the one above it
  bool cells = true;        ///< tint of the cells (2D)
  bool surface = true;  ///< triangles as a lit surface, if a trace has them (in 3D, and flat ones that the tree sorts)
  bool tight_boxes = true;  ///< outlines of the smallest boxes of the cells' points, if a trace has them
  Colouring colouring = Colouring::subtree;  ///< of points, cells and triangles
  bool axes = true;
  bool equal_scales = true;  ///< otherwise each axis has a scale of its own, and a 2D picture fills the view
  bool glyphs = true;  ///< up to a few hundred points in 2D have the shape of their subtree in addition to its colour
  bool glyphs_in_3d = false;  ///< the same in 3D, instead of balls
  double point_size = 1;      ///< factor
  bool operator==(const SceneOptions&) const = default;
};

/// A possible target of a click: a point, a triangle, or a node by its split plane or its cell. Space::none: nothing.
struct ScenePick {
  Space space = Space::none;
  std::uint32_t index = no_id;
  bool operator==(const ScenePick&) const = default;
};

/// What lies behind one place of a 3D picture, in the points' units, [k]; 0 in dimensions that are not drawn.
struct SightLine {
  std::vector<double> from;       ///< the eye; in a parallel projection, a place in front of all points
  std::vector<double> through;    ///< a place on the line as far away as the middle of the picture
  std::vector<double> right, up;  ///< from `through` to the lines through the pixels to the right and above
  bool parallel = false;          ///< a pixel has this size at every distance
};

/// A point that was edited since the run, drawn above the run's picture. The run's own point is drawn faintly.
struct EditMark {
  std::optional<PointId> was;  ///< the point in the run; nullopt: a new point
  std::vector<double> now;     ///< [k] in the points' units; empty: erased
  std::string label;           ///< on the mark
  std::string coordinates;     ///< beside it, while it is dragged
  bool chosen = false;
};

/// Owns renderers and actors, and draws into a window that it does not own. Use it only on the window's thread.
class Scene {
 public:
  Scene();
  ~Scene();
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  /// Moves the renderers to a window. Null detaches them.
  void attach(vtkRenderWindow* window);
  /// Copies the step's state, except for what is hidden. The camera stays unless the points change. `added`: further
  /// highlights. Errors: no points, or points without coordinates.
  Result<void> show(const Cursor& cursor, std::span<const Highlight> added = {}, const Concealment& concealed = {});
  void clear();
  /// The points that the next show() brings keep frame and camera, if they are as many in as many dimensions: moved
  /// points, which a person follows with the mouse. show() leaves the frame alone until points come that are not moved
  /// ones, axes are chosen, or the camera is fitted.
  void keep_frame();

  void set_theme(ThemeId theme);
  ThemeId theme_id() const;
  void set_text_scale(double scale);
  /// Sets a moment at which planes of the step grow, and new rings of pivots. Returns whether that is another picture.
  bool set_growth(Growth growth);
  /// Sets the device pixels per logical pixel. Fonts, points and lines follow.
  void set_pixel_ratio(double ratio);
  void set_options(const SceneOptions& options);
  const SceneOptions& options() const;
  /// Sets the dimensions along x, y and z; z = -1 gives a 2D view. Returns false if a dimension does not exist.
  bool set_axes(const Axes& axes);
  const Axes& axes() const;
  bool is_2d() const;

  void set_camera_preset(CameraPreset preset);
  CameraState camera() const;
  /// Returns the preset to which the camera is fitted; nullopt after the user moved it.
  std::optional<CameraPreset> fitted_to() const;
  void set_camera(const CameraState& camera);
  /// Moves the camera so that a ball about a place, both in the points' units, fills the window, seen from the same
  /// side as before. 3D only; ignores places without coordinates for the axes.
  void look_at(const std::vector<double>& place, double radius);
  /// Move the camera by a movement of the mouse, in device pixels of the window.
  void rotate(double dx, double dy);
  void pan(double dx, double dy);
  /// Zooms; factor > 1 comes closer. (x, y), in window coordinates from the lower left, stays in place.
  void zoom(double factor, double x, double y);

  /// Selects one point or none. Selections are drawn on the overlay: the next rendering copies the picture below it
  /// instead of drawing it.
  void select_point(std::optional<PointId> point);
  /// Points get rings, at most about 20,000 of them; a single point is labelled too. A node is shown by the frame of
  /// its cell and by its split plane, a triangle by its edges, and an evaluated plane across its node's cell.
  void select(std::vector<PointId> points, std::optional<NodeId> node, std::vector<std::uint32_t> triangles = {},
              std::optional<PlaneMark> plane = {});
  const std::vector<std::uint32_t>& selected_triangles() const;
  std::optional<NodeId> selected_node() const;
  const std::vector<PointId>& selected_points() const;
  std::optional<PointId> selected_point() const;
  /// Draws edited points above the run's picture, at most the first 2,000.
  void show_edits(std::vector<EditMark> marks);
  /// Replaces the marks of one writer; an empty overlay removes them.
  void show_overlay(const std::string& writer, Overlay overlay);
  /// Returns the place under (x, y) (device pixels from the lower left) in the points' units, [k]; in dimensions that
  /// are not drawn, it is the middle of the domain. nullopt in 3D and without points. `pixel` receives the length of a
  /// pixel along each dimension.
  std::optional<std::vector<double>> coordinates_at(double x, double y, std::vector<double>* pixel = nullptr) const;
  /// Returns the place of coordinates in device pixels from the lower left. Valid after the first rendering.
  std::optional<std::array<double, 2>> place_of(const std::vector<double>& coordinates) const;
  /// Returns the line of sight through (x, y) (device pixels from the lower left). nullopt in 2D and without points.
  std::optional<SightLine> line_of_sight(double x, double y) const;
  /// Returns how far from a mark's centre a pick reaches, in device pixels.
  double reach() const;

  /// Sets two lines of text in the upper left; empty lines take no room.
  void set_caption(const std::string& title, const std::string& subtitle);

  /// Returns the point under (x, y) (device pixels from the lower left), or nullopt if none is within reach.
  std::optional<PointId> pick(double x, double y) const;
  /// Returns everything under (x, y), the most likely target first: the point, drawn split planes by the lines that no
  /// triangle hides, the foremost triangle of a surface, planes by their other lines, then (3D) by their faces from the
  /// front, then cells. Work O(points + triangles + planes + cells drawn).
  std::vector<ScenePick> pick_all(double x, double y) const;
  /// Returns the place of a point in device pixels from the lower left. Valid after the first rendering.
  std::optional<std::array<double, 2>> place_of_point(PointId point) const;
  /// Return the middle of a node's split plane and of its cell; nullopt if it has none.
  std::optional<std::array<double, 2>> place_of_plane(NodeId node) const;
  std::optional<std::array<double, 2>> place_of_cell(NodeId node) const;
  /// Returns the middle of a triangle; nullopt if it is not drawn.
  std::optional<std::array<double, 2>> place_of_triangle(std::uint32_t triangle) const;
  /// Returns one sentence on what the picture leaves out, or an empty text.
  const std::string& note() const;
  /// Returns how many times as long as the shorter side of a 2D picture its longer side is, if that is so much (above
  /// 4) that equal scales waste most of the view and separate ones should be offered; otherwise nullopt.
  std::optional<double> elongation() const;
  /// Returns the width of a 2D picture in heights; in 3D that of the domain's box from where it is looked at.
  double aspect() const;
  /// Returns where the frame lies, in 3D the domain's box: left, bottom, right and top, in device pixels from the lower
  /// left.
  std::array<double, 4> frame_room() const;
  /// Returns the beginning of the note, which reports a broken tree; empty if the tree is sound.
  std::string alarm() const;
  /// Returns the points that are marked because they violate a check of the step or are in no node, ascending.
  const std::vector<PointId>& violating_points() const;
  /// Switches to faster drawing while the camera moves or steps follow one another: clouds are drawn unsmoothed and, if
  /// there are more than points_while_moving() points, only as a sample spread over all of them. At rest, every point
  /// is drawn again.
  void set_moving(bool moving);
  bool moving() const;
  /// Returns whether a moving picture shows only a sample of the points.
  bool samples_while_moving() const;
  /// Returns whether the sample is smaller than the cloud's points in sight. With another step, only colours change, so
  /// points that others cover cost nothing.
  bool samples_while_stepping() const;
  /// The largest number of points drawn while the camera moves, 100,000 by default. Takes effect with the next
  /// movement.
  void set_points_while_moving(std::size_t points);
  std::size_t points_while_moving() const;
  /// Returns the number of points in the last picture; 0 for a 3D tree over triangles, whose surface is drawn instead.
  std::size_t points_drawn() const;
  /// Returns the points of a large cloud that OpenGL was given to draw at rest: the others are covered or out of sight.
  const std::vector<std::uint32_t>& dots_in_sight() const;
  /// Returns the points and triangles with a line above them, which the step or an added highlight reads, writes or
  /// compares.
  const RoleMarks& role_marks() const;
  /// Sets how wide texts are; without, an estimate is used.
  void set_text_width(TextWidth width);
  /// Returns what must be painted above what VTK draws: texts and thin marks, in device pixels. Valid after a
  /// rendering.
  DisplayList annotations() const;
  /// Returns the texts in the picture with their sizes in device pixels. Valid after a rendering.
  const std::vector<std::pair<std::string, double>>& texts() const;
  /// Returns where each of texts() lies: left, bottom, right and top, in device pixels from the lower left.
  std::vector<std::array<double, 4>> text_rooms() const;
  /// Returns the names of points in the picture, and the diameter of the points' marks. Valid after a rendering.
  const std::vector<WrittenName>& names() const;
  double mark_diameter() const;
  /// Returns how often points and planes were drawn, not copied, for tests and benchmarks.
  unsigned long times_drawn() const;
  /// Copies another scene's picture: step, camera, marks and theme, but not its window.
  void look_like(const Scene& other);

 private:
  friend class OffScreen;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Returns whether an X server can be reached; without one VTK would abort the program. Keeps a connection open for as
/// long as the program runs: Xvfb starts over when its last client leaves, and refuses the next one meanwhile.
bool display_answers();

}  // namespace kdscope
