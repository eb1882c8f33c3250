#pragma once
// The inside of Scene: the shown state, which is plain and copyable, and the VTK objects that show it.

#include <vtkCamera.h>
#include <vtkNew.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <map>

#include "algorithms/text/point_name.hpp"
#include "visualizer/figure/overlay_drawing.hpp"
#include "visualizer/figure/pixel_layer.hpp"
#include "visualizer/figure/plot_labels.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/scene/cached_pass.hpp"
#include "visualizer/scene/overlay_clouds.hpp"
#include "visualizer/scene/partition_shapes.hpp"
#include "visualizer/scene/point_cloud.hpp"
#include "visualizer/scene/scene.hpp"
#include "visualizer/scene/surface.hpp"

namespace kdscope {

/// Everything that a picture depends on, without VTK. A copy of it draws the same picture elsewhere.
struct SceneState : ShownPartition {
  ThemeId theme = ThemeId::light;
  double text_scale = 1;
  SceneOptions options;
  std::optional<Axes> wanted_axes;
  std::string title, subtitle;
  std::vector<PointId> selected_points;
  std::optional<NodeId> selected_node;
  std::vector<std::uint32_t> selected_triangles;
  std::optional<PlaneMark> selected_plane;  // a candidate that was tried
  Growth growth;
  std::vector<EditMark> edits;
  std::map<std::string, Overlay> overlays;  // by writer
  Overlay search, old_search;               // marks of the step that is shown, and of the one that was shown before

  std::shared_ptr<const Trace> trace;  // the trace whose points are placed
  std::uint32_t step = 0;              // the step that is shown
  std::uint32_t dim = 0;
  TypedArray points;  // [n x dim], as recorded
  Frame frame;
  bool keep_frame = false;                  // for the points to come
  bool frame_kept = false;                  // the frame is that of the points before they were moved
  int up_axis = 2;                          // the axis that points up in 3D, from the data set
  std::vector<float> places;                // [3n] scene units
  std::vector<std::uint32_t> triangles;     // [3t] points
  bool of_triangles = false;                // the tree sorts triangles, not points
  NodeHeat heat;                            // empty: colours are those of subtrees
  std::vector<PointId> pivots, old_pivots;  // of the step that is shown, and of the one that was shown before
  std::vector<PointId> violating;           // points that violate a check of the step, and points that are in no node
  RoleMarks roles;                          // lines above points and triangles
  std::string note;
  CameraState camera;
  CameraPreset preset = CameraPreset::reset;    // the preset to which the camera is fitted
  bool fitted = true;                           // the user has not moved it, except that it may have been
  std::optional<std::array<double, 3>> turned;  // to look from this direction
  std::array<double, 3> preset_direction{};     // of the last fitted preset: towards the eye
  std::array<double, 4> preset_margins{};       // in which it had room: left, bottom, right, top

  bool was_pivot(PointId point) const { return std::ranges::find(old_pivots, point) != old_pivots.end(); }
  std::size_t n() const { return places.size() / 3; }
  int first_plane_level() const { return frame.is_2d() || options.all_planes ? 0 : first_of_newest_levels(partition); }
  /// Returns whether an overlay stands in the place of the run's picture.
  bool replaced() const {
    for (const auto& [writer, overlay] : overlays)
      if (overlay.replaces_run) return true;
    return false;
  }
};

/// Returns "(46, 63)"; with more than four dimensions those on the axes, by name: "x0 46, x7 63".
std::string coordinates_text(const SceneState& state, PointId point);

/// Names of more points or triangles would cover them, and so would rings of more pivots.
inline constexpr std::size_t most_labels = 50, most_labels_in_3d = 20, most_pivots = 500, most_pivots_in_3d = 128;
/// Rings around more selected points would cover them: they are tinted instead.
inline constexpr std::size_t most_circles = 50;

struct Scene::Parts {
  SceneState state;
  double pixel_ratio = 1;
  bool moving = false;
  bool recoloured = true;  // the hidden cloud has older colours
  std::size_t while_moving = 100000, next_while_moving = 100000;
  std::size_t points_drawn = 0;
  bool stale = true;          // colours, shapes or sizes must be rebuilt before drawing
  bool surface_stale = true;  // so must the pieces of the surface
  vtkRenderWindow* window = nullptr;
  unsigned long start_observer = 0;
  vtkNew<vtkRenderer> base, overlay;
  vtkNew<vtkCamera> camera;
  vtkNew<CachedPass> pass;
  PointMarks marks, sample, rings, selected_marks;
  std::vector<PointId> raised;          // points whose marks are drawn again above all others
  std::vector<std::uint32_t> sampled;   // points of the sample; empty if all points are always drawn
  std::vector<std::uint32_t> in_sight;  // points of `marks` that are dots: no others can be seen
  Projection sight;                     // the projection and the diameter for which they were found
  double sight_diameter = 0;            // 0: the points have moved since
  double gap_of_named = 0;              // pixels between the nearest named points, as far as they decide the marks
  PartitionShapes shapes;
  Walls walls;
  Surface surface;
  std::vector<SurfacePiece> pieces;  // of the surface
  std::vector<SurfaceCut> cuts;
  OverlayClouds clouds;
  bool clouds_stale = true;
  ShapeLayer triangle_outlines, faded_cells, selected_cell, selected_plane, selected_triangles;
  bool selection_stale = true;  // selected_marks must be rebuilt
  PixelLayer annotations;
  Projection projection;
  double mark_diameter = 4, mark_outline = 0;
  std::array<double, 2> mist_range{1, 2};  // distances from the eye
  PlotLabels labels{annotations, state.frame, projection};
  std::vector<bool> faded;  // of faded_nodes(), for the picture that is drawn
  std::vector<WrittenName> names;
  CameraState drawn_camera;
  int drawn_width = 0, drawn_height = 0;

  Parts();
  ~Parts();
  const Theme& theme() const { return kdscope::theme(state.theme); }
  Measures measures() const;
  bool labels_points() const;
  bool draws_glyphs() const;
  bool rings_pivots() const;
  bool labels_triangles() const;
  bool outlines_triangles() const;
  /// Returns whether triangles are drawn as a surface. In 2D this needs triangles that the tree sorts, because those of
  /// a solid would lie on one another.
  bool draws_surface() const {
    return state.options.surface && !state.triangles.empty() && !state.replaced() &&
           (!state.frame.is_2d() || (state.of_triangles && shows_whole(state.partition, state.frame.dims())));
  }
  /// Returns whether points are drawn. The corners of a 3D surface over which the tree is built are not drawn; in 2D
  /// they are, so that they can be dragged.
  bool draws_points() const {
    return state.n() > 0 && !state.replaced() && !(draws_surface() && state.of_triangles && !state.frame.is_2d());
  }
  /// Is called when each rendering begins: fits the camera, and rebuilds what is stale.
  void before_rendering();
  void rebuild_picture();
  void style_marks();
  void rebuild_surface();
  Rgb colour_of_piece(const SurfacePiece& piece) const;
  std::array<std::array<double, 3>, 3> corners_of(std::uint32_t triangle) const;  // in scene units
  /// Returns the triangle of the surface that is seen at (x, y); `depth` receives the depth just behind it there.
  std::optional<std::uint32_t> foremost_triangle(double x, double y, double* depth = nullptr) const;
  void rebuild_annotations();
  std::vector<std::array<double, 2>> points_in_view() const;             // of all points in front of the eye
  std::array<double, 3> middle_of_triangle(std::size_t triangle) const;  // in the scene
  double inner_radius(std::uint32_t triangle) const;
  std::optional<std::array<double, 2>> seen_middle(std::uint32_t triangle) const;
  void choose_sample();
  double mist() const;  // the share of the ground in what is furthest away
  double set_back(std::uint32_t point) const;
  bool is_hidden(std::uint32_t point) const;             // by a surface in 3D
  std::uint32_t node_of_point(std::size_t point) const;  // no_id if unknown
  TreePlace place_of_point(std::size_t point) const;     // of its subtree; the root's place if unknown
  Rgb colour_of_point(std::size_t point) const;
  /// Returns the colour of a mark: dimmed if the point is stored, until all are (`finished`).
  Rgb mark_colour(std::size_t point, const std::vector<bool>& stored, bool finished) const;
  /// Draws, in 2D, the marks of pivots and of the selection again above all others, so that none covers them, and the
  /// rings of few pivots.
  void raise_marks();
  Glyph glyph_of_point(std::size_t point) const;
  void find_heat(const Cursor& cursor);
  void draw_caption();
  void draw_heat_legend();
  void show_cloud();   // shows all points or the sample, with the colours of the step
  void place_marks();  // places the points that can be seen
  bool draws_dots() const;
  void draw_point_labels();
  void draw_ring_labels();
  /// Returns what a label of a point needs to know; nullopt behind the eye and behind a surface.
  /// `even_hidden`: also where a surface hides the point.
  std::optional<NamedPoint> named(std::uint32_t point, bool even_hidden = false) const;
  void name_points(std::vector<NamedPoint> points, Covers covers);
  void draw_triangle_labels();
  void draw_role_marks();
  void draw_selection();
  void draw_edits();
  void draw_selected_node();
  void draw_selected_triangles();
  void draw_selected_points();
  /// Returns where a place lies in the annotations, from the upper left; nullopt behind the eye.
  std::optional<std::array<double, 2>> place_in_list(const std::array<double, 3>& scene) const;
  std::optional<std::array<double, 2>> place_in_list(PointId point) const;  // nullopt, too, if there is no such point
  void show_overlay(const std::string& writer, Overlay overlay);
  void show_search(Overlay marks);  // as far as they have entered
  void draw_overlays();
  void draw_faded_cells();
  void hatch_empty_cells();
  std::vector<bool> faded_nodes() const;  // [nodes]: whether the node's elements fade; empty: none
  bool is_faded(std::size_t point) const { return is_faded_node(node_of_point(point)); }
  bool fades(const SurfacePiece& piece) const { return !state.frame.is_2d() && is_faded_node(piece.node); }
  bool is_faded_node(std::uint32_t node) const { return node < faded.size() && faded[node]; }
  void draw_violations();
  void place_frame();  // frame and places from points, axes wanted and domain
  Box framed_domain() const;
  void follow_domain(const Box& before);
  void place_in_frame();  // places alone
  void stretch_frame();   // to the shape of the window, if the frame may
  void write_note();      // on what the picture leaves out
  void fit_camera();
  void apply_camera();
  std::optional<std::array<double, 4>> room_of_frame() const;
  std::array<double, 4> margins() const;  // left, bottom, right, top, device pixels; 0 in a small window
  std::array<double, 4> wanted_margins() const;
};

}  // namespace kdscope
