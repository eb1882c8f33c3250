#include "app/panes/tree_view.hpp"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/appearance.hpp"

namespace kdscope {
namespace {

QString number(std::uint64_t n) { return QLocale(QLocale::English).toString(static_cast<qulonglong>(n)); }

void set_pixel_size(QPainter& painter, double pixels, bool bold) {
  QFont font = painter.font();
  font.setPixelSize(std::max(6, static_cast<int>(std::lround(pixels))));
  font.setBold(bold);
  painter.setFont(font);
}

}  // namespace

TreeView::TreeView(QWidget* parent) : QAbstractScrollArea(parent) {
  setAccessibleName(tr("Tree"));
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
}

void TreeView::show_step(const Cursor& cursor) {
  diagram_ = TreeDiagram::at(cursor);
  has_step_ = true;
  update_layout();
}

void TreeView::set_changes(std::vector<NodeChange> changes, std::uint32_t since) {
  changes_ = std::move(changes);
  changed_since_ = since;
  viewport()->update();
}

const NodeChange* TreeView::change_of(NodeId node) const {
  const auto found = std::lower_bound(changes_.begin(), changes_.end(), node,
                                      [](const NodeChange& c, NodeId id) { return c.node.value < id.value; });
  return found != changes_.end() && found->node == node ? &*found : nullptr;
}

void TreeView::clear() {
  changes_.clear();
  diagram_ = {};
  has_step_ = false;
  selected_.reset();
  update_layout();
}

void TreeView::set_theme(ThemeId theme) {
  theme_ = theme;
  viewport()->update();
}

void TreeView::set_text_scale(double scale) {
  text_scale_ = std::clamp(scale, 0.5, 4.0);
  update_layout();
}

void TreeView::select_node(std::optional<NodeId> node) {
  selected_ = node;
  viewport()->update();
  if (!node) return;
  for (const DiagramNode& drawn : diagram_.nodes) {
    if (!(drawn.node == *node)) continue;
    const QPointF at = centre_of(drawn) - scrolled();
    const double edge = 2 * text();
    if (at.x() < edge || at.x() > viewport()->width() - edge)
      horizontalScrollBar()->setValue(static_cast<int>(centre_of(drawn).x() - viewport()->width() / 2.0));
    if (at.y() < edge || at.y() > viewport()->height() - edge)
      verticalScrollBar()->setValue(static_cast<int>(centre_of(drawn).y() - viewport()->height() / 2.0));
  }
}

int TreeView::rows() const {
  return diagram_.folded ? static_cast<int>(diagram_.levels.size()) : diagram_.final_levels;
}

QPointF TreeView::scrolled() const { return QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value()); }

QSizeF TreeView::page_size() const {
  const double levels = rows();
  return {viewport()->width() * zoom_, std::max<double>(viewport()->height(), levels * row_height_ + text())};
}

void TreeView::update_layout() {
  const double fitting = (viewport()->height() - text()) / std::max(1, rows());
  row_height_ = diagram_.folded ? std::clamp(fitting, 1.7 * text(), 3 * text()) : std::clamp(fitting, 3 * text(), 7 * text());
  if (zoom_ < 1) zoom_ = 1;

  // A level shows as much of its nodes as the narrowest gap allows.
  details_.assign(diagram_.levels.size(), Detail::two_lines);
  std::vector<double> last(diagram_.levels.size(), -1), gap(diagram_.levels.size(), 1);
  std::vector<std::uint32_t> last_node(diagram_.levels.size(), 0);
  for (const DiagramNode& node : diagram_.nodes) {
    if (node.state == NodeState::empty) continue;
    if (last[node.level] >= 0) gap[node.level] = std::min(gap[node.level], node.x - last[node.level]);
    last[node.level] = node.x;
    last_node[node.level] = std::max(last_node[node.level], node.node.value);
  }
  QFont digits = font();
  digits.setPixelSize(static_cast<int>(0.85 * text()));
  const QFontMetricsF metrics(digits);
  std::vector<double> wide(diagram_.levels.size(), 0);
  for (const DiagramNode& node : diagram_.nodes)
    wide[node.level] = std::max({wide[node.level], metrics.horizontalAdvance(QString::fromStdString(node.coordinates)),
                                 metrics.horizontalAdvance(QString::fromStdString(node.split_text))});
  for (std::size_t level = 0; level < details_.size(); ++level) {
    const double room = gap[level] * page_size().width();
    const double digits = static_cast<double>(std::to_string(last_node[level]).size());
    if (room < pill_width(digits) + 0.2 * text()) details_[level] = Detail::dot;
    else if (room < std::max(wide[level] + 0.5 * text(), 3.2 * text()) || row_height_ < 4.1 * text()) details_[level] = Detail::index;
    else details_[level] = row_height_ < 5.2 * text() ? Detail::one_line : Detail::two_lines;
  }
  horizontalScrollBar()->setPageStep(viewport()->width());
  verticalScrollBar()->setPageStep(viewport()->height());
  horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(page_size().width()) - viewport()->width()));
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(page_size().height()) - viewport()->height()));
  horizontalScrollBar()->setSingleStep(static_cast<int>(3 * text()));
  verticalScrollBar()->setSingleStep(static_cast<int>(2 * text()));
  viewport()->update();
}

void TreeView::set_zoom(double zoom, double keep_x) {
  const double at = (scrolled().x() + keep_x) / page_size().width();
  const double most = std::max(1.0, 5 * text() * std::ldexp(1.0, static_cast<int>(diagram_.levels.size())) / std::max(1, viewport()->width()));
  zoom_ = std::clamp(zoom, 1.0, most);
  update_layout();
  horizontalScrollBar()->setValue(static_cast<int>(at * page_size().width() - keep_x));
}

QPointF TreeView::centre_of(const DiagramNode& node) const {
  return {node.x * page_size().width(), text() * 1.5 + node.level * row_height_};
}

double TreeView::pill_width(double digits) const { return std::max(1.7, 0.55 + 0.7 * digits) * text(); }

QSizeF TreeView::node_size(const DiagramNode& node) const {
  if (details_[node.level] == Detail::dot || node.state == NodeState::empty) return QSizeF(0.5, 0.5) * text();
  const double digits = static_cast<double>(std::to_string(node.node.value).size());
  return {pill_width(digits), 1.7 * text()};
}

std::optional<QPointF> TreeView::place_of_node(NodeId id) const {
  for (const DiagramNode& node : diagram_.nodes)
    if (node.node == id) return centre_of(node) - scrolled();
  return std::nullopt;
}

std::optional<std::size_t> TreeView::node_under(QPointF at) const {
  std::optional<std::size_t> best;
  double best_distance = 1e300;
  for (std::size_t i = 0; i < diagram_.nodes.size(); ++i) {
    const QPointF away = centre_of(diagram_.nodes[i]) - scrolled() - at;
    const QSizeF half = node_size(diagram_.nodes[i]) / 2 + QSizeF(3, 3);
    const double distance = std::hypot(away.x(), away.y());
    if (std::abs(away.x()) <= half.width() && std::abs(away.y()) <= half.height() && distance < best_distance) {
      best = i;
      best_distance = distance;
    }
  }
  return best;
}

void TreeView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const Theme& t = theme(theme_);
  painter.fillRect(viewport()->rect(), colour(t.base));
  painter.setRenderHint(QPainter::Antialiasing);
  if (diagram_.node_count == 0) {
    set_pixel_size(painter, text(), false);
    painter.setPen(colour(t.muted_text));
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     has_step_ ? tr("No tree yet at this step.") : tr("The tree appears here as it is built."));
    return;
  }
  painter.translate(-scrolled());
  if (diagram_.folded) draw_levels(painter);
  else draw_nodes(painter, QRectF(scrolled(), QSizeF(viewport()->size())));
}

void TreeView::paint_to(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(QRectF(QPointF(), page_size()), colour(theme(theme_).base));
  if (diagram_.folded) draw_levels(painter);
  else draw_nodes(painter, QRectF(QPointF(), page_size()));
}

void TreeView::draw_nodes(QPainter& painter, const QRectF& visible) const {
  const Theme& t = theme(theme_);
  const double reach = 8 * text();
  const QRectF near = visible.adjusted(-reach, -row_height_ - reach, reach, row_height_ + reach);
  for (const DiagramNode& node : diagram_.nodes) {
    if (node.parent < 0) continue;
    const QPointF from = centre_of(diagram_.nodes[static_cast<std::size_t>(node.parent)]), to = centre_of(node);
    if (!QRectF(from, to).normalized().adjusted(-1, -1, 1, 1).intersects(near)) continue;
    const bool empty = node.state == NodeState::empty;
    painter.setPen(QPen(colour(t.plane), (empty || details_[node.level] == Detail::dot ? 1.0 : 1.6) * text_scale_, empty ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(from, to);
  }
  for (const DiagramNode& node : diagram_.nodes)
    if (near.contains(centre_of(node))) draw_node(painter, node);
}

void TreeView::draw_node(QPainter& painter, const DiagramNode& node) const {
  const Theme& t = theme(theme_);
  const QPointF at = centre_of(node);
  const QSizeF size = node_size(node);
  const QRectF body(at.x() - size.width() / 2, at.y() - size.height() / 2, size.width(), size.height());
  const bool finished = std::all_of(diagram_.levels.begin(), diagram_.levels.end(), [](auto& l) { return l.open + l.pivots == 0; });
  const bool changed = change_of(node.node) != nullptr;
  Rgb fill = subtree_colour(t, node.place);
  if (node.state == NodeState::settled && !finished && !changed) fill = dimmed(t, fill);
  const bool dot = details_[node.level] == Detail::dot, selected = selected_ && *selected_ == node.node;
  const double round = dot ? size.height() / 2 : 0.85 * text();
  if (selected) {
    painter.setPen(QPen(colour(t.selection), 4 * text_scale_));
    painter.setBrush(Qt::NoBrush);
    const double out = 4 * text_scale_;
    painter.drawRoundedRect(body.adjusted(-out, -out, out, out), round + out, round + out);
  }
  if (node.state == NodeState::empty) {  // where a child would be, and no more
    painter.setPen(QPen(colour(t.muted_text), text_scale_));
    painter.setBrush(colour(t.base));
    painter.drawRect(body);
    return;
  }
  const bool pivot = node.state == NodeState::pivot;
  painter.setPen(QPen(colour(pivot ? t.pivot : mix(fill, t.text, 0.35)), (pivot ? 3.0 : dot ? 0.0 : 1.0) * text_scale_));
  painter.setBrush(colour(fill));
  const double underline = changed ? std::max(2.0, 0.18 * text()) : 0;
  if (changed) {
    const double inset = dot ? 0 : 0.2 * body.width();
    painter.fillRect(QRectF(body.left() + inset, body.bottom() + 0.12 * text(), body.width() - 2 * inset, underline), colour(t.changed));
  }
  if (dot) {
    painter.drawPath(glyph_path(subtree_glyph(node.place), at, size.height() / 2));
    return;
  }
  painter.drawRoundedRect(body, round, round);
  set_pixel_size(painter, 1.05 * text(), true);
  painter.setPen(colour(text_on(fill)));
  painter.drawText(body, Qt::AlignCenter, QString::number(node.node.value));
  // The subtree's shape, as points and table cells wear it, on the shoulder of the node.
  painter.setPen(QPen(colour(t.base), 1.2 * text_scale_));
  painter.setBrush(colour(mix(fill, t.text, 0.25)));
  painter.drawPath(glyph_path(subtree_glyph(node.place), body.topLeft() + QPointF(0.12, 0.22) * text(), 0.34 * text()));
  if (details_[node.level] == Detail::index) return;

  // Below the node: what it holds, then how it splits. An open subtree tells how many points wait in it.
  set_pixel_size(painter, 0.85 * text(), false);
  QStringList lines;
  if (node.state != NodeState::settled && node.coordinates.empty() && node.count > 0)
    lines << (node.count == 1 ? tr("1 point") : tr("%1 points").arg(number(node.count)));
  if (!node.coordinates.empty()) lines << QString::fromStdString(node.coordinates);
  if (!node.split_text.empty()) lines << QString::fromStdString(node.split_text);
  if (details_[node.level] == Detail::one_line && lines.size() > 1) lines.removeFirst();
  double y = body.bottom() + 0.15 * text() + 1.2 * underline;
  for (int i = 0; i < lines.size(); ++i) {
    const double width = painter.fontMetrics().horizontalAdvance(lines[i]) + 0.3 * text();
    const QRectF line(at.x() - width / 2, y, width, 1.1 * text());
    painter.fillRect(line, colour(t.base));  // edges pass behind the text
    painter.setPen(colour(i == 0 ? t.text : t.muted_text));
    painter.drawText(line, Qt::AlignCenter, lines[i]);
    y += 1.1 * text();
  }
}

void TreeView::draw_levels(QPainter& painter) const {
  const Theme& t = theme(theme_);
  set_pixel_size(painter, 0.9 * text(), false);
  const QFontMetricsF metrics(painter.font());
  const double left = metrics.horizontalAdvance(tr("level %1").arg(88)) + 1.6 * text();
  const double right = metrics.horizontalAdvance(QStringLiteral("8,888,888 / 8,888,888")) + 1.6 * text();
  const double width = std::max(4 * text(), page_size().width() - left - right);
  for (const DiagramLevel& level : diagram_.levels) {
    const double y = 0.5 * text() + level.level * row_height_, height = std::min(1.5 * text(), 0.8 * row_height_);
    const QRectF bar(left, y, width, height);
    painter.setPen(colour(t.text));
    painter.drawText(QRectF(0.5 * text(), y, left - 1.3 * text(), height), Qt::AlignRight | Qt::AlignVCenter, tr("level %1").arg(level.level));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(t.button));
    painter.drawRect(bar);
    const double full = std::max(1.0, level.capacity);
    double x = left;
    for (const auto& [count, fill] : {std::pair{level.settled, mix(t.plane, t.base, 0.25)}, std::pair{level.pivots, t.changed},
                                      std::pair{level.open, t.focus}}) {
      const double length = width * static_cast<double>(count) / full;
      painter.setBrush(colour(fill));
      painter.drawRect(QRectF(x, y, length, height));
      x += length;
    }
    painter.setPen(colour(t.muted_text));
    painter.drawText(QRectF(left + width + 0.8 * text(), y, right, height), Qt::AlignLeft | Qt::AlignVCenter,
                     number(level.nodes - level.empty) + QStringLiteral(" / ") + number(static_cast<std::uint64_t>(level.capacity)));
  }
}

QString TreeView::describe(const DiagramNode& node) const {
  QString words = tr("node %1, level %2").arg(node.node.value).arg(node.level);
  if (node.point != no_id) words += tr("\npoint %1 at (%2)").arg(node.point).arg(QString::fromStdString(node.coordinates));
  if (!node.split_text.empty()) words += tr("\nsplits at %1").arg(QString::fromStdString(node.split_text));
  if (node.count > 0) words += tr("\n%1 in its subtree").arg(node.count == 1 ? tr("1 point") : tr("%1 points").arg(number(node.count)));
  const char* states[]{"open", "pivot", "settled", "empty: no point is left for it"};
  words += QStringLiteral("\n") + tr(states[static_cast<int>(node.state)]);
  if (const NodeChange* change = change_of(node.node))
    words += change->is_new ? tr("\nnew since step %1").arg(changed_since_)
                            : QStringLiteral("\n%1 \u2192 %2").arg(QString::fromStdString(change->before), QString::fromStdString(change->after)) +
                                  tr("\nchanged since step %1").arg(changed_since_);
  return words;
}

bool TreeView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto under = node_under(help->pos());
  QString words;
  if (under) words = describe(diagram_.nodes[*under]);
  const auto level = static_cast<std::size_t>(std::max(0.0, (help->pos().y() + scrolled().y() - 0.5 * text()) / row_height_));
  if (diagram_.folded && level < diagram_.levels.size()) {
    const DiagramLevel& l = diagram_.levels[level];
    words = tr("level %1: %2 settled, %3 pivots, %4 open with %5 points")
                .arg(l.level).arg(number(l.settled), number(l.pivots), number(l.open), number(l.points_below));
  }
  if (words.isEmpty()) QToolTip::hideText();
  else QToolTip::showText(help->globalPos(), words, viewport());
  return true;
}

void TreeView::resizeEvent(QResizeEvent*) { update_layout(); }

void TreeView::wheelEvent(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier) {
    set_zoom(zoom_ * std::pow(1.0015, event->angleDelta().y()), event->position().x());
    event->accept();
    return;
  }
  QAbstractScrollArea::wheelEvent(event);
}

void TreeView::mousePressEvent(QMouseEvent* event) {
  pressed_ = last_ = event->position();
  dragging_ = false;
}

void TreeView::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_ || event->buttons() == Qt::NoButton) return;
  if ((event->position() - *pressed_).manhattanLength() >= QApplication::startDragDistance()) dragging_ = true;
  if (!dragging_) return;
  const QPointF moved = event->position() - last_;
  last_ = event->position();
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - static_cast<int>(moved.x()));
  verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(moved.y()));
}

void TreeView::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = pressed_ && !dragging_ && event->button() == Qt::LeftButton;
  pressed_.reset();
  dragging_ = false;
  if (!clicked) return;
  if (const auto under = node_under(event->position())) emit node_picked(diagram_.nodes[*under].node);
  else emit picked_nothing();
}

void TreeView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (event->modifiers() == Qt::AltModifier && !diagram_.nodes.empty()) return move_current(event->key());
      break;
    default: break;
  }
  QAbstractScrollArea::keyPressEvent(event);
  event->ignore();
}

void TreeView::move_current(int key) {
  std::size_t at = 0;
  bool known = false;
  for (std::size_t i = 0; i < diagram_.nodes.size() && selected_; ++i)
    if (diagram_.nodes[i].node == *selected_) {
      at = i;
      known = true;
    }
  std::size_t to = at;
  if (known) {
    const int level = diagram_.nodes[at].level;
    if (key == Qt::Key_Up && diagram_.nodes[at].parent >= 0) to = static_cast<std::size_t>(diagram_.nodes[at].parent);
    if (key == Qt::Key_Left && at > 0 && diagram_.nodes[at - 1].level == level) to = at - 1;
    if (key == Qt::Key_Right && at + 1 < diagram_.nodes.size() && diagram_.nodes[at + 1].level == level) to = at + 1;
    for (std::size_t i = diagram_.nodes.size(); key == Qt::Key_Down && i-- > 0;)
      if (diagram_.nodes[i].parent == static_cast<std::ptrdiff_t>(at)) to = i;
  }
  emit node_picked(diagram_.nodes[to].node);
}

}  // namespace kdscope
