#include "app/views/parallel_coordinates_drawing.hpp"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/point_label.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_with_glyphs = 150, most_with_numbers = 30;
constexpr std::size_t fewest_lines = 100, most_selected = 200;
constexpr double drawn_pieces = 60000;  // line pieces in one picture
constexpr double small_print = 0.9, least_bar = 4.5;
const QString arrows[] = {QStringLiteral(" \u2192"), QStringLiteral(" \u2191"), QStringLiteral(" \u2197")};

QFont small_font(const CoordinateLook& look) { return interface_font(look.text_scale, small_print); }

/// Draws words on a background of their own, so that they stay legible above lines.
void paint_label(QPainter& painter, const QRectF& at, const QString& words, Rgb ground) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour(ground));
  painter.drawRoundedRect(at, 2, 2);
  painter.setPen(colour(text_on(ground)));
  painter.drawText(at, Qt::AlignCenter, words);
}

}  // namespace

CoordinateMargins coordinate_margins(int text_scale) {
  const double line = QFontMetricsF(interface_font(text_scale, small_print)).height();
  return {2.75 * line, 1.4 * line, 2.2 * line};
}

double room_for_axes(double width, const CoordinateMargins& margins) {
  return std::max(40.0, width - 2 * margins.side);
}

std::size_t lines_to_draw(const ParallelCoordinates& model, double axes_in_sight) {
  return std::min(model.lines().size(),
                  std::max(fewest_lines, static_cast<std::size_t>(drawn_pieces / std::max(1.0, axes_in_sight))));
}

std::vector<CoordinateLine> show_step(ParallelCoordinates& model, const Cursor& cursor, const Selection& selection,
                                      const LinkedSelection& linked) {
  const SelectionMarks marks = marks_of(selection, linked);
  std::vector<NodeId> nodes;
  if (marks.framed) nodes.push_back(*marks.framed);
  model.show(cursor, marks.points, nodes);
  std::vector<CoordinateLine> selected;
  if (marks.points.size() <= most_selected && nodes.empty())
    for (const PointId point : marks.points)
      if (point.value < model.point_count()) selected.push_back(model.line_of(cursor, point));
  return selected;
}

CoordinateDrawing::CoordinateDrawing(const ParallelCoordinates& model, const CoordinateFrame& frame,
                                     const QRectF& sight, const CoordinateLook& look)
    : model_(model), frame_(frame), sight_(sight), look_(look), scale_(look.text_scale / 100.0) {
  const std::size_t count = model.axes().size();
  const auto index = [&](double x) {
    return static_cast<std::size_t>(std::clamp((x - frame.left) / frame.spacing, 0.0, static_cast<double>(count)));
  };
  first_ = index(sight.left());
  end_ = std::min(count, index(sight.right()) + 2);
  const QFontMetricsF metrics(small_font(look));
  double widest = 0;
  for (const std::uint32_t dim : {model.dim() - 1, std::min(model.dim(), 8u) - 1})
    if (model.dim() > 0)
      widest = std::max(
          widest, metrics.horizontalAdvance(QString::fromStdString(coordinate_name(dim, model.dim())) + arrows[0]));
  while (stride_ < count && static_cast<double>(stride_) * frame.spacing < widest + 0.4 * metrics.height())
    stride_ *= 2;
}

QString CoordinateDrawing::name(std::size_t axis) const {
  const std::uint32_t dim = model_.axes()[axis].dim;
  QString words = QString::fromStdString(coordinate_name(dim, model_.dim()));
  for (std::size_t place = 0; place < look_.axes.size(); ++place)
    if (look_.axes[place] == static_cast<int>(dim)) words += arrows[place];
  return words;
}

QRectF CoordinateDrawing::heading(std::size_t axis) const {
  const QFontMetricsF metrics(small_font(look_));
  const double wide = metrics.horizontalAdvance(name(axis)) + 0.7 * metrics.height();
  return {frame_.x(axis) - wide / 2, sight_.top() + 0.1 * metrics.height(), wide, 1.25 * metrics.height()};
}

double CoordinateDrawing::glyph_radius() const {
  return (model_.lines().size() <= most_with_numbers ? 5.5 : 4.2) * scale_;
}
bool CoordinateDrawing::has_bars() const { return bar_room() >= least_bar * scale_; }
double CoordinateDrawing::bar_room() const {
  const double share = std::min(0.16, 0.4 / static_cast<double>(std::max<std::size_t>(1, model_.boxes().size())));
  return std::min(8 * scale_, share * frame_.spacing);
}

QRectF CoordinateDrawing::bar(std::size_t box, std::size_t axis) const {
  const CoordinateBox& b = model_.boxes()[box];
  const std::size_t dim = model_.axes()[axis].dim;
  // Place the bars of all boxes side by side, within two fifths of the room between an axis and the next.
  const double each = bar_room();
  if (b.lo.empty() || !has_bars()) return {};
  const double low = frame_.y(model_.share(axis, b.lo[dim])), high = frame_.y(model_.share(axis, b.hi[dim]));
  const double left = frame_.x(axis) + 3 * scale_ + static_cast<double>(box) * each, least = 2 * scale_;
  return {left, std::min(high, low - least), std::max(1.5, each - 2 * scale_), std::max(least, low - high)};
}

QRectF CoordinateDrawing::split(std::size_t box) const {
  const CoordinateBox& b = model_.boxes()[box];
  const auto axis = b.split_dim < 0 ? std::nullopt : model_.axis_of(static_cast<std::uint32_t>(b.split_dim));
  if (!axis) return {};
  const double half = std::clamp(0.45 * frame_.spacing, 3.0, 14 * scale_), high = 3.0 * scale_;
  return {frame_.x(*axis) - half, frame_.y(model_.share(*axis, b.split_value)) - high / 2, 2 * half, high};
}

void CoordinateDrawing::paint_line(QPainter& painter, PointId point) const {
  const std::size_t from = first_ > 0 ? first_ - 1 : 0, to = std::min(model_.axes().size(), end_ + 1);
  QPolygonF line;
  line.reserve(static_cast<int>(to - from));
  for (std::size_t axis = from; axis < to; ++axis)
    line << QPointF(frame_.x(axis), frame_.y(model_.share(axis, model_.coordinate(point, model_.axes()[axis].dim))));
  painter.drawPolyline(line);
}

void CoordinateDrawing::paint_glyphs(QPainter& painter, const CoordinateLine& line, const QColor& ink,
                                     double radius) const {
  painter.setPen(Qt::NoPen);
  painter.setBrush(ink);
  for (std::size_t axis = first_; axis < end_; ++axis) {
    const QPointF at(frame_.x(axis),
                     frame_.y(model_.share(axis, model_.coordinate(line.point, model_.axes()[axis].dim))));
    painter.drawPath(glyph_path(line.node ? subtree_glyph(line.place) : Glyph::circle, at, radius));
  }
  painter.setBrush(Qt::NoBrush);
}

void CoordinateDrawing::paint_lines(QPainter& painter) const {
  const Theme& t = *look_.theme;
  const std::size_t drawn = std::min(look_.drawn, model_.lines().size());
  const double width = drawn <= most_with_glyphs ? 1.6 * scale_ : 1.0;
  // The more lines there are, the more transparent they are.
  const double opacity =
      std::clamp(std::pow(150.0 / static_cast<double>(std::max<std::size_t>(drawn, 1)), 0.5), 0.2, 1.0);
  const bool glyphs = drawn <= most_with_glyphs && frame_.spacing > 5 * glyph_radius();
  painter.setRenderHint(QPainter::Antialiasing);
  // Draw the lines that are not chosen first, so that they lie below.
  for (const bool above : {false, true}) {
    for (std::size_t i = 0; i < drawn; ++i) {
      const CoordinateLine& line = model_.lines()[i];
      const bool stands_out = !model_.chooses() || line.chosen;
      if (stands_out != above || (line.left_out && !line.chosen)) continue;
      Rgb ink = line.node ? subtree_colour(t, line.place) : t.muted_text;
      if (line.settled) ink = dimmed(t, ink);
      if (!stands_out) ink = mix(ink, t.base, 0.8);
      QColor pen = colour(ink);
      pen.setAlphaF(static_cast<float>(stands_out && model_.chooses() ? std::max(opacity, 0.7) : opacity));
      painter.setPen(QPen(pen, width));
      paint_line(painter, line.point);
      if (glyphs) paint_glyphs(painter, line, colour(ink), glyph_radius());
    }
  }
}

void CoordinateDrawing::paint_axes(QPainter& painter) const {
  if (model_.axes().empty()) return;
  const Theme& t = *look_.theme;
  const bool sparse = frame_.spacing >= 6;
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (std::size_t axis = first_; axis < end_; ++axis) {
    const bool named = axis % stride_ == 0;
    if (!sparse && !named && look_.current != axis) continue;
    const bool current = look_.current == axis;
    painter.setPen(QPen(colour(current ? t.focus : sparse || named ? t.axis : t.line), current ? 2 * scale_ : 1));
    painter.drawLine(QPointF(frame_.x(axis), frame_.y(model_.length(axis))), QPointF(frame_.x(axis), frame_.y(0)));
  }
  painter.setRenderHint(QPainter::Antialiasing);
  paint_bars(painter);
  paint_points(painter);
  paint_selected(painter);
  paint_splits(painter);
  paint_numbers(painter);
  paint_headings(painter);
}

/// Writes the numbers of the points before the first axis, if there are only a few points.
void CoordinateDrawing::paint_points(QPainter& painter) const {
  if (first_ > 0 || model_.lines().size() > most_with_numbers) return;
  const QFont font = small_font(look_);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(colour(look_.theme->text));
  std::vector<QRectF> taken;
  for (const CoordinateLine& line : model_.lines()) {
    const QString words = point_label(line.point.value);
    const double wide = metrics.horizontalAdvance(words),
                 y = frame_.y(model_.share(0, model_.coordinate(line.point, model_.axes()[0].dim)));
    const QRectF at(frame_.x(0) - 1.6 * glyph_radius() - wide, y - metrics.height() / 2, wide, metrics.height());
    if (std::any_of(taken.begin(), taken.end(),
                    [&](const QRectF& other) { return other.intersects(at.adjusted(0, 3, 0, -3)); }))
      continue;
    taken.push_back(at);
    painter.drawText(at, Qt::AlignCenter, words);
  }
}

void CoordinateDrawing::paint_bars(QPainter& painter) const {
  const Theme& t = *look_.theme;
  for (std::size_t box = 0; box < model_.boxes().size(); ++box) {
    const CoordinateBox& b = model_.boxes()[box];
    const QColor ink = colour(subtree_colour(t, b.place));
    for (std::size_t axis = first_; axis < end_; ++axis) {
      const QRectF at = bar(box, axis);
      if (at.isEmpty()) continue;
      painter.fillRect(at.adjusted(-1, -1, 1, 1), colour(t.base));
      painter.fillRect(at, ink);
      if (at.width() < 3.5 * scale_ || at.height() < 5 * glyph_radius()) continue;
      painter.setPen(QPen(colour(t.base), scale_));
      painter.setBrush(ink);
      painter.drawPath(glyph_path(subtree_glyph(b.place), at.center(), at.width() * 0.8));
      painter.setBrush(Qt::NoBrush);
    }
  }
}

void CoordinateDrawing::paint_splits(QPainter& painter) const {
  const Theme& t = *look_.theme;
  const QFont font = small_font(look_);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  std::vector<QRectF> taken;
  for (std::size_t box = 0; box < model_.boxes().size(); ++box) {
    const CoordinateBox& b = model_.boxes()[box];
    const QRectF at = split(box);
    if (at.isEmpty() || !at.intersects(sight_)) continue;
    const Rgb ink = b.fresh ? t.new_plane : t.plane;
    painter.fillRect(at.adjusted(-1, -1.5, 1, 1.5), colour(t.base));
    painter.fillRect(at, colour(ink));
    // Write the split value where it hides neither another one nor the next axis.
    const QString words = QString::fromStdString(short_number(b.split_value, 4));
    const double wide = metrics.horizontalAdvance(words) + 0.4 * metrics.height();
    const bool to_left = at.right() + wide > sight_.right();
    const QRectF label(to_left ? at.left() - wide - 2 : at.right() + 2, at.center().y() - metrics.height() / 2, wide,
                       metrics.height());
    const bool free =
        std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(label); });
    if (!free || (model_.boxes().size() > 1 && wide > 1.6 * frame_.spacing)) continue;
    taken.push_back(label);
    paint_label(painter, label, words, ink);
  }
}

void CoordinateDrawing::paint_selected(QPainter& painter) const {
  const Theme& t = *look_.theme;
  const QFont font = small_font(look_);
  const QFontMetricsF metrics(font);
  for (const CoordinateLine& line : look_.selected) {
    const QColor ink = colour(line.node ? subtree_colour(t, line.place) : t.muted_text);
    for (const auto& [pen, width] :
         {std::pair{colour(t.base), 7.0}, std::pair{colour(t.selection), 5.0}, std::pair{ink, 1.8}}) {
      painter.setPen(QPen(pen, width * scale_, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      paint_line(painter, line.point);
    }
    if (frame_.spacing > 5 * glyph_radius()) paint_glyphs(painter, line, ink, glyph_radius());
  }
  // Write the coordinates of a point that is selected alone.
  if (look_.selected.size() != 1) return;
  painter.setFont(font);
  const PointId point = look_.selected.front().point;
  for (std::size_t axis = first_; axis < end_; ++axis) {
    const double value = model_.coordinate(point, model_.axes()[axis].dim);
    const QString words = QString::fromStdString(short_number(value, 4));
    const double wide = metrics.horizontalAdvance(words) + 0.4 * metrics.height();
    if (wide > 0.9 * frame_.spacing) return;
    const double y = frame_.y(model_.share(axis, value)),
                 below = y - 1.2 * metrics.height() < frame_.top ? 0.25 : -1.25;
    paint_label(painter,
                QRectF(frame_.x(axis) - wide - glyph_radius(), y + below * metrics.height(), wide, metrics.height()),
                words, t.selection);
  }
}

/// Writes the least and the greatest value of each axis.
void CoordinateDrawing::paint_numbers(QPainter& painter) const {
  const Theme& t = *look_.theme;
  const QFont font = small_font(look_);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(colour(t.muted_text));
  const double room = static_cast<double>(stride_) * frame_.spacing;
  for (std::size_t axis = first_; axis < end_; ++axis) {
    if (axis % stride_ != 0) continue;
    const CoordinateAxis& a = model_.axes()[axis];
    const double line = metrics.height();
    for (const bool high : {false, true}) {
      QString words = QString::fromStdString(short_number(high ? a.hi : a.lo, 4));
      if (metrics.horizontalAdvance(words) > room - 0.3 * line)
        words = QString::fromStdString(short_number(high ? a.hi : a.lo, 2));
      const double wide = metrics.horizontalAdvance(words);
      if (wide > room - 0.2 * line) continue;
      const double y = high ? frame_.y(model_.length(axis)) - 1.15 * line : frame_.y(0) + 0.15 * line;
      const QRectF at(frame_.x(axis) - wide / 2, y, wide, line);
      if (at.left() < sight_.left() || at.right() > sight_.right()) continue;
      painter.fillRect(at, colour(t.base));
      painter.drawText(at, Qt::AlignCenter, words);
    }
  }
}

void CoordinateDrawing::paint_headings(QPainter& painter) const {
  const Theme& t = *look_.theme;
  const QFont font = small_font(look_);
  const double line = QFontMetricsF(font).height();
  painter.fillRect(QRectF(sight_.left(), sight_.top(), sight_.width(), 1.45 * line), colour(t.base));
  painter.setFont(font);
  std::vector<bool> split(model_.axes().size());
  for (const CoordinateBox& box : model_.boxes())
    if (const auto axis = box.split_dim < 0 ? std::nullopt : model_.axis_of(static_cast<std::uint32_t>(box.split_dim)))
      split[*axis] = true;
  const auto on_axis = [&](std::size_t axis) {
    return std::find(look_.axes.begin(), look_.axes.end(), static_cast<int>(model_.axes()[axis].dim)) !=
           look_.axes.end();
  };
  // Draw meaningful names first, and the others if there is room.
  std::vector<QRectF> taken;
  for (const bool special : {true, false}) {
    for (std::size_t axis = first_; axis < end_; ++axis) {
      const bool is_special = look_.current == axis || split[axis] || on_axis(axis);
      if (is_special != special || (!special && axis % stride_ != 0)) continue;
      const QRectF at = heading(axis);
      if (at.left() < sight_.left() - 0.5 || at.right() > sight_.right() + 0.5) continue;
      if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(at); })) continue;
      taken.push_back(at);
      const Rgb ground = on_axis(axis) ? t.focus : t.base;
      painter.setPen(look_.current == axis ? QPen(colour(t.focus), 2)
                                           : QPen(colour(on_axis(axis) ? t.focus : t.line), 1));
      painter.setBrush(colour(ground));
      painter.drawRoundedRect(at.adjusted(1, 0, -1, 0), at.height() / 4, at.height() / 4);
      painter.setPen(colour(on_axis(axis) ? text_on(ground) : t.text));
      painter.drawText(at, Qt::AlignCenter, name(axis));
      if (split[axis])
        painter.fillRect(QRectF(at.left() + 4, at.bottom() + 0.1 * line, at.width() - 8, 3 * scale_),
                         colour(t.new_plane));
    }
  }
}

}  // namespace kdscope
