#include "app/views/cost_curves.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/plain_text.hpp"
#include "visualizer/figure/cost_plot.hpp"

namespace kdscope {
namespace {

constexpr double curve_reach = 24;

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
  small_ = font();
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

void CostCurves::lay_out() {
  small_ = interface_font(text_scale_, 0.9);
  drawing_ = node_ ? drawing_of(*node_, dims_, size(), picked_) : DisplayList();
  update();
}

DisplayList CostCurves::drawing_of(const NodeCandidates& node, std::uint32_t dims, QSize size,
                                   std::optional<std::size_t> picked) const {
  CostDrawingOptions options;
  options.width = size.width(), options.height = size.height();
  options.line_height = QFontMetricsF(small_).height();
  options.scale = text_scale_ / 100.0;
  options.outline = theme_->outline;
  options.picked = picked;
  return cost_drawing(node, dims, options);
}

void CostCurves::paint(QPainter& painter, const NodeCandidates& node, std::uint32_t dims, const QRect& room) const {
  painter.translate(room.topLeft());
  painter.setRenderHint(QPainter::Antialiasing);
  paint_display_list(painter, drawing_of(node, dims, room.size(), {}), *theme_, small_);
}

std::optional<QPointF> CostCurves::place_of(std::size_t candidate) const {
  const DisplayItem* mark = drawing_.circle(static_cast<std::uint32_t>(candidate));
  return mark ? std::optional(QPointF(mark->at[0], mark->at[1])) : std::nullopt;
}

std::optional<std::size_t> CostCurves::candidate_at(QPointF at) const {
  return drawing_.hit(at.x(), at.y(), curve_reach * text_scale_ / 100.0);
}

std::vector<std::uint32_t> CostCurves::dimensions_in_sight() const {
  std::vector<std::uint32_t> dims;
  for (std::size_t i = 0; node_ && i < node_->tried.size(); ++i)
    if ((dims.empty() || dims.back() != node_->tried[i].dim) && place_of(i)) dims.push_back(node_->tried[i].dim);
  return dims;
}

void CostCurves::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), colour(theme_->base));
  paint_display_list(painter, drawing_, *theme_, small_);
  if (hasFocus()) {
    painter.setPen(QPen(colour(theme_->focus), 1));
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
