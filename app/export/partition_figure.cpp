#include "app/export/partition_figure.hpp"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "algorithms/text/point_name.hpp"
#include "app/appearance/appearance.hpp"
#include "app/select/selection.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_labels = 50, most_cell_labels = 40;

QFont pixels(QFont font, double size, bool bold) {
  font.setPixelSize(std::max(4, static_cast<int>(std::lround(size))));
  font.setBold(bold);
  return font;
}

QString words(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

PartitionFigure::PartitionFigure(const Cursor& cursor, const Selection& selection,
                                 const PartitionPictureOptions& options, std::span<const Highlight> added,
                                 const Concealment& concealed)
    : picture_(PartitionPicture::at(cursor, options, added, concealed)),
      tight_boxes_(options.tight_boxes),
      selected_(picture_.points) {
  if (!selection) return;
  const SelectionMarks marks = marks_of(selection, resolve_selection(cursor, selection));
  for (const PointId id : marks.points)
    if (id.value < selected_.size()) selected_[id.value] = true;
  selected_node_ = marks.framed;
}

/// One painting: the map from the scene to the page, and the sizes on the page.
class PartitionFigure::Drawing {
 public:
  Drawing(const PartitionFigure& figure, QPainter& painter, const QRectF& area, const Theme& theme, double text)
      : f_(figure), painter_(painter), t_(theme), text_(text), font_(painter.font()) {
    const bool flat = f_.picture_.frame.dims()[1] < 0;  // points on a line
    const double width = f_.picture_.frame.hi(0) - f_.picture_.frame.lo(0),
                 height = f_.picture_.frame.hi(1) - f_.picture_.frame.lo(1);
    const auto ticks = ticks_of(1, 8);
    double widest = 0;
    const QFontMetricsF metrics(pixels(font_, text_, false), painter_.device());
    for (const std::string& tick : tick_texts(ticks)) widest = std::max(widest, metrics.horizontalAdvance(words(tick)));
    const QRectF plot = area.adjusted(flat ? text_ : widest + 2.6 * text_, text_, -text_, -3.4 * text_);
    across_ = plot.width() / width;
    up_ = plot.height() / height;
    if (!f_.picture_.frame.stretches()) across_ = up_ = std::min(across_, up_);
    origin_ = {plot.center().x() - across_ * (f_.picture_.frame.lo(0) + width / 2),
               plot.center().y() + up_ * (f_.picture_.frame.lo(1) + height / 2)};
    const double n = std::max<double>(1, static_cast<double>(f_.picture_.points));
    diameter_ = std::clamp(std::sqrt(0.4 * across_ * width * up_ * height * 0.16 / n), 0.14 * text_, 1.2 * text_);
  }

  void draw() {
    draw_cells();
    draw_planes();
    if (f_.tight_boxes_) draw_tight_boxes();
    draw_axes();
    if (f_.selected_node_) outline(*f_.selected_node_);
    draw_marks();
  }

 private:
  QPointF at(double x, double y) const { return origin_ + QPointF(across_ * x, -up_ * y); }
  QRectF rectangle(const std::array<double, 3>& lo, const std::array<double, 3>& hi) const {
    return QRectF(at(lo[0], hi[1]), at(hi[0], lo[1]));
  }
  QRectF ground() const {
    return QRectF(at(f_.picture_.frame.lo(0), f_.picture_.frame.hi(1)),
                  at(f_.picture_.frame.hi(0), f_.picture_.frame.lo(1)));
  }
  std::vector<double> ticks_of(int axis, int count) const {
    const int d = f_.picture_.frame.dims()[axis];
    return d < 0 ? std::vector<double>()
                 : tick_values(f_.picture_.partition.domain().lo[d], f_.picture_.partition.domain().hi[d], count);
  }
  void line_width(Rgb ink, double width, Qt::PenStyle style = Qt::SolidLine) {
    painter_.setPen(QPen(colour(ink), width * text_ / 15, style, Qt::FlatCap));
  }

  void draw_cells() {
    painter_.setPen(Qt::NoPen);
    if (f_.picture_.partition.dim() > 2) return;  // cells of a projection overlap
    const auto& cells = f_.picture_.partition.cells();
    const auto& nodes = f_.picture_.partition.nodes();
    const bool finished = f_.picture_.cells_finished();
    std::array<double, 3> lo{}, hi{};
    for (const NodeId id : cells) {
      if (!scene_box(f_.picture_.partition, f_.picture_.frame, id, lo, hi)) continue;
      painter_.setBrush(colour(area_colour(t_, nodes[id.value], finished)));
      painter_.drawRect(rectangle(lo, hi));
    }
    if (cells.size() > most_cell_labels) return;
    painter_.setFont(pixels(font_, 1.3 * text_, true));
    const QFontMetricsF metrics(painter_.font(), painter_.device());
    for (const NodeId id : cells) {
      const PartitionNode& node = nodes[id.value];
      if (node.point != no_id || node.empty || !scene_box(f_.picture_.partition, f_.picture_.frame, id, lo, hi))
        continue;
      const QString label = QString::number(id.value);
      const QSizeF size(metrics.horizontalAdvance(label) + 0.8 * text_, 1.8 * text_);
      const QRectF cell = rectangle(lo, hi);
      if (cell.width() < size.width() || cell.height() < size.height()) continue;
      painter_.setPen(colour(mix(subtree_colour(t_, node.place), t_.text, 0.35)));
      painter_.drawText(free_corner(cell, size), Qt::AlignCenter, label);
    }
  }

  /// The corner of a cell that is furthest from all points.
  QRectF free_corner(const QRectF& cell, const QSizeF& size) const {
    QRectF best;
    double best_room = -1;
    for (const double v : {0.0, 1.0})
      for (const double u : {0.0, 1.0}) {
        const QRectF corner(
            QPointF(cell.x() + u * (cell.width() - size.width()), cell.y() + v * (cell.height() - size.height())),
            size);
        double room = 1e300;
        for (std::size_t i = 0; i < std::min<std::size_t>(f_.picture_.marks.size(), 2000); ++i) {
          const QPointF away = at(f_.picture_.marks[i].at[0], f_.picture_.marks[i].at[1]) - corner.center();
          room = std::min(room, std::hypot(away.x(), away.y()));
        }
        if (room > best_room) best_room = room, best = corner;
      }
    return best;
  }

  void draw_planes() {
    const auto& planes = f_.picture_.partition.planes();
    const double newest = planes.size() > 600 ? 1.3 : planes.size() > 60 ? 2 : 3.5;
    std::array<double, 3> lo{}, hi{};
    for (const PartitionPlane& plane : planes) {
      const int axis = f_.picture_.axis_of(plane);
      if (axis < 0 || !scene_box(f_.picture_.partition, f_.picture_.frame, plane.node, lo, hi)) continue;
      lo[axis] = hi[axis] = std::clamp(f_.picture_.frame.to_scene(axis, plane.value), lo[axis], hi[axis]);
      const double older = planes.size() > 200 ? 1 : plane.level < 2 ? 2.5 : 2;
      line_width(plane_colour(t_, plane), plane.fresh ? newest + 1 : plane.newest ? newest : older);
      painter_.drawLine(at(lo[0], lo[1]), at(hi[0], hi[1]));
    }
  }

  void draw_tight_boxes() {
    const auto& cells = f_.picture_.partition.cells();
    if (cells.size() > most_tight_boxes) return;
    std::array<double, 3> lo{}, hi{};
    painter_.setBrush(Qt::NoBrush);
    for (const NodeId id : cells) {
      if (!scene_tight_box(f_.picture_.partition, f_.picture_.frame, id, lo, hi)) continue;
      line_width(tight_box_colour(t_, f_.picture_.partition.nodes()[id.value].place), cells.size() > 200 ? 1 : 2);
      painter_.drawRect(rectangle(lo, hi));
    }
  }

  void draw_axes() {
    const QRectF box = ground();
    line_width(t_.axis, 1.5);
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(box);
    painter_.setFont(pixels(font_, text_, false));
    const QFontMetricsF metrics(painter_.font(), painter_.device());
    for (int axis = 0; axis < 2; ++axis) {
      const int d = f_.picture_.frame.dims()[axis];
      if (d < 0) continue;
      const double length = axis == 0 ? box.width() : box.height();
      const auto values = ticks_of(axis, std::max(1, static_cast<int>(length / (axis == 0 ? 5.5 * text_ : 3 * text_))));
      const auto texts = tick_texts(values);
      double reach = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double where = f_.picture_.frame.to_scene(axis, values[i]);
        const QString label = words(texts[i]);
        const double width = metrics.horizontalAdvance(label) + 2;
        line_width(t_.axis, 1.5);
        painter_.setPen(painter_.pen());
        const QPointF from =
            axis == 0 ? QPointF(at(where, 0).x(), box.bottom()) : QPointF(box.left(), at(0, where).y());
        painter_.drawLine(from, from + (axis == 0 ? QPointF(0, 0.4 * text_) : QPointF(-0.4 * text_, 0)));
        painter_.setPen(colour(t_.text));
        if (axis == 0)
          painter_.drawText(QRectF(from.x() - width / 2, box.bottom() + 0.5 * text_, width, 1.3 * text_),
                            Qt::AlignCenter, label);
        else
          painter_.drawText(QRectF(box.left() - 0.6 * text_ - width, from.y() - 0.65 * text_, width, 1.3 * text_),
                            Qt::AlignRight | Qt::AlignVCenter, label);
        reach = std::max(reach, width);
      }
      painter_.setPen(colour(t_.muted_text));
      const QString name = words(coordinate_name(static_cast<std::uint32_t>(d), f_.picture_.partition.dim()));
      if (axis == 0)
        painter_.drawText(QRectF(box.left(), box.bottom() + 1.8 * text_, box.width(), 1.4 * text_), Qt::AlignCenter,
                          name);
      else
        painter_.drawText(QRectF(box.left() - reach - 2.4 * text_, box.top(), 1.6 * text_, box.height()),
                          Qt::AlignCenter, name);
    }
  }

  void outline(NodeId node) {
    std::array<double, 3> lo{}, hi{};
    if (!scene_box(f_.picture_.partition, f_.picture_.frame, node, lo, hi)) return;
    line_width(t_.selection, 4);
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(rectangle(lo, hi));
  }

  void draw_marks() {
    const bool finished = f_.picture_.finished();
    const bool labels = f_.picture_.points <= most_labels;
    const double radius = labels ? 0.5 * text_ : diameter_ / 2;
    const bool rimmed = radius > 0.2 * text_;
    painter_.setFont(pixels(font_, 0.95 * text_, true));
    const QRectF box = ground();
    for (const PointMark& mark : f_.picture_.marks) {
      const QPointF centre = at(mark.at[0], mark.at[1]);
      if (rimmed)
        line_width(mix(t_.base, t_.text, t_.dark ? 0.0 : 0.75), 1.2);
      else
        painter_.setPen(Qt::NoPen);
      painter_.setBrush(colour(mark_colour(t_, mark, finished)));
      painter_.drawPath(glyph_path(subtree_glyph(mark.place), centre, radius));
      painter_.setBrush(Qt::NoBrush);
      if (mark.pivot) {
        line_width(t_.pivot, rimmed ? 3 : 1);
        painter_.drawEllipse(centre, radius + 0.35 * text_, radius + 0.35 * text_);
      }
      if (f_.selected_[mark.point]) {
        line_width(t_.selection, 4);
        painter_.drawEllipse(centre, radius + 0.65 * text_, radius + 0.65 * text_);
      }
      if (!labels) continue;
      // Place labels diagonally, because planes run straight through their points. Place them to the left of points at
      // the right border.
      const bool left = centre.x() + 3 * text_ > box.right();
      const double away = 0.75 * radius + (mark.pivot ? 0.4 : 0.1) * text_;
      const QRectF place(centre.x() + (left ? -away - 3 * text_ : away), centre.y() - away - 1.2 * text_, 3 * text_,
                         1.2 * text_);
      painter_.setPen(colour(t_.text));
      painter_.drawText(place, (left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom,
                        words(point_name(mark.point)));
    }
  }

  const PartitionFigure& f_;
  QPainter& painter_;
  const Theme& t_;
  double text_, across_ = 1, up_ = 1, diameter_ = 1;  // across_, up_: pixels per scene unit
  QPointF origin_;
  QFont font_;
};

void PartitionFigure::paint(QPainter& painter, const QRectF& area, const Theme& theme, double text) const {
  painter.setRenderHint(QPainter::Antialiasing);
  if (picture_.empty()) {
    painter.setPen(colour(theme.muted_text));
    painter.drawText(area, Qt::AlignCenter, QStringLiteral("There are no points yet at this step."));
    return;
  }
  painter.save();
  Drawing(*this, painter, area, theme, text).draw();
  painter.restore();
}

}  // namespace kdscope
