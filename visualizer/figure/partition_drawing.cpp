#include "visualizer/figure/partition_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/text/point_name.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "visualizer/figure/overlay_drawing.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_triangle_labels = 50, most_cell_labels = 40, most_compared_points = 2000;

/// Draws one picture: the map from the scene to the list, and the sizes there.
class PartitionPen {
 public:
  PartitionPen(const PartitionPicture& picture, const PartitionRoom& room)
      : picture_(picture), partition_(picture.partition), frame_(picture.frame), room_(room), text_(room.text) {
    const bool flat = frame_.dims()[1] < 0;  // points on a line
    const double width = frame_.hi(0) - frame_.lo(0), height = frame_.hi(1) - frame_.lo(1);
    double widest = 0;
    for (const std::string& tick : tick_texts(ticks_of(1, 8))) widest = std::max(widest, width_of(tick));
    const double left = flat ? text_ : widest + 2.6 * text_, right = room.width - text_, top = text_,
                 below = 3.4 * text_;
    across_ = std::max(1.0, right - left) / width, up_ = std::max(1.0, room.height - top - below) / height;
    if (!frame_.stretches()) across_ = up_ = std::min(across_, up_);
    list_.width = room.width;
    list_.height = room.lower ? top + up_ * height + below : room.height;
    left_ = (left + right - across_ * width) / 2, right_ = left_ + across_ * width;
    top_ = (top + list_.height - below - up_ * height) / 2, bottom_ = top_ + up_ * height;
    const double n = std::max<double>(1, static_cast<double>(picture.points));
    const double diameter =
        std::clamp(std::sqrt(0.4 * across_ * width * up_ * height * 0.16 / n), 0.14 * text_, 1.2 * text_);
    has_labels_ = picture.points <= most_point_labels && room.triangles.empty();
    std::vector<std::array<double, 2>> places;
    for (const PointMark& mark : picture.marks)
      if (has_labels_) places.push_back({x_of(mark.at[0]), y_of(mark.at[1])});
    // Marks with names do not cover one another.
    radius_ = !room.triangles.empty() ? text_ / 6
              : has_labels_           ? std::clamp(smallest_gap(places, pen(3)) / 1.2, 0.45 * text_, 0.8 * text_) / 2
                                      : diameter / 2;
    if (room.overlay) faded_ = faded_nodes(partition_, room.overlay->faded_cells);
  }

  PartitionDrawing draw() {
    draw_cells();
    draw_planes();
    if (room_.tight_boxes) draw_tight_boxes();
    draw_axes();
    draw_triangles();
    std::array<double, 3> lo{}, hi{};
    if (room_.framed && scene_box(partition_, frame_, *room_.framed, lo, hi))
      box(lo, hi, of_theme(&Theme::selection), 4);
    if (room_.overlay) draw_marks_of(*room_.overlay);  // below the points that it marks
    draw_points();
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

  double width_of(std::string_view words) const {
    return room_.width_of ? room_.width_of(words) : text_width(words, 1.17 * text_);
  }
  double x_of(double x) const { return left_ + across_ * (x - frame_.lo(0)); }
  double y_of(double y) const { return bottom_ - up_ * (y - frame_.lo(1)); }
  /// A width at the usual size of text.
  double pen(double width) const { return width * text_ / 15; }
  std::vector<double> ticks_of(int axis, int count) const {
    if (frame_.dims()[axis] < 0) return {};
    return tick_values(frame_.to_world(axis, frame_.lo(axis)), frame_.to_world(axis, frame_.hi(axis)), count);
  }
  Item& box(const std::array<double, 3>& lo, const std::array<double, 3>& hi, DisplayInk ink, double line = 0) {
    const double left = x_of(lo[0]), top = y_of(hi[1]);
    return list_.box(left, top, x_of(hi[0]) - left, y_of(lo[1]) - top, std::move(ink), pen(line));
  }
  Item& words(double x, double y, std::string text, DisplayInk ink, Item::Anchor anchor, double size = 1) {
    Item& item = list_.words(x, y, std::move(text), std::move(ink), size * text_, anchor);
    item.bold = size != 1;
    return item;
  }

  void draw_cells() {
    if (!shows_whole(partition_, frame_.dims())) return;  // cells of a projection overlap
    const bool finished = picture_.cells_finished();
    std::array<double, 3> lo{}, hi{};
    for (const NodeId id : partition_.cells()) {
      if (!scene_box(partition_, frame_, id, lo, hi)) continue;
      const bool faded =
          room_.overlay && std::ranges::find(room_.overlay->faded_cells, id) != room_.overlay->faded_cells.end();
      box(lo, hi, [node = partition_.nodes()[id.value], finished, faded](const Theme& t) {
        return mix(area_colour(t, node, finished), t.base, faded ? 0.65 : 0);
      });
    }
    for (const auto& [low, high] :
         picture_.nodes_hidden ? std::vector<SceneBox>() : scene_empty_boxes(partition_, frame_))
      for (const auto& [x0, y0, x1, y1] :
           hatching(x_of(low[0]), -y_of(low[1]), x_of(high[0]), -y_of(high[1]), 0.6 * text_))
        list_.line({x0, -y0, x1, -y1}, hatching_colour, pen(1));
    if (partition_.cells().size() > most_cell_labels) return;
    for (const NodeId id : partition_.cells()) {
      const PartitionNode& node = partition_.nodes()[id.value];
      if (node.point != no_id || node.empty || !scene_box(partition_, frame_, id, lo, hi)) continue;
      const std::string label = std::to_string(id.value);
      const double wide = 1.3 * width_of(label) + 0.8 * text_, high = 1.8 * text_;
      if (x_of(hi[0]) - x_of(lo[0]) < wide || y_of(lo[1]) - y_of(hi[1]) < high) continue;
      const auto [x, y] = free_corner(lo, hi, wide, high);
      words(
          x, y, label, [place = node.place](const Theme& t) { return mix(subtree_colour(t, place), t.text, 0.35); },
          Item::Anchor::middle, 1.3);
    }
  }

  /// The middle of a label in that corner of a cell which is furthest from all points.
  std::array<double, 2> free_corner(const std::array<double, 3>& lo, const std::array<double, 3>& hi, double wide,
                                    double high) const {
    std::array<double, 2> best{};
    double best_room = -1;
    for (const double y : {y_of(hi[1]) + high / 2, y_of(lo[1]) - high / 2})
      for (const double x : {x_of(lo[0]) + wide / 2, x_of(hi[0]) - wide / 2}) {
        double room = 1e300;
        for (std::size_t i = 0; i < std::min(picture_.marks.size(), most_compared_points); ++i)
          room = std::min(room, std::hypot(x_of(picture_.marks[i].at[0]) - x, y_of(picture_.marks[i].at[1]) - y));
        if (room > best_room) best_room = room, best = {x, y};
      }
    return best;
  }

  void draw_planes() {
    const auto& planes = partition_.planes();
    const double newest = planes.size() > 600 ? 1.3 : planes.size() > 60 ? 2 : 3.5;
    std::array<double, 3> lo{}, hi{};
    for (const PartitionPlane& plane : planes) {
      const int axis = picture_.axis_of(plane);
      if (axis < 0 || !scene_box(partition_, frame_, plane.node, lo, hi)) continue;
      lo[axis] = hi[axis] = std::clamp(frame_.to_scene(axis, plane.value), lo[axis], hi[axis]);
      if (has_labels_) crossed_.push_back({x_of(lo[0]), y_of(hi[1]), x_of(hi[0]), y_of(lo[1])});
      const double older = planes.size() > 200 ? 1 : plane.level < 2 ? 2.5 : 2;
      list_.line(
          {x_of(lo[0]), y_of(lo[1]), x_of(hi[0]), y_of(hi[1])},
          [plane](const Theme& t) { return plane_colour(t, plane); },
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
        box(
            lo, hi, [place = partition_.nodes()[id.value].place](const Theme& t) { return tight_box_colour(t, place); },
            cells.size() > 200 ? 1 : 2);
  }

  void draw_axes() {
    list_.box(left_, top_, right_ - left_, bottom_ - top_, of_theme(&Theme::axis), pen(1.5));
    for (int axis = 0; axis < 2; ++axis) {
      const int d = frame_.dims()[axis];
      if (d < 0) continue;
      const double length = axis == 0 ? right_ - left_ : bottom_ - top_;
      const auto values = ticks_of(axis, std::max(1, static_cast<int>(length / (axis == 0 ? 5.5 : 3) / text_)));
      const auto texts = tick_texts(values);
      double reach = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double at = frame_.to_scene(axis, values[i]);
        if (axis == 0) {
          list_.line({x_of(at), bottom_, x_of(at), bottom_ + 0.4 * text_}, of_theme(&Theme::axis), pen(1.5));
          words(x_of(at), bottom_ + 1.15 * text_, texts[i], of_theme(&Theme::text), Item::Anchor::middle);
        } else {
          list_.line({left_ - 0.4 * text_, y_of(at), left_, y_of(at)}, of_theme(&Theme::axis), pen(1.5));
          words(left_ - 0.6 * text_, y_of(at), texts[i], of_theme(&Theme::text), Item::Anchor::right);
        }
        reach = std::max(reach, width_of(texts[i]));
      }
      const std::string name = coordinate_name(static_cast<std::uint32_t>(d), partition_.dim());
      if (axis == 0)
        words((left_ + right_) / 2, bottom_ + 2.5 * text_, name, of_theme(&Theme::muted_text), Item::Anchor::middle);
      else
        words(left_ - reach - 1.6 * text_, (top_ + bottom_) / 2, name, of_theme(&Theme::muted_text),
              Item::Anchor::middle);
    }
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
      list_.add({.shape = Shape::polygon, .at = corners, .ink = fill});
      list_.add({.shape = Shape::polygon, .at = std::move(corners), .ink = of_theme(&Theme::text), .width = pen(1)});
      if (room_.triangles.size() <= most_triangle_labels)  // without the rim that pages give to bold words
        words(
            x, y, std::to_string(i), [fill](const Theme& t) { return text_on(fill(t)); }, Item::Anchor::middle, 1.3)
            .bold = false;
    }
  }

  /// The mark of a point; null if it is not drawn.
  const PointMark* mark_of(PointId point) const {
    const auto found = std::ranges::lower_bound(picture_.marks, point.value, {}, &PointMark::point);
    return found == picture_.marks.end() || found->point != point.value ? nullptr : &*found;
  }

  bool is_faded(const PointMark& mark) const { return mark.node < faded_.size() && faded_[mark.node]; }

  /// Draws a line above each point and triangle that the step reads, writes or compares, unless they are many.
  void draw_roles() {
    const double thick = 0.14 * text_, width = std::max(2.2 * radius_, 1.6 * text_);
    const auto draw = [&](double x, double y, Role role) {
      taken_.push_back({x - width / 2, y - 0.5 * text_, x + width / 2, y + thick});
      draw_role_line(list_, role, x, y, width, thick, pen(1));
    };
    if (picture_.roles.points.size() <= most_role_lines)
      for (const RoleMark& role : picture_.roles.points)
        if (const PointMark* mark = mark_of({role.index}))
          draw(x_of(mark->at[0]), y_of(mark->at[1]) - radius_ - 3.5 * thick, role.role);
    if (picture_.roles.triangles.size() <= most_role_lines)
      for (const RoleMark& role : picture_.roles.triangles) {
        if (role.index >= room_.triangles.size()) continue;
        double x = 0, y = 0;
        for (std::size_t k = 3 * std::size_t(role.index); k < 3 * std::size_t(role.index) + 3; ++k) {
          x += x_of(picture_.marks[room_.corners[k]].at[0]) / 3;
          y += y_of(picture_.marks[room_.corners[k]].at[1]) / 3;
        }
        draw(x, y - text_, role.role);
      }
  }

  void draw_points() {
    const bool finished = picture_.finished(), rimmed = radius_ > 0.2 * text_;
    Item marks{.shape = Shape::marks,
               .at = {},
               .ink = [](const Theme& t) { return mix(t.base, t.text, t.dark ? 0.0 : 0.75); },
               .width = rimmed ? pen(1.2) : 0,
               .size = radius_};
    for (const PointMark& mark : picture_.marks) {
      marks.at.insert(marks.at.end(), {x_of(mark.at[0]), y_of(mark.at[1])});
      marks.glyphs.push_back(subtree_glyph(mark.place));
      marks.cells.push_back([mark, finished, faded = is_faded(mark)](const Theme& t) {
        const Rgb plain = mark_colour(t, mark, finished);
        return faded ? faded_mark(t, plain) : plain;
      });
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
    draw_roles();
    for (const PointMark& mark : picture_.marks)
      if (has_labels_) draw_name(mark);
  }

  /// Writes the name of a point diagonally beside its mark, because planes run straight through their points: where it
  /// covers the fewest names, lines and marks, and stays in the frame.
  void draw_name(const PointMark& mark) {
    const std::string name = point_name(mark.point);
    const double x = x_of(mark.at[0]), y = y_of(mark.at[1]), wide = 1.05 * width_of(name), high = text_;
    const double away = 0.75 * radius_ + (mark.pivot ? 0.4 : 0.1) * text_;
    std::array<double, 4> best{};
    double least = 1e300, side = 1;
    for (const auto& [across, down] : {std::pair{1.0, -1.0}, {-1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
      const double left = across > 0 ? x + away : x - away - wide, top = y + down * (away + 0.5 * text_) - high / 2;
      const std::array room{left, top, left + wide, top + high};
      double cost = left < left_ || room[2] > right_ ? 2 : top < top_ || room[3] > bottom_ ? 1 : 0;
      const auto meets = [&](const std::array<double, 4>& other) {
        return room[0] < other[2] && other[0] < room[2] && room[1] < other[3] && other[1] < room[3];
      };
      cost += 10.0 * static_cast<double>(std::ranges::count_if(taken_, meets)) +
              3.0 * static_cast<double>(std::ranges::count_if(crossed_, meets));
      for (const PointMark& other : picture_.marks)
        cost += 5 * (std::abs(x_of(other.at[0]) - std::clamp(x_of(other.at[0]), room[0], room[2])) < radius_ &&
                     std::abs(y_of(other.at[1]) - std::clamp(y_of(other.at[1]), room[1], room[3])) < radius_ &&
                     other.point != mark.point);
      if (cost < least) least = cost, best = room, side = across;
    }
    taken_.push_back(best);
    words(side > 0 ? best[0] : best[2], best[1] + high / 2, name, is_faded(mark) ? faded_name : of_theme(&Theme::text),
          side > 0 ? Item::Anchor::left : Item::Anchor::right, 0.95);
  }

  void draw_marks_of(const Overlay& overlay) {
    const auto place = [this](const std::array<double, 3>& at) {
      return std::optional(std::array{x_of(at[0]), y_of(at[1])});
    };
    const auto place_of_point = [&](PointId point) {
      const PointMark* mark = mark_of(point);
      return mark ? place(mark->at) : std::nullopt;
    };
    draw_overlay(list_, overlay, {partition_, frame_, place, place_of_point, pen(1), radius_});
    for (const Overlay::Label& label :
         std::span(overlay.labels).first(std::min(overlay.labels.size(), most_overlay_marks)))
      if (const auto at = scene_place(frame_, label.at))
        words(
            x_of((*at)[0]) + 0.5 * text_, y_of((*at)[1]) - 0.8 * text_, label.text,
            [ink = label.ink](const Theme& t) { return ink_colour(t, ink); }, Item::Anchor::left, 0.95);
  }

  const PartitionPicture& picture_;
  const Partition& partition_;
  const Frame& frame_;
  const PartitionRoom& room_;
  const double text_;
  double across_ = 1, up_ = 1;  // pixels per scene unit
  double left_ = 0, right_ = 1, top_ = 0, bottom_ = 1, radius_ = 1;
  bool has_labels_ = false;
  std::vector<bool> faded_;                     // by node
  std::vector<std::array<double, 4>> taken_;    // by names and lines of roles: left, top, right and bottom
  std::vector<std::array<double, 4>> crossed_;  // the same of split planes
  DisplayList list_;
};

}  // namespace

PartitionDrawing PartitionDrawing::of(const PartitionPicture& picture, const PartitionRoom& room) {
  return picture.empty() ? PartitionDrawing() : PartitionPen(picture, room).draw();
}

}  // namespace kdscope
