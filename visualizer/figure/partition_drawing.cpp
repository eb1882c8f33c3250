#include "visualizer/figure/partition_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/trace/element_name.hpp"
#include "visualizer/figure/overlay_drawing.hpp"
#include "visualizer/figure/plot_labels.hpp"
#include "visualizer/model/mesh.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_triangle_labels = 50, most_avoided = 2000;

/// Draws one picture: the map from the scene to the list, and the sizes there.
class PartitionPen {
 public:
  PartitionPen(const PartitionPicture& picture, const PartitionRoom& room)
      : picture_(picture), partition_(picture.partition), frame_(picture.frame), room_(room), text_(room.text) {
    layer_.set_text_width(room.width_of);
    const auto [left, below, beside, top] = axes_margins(frame_, partition_.dim(), measures_);
    const double right = room.width - beside, width = frame_.hi(0) - frame_.lo(0), height = frame_.hi(1) - frame_.lo(1);
    across_ = std::max(1.0, right - left) / width, up_ = std::max(1.0, room.height - top - below) / height;
    if (!frame_.stretches()) across_ = up_ = std::min(across_, up_);
    list_.width = room.width;
    list_.height = room.lower ? top + up_ * height + below : room.height;
    left_ = (left + right - across_ * width) / 2, right_ = left_ + across_ * width;
    top_ = (top + list_.height - below - up_ * height) / 2, bottom_ = top_ + up_ * height;
    // In halves of the picture from its middle, as clip coordinates are
    projection_ = {{2 * across_ / list_.width, 0, 0, 2 * x_of(0) / list_.width - 1,  //
                    0, 2 * up_ / list_.height, 0, 1 - 2 * y_of(0) / list_.height,    //
                    0, 0, 0, 0,                                                      //
                    0, 0, 0, 1},
                   list_.width,
                   list_.height};
    const double n = std::max<double>(1, static_cast<double>(picture.points));
    const double diameter =
        std::clamp(std::sqrt(0.4 * across_ * width * up_ * height * 0.16 / n), 0.14 * text_, 1.2 * text_);
    has_labels_ = picture.points <= most_point_labels && room.triangles.empty();
    std::vector<std::array<double, 2>> places;
    for (const PointMark& mark : picture.marks)
      if (picture.marks.size() <= most_avoided) places.push_back({x_of(mark.at[0]), list_.height - y_of(mark.at[1])});
    // Marks with names do not cover one another.
    radius_ = !room.triangles.empty() ? text_ / 6
              : has_labels_           ? std::clamp(smallest_gap(places, pen(3)) / 1.2, 0.45 * text_, 0.8 * text_) / 2
                                      : diameter / 2;
    layer_.begin(list_.width, list_.height);
    labels_.begin(measures_, 2 * radius_, std::move(places));
    labels_.avoid(partition_);
    labels_.avoid(picture.overlay);
    for (std::size_t k = 0; k < std::min(room.corners.size(), 3 * most_triangle_labels); k += 3) {
      const auto corner = [&](std::size_t c) { return picture.marks[room.corners[k + c]].at; };
      labels_.avoid({corner(0), corner(1), corner(2)});
    }
  }

  PartitionDrawing draw() {
    draw_cells();
    draw_planes();
    if (room_.tight_boxes) draw_tight_boxes();
    list_.box(left_, top_, right_ - left_, bottom_ - top_, of_theme(&Theme::axis), pen(1.5));
    draw_axes(layer_, frame_, partition_.dim(), projection_, measures_);
    draw_triangles();
    std::array<double, 3> lo{}, hi{};
    if (room_.framed && scene_box(partition_, frame_, *room_.framed, lo, hi))
      box(lo, hi, of_theme(&Theme::selection), 4);
    draw_overlay();  // below the points that it marks
    draw_points();
    draw_roles();
    labels_.write_labels(picture_.overlay);
    if (has_labels_) name_points();
    labels_.number_cells(partition_);
    const DisplayList above = layer_.list();
    list_.items.insert(list_.items.end(), above.items.begin(), above.items.end());
    PartitionDrawing drawing{std::move(list_)};
    for (int axis = 0; axis < 2; ++axis) {
      if (frame_.dims()[axis] < 0) continue;
      const auto world = [&](double pixel) {
        return frame_.to_world(
            axis, axis == 0 ? frame_.lo(0) + (pixel - left_) / across_ : frame_.lo(1) + (bottom_ - pixel) / up_);
      };
      drawing.axes[static_cast<std::size_t>(axis)] = {frame_.dims()[axis], world(0), world(1) - world(0)};
    }
    return drawing;
  }

 private:
  using Item = DisplayItem;
  using Shape = DisplayItem::Shape;

  double x_of(double x) const { return left_ + across_ * (x - frame_.lo(0)); }
  double y_of(double y) const { return bottom_ - up_ * (y - frame_.lo(1)); }
  /// A width at the usual size of text.
  double pen(double width) const { return width * text_ / 15; }
  Item& box(const std::array<double, 3>& lo, const std::array<double, 3>& hi, DisplayInk ink, double line = 0) {
    const double left = x_of(lo[0]), top = y_of(hi[1]);
    return list_.box(left, top, x_of(hi[0]) - left, y_of(lo[1]) - top, std::move(ink), pen(line));
  }
  /// The ink of what lies in a node's cell, which fades where a search has pruned it.
  DisplayInk fading(NodeId node, DisplayInk ink) const {
    if (!picture_.fades(node.value)) return ink;
    return [ink = std::move(ink)](const Theme& t) { return mix(ink(t), t.base, faded_share(t)); };
  }
  void draw_cells() {
    if (!shows_whole(partition_, frame_.dims())) return;  // cells of a projection overlap
    const bool finished = picture_.cells_finished();
    std::array<double, 3> lo{}, hi{};
    for (const NodeId id : partition_.cells()) {
      if (!scene_box(partition_, frame_, id, lo, hi)) continue;
      box(lo, hi, fading(id, [node = partition_.nodes()[id.value], finished](const Theme& t) {
            return area_colour(t, node, finished);
          }));
    }
    for (const auto& [low, high] :
         picture_.nodes_hidden ? std::vector<SceneBox>() : scene_empty_boxes(partition_, frame_))
      for (const auto& [x0, y0, x1, y1] :
           hatching(x_of(low[0]), -y_of(low[1]), x_of(high[0]), -y_of(high[1]), 0.6 * text_))
        list_.line({x0, -y0, x1, -y1}, hatching_colour, pen(1));
  }

  void draw_planes() {
    const auto& planes = partition_.planes();
    const double newest = planes.size() > 600 ? 1.3 : planes.size() > 60 ? 2 : 3.5;
    std::array<double, 3> lo{}, hi{};
    for (const PartitionPlane& plane : planes) {
      if (scene_plane(partition_, frame_, plane.node, plane.dim, plane.value, lo, hi) < 0) continue;
      const double older = planes.size() > 200 ? 1 : plane.level < 2 ? 2.5 : 2;
      list_.line({x_of(lo[0]), y_of(lo[1]), x_of(hi[0]), y_of(hi[1])},
                 fading(plane.node, [plane](const Theme& t) { return plane_colour(t, plane); }),
                 pen(plane.fresh    ? newest + 1
                     : plane.newest ? newest
                                    : older));
    }
  }

  void draw_tight_boxes() {
    const auto& cells = partition_.cells();
    if (cells.size() > most_tight_boxes) return;
    std::array<double, 3> lo{}, hi{};
    for (const NodeId id : cells)
      if (scene_tight_box(partition_, frame_, id, lo, hi))
        box(lo, hi,
            fading(id,
                   [place = partition_.nodes()[id.value].place](const Theme& t) { return tight_box_colour(t, place); }),
            cells.size() > 200 ? 1 : 2);
  }

  void draw_triangles() {
    for (std::size_t i = 0; i < room_.triangles.size(); ++i) {
      std::vector<double> corners;
      for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
        const PointMark& mark = picture_.marks[room_.corners[k]];
        corners.insert(corners.end(), {x_of(mark.at[0]), y_of(mark.at[1])});
      }
      const auto fill = [place = room_.triangles[i]](const Theme& t) {
        return mix(subtree_colour(t, place), t.base, 0.15);
      };
      const double x = (corners[0] + corners[2] + corners[4]) / 3, y = (corners[1] + corners[3] + corners[5]) / 3;
      std::vector<double> shadow = corners;
      for (double& place : shadow) place += pen(2.5);
      list_.add({.shape = Shape::polygon, .at = std::move(shadow), .ink = [](const Theme& t) {
                   return mix(t.base, t.dark ? t.base : t.text, 0.45);
                 }});
      list_.add({.shape = Shape::polygon, .at = corners, .ink = fill});
      list_.add({.shape = Shape::polygon, .at = std::move(corners), .ink = of_theme(&Theme::text), .width = pen(1)});
      if (room_.triangles.size() <= most_triangle_labels)
        list_.words(
            x, y, element_name(Space::triangle, i), [fill](const Theme& t) { return text_on(fill(t)); }, 1.3 * text_);
    }
  }

  /// Draws a line above each point and triangle that the step reads, writes or compares, unless they are many.
  void draw_roles() {
    const auto draw = [&](const std::array<double, 3>& scene, double above, Role role, bool of_point = true) {
      labels_.draw_role({x_of(scene[0]), list_.height - y_of(scene[1])}, above, role, of_point);
    };
    if (picture_.roles.points.size() <= most_role_lines)
      for (const RoleMark& role : picture_.roles.points)
        if (const PointMark* mark = picture_.mark_of({role.index}))
          draw(mark->at, radius_ + 3.5 * labels_.role_thickness(), role.role);
    if (picture_.roles.triangles.size() <= most_role_lines)
      for (const RoleMark& role : picture_.roles.triangles) {
        if (role.index >= room_.triangles.size()) continue;
        std::array<double, 3> middle{};
        for (std::size_t k = 3 * std::size_t(role.index); k < 3 * std::size_t(role.index) + 3; ++k)
          for (std::size_t axis = 0; axis < 2; ++axis) middle[axis] += picture_.marks[room_.corners[k]].at[axis] / 3;
        draw(middle, text_, role.role, false);
      }
  }

  void name_points() {
    std::vector<NamedPoint> points;
    for (const PointMark& mark : picture_.marks)
      points.push_back({.point = mark.point,
                        .at = {x_of(mark.at[0]), list_.height - y_of(mark.at[1])},
                        .ringed = mark.pivot,
                        .cell = picture_.nodes_hidden ? std::nullopt : labels_.cell_of(partition_, mark.node),
                        .faded = mark.faded});
    labels_.name(std::move(points), {});
  }

  void draw_points() {
    const bool finished = picture_.finished(), rimmed = radius_ > 0.2 * text_;
    Item marks{.shape = Shape::marks, .at = {}, .ink = mark_rim, .width = rimmed ? pen(1.2) : 0, .size = radius_};
    for (const PointMark& mark : picture_.marks) {
      marks.at.insert(marks.at.end(), {x_of(mark.at[0]), y_of(mark.at[1])});
      marks.glyphs.push_back(subtree_glyph(mark.place));
      marks.cells.push_back([mark, finished](const Theme& t) { return mark_colour(t, mark, finished); });
      marks.faint.push_back(mark.faded);
    }
    if (picture_.marks.empty()) return;
    marks.id = picture_.marks.front().point;
    if (picture_.marks.size() > 1) marks.stride = picture_.marks[1].point - picture_.marks[0].point;
    list_.add(std::move(marks));
    for (const PointMark& mark : picture_.marks) {
      const double x = x_of(mark.at[0]), y = y_of(mark.at[1]);
      if (mark.pivot)
        draw_glyph_ring(list_, subtree_glyph(mark.place), x, y, radius_ + 0.35 * text_, of_theme(&Theme::pivot),
                        pen(rimmed ? 3 : 1));
      if (mark.point < room_.selected.size() && room_.selected[mark.point])
        list_.ring(x, y, radius_ + 0.65 * text_, of_theme(&Theme::selection), pen(4));
    }
  }

  void draw_overlay() {
    const auto place = [this](const std::array<double, 3>& at) {
      return std::optional(std::array{x_of(at[0]), y_of(at[1])});
    };
    const auto place_of_point = [&](PointId point) {
      const PointMark* mark = picture_.mark_of(point);
      return mark ? place(mark->at) : std::nullopt;
    };
    kdscope::draw_overlay(list_, picture_.overlay, {partition_, frame_, place, place_of_point, pen(1), radius_});
  }

  const PartitionPicture& picture_;
  const Partition& partition_;
  const Frame& frame_;
  const PartitionRoom& room_;
  const double text_;
  double across_ = 1, up_ = 1;  // pixels per scene unit
  double left_ = 0, right_ = 1, top_ = 0, bottom_ = 1, radius_ = 1;
  bool has_labels_ = false;
  const Measures measures_{.pixel = text_ / 15, .text = text_, .scale = text_ / 15};
  Projection projection_;
  PixelLayer layer_;
  PlotLabels labels_{layer_, frame_, projection_};
  DisplayList list_;
};

}  // namespace

PartitionMesh::PartitionMesh(const Cursor& cursor, const PartitionPicture& picture, std::size_t most) {
  std::vector<std::uint32_t> all = triangles_of(cursor);
  const TypedArray* points = cursor.array(points_array);
  if (all.empty() || all.size() > 3 * most || !points || picture.marks.size() != picture.points) return;
  places = places_of_triangles(picture.partition, *points, picture.partition.dim(), all);
  corners = std::move(all);
}

PartitionDrawing PartitionDrawing::of(const PartitionPicture& picture, const PartitionRoom& room) {
  return picture.empty() ? PartitionDrawing() : PartitionPen(picture, room).draw();
}

}  // namespace kdscope
