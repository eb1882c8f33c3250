#include "app/views/cost_curves.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/plain_text.hpp"
#include "visualizer/figure/cost_plot.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr double curve_reach = 24;

QString number(double value) { return QString::fromStdString(short_number(value, 4)); }

QStringList words_of(const std::vector<double>& ticks) {
  QStringList words;
  for (const std::string& text : tick_texts(ticks)) words << QString::fromStdString(text);
  return words;
}

}  // namespace

QString candidate_text(const NodeCandidates& node, std::size_t place, std::uint32_t dims) {
  const QString words = QString::fromStdString(candidate_words(node, place, dims));
  return node.chosen == place ? words + QObject::tr("; chosen") : words;
}

CostCurves::CostCurves(QWidget* parent) : QWidget(parent), theme_(&theme(ThemeId::light)) {
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Costs of split candidates"));
  setMouseTracking(true);
  describe_keys(*this, tr("Costs of candidates"),
                {{tr("Alt+Left, Alt+Right"), tr("From candidate to candidate")},
                 {tr("Alt+Up, Alt+Down"), tr("To another dimension")}});
  small_ = bold_ = font();
}

QSize CostCurves::minimumSizeHint() const {
  return {QFontMetrics(small_).height() * 8, QFontMetrics(small_).height() * 6};
}

void CostCurves::show_node(NodeCandidates node, std::uint32_t dims) {
  node_ = std::move(node);
  dims_ = dims;
  picked_.reset();
  lay_out();
}

void CostCurves::clear() {
  node_.reset();
  lay_out();
}

void CostCurves::set_appearance(const Theme& theme, int text_scale) {
  theme_ = &theme;
  text_scale_ = text_scale;
  lay_out();
  updateGeometry();
}

void CostCurves::set_picked(std::optional<std::size_t> place) {
  picked_ = place;
  lay_out();
}

/// Lays out as many dimensions as fit, among them the dimension of the picked or else of the chosen candidate.
void CostCurves::lay_out() {
  small_ = interface_font(text_scale_, 0.9);
  bold_ = small_;
  bold_.setBold(true);
  panels_.clear();
  update();
  if (!node_ || node_->tried.empty()) return;
  const QFontMetricsF metrics(small_);
  const double em = metrics.height();
  const CostPlot costs = CostPlot::of(*node_);
  if (costs.panels.empty()) return;
  low_ = costs.low, high_ = costs.high;
  const double top = 1.4 * em, bottom = height() - 1.5 * em;
  ticks_ = tick_values(low_, high_, static_cast<int>(std::clamp((bottom - top) / (2.2 * em), 1.0, 6.0)));
  double left = 0;
  for (const QString& words : words_of(ticks_)) left = std::max(left, metrics.horizontalAdvance(words));
  left += 0.9 * em;

  const std::vector<std::uint32_t> dims = node_->dimensions();
  const double gap = 0.8 * em, room = width() - left - 0.6 * em, least = 8 * em;
  const auto count =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::max(1.0, (room + gap) / (least + gap))), 1, dims.size());
  const std::optional<std::size_t> at = picked_ ? picked_ : node_->chosen;
  std::size_t wanted = 0;
  while (at && dims[wanted] != node_->tried[*at].dim) ++wanted;
  const std::size_t first = std::min(wanted, dims.size() - count);
  const double each = (room - gap * static_cast<double>(count - 1)) / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    Panel panel;
    panel.dim = dims[first + i];
    panel.plot =
        QRectF(left + static_cast<double>(i) * (each + gap), top, std::max(1.0, each), std::max(1.0, bottom - top));
    panel.low = costs.panels[first + i].low, panel.high = costs.panels[first + i].high;
    panels_.push_back(panel);
  }
}

double CostCurves::y_of(double cost) const {
  const QRectF& plot = panels_.front().plot;
  return plot.bottom() - (cost - low_) / (high_ - low_) * plot.height();
}

std::optional<QPointF> CostCurves::place_of(std::size_t candidate) const {
  if (!node_ || candidate >= node_->tried.size()) return std::nullopt;
  const TriedCandidate& c = node_->tried[candidate];
  for (const Panel& panel : panels_)
    if (panel.dim == c.dim && std::isfinite(c.cost))
      return QPointF(panel.plot.left() + (c.position - panel.low) / (panel.high - panel.low) * panel.plot.width(),
                     y_of(c.cost));
  return std::nullopt;
}

std::optional<std::size_t> CostCurves::candidate_at(QPointF at) const {
  std::optional<std::size_t> best;
  double least = curve_reach * text_scale_ / 100.0;
  for (std::size_t i = 0; node_ && i < node_->tried.size(); ++i)
    if (const auto place = place_of(i)) {
      const double distance = std::hypot(place->x() - at.x(), place->y() - at.y());
      if (distance < least) least = distance, best = i;
    }
  return best;
}

std::vector<std::uint32_t> CostCurves::dimensions_in_sight() const {
  std::vector<std::uint32_t> dims;
  for (const Panel& panel : panels_) dims.push_back(panel.dim);
  return dims;
}

void CostCurves::paint_frame(QPainter& painter) const {
  const Theme& t = *theme_;
  const QFontMetricsF metrics(small_);
  const double em = metrics.height();
  painter.setFont(small_);
  for (const Panel& panel : panels_) {
    const QRectF& plot = panel.plot;
    for (const double tick : ticks_) {
      painter.setPen(QPen(colour(t.line), 1));
      painter.drawLine(QPointF(plot.left(), y_of(tick)), QPointF(plot.right(), y_of(tick)));
    }
    painter.setPen(QPen(colour(t.axis), 1.5));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    painter.drawLine(plot.topLeft(), plot.bottomLeft());
    // Draw the name of the dimension, then the tick labels that do not overlap it.
    const QString name = QString::fromStdString(coordinate_name(panel.dim, dims_));
    const double name_width = QFontMetricsF(bold_).horizontalAdvance(name) + 0.3 * em;
    painter.setFont(bold_);
    painter.setPen(colour(t.text));
    painter.drawText(QRectF(plot.right() - name_width, plot.bottom() + 0.15 * em, name_width, 1.2 * em),
                     Qt::AlignRight | Qt::AlignVCenter, name);
    painter.setFont(small_);
    painter.setPen(colour(t.muted_text));
    double taken = -1e9;
    const std::vector<double> ticks =
        tick_values(panel.low, panel.high, static_cast<int>(std::clamp(plot.width() / (3.5 * em), 2.0, 6.0)));
    const QStringList texts = words_of(ticks);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      const double tick = ticks[i];
      const QString& words = texts[static_cast<qsizetype>(i)];
      const double x = plot.left() + (tick - panel.low) / (panel.high - panel.low) * plot.width(),
                   half = metrics.horizontalAdvance(words) / 2 + 1;
      if (x - half < std::max(taken, plot.left() - 0.4 * em) || x + half > plot.right() - name_width) continue;
      painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 0.2 * em));
      painter.drawText(QRectF(x - half, plot.bottom() + 0.15 * em, 2 * half, 1.2 * em), Qt::AlignCenter, words);
      taken = x + half + 0.4 * em;
    }
  }
  const QRectF& plot = panels_.front().plot;
  painter.setPen(colour(t.muted_text));
  const QStringList texts = words_of(ticks_);
  for (std::size_t i = 0; i < ticks_.size(); ++i)
    painter.drawText(QRectF(0, y_of(ticks_[i]) - 0.6 * em, plot.left() - 0.3 * em, 1.2 * em),
                     Qt::AlignRight | Qt::AlignVCenter, texts[static_cast<qsizetype>(i)]);
  painter.setFont(bold_);
  painter.setPen(colour(t.text));
  const QString cost = tr("cost");
  painter.drawText(QRectF(0.2 * em, 0.05 * em, QFontMetricsF(bold_).horizontalAdvance(cost) + 2, 1.2 * em),
                   Qt::AlignLeft | Qt::AlignVCenter, cost);
}

/// Draws words on a background of their own, kept inside the widget.
void CostCurves::paint_label(QPainter& painter, const QPointF& at, const QString& words, Rgb ink) const {
  const QFontMetricsF metrics(bold_);
  const double width = metrics.horizontalAdvance(words) + 6, high = metrics.height();
  QRectF box(at.x() - width / 2, at.y() - high, width, high);
  box.moveLeft(std::clamp(box.left(), 0.0, std::max(0.0, this->width() - width)));
  box.moveTop(std::clamp(box.top(), 0.0, std::max(0.0, this->height() - high)));
  QColor ground = colour(theme_->base);
  painter.fillRect(box, ground);
  painter.setFont(bold_);
  painter.setPen(colour(ink));
  painter.drawText(box, Qt::AlignCenter, words);
}

void CostCurves::paint_curve(QPainter& painter, const Panel& panel) const {
  const Theme& t = *theme_;
  const double scale = text_scale_ / 100.0;
  const Rgb ink = mix(strategy_colour(t, static_cast<int>(panel.dim)), t.text, 0.25);
  QPolygonF line;
  for (std::size_t i = 0; i < node_->tried.size(); ++i)
    if (node_->tried[i].dim == panel.dim)
      if (const auto at = place_of(i)) line << *at;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colour(mix(ink, t.base, 0.35)), 1.5 * scale));
  painter.drawPolyline(line);
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour(ink));
  const double radius = (line.size() > 60 ? 2.2 : 3.4) * scale;
  for (const QPointF& at : line) painter.drawEllipse(at, radius, radius);
}

void CostCurves::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = *theme_;
  painter.fillRect(rect(), colour(t.base));
  const double scale = text_scale_ / 100.0;
  if (!panels_.empty()) {
    paint_frame(painter);
    if (node_->leaf_cost)
      for (const Panel& panel : panels_) {
        painter.setPen(QPen(colour(t.warning), 2 * scale, Qt::DashLine));
        painter.drawLine(QPointF(panel.plot.left(), y_of(*node_->leaf_cost)),
                         QPointF(panel.plot.right(), y_of(*node_->leaf_cost)));
      }
    for (const Panel& panel : panels_) paint_curve(painter, panel);
    const auto mark = [&](std::size_t place, Rgb ink, double width, double radius) {
      const auto at = place_of(place);
      if (!at) return at;
      painter.setPen(QPen(colour(ink), width * scale));
      painter.setBrush(Qt::NoBrush);
      painter.drawLine(QPointF(at->x(), panels_.front().plot.bottom()), QPointF(at->x(), at->y() + radius * scale));
      painter.drawEllipse(*at, radius * scale, radius * scale);
      return at;
    };
    // Label a mark on its right, or on its left where its plot ends; never on the axis.
    const auto label_beside = [&](const QPointF& at, double away, const QString& words, Rgb ink) {
      const QFontMetricsF metrics(bold_);
      const double width = metrics.horizontalAdvance(words) + 6, bottom = panels_.front().plot.bottom() - 2;
      const auto panel =
          std::find_if(panels_.begin(), panels_.end(), [&](const Panel& p) { return at.x() <= p.plot.right() + 1; });
      const bool left = panel != panels_.end() && at.x() + away + width > panel->plot.right() &&
                        at.x() - away - width > panel->plot.left();
      paint_label(painter,
                  {at.x() + (left ? -1 : 1) * (away + width / 2), std::min(at.y() + metrics.height() / 2, bottom)},
                  words, ink);
    };
    if (node_->leaf_cost) {
      const QRectF& plot = panels_.back().plot;
      const QString words = tr("leaf %1").arg(number(*node_->leaf_cost));
      paint_label(painter,
                  {plot.right() - QFontMetricsF(bold_).horizontalAdvance(words) / 2 - 2, y_of(*node_->leaf_cost) - 2},
                  words, t.warning);
    }
    if (node_->chosen)
      if (const auto at = mark(*node_->chosen, t.pivot, t.outline, 7); at && picked_ != node_->chosen)
        label_beside(*at, 10 * scale, tr("chosen %1").arg(number(node_->tried[*node_->chosen].cost)), t.text);
    if (picked_)
      if (const auto at = mark(*picked_, t.selection, 1.5 * t.outline, 9))
        label_beside(*at, 12 * scale, number(node_->tried[*picked_].cost), t.selection);
  }
  if (hasFocus()) {
    painter.setPen(QPen(colour(t.focus), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void CostCurves::resizeEvent(QResizeEvent*) { lay_out(); }

void CostCurves::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const auto candidate = candidate_at(event->position()))
    emit candidate_picked(*candidate);
  else
    emit picked_nothing();
}

void CostCurves::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  const bool arrow = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
  if (arrow && event->modifiers() == Qt::AltModifier && node_ && !node_->tried.empty()) return move_picked(key);
  event->ignore();
}

void CostCurves::move_picked(int key) {
  const std::vector<TriedCandidate>& tried = node_->tried;
  const std::size_t from = picked_.value_or(node_->chosen.value_or(0));
  if (!picked_) return emit candidate_picked(from);
  if (key == Qt::Key_Left || key == Qt::Key_Right) {
    if (key == Qt::Key_Left ? from > 0 : from + 1 < tried.size())
      emit candidate_picked(key == Qt::Key_Left ? from - 1 : from + 1);
    return;
  }
  // Pick the cheapest candidate of the next dimension.
  const std::vector<std::uint32_t> dims = node_->dimensions();
  const auto at = std::find(dims.begin(), dims.end(), tried[from].dim);
  if (key == Qt::Key_Up ? at == dims.begin() : at + 1 == dims.end()) return;
  const std::uint32_t dim = *(key == Qt::Key_Up ? at - 1 : at + 1);
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < tried.size(); ++i)
    if (tried[i].dim == dim && (!best || tried[i].cost < tried[*best].cost)) best = i;
  if (best) emit candidate_picked(*best);
}

bool CostCurves::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto candidate = candidate_at(help->pos()))
    show_plain_tip(help->globalPos(), candidate_text(*node_, *candidate, dims_), this);
  else
    QToolTip::hideText();
  return true;
}

}  // namespace kdscope
