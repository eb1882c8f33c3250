#include "app/views/parallel_coordinates_view.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/point_label.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr double most_zoom = 8, line_reach = 5;

QString text(const std::string& words) { return foreign_text(words); }

}  // namespace

ParallelCoordinatesView::ParallelCoordinatesView(QWidget* parent)
    : QAbstractScrollArea(parent), theme_(&theme(ThemeId::light)) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Parallel coordinates"));
  describe_keys(*this, tr("Parallel coordinates"),
                {{tr("Alt+Left, Alt+Right"), tr("From axis to axis")},
                 {tr("Alt+Up, Alt+Down"), tr("To the point above or below on the axis")},
                 {tr("Return, Shift+Return"), tr("The axis along x, or along y, of the view")},
                 {tr("+ and -"), tr("Zoom, while the coordinates have the focus")}});
  viewport()->setMouseTracking(true);
  set_text_scale(look_, text_scale_);
}

void ParallelCoordinatesView::show_trace(std::shared_ptr<const Trace> trace) {
  const bool split_only = model_.split_only(), same_unit = model_.same_unit();
  model_ = trace ? ParallelCoordinates(std::move(trace)) : ParallelCoordinates();
  model_.show_split_only(split_only);
  model_.show_same_unit(same_unit);
  look_.selected.clear();
  look_.current.reset();
  zoom_ = 1;
  lay_out();
  horizontalScrollBar()->setValue(0);
}

void ParallelCoordinatesView::show_step(const Cursor& cursor, const Selection& selection,
                                        const LinkedSelection& linked) {
  look_.selected = kdscope::show_step(model_, cursor, selection, linked);
  // Scroll to the first split of the step, unless one is in sight.
  const double edge = std::min(0.4 * frame_.spacing, viewport()->width() / 4.0);
  std::optional<std::size_t> wanted;
  bool seen = false;
  for (const CoordinateBox& box : model_.boxes()) {
    const auto axis = box.split_dim < 0 ? std::nullopt : model_.axis_of(static_cast<std::uint32_t>(box.split_dim));
    if (!axis) continue;
    seen = seen || (frame_.x(*axis) > edge && frame_.x(*axis) < viewport()->width() - edge);
    if (!wanted || *axis < *wanted) wanted = axis;
  }
  redraw();
  if (wanted && !seen) show_axis(*wanted);
}

void ParallelCoordinatesView::set_axes(const Axes& axes) {
  look_.axes = axes;
  viewport()->update();
}

void ParallelCoordinatesView::set_appearance(const Theme& theme, int text_scale) {
  theme_ = &theme;
  text_scale_ = text_scale;
  set_text_scale(look_, text_scale);
  lay_out();
}

void ParallelCoordinatesView::set_split_only(bool split_only) {
  model_.show_split_only(split_only);
  look_.current.reset();
  lay_out();
}

void ParallelCoordinatesView::set_same_unit(bool same_unit) {
  model_.show_same_unit(same_unit);
  redraw();
}

/// Spaces the axes as far apart as their names need, or farther if there is room. Zooming out stops when all axes are
/// in sight.
void ParallelCoordinatesView::lay_out() {
  const CoordinateMargins margins = coordinate_margins(look_.line_height);
  const double em = QFontMetricsF(interface_font(text_scale_)).height(),
               count = static_cast<double>(model_.axes().size());
  const double room = room_for_axes(viewport()->width(), margins), gaps = std::max(1.0, count - 1);
  const double fitting = room / gaps, normal = std::max(fitting, 3.6 * em);
  zoom_ = std::clamp(zoom_, fitting / normal, most_zoom);
  frame_.spacing = normal * zoom_;
  // A chart only a few lines of text high is useless: let the pane scroll instead.
  frame_.height = std::max(4 * em, viewport()->height() - margins.top - margins.bottom);
  const double below = margins.top + frame_.height + margins.bottom - viewport()->height();
  const double all = gaps * frame_.spacing + 2 * margins.side;
  const QSignalBlocker quiet_along(horizontalScrollBar()), quiet_down(verticalScrollBar());
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(static_cast<int>(em));
  verticalScrollBar()->setRange(0, static_cast<int>(std::max(0.0, std::ceil(below))));
  horizontalScrollBar()->setPageStep(viewport()->width());
  horizontalScrollBar()->setSingleStep(static_cast<int>(frame_.spacing) + 1);
  horizontalScrollBar()->setRange(
      0, model_.axes().empty() ? 0 : static_cast<int>(std::max(0.0, std::round(all - viewport()->width()))));
  follow_bars();
  look_.drawn = lines_to_draw(model_, std::min(count, room / frame_.spacing + 2));
  redraw();
  emit window_changed();
}

/// Places the chart by the values of the scroll bars. Adding up their moves would be wrong: they also move while a new
/// range is set.
void ParallelCoordinatesView::follow_bars() {
  const CoordinateMargins margins = coordinate_margins(look_.line_height);
  const double alone = model_.axes().size() == 1 ? room_for_axes(viewport()->width(), margins) / 2 : 0;
  frame_.left = margins.side + alone - horizontalScrollBar()->value();
  frame_.top = margins.top - verticalScrollBar()->value();
}

void ParallelCoordinatesView::redraw() {
  lines_ = {};
  viewport()->update();
}

QRectF ParallelCoordinatesView::window() const {
  const double all = horizontalScrollBar()->maximum() + viewport()->width();
  return {horizontalScrollBar()->value() / all, 0, viewport()->width() / all, 1};
}

std::pair<std::size_t, std::size_t> ParallelCoordinatesView::axes_in_sight() const {
  const double first = std::ceil(std::max(0.0, -frame_.left / frame_.spacing)),
               last = (viewport()->width() - frame_.left) / frame_.spacing;
  const auto count = static_cast<double>(model_.axes().size());
  return {static_cast<std::size_t>(std::min(first, count)),
          static_cast<std::size_t>(std::clamp(std::floor(last) + 1, 0.0, count))};
}

void ParallelCoordinatesView::centre(QPointF share) {
  const double all = horizontalScrollBar()->maximum() + viewport()->width();
  horizontalScrollBar()->setValue(static_cast<int>(share.x() * all - viewport()->width() / 2.0));
}

void ParallelCoordinatesView::zoom(double factor) {
  const double middle = viewport()->width() / 2.0, axis = (middle - frame_.left) / frame_.spacing;
  zoom_ *= factor;
  lay_out();
  horizontalScrollBar()->setValue(
      static_cast<int>(std::lround(horizontalScrollBar()->value() + frame_.left + axis * frame_.spacing - middle)));
}

void ParallelCoordinatesView::show_all() {
  zoom_ = 0;
  lay_out();
}

void ParallelCoordinatesView::show_axis(std::size_t axis) {
  horizontalScrollBar()->setValue(
      static_cast<int>(std::lround(horizontalScrollBar()->value() + frame_.x(axis) - viewport()->width() / 2.0)));
}

QImage ParallelCoordinatesView::overview(int width, int height) const {
  const std::size_t count = model_.axes().size(), lines = std::min<std::size_t>(model_.lines().size(), 500);
  QImage picture(std::min<int>(width, static_cast<int>(std::max<std::size_t>(count, 1))), height, QImage::Format_RGB32);
  const Theme& t = *theme_;
  picture.fill(colour(t.base));
  std::vector<std::size_t> points(static_cast<std::size_t>(height));
  for (int x = 0; x < picture.width() && lines > 0; ++x) {
    const std::size_t axis = static_cast<std::size_t>(x) * count / static_cast<std::size_t>(picture.width());
    std::fill(points.begin(), points.end(), 0);
    for (std::size_t i = 0; i < lines; ++i) {
      const double share = model_.share(axis, model_.coordinate(model_.lines()[i].point, model_.axes()[axis].dim));
      ++points[static_cast<std::size_t>(std::clamp((1 - share) * height, 0.0, height - 1.0))];
    }
    for (int y = 0; y < height; ++y) {
      const double density =
          static_cast<double>(points[static_cast<std::size_t>(y)]) * height / static_cast<double>(lines);
      if (density > 0) picture.setPixelColor(x, y, colour(mix(t.base, t.axis, std::min(1.0, 0.15 + 0.3 * density))));
    }
  }
  return picture;
}

QRectF ParallelCoordinatesView::heading(std::uint32_t dim) const {
  const auto axis = model_.axis_of(dim);
  return axis ? rect_of(drawing().heading(*axis)) : QRectF();
}

std::optional<QPointF> ParallelCoordinatesView::place_of(PointId point, std::uint32_t dim) const {
  const auto axis = model_.axis_of(dim);
  if (!axis || point.value >= model_.point_count()) return std::nullopt;
  return QPointF(frame_.x(*axis), frame_.y(model_.share(*axis, model_.coordinate(point, dim))));
}

QRectF ParallelCoordinatesView::bar(NodeId node, std::uint32_t dim) const {
  const auto axis = model_.axis_of(dim);
  for (std::size_t box = 0; axis && box < model_.boxes().size(); ++box)
    if (model_.boxes()[box].node == node) return rect_of(drawing().bar(box, *axis));
  return {};
}

QRectF ParallelCoordinatesView::split(NodeId node) const {
  for (std::size_t box = 0; box < model_.boxes().size(); ++box)
    if (model_.boxes()[box].node == node) return rect_of(drawing().split(box));
  return {};
}

std::optional<std::uint32_t> ParallelCoordinatesView::current_dimension() const {
  return look_.current ? std::optional(model_.axes()[*look_.current].dim) : std::nullopt;
}

std::vector<PointId> ParallelCoordinatesView::selected_points() const {
  std::vector<PointId> points;
  for (const CoordinateLine& line : look_.selected) points.push_back(line.point);
  return points;
}

std::vector<ParallelCoordinatesView::Pick> ParallelCoordinatesView::picks_at(QPointF at) const {
  std::vector<Pick> picks;
  const CoordinateDrawing d = drawing();
  const auto hits = [&](const QRectF& rect) { return !rect.isEmpty() && rect.adjusted(-2, -2, 2, 2).contains(at); };
  for (std::size_t box = 0; box < model_.boxes().size(); ++box) {
    bool hit = hits(rect_of(d.split(box)));
    for (std::size_t axis = d.first_axis(); axis < d.end_axis() && !hit; ++axis) hit = hits(rect_of(d.bar(box, axis)));
    if (hit) picks.push_back({{}, model_.boxes()[box].node});
  }
  for (const PointId point : model_.points_near(frame_, at.x(), at.y(), line_reach, look_.drawn, selected_points()))
    picks.push_back({point, {}});
  return picks;
}

/// The axis whose name is at a place.
std::optional<std::size_t> ParallelCoordinatesView::axis_at(QPointF at) const {
  if (model_.axes().empty() || at.y() > drawing().heading(0).bottom() + 4) return std::nullopt;
  const double axis = std::round((at.x() - frame_.left) / frame_.spacing);
  if (axis < 0 || axis >= static_cast<double>(model_.axes().size())) return std::nullopt;
  return static_cast<std::size_t>(axis);
}

void ParallelCoordinatesView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), colour(theme_->base));
  if (model_.axes().empty()) return;
  const CoordinateDrawing d = drawing();
  if (lines_.isNull()) {
    lines_ = QPixmap(viewport()->size() * devicePixelRatioF());
    lines_.setDevicePixelRatio(devicePixelRatioF());
    lines_.fill(colour(theme_->base));
    QPainter lines(&lines_);
    lines.setRenderHint(QPainter::Antialiasing);
    paint_display_list(lines, d.lines(), *theme_, coordinate_font(text_scale_));
  }
  painter.drawPixmap(0, 0, lines_);
  painter.setRenderHint(QPainter::Antialiasing);
  paint_display_list(painter, d.axes(), *theme_, coordinate_font(text_scale_));
  if (!hasFocus()) return;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(colour(theme_->focus), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
}

void ParallelCoordinatesView::resizeEvent(QResizeEvent*) { lay_out(); }

void ParallelCoordinatesView::scrollContentsBy(int, int) {
  follow_bars();
  redraw();
  emit window_changed();
}

void ParallelCoordinatesView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || model_.axes().empty()) return;
  const QPointF at = event->position();
  if (const auto axis = axis_at(at)) {
    look_.current = axis;
    viewport()->update();
    const int place = event->modifiers() & Qt::ShiftModifier ? 1 : event->modifiers() & Qt::ControlModifier ? 2 : 0;
    emit axis_picked(place, static_cast<int>(model_.axes()[*axis].dim));
    return;
  }
  std::vector<Pick> under = picks_at(at);
  if (under.empty()) {
    under_click_.clear();
    emit picked({});
    return;
  }
  // Another click at the same place picks what lies below. Ignore the order: the selection now lies above all else.
  const bool again = (at - clicked_).manhattanLength() < 4 &&
                     std::is_permutation(under.begin(), under.end(), under_click_.begin(), under_click_.end());
  picked_ = again ? (picked_ + 1) % under_click_.size() : 0;
  if (!again) under_click_ = std::move(under);
  clicked_ = at;
  const Pick pick = under_click_[picked_];
  emit picked(pick.node ? Selection{Space::node, pick.node->value} : Selection{Space::point, pick.point->value});
}

void ParallelCoordinatesView::wheelEvent(QWheelEvent* event) {
  const QPoint turn = event->angleDelta();
  if (event->modifiers() & Qt::ControlModifier)
    zoom(std::pow(1.0015, turn.y()));
  else
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - (turn.x() != 0 ? turn.x() : turn.y()) / 2);
  event->accept();
}

void ParallelCoordinatesView::go_along(int direction) {
  const auto [first, end] = axes_in_sight();
  const auto last = static_cast<std::ptrdiff_t>(model_.axes().size()) - 1;
  const auto from =
      look_.current ? static_cast<std::ptrdiff_t>(*look_.current) + direction : static_cast<std::ptrdiff_t>(first);
  look_.current = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from, 0, last));
  if (*look_.current < first || *look_.current >= end) show_axis(*look_.current);
  viewport()->update();
}

void ParallelCoordinatesView::go_up(int direction) {
  if (!look_.current) go_along(0);
  const std::optional<PointId> from =
      look_.selected.size() == 1 ? std::optional(look_.selected.front().point) : std::nullopt;
  if (const auto next = model_.neighbour(model_.axes()[*look_.current].dim, from, direction, look_.drawn))
    emit picked({Space::point, next->value});
}

void ParallelCoordinatesView::keyPressEvent(QKeyEvent* event) {
  if (model_.axes().empty()) return event->ignore();
  const bool alt = event->modifiers() == Qt::AltModifier;
  switch (event->key()) {
    case Qt::Key_Plus:
      return zoom(1.5);
    case Qt::Key_Minus:
      return zoom(1 / 1.5);
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (alt) return go_along(event->key() == Qt::Key_Left ? -1 : 1);
      break;
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (alt) return go_up(event->key() == Qt::Key_Up ? 1 : -1);
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const auto dim = current_dimension())
        return emit axis_picked(event->modifiers() & Qt::ShiftModifier ? 1 : 0, static_cast<int>(*dim));
      break;
    default:
      break;
  }
  event->ignore();
}

bool ParallelCoordinatesView::event(QEvent* event) {
  // Plus and minus zoom here; elsewhere they set the playing speed.
  if (event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Plus || key == Qt::Key_Minus) {
      event->accept();
      return true;
    }
  }
  return QAbstractScrollArea::event(event);
}

QString ParallelCoordinatesView::tip_at(QPointF at) const {
  const auto dimension = [this](std::uint32_t dim) { return text(coordinate_name(dim, model_.dim())); };
  const auto number = [](double value) { return text(short_number(value)); };
  if (const auto axis = axis_at(at)) {
    const CoordinateAxis& a = model_.axes()[*axis];
    QString words = tr("%1: from %2 to %3").arg(dimension(a.dim), number(a.lo), number(a.hi));
    for (const CoordinateBox& box : model_.boxes())
      if (box.split_dim == static_cast<int>(a.dim) && model_.boxes().size() <= ParallelCoordinates::most_boxes)
        words += tr("\nnode %1 is split at %2").arg(box.node.value).arg(number(box.split_value));
    return words + tr("\nClick: along x. Shift+click: along y. Ctrl+click: along z.");
  }
  const std::vector<Pick> picks = picks_at(at);
  if (picks.empty()) return {};
  const auto nearest = static_cast<std::size_t>(std::clamp(std::round((at.x() - frame_.left) / frame_.spacing), 0.0,
                                                           static_cast<double>(model_.axes().size() - 1)));
  const std::uint32_t dim = model_.axes()[nearest].dim;
  if (const auto point = picks.front().point)
    return tr("point %1: %2 = %3")
        .arg(point_label(point->value), dimension(dim), number(model_.coordinate(*point, dim)));
  for (const CoordinateBox& box : model_.boxes()) {
    if (box.node != picks.front().node) continue;
    QString words = tr("node %1").arg(box.node.value);
    if (!box.lo.empty())
      words += (box.tight ? tr("\nsmallest box, %1: %2 to %3") : tr("\ncell, %1: %2 to %3"))
                   .arg(dimension(dim), number(box.lo[dim]), number(box.hi[dim]));
    if (box.split_dim >= 0)
      words +=
          tr("\nsplit at %1 = %2").arg(dimension(static_cast<std::uint32_t>(box.split_dim)), number(box.split_value));
    return words;
  }
  return {};
}

bool ParallelCoordinatesView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::MouseMove) {
    viewport()->setCursor(axis_at(static_cast<QMouseEvent*>(event)->position()) ? Qt::PointingHandCursor
                                                                                : Qt::ArrowCursor);
    return QAbstractScrollArea::viewportEvent(event);
  }
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString tip = tip_at(help->pos());
  if (tip.isEmpty())
    QToolTip::hideText();
  else
    show_plain_tip(help->globalPos(), tip, viewport());
  return true;
}

}  // namespace kdscope
