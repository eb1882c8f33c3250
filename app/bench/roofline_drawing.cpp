#include "app/bench/roofline_drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "app/experiments/experiment_drawing.hpp"

namespace kdscope {
namespace {

constexpr double bytes_per_ms = 1e6;  // in one GB/s

bool is_drawn(const RooflinePoint& point) { return point.bytes > 0 && point.ms > 0; }

/// A line of the plot from left to right.
struct Line {
  ChartPlace from, to;
  double length() const { return std::hypot(to.x - from.x, to.y - from.y); }
  double angle() const { return std::atan2(to.y - from.y, to.x - from.x); }  ///< clockwise, in radians
  bool is_null() const { return length() == 0; }
};

/// Coordinates whose first axis runs along a line of the plot.
struct Turned {
  ChartPlace start;
  double along = 1, across = 0;  ///< cosine and sine of the angle
  ChartPlace map(ChartPlace p) const {
    return {start.x + along * p.x - across * p.y, start.y + across * p.x + along * p.y};
  }
  ChartPlace back(ChartPlace p) const {
    const double x = p.x - start.x, y = p.y - start.y;
    return {along * x + across * y, along * y - across * x};
  }
  ChartBox around(const ChartBox& box) const {
    ChartBox all{1e300, 1e300, -1e300, -1e300};
    for (const double x : {box.left, box.right})
      for (const double y : {box.top, box.bottom}) {
        const ChartPlace at = map({x, y});
        all = {std::min(all.left, at.x), std::min(all.top, at.y), std::max(all.right, at.x),
               std::max(all.bottom, at.y)};
      }
    return all;
  }
};

/// Whether a line crosses a diagonal of a box.
bool crosses(const Line& line, const ChartBox& box) {
  // On which side of the line from a to b a place lies
  const auto side = [](ChartPlace a, ChartPlace b, ChartPlace p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
  };
  const Line diagonals[] = {{{box.left, box.top}, {box.right, box.bottom}},
                            {{box.right, box.top}, {box.left, box.bottom}}};
  return !line.is_null() && std::ranges::any_of(diagonals, [&](const Line& d) {
    return side(line.from, line.to, d.from) * side(line.from, line.to, d.to) <= 0 &&
           side(d.from, d.to, line.from) * side(d.from, d.to, line.to) <= 0;
  });
}

/// One drawing of the chart.
class RooflineDrawing {
 public:
  RooflineDrawing(const std::vector<RooflinePoint>& points, const RooflineBounds& bounds, int marked,
                  const ChartRoom& room)
      : points_(points), bounds_(bounds), marked_(marked), room_(room) {
    list_.width = room.width, list_.height = room.height;
  }

  DisplayList draw() {
    if (!lay_out()) return {};
    draw_axes(list_,
              {plot_, x_, y_, decimal_bytes, [](double value) { return axis_text(value, "ms"); },
               "bytes read and written", "time"},
              room_);
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (is_drawn(points_[i])) spots_.push_back({{x_(points_[i].bytes), y_(points_[i].ms)}, static_cast<int>(i)});
    draw_lines();
    draw_points();
    draw_numbers();
    return std::move(list_);
  }

 private:
  struct Spot {
    ChartPlace place;
    int point;
  };

  double copy_ms(double bytes) const { return bytes / bytes_per_ms / bounds_.copy_gigabytes; }

  /// Computes the axes and the plot's rectangle. Returns false if there is nothing to draw, or no room.
  bool lay_out() {
    double x_least = 1e300, x_most = 0, y_least = 1e300, y_most = 0;
    const auto cover = [&](double ms) {
      y_least = std::min(y_least, ms);
      y_most = std::max(y_most, ms);
    };
    for (const RooflinePoint& point : points_) {
      if (!is_drawn(point)) continue;
      x_least = std::min(x_least, point.bytes);
      x_most = std::max(x_most, point.bytes);
      cover(point.ms);
    }
    if (x_most <= 0) return false;
    if (bounds_.shortest_launch_ms > 0) cover(bounds_.shortest_launch_ms);
    if (bounds_.copy_gigabytes > 0) cover(copy_ms(x_most));
    // Leave room around the outermost points
    constexpr double margin = 1.3;
    x_ = PlotAxis::over(x_least / margin, x_most * margin, true);
    y_ = PlotAxis::over(y_least / margin, y_most * margin, true);
    shorten(x_, x_least / margin, x_most * margin);
    shorten(y_, y_least / margin, y_most * margin);
    const double labels = label_width(room_, y_, [](double v) { return axis_text(v, "ms"); });
    plot_ = {labels + line_ * 0.7, line_ * 1.9, room_.width - line_ * 0.9, room_.height - line_ * 2.9};
    x_.begin = plot_.left;
    x_.end = plot_.right;
    y_.begin = plot_.bottom;
    y_.end = plot_.top;
    return plot_.width() >= line_ * 2 && plot_.height() >= line_ * 2;
  }

  /// Cuts the parts of a decade that hold no value from both ends.
  static void shorten(PlotAxis& axis, double least, double most) {
    for (const double part : {2.0, 2.5})
      if (axis.low * part <= least) axis.low *= part;
    for (const double part : {0.5, 0.4})
      if (axis.high * part >= most) axis.high *= part;
  }

  /// Returns whether a box in turned coordinates covers no point, and no line but `own`.
  bool is_free(const ChartBox& box, const Turned& turned = {}, const Line* own = nullptr) const {
    const ChartBox wide = box.grown(radius_);
    return std::ranges::none_of(spots_, [&](const Spot& spot) { return wide.contains(turned.back(spot.place)); }) &&
           std::ranges::none_of(lines_, [&](const Line& line) {
             return &line != own && crosses({turned.back(line.from), turned.back(line.to)}, box);
           });
  }

  bool is_taken(const ChartBox& box) const {
    return std::ranges::any_of(taken_, [&](const ChartBox& other) { return other.intersects(box); });
  }

  /// Draws a text along a line of the plot, at the first of several places where it covers nothing.
  void draw_along(const Line& line, const std::string& text) {
    const double width = room_.text_width(text) + 2, gap = line_ * 0.15, rest = line.length() - width;
    if (rest < line_) return;
    for (const double at : {0.94, 0.06, 0.7, 0.3, 0.5})
      for (const double side : {gap, -line_ - gap}) {  // below the line, above it
        const double share = rest * at / line.length(), angle = line.angle();
        const Turned turned{
            {line.from.x + share * (line.to.x - line.from.x), line.from.y + share * (line.to.y - line.from.y)},
            std::cos(angle),
            std::sin(angle)};
        const ChartBox box{0, side, width, side + line_}, mapped = turned.around(box);
        if (is_taken(mapped) || !plot_.contains(mapped) || !is_free(box, turned, &line)) continue;
        draw_words(list_, turned.map({0, side + line_ / 2}), text).angle = angle * 180 / std::numbers::pi;
        taken_.push_back(mapped);
        return;
      }
  }

  /// Returns the part within the plot of the line on which a copy of as many bytes lies. It is straight, because both
  /// axes are logarithmic. Null: it lies outside, or the bandwidth is unknown.
  Line copy_line() const {
    if (bounds_.copy_gigabytes <= 0) return {};
    const double first = std::max(x_.low, y_.low * bytes_per_ms * bounds_.copy_gigabytes);
    const double last = std::min(x_.high, y_.high * bytes_per_ms * bounds_.copy_gigabytes);
    if (first >= last) return {};
    return {{x_(first), y_(copy_ms(first))}, {x_(last), y_(copy_ms(last))}};
  }

  Line launch_line() const {
    const double ms = bounds_.shortest_launch_ms;
    return ms > 0 ? Line{{plot_.left, y_(ms)}, {plot_.right, y_(ms)}} : Line();
  }

  void draw_lines() {
    lines_ = {copy_line(), launch_line()};
    const auto& [copy, launch] = lines_;
    const auto draw_line = [&](const Line& line, double width) -> DisplayItem& {
      return list_.line({line.from.x, line.from.y, line.to.x, line.to.y}, of_theme(&Theme::text), width * unit_);
    };
    if (!launch.is_null()) draw_line(launch, 1.5).dash = DisplayItem::Dash::dashed;
    if (!copy.is_null()) {
      draw_line(copy, 2.4);
      draw_along(copy, "copy: " + digits_text(bounds_.copy_gigabytes) + " GB/s");
    }
    if (!launch.is_null()) draw_along(launch, "shortest launch: " + short_time(bounds_.shortest_launch_ms));
  }

  void draw_points() {
    const DisplayInk ink = [](const Theme&t) { return t.categories[2]; }, ground = of_theme(&Theme::base);
    for (const auto& [at, point] : spots_) {
      const RooflinePoint& shown = points_[static_cast<std::size_t>(point)];
      DisplayItem& mark = shown.counted
                              ? draw_mark(list_, at, Glyph::circle, radius_, ink, ground, 1.2 * unit_)
                              : draw_mark(list_, at, Glyph::circle, radius_ - unit_, ground, ink, 1.8 * unit_);
      mark.id = static_cast<std::uint32_t>(point);
      mark.spoken = shown.tip;
      if (point == marked_) list_.ring(at.x, at.y, ring_radius(), of_theme(&Theme::selection), 2.5 * unit_);
    }
  }

  double ring_radius() const { return radius_ + 3.5 * unit_; }

  /// Points that cover one another, and share a text.
  struct Group {
    ChartPlace place;
    bool counted = true;       ///< all of them, or none
    std::vector<int> numbers;  ///< ascending
    bool marked = false;
  };

  std::vector<Group> groups() const {
    std::vector<Group> groups;
    for (const auto& [at, point] : spots_) {
      const bool counted = points_[static_cast<std::size_t>(point)].counted;
      auto group = std::find_if(groups.begin(), groups.end(), [&, place = at](const Group& g) {
        return g.counted == counted && Line{g.place, place}.length() < 1.6 * radius_;
      });
      if (group == groups.end()) group = groups.insert(group, Group{at, counted, {}});
      group->numbers.push_back(point + 1);
      group->marked = group->marked || point == marked_;
    }
    return groups;
  }

  /// Returns "2-4, 7", with a dash.
  static std::string numbers_text(const std::vector<int>& numbers) {
    std::string text;
    for (std::size_t first = 0, last = 0; first < numbers.size(); first = ++last) {
      while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
      text += (first > 0 ? ", " : "") + std::to_string(numbers[first]);
      if (last > first) text += (last > first + 1 ? "\u2013" : ", ") + std::to_string(numbers[last]);
    }
    return text;
  }

  /// Draws the numbers beside their points, as near as they cover nothing.
  void draw_numbers() {
    for (const Group& group : groups()) {
      const std::string text = numbers_text(group.numbers) + (group.counted ? "" : ": not counted");
      const double reach = group.marked ? ring_radius() + 1.5 * unit_ : radius_;
      // A longer text stays off the labels of the axes
      const ChartBox within = group.counted ? ChartBox{0, 0, room_.width, room_.height} : plot_;
      const ChartBox box = box_beside(group.place, room_.text_width(text, true) + 2, reach, within);
      taken_.push_back(box);
      draw_words(list_, {(box.left + box.right) / 2, (box.top + box.bottom) / 2}, text, of_theme(&Theme::text),
                 DisplayItem::Anchor::middle)
          .bold = true;
    }
  }

  ChartBox box_beside(ChartPlace at, double width, double reach, const ChartBox& within) const {
    const double half_wide = width / 2, half_high = line_ * 0.45;
    std::optional<ChartBox> first;
    for (const double ring : {1.0, 1.5, 2.0})
      for (const int eighth : {2, 1, 3, 0, 4, 7, 5, 6}) {  // first above
        const double angle = eighth * std::numbers::pi / 4;
        const double x = at.x + ring * std::cos(angle) * (reach + half_wide + unit_);
        const double y = at.y - ring * std::sin(angle) * (reach + half_high);
        const ChartBox box{x - half_wide, y - half_high, x + half_wide, y + half_high};
        if (!first) first = box;
        // is_free() keeps a point's radius clear, which is more than a number beside its own point has
        if (!is_taken(box) && is_free(box.grown(-radius_ / 2)) && within.contains(box)) return box;
      }
    return *first;
  }

  const std::vector<RooflinePoint>& points_;
  const RooflineBounds& bounds_;
  const int marked_;
  const ChartRoom& room_;
  /// Height of a line of text; a pixel at the normal text scale; radius of a point.
  const double line_ = room_.line_height, unit_ = line_ / 18.0, radius_ = 6 * unit_;
  DisplayList list_;
  std::vector<Spot> spots_;  ///< of the points that are drawn
  ChartBox plot_;
  PlotAxis x_, y_;
  std::array<Line, 2> lines_;    ///< of the copy and of the shortest launch
  std::vector<ChartBox> taken_;  ///< by texts
};

}  // namespace

std::string short_time(double ms) { return axis_text(std::stod(digits_text(ms)), "ms"); }

std::string decimal_bytes(double count) {
  constexpr const char* units[] = {"bytes", "kB", "MB", "GB", "TB"};
  constexpr double rounds_up = 999.5;
  int unit = 0;
  for (; count >= rounds_up && unit < 4; ++unit) count /= 1000;
  return digits_text(count) + " " + units[unit];
}

DisplayList roofline_drawing(const std::vector<RooflinePoint>& points, const RooflineBounds& bounds, int marked,
                             const ChartRoom& room) {
  return RooflineDrawing(points, bounds, marked, room).draw();
}

}  // namespace kdscope
