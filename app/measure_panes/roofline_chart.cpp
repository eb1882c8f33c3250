#include "app/measure_panes/roofline_chart.hpp"

#include <QFont>
#include <QLineF>
#include <QMouseEvent>
#include <QTransform>
#include <algorithm>
#include <cmath>

#include "app/appearance/quantities.hpp"
#include "app/measure_panes/experiment_chart.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr double bytes_per_ms = 1e6;  // in one GB/s

bool is_drawn(const RooflinePoint& point) { return point.bytes > 0 && point.ms > 0; }

/// One drawing of the chart.
class RooflineDrawing {
 public:
  RooflineDrawing(const std::vector<RooflinePoint>& points, const RooflineBounds& bounds, int marked, const QFont& font,
                  QSizeF size)
      : points_(points), bounds_(bounds), marked_(marked), size_(size), metrics_(font), bold_(bold_of(font)) {
    list_.width = size.width(), list_.height = size.height();
  }

  DisplayList draw() {
    if (!lay_out()) return {};
    draw_axes(list_,
              {plot_, x_, y_, [](double value) { return decimal_bytes(value); },
               [](double value) { return axis_text(value, "ms"); }, QObject::tr("bytes read and written"),
               QObject::tr("time")},
              metrics_);
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (is_drawn(points_[i]))
        spots_.push_back({QPointF(x_(points_[i].bytes), y_(points_[i].ms)), static_cast<int>(i)});
    draw_lines();
    draw_points();
    draw_numbers();
    return std::move(list_);
  }

 private:
  struct Spot {
    QPointF place;
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
    const double labels = label_width(metrics_, y_, [](double v) { return axis_text(v, "ms"); });
    plot_ = QRectF(QPointF(labels + line_ * 0.7, line_ * 1.9),
                   QPointF(size_.width() - line_ * 0.9, size_.height() - line_ * 2.9));
    x_.begin = plot_.left();
    x_.end = plot_.right();
    y_.begin = plot_.bottom();
    y_.end = plot_.top();
    return plot_.width() >= line_ * 2 && plot_.height() >= line_ * 2;
  }

  /// Cuts the parts of a decade that hold no value from both ends.
  static void shorten(PlotAxis& axis, double least, double most) {
    for (const double part : {2.0, 2.5})
      if (axis.low * part <= least) axis.low *= part;
    for (const double part : {0.5, 0.4})
      if (axis.high * part >= most) axis.high *= part;
  }

  /// Returns whether a rectangle, moved by `to_plot`, covers no point, and no line but `own`.
  bool is_free(const QRectF& room, const QTransform& to_plot = {}, const QLineF& own = {}) const {
    const QTransform back = to_plot.inverted();
    const QRectF wide = room.adjusted(-radius_, -radius_, radius_, radius_);
    return std::none_of(spots_.begin(), spots_.end(),
                        [&](const Spot& spot) { return wide.contains(back.map(spot.place)); }) &&
           std::none_of(lines_.begin(), lines_.end(),
                        [&](const QLineF& line) { return line != own && crosses(back.map(line), room); });
  }

  static bool crosses(const QLineF& line, const QRectF& room) {
    const QLineF diagonals[] = {{room.topLeft(), room.bottomRight()}, {room.topRight(), room.bottomLeft()}};
    return std::any_of(std::begin(diagonals), std::end(diagonals), [&](const QLineF& diagonal) {
      return line.intersects(diagonal, nullptr) == QLineF::BoundedIntersection;
    });
  }

  /// Draws a text along a line of the plot, at the first of several places where it covers nothing.
  void draw_along(const QLineF& along, const QString& text) {
    const double width = metrics_.horizontalAdvance(text) + 2;
    const double gap = line_ * 0.15;
    if (along.length() < width + line_) return;
    for (const double at : {0.94, 0.06, 0.7, 0.3, 0.5})
      for (const double side : {gap, -line_ - gap}) {  // below the line, above it
        const QPointF start = along.pointAt((along.length() - width) * at / along.length());
        QTransform turned;
        turned.translate(start.x(), start.y());
        turned.rotate(-along.angle());
        const QRectF room(0, side, width, line_);
        const QRectF mapped = turned.mapRect(room);
        const bool covered =
            std::any_of(taken_.begin(), taken_.end(), [&](const QRectF& other) { return other.intersects(mapped); });
        if (covered || !plot_.contains(mapped) || !is_free(room, turned, along)) continue;
        draw_words(list_, turned.map(QPointF(0, room.center().y())), text).angle = -along.angle();
        taken_.push_back(mapped);
        return;
      }
  }

  /// Returns the part within the plot of the line on which a copy of as many bytes lies. It is straight, because both
  /// axes are logarithmic. Null: it lies outside, or the bandwidth is unknown.
  QLineF copy_line() const {
    if (bounds_.copy_gigabytes <= 0) return {};
    const double first = std::max(x_.low, y_.low * bytes_per_ms * bounds_.copy_gigabytes);
    const double last = std::min(x_.high, y_.high * bytes_per_ms * bounds_.copy_gigabytes);
    if (first >= last) return {};
    return {x_(first), y_(copy_ms(first)), x_(last), y_(copy_ms(last))};
  }

  QLineF launch_line() const {
    const double ms = bounds_.shortest_launch_ms;
    return ms > 0 ? QLineF(plot_.left(), y_(ms), plot_.right(), y_(ms)) : QLineF();
  }

  void draw_lines() {
    const QLineF copy = copy_line(), launch = launch_line();
    lines_ = {copy, launch};
    const auto draw_line = [&](const QLineF& line, double width) -> DisplayItem& {
      return list_.line({line.x1(), line.y1(), line.x2(), line.y2()}, of_theme(&Theme::text), width * unit_);
    };
    if (!launch.isNull()) draw_line(launch, 1.5).dash = DisplayItem::Dash::dashed;
    if (!copy.isNull()) {
      draw_line(copy, 2.4);
      draw_along(copy, QObject::tr("copy: %1 GB/s").arg(bounds_.copy_gigabytes, 0, 'g', 3));
    }
    if (!launch.isNull())
      draw_along(launch, QObject::tr("shortest launch: %1").arg(short_time(bounds_.shortest_launch_ms)));
  }

  void draw_points() {
    const DisplayInk ink = [](const Theme&t) { return t.categories[2]; }, ground = of_theme(&Theme::base);
    for (const auto& [at, point] : spots_) {
      const RooflinePoint& shown = points_[static_cast<std::size_t>(point)];
      DisplayItem& mark = shown.counted
                              ? draw_mark(list_, at, Glyph::circle, radius_, ink, ground, 1.2 * unit_)
                              : draw_mark(list_, at, Glyph::circle, radius_ - unit_, ground, ink, 1.8 * unit_);
      mark.id = static_cast<std::uint32_t>(point);
      mark.spoken = shown.tip.toStdString();
      if (point == marked_) list_.ring(at.x(), at.y(), ring_radius(), of_theme(&Theme::selection), 2.5 * unit_);
    }
  }

  double ring_radius() const { return radius_ + 3.5 * unit_; }

  /// Points that cover one another, and share a text.
  struct Group {
    QPointF place;
    bool counted = true;       ///< all of them, or none
    std::vector<int> numbers;  ///< ascending
    bool marked = false;
  };

  std::vector<Group> groups() const {
    std::vector<Group> groups;
    for (const auto& [at, point] : spots_) {
      const bool counted = points_[static_cast<std::size_t>(point)].counted;
      auto group = std::find_if(groups.begin(), groups.end(), [&, place = at](const Group& g) {
        return g.counted == counted && QLineF(g.place, place).length() < 1.6 * radius_;
      });
      if (group == groups.end()) group = groups.insert(group, Group{at, counted, {}});
      group->numbers.push_back(point + 1);
      group->marked = group->marked || point == marked_;
    }
    return groups;
  }

  /// Returns "2-4, 7", with a dash.
  static QString numbers_text(const std::vector<int>& numbers) {
    QStringList parts;
    for (std::size_t first = 0, last = 0; first < numbers.size(); first = ++last) {
      while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
      QString part = QString::number(numbers[first]);
      if (last > first)
        part += (last > first + 1 ? QStringLiteral("\u2013") : QStringLiteral(", ")) + QString::number(numbers[last]);
      parts << part;
    }
    return parts.join(QStringLiteral(", "));
  }

  /// Draws the numbers beside their points, as near as they cover nothing.
  void draw_numbers() {
    for (const Group& group : groups()) {
      const QString text = numbers_text(group.numbers) + (group.counted ? QString() : QObject::tr(": not counted"));
      const QSizeF size(bold_.horizontalAdvance(text) + 2, line_ * 0.9);
      const double reach = group.marked ? ring_radius() + 1.5 * unit_ : radius_;
      // A longer text stays off the labels of the axes
      const QRectF room = room_beside(group.place, size, reach, group.counted ? QRectF(QPointF(), size_) : plot_);
      taken_.push_back(room);
      draw_words(list_, room.center(), text, of_theme(&Theme::text), DisplayItem::Anchor::middle).bold = true;
    }
  }

  QRectF room_beside(QPointF at, QSizeF size, double reach, const QRectF& within) const {
    constexpr double pi = 3.14159265358979;
    QRectF first;
    for (const double ring : {1.0, 1.5, 2.0})
      for (const int eighth : {2, 1, 3, 0, 4, 7, 5, 6}) {  // first above
        const double angle = eighth * pi / 4;
        const QPointF away(std::cos(angle) * (reach + size.width() / 2 + unit_),
                           -std::sin(angle) * (reach + size.height() / 2));
        QRectF room(QPointF(), size);
        room.moveCenter(at + ring * away);
        if (first.isNull()) first = room;
        const bool covered =
            std::any_of(taken_.begin(), taken_.end(), [&](const QRectF& other) { return other.intersects(room); });
        // is_free() keeps a point's radius clear, which is more than a number beside its own point has
        if (!covered && is_free(room.adjusted(radius_ / 2, radius_ / 2, -radius_ / 2, -radius_ / 2)) &&
            within.contains(room))
          return room;
      }
    return first;
  }

  const std::vector<RooflinePoint>& points_;
  const RooflineBounds& bounds_;
  const int marked_;
  const QSizeF size_;
  const QFontMetricsF metrics_, bold_;
  /// Height of a line of text; a pixel at the normal text scale; radius of a point.
  const double line_ = metrics_.height(), unit_ = line_ / 18.0, radius_ = 6 * unit_;
  DisplayList list_;
  std::vector<Spot> spots_;  ///< of the points that are drawn
  QRectF plot_;
  PlotAxis x_, y_;
  std::vector<QLineF> lines_;  ///< of the copy and of the shortest launch
  std::vector<QRectF> taken_;  ///< rooms of texts
};

}  // namespace

QString short_time(double ms) { return axis_text(QString::number(ms, 'g', 3).toDouble(), "ms"); }

RooflineChart::RooflineChart(QWidget* parent) : Chart(parent) {
  setObjectName(QStringLiteral("roofline_chart"));
  setAccessibleName(tr("Time over bytes; the table below holds the same rows"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setMouseTracking(true);
}

void RooflineChart::show_points(std::vector<RooflinePoint> points, RooflineBounds bounds, const Theme& theme) {
  points_ = std::move(points);
  bounds_ = bounds;
  marked_ = -1;
  set_theme(theme);
}

void RooflineChart::mark(int point) {
  marked_ = point;
  update();
}

DisplayList RooflineChart::draw() const { return RooflineDrawing(points_, bounds_, marked_, font(), size()).draw(); }

QPointF RooflineChart::place_of(int point) const {
  const DisplayItem* mark = item_of(static_cast<std::uint32_t>(point));
  return mark ? QPointF(mark->at[0], mark->at[1]) : QPointF();
}

void RooflineChart::mouseMoveEvent(QMouseEvent* event) {
  setCursor(id_at(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void RooflineChart::mousePressEvent(QMouseEvent* event) {
  const auto point = event->button() == Qt::LeftButton ? id_at(event->position()) : std::nullopt;
  if (point) emit clicked(static_cast<int>(*point));
}

}  // namespace kdscope
