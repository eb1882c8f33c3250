#include "app/views/set_matrix.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/trace/element_name.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {

SetMatrix::SetMatrix(QWidget* parent) : QAbstractScrollArea(parent), theme_(&theme(ThemeId::light)) {
  setFrameShape(QFrame::NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(tr("Sets as bits"));
  describe_keys(*this, tr("Sets as bits"),
                {{tr("Alt+Up, Alt+Down"), tr("From candidate to candidate")},
                 {tr("Alt+Left, Alt+Right"), tr("From primitive to primitive")}});
  small_ = bold_ = font();
}

void SetMatrix::show_rows(std::vector<SetRow> rows, std::vector<std::uint32_t> primitives, const Space& space) {
  rows_ = std::move(rows);
  primitives_ = std::move(primitives);
  space_ = space;
  update_metrics();
  viewport()->update();
}

QString SetMatrix::name_of_column(std::size_t column) const {
  return QString::fromStdString(element_name(space_, primitives_[column]));
}

void SetMatrix::clear() { show_rows({}, {}, {}); }

void SetMatrix::set_appearance(const Theme& theme, int text_scale) {
  theme_ = &theme;
  text_scale_ = text_scale;
  update_metrics();
  viewport()->update();
}

void SetMatrix::set_selected(std::vector<std::size_t> columns) {
  selected_ = std::move(columns);
  viewport()->update();
}

void SetMatrix::set_picked(std::optional<std::size_t> candidate) {
  picked_ = candidate;
  viewport()->update();
}

/// Fits all columns into the width if their cells can still be distinguished.
void SetMatrix::update_metrics() {
  small_ = interface_font(text_scale_, 0.9);
  bold_ = small_;
  bold_.setBold(true);
  const QFontMetricsF metrics(bold_);
  const double em = metrics.height();
  label_width_ = 0;
  for (const SetRow& row : rows_) label_width_ = std::max(label_width_, metrics.horizontalAdvance(row.label));
  label_width_ += 0.9 * em;
  count_width_ = metrics.horizontalAdvance(QStringLiteral("64")) + 0.8 * em;
  row_height_ = 1.3 * em;
  const double room = viewport()->width() - label_width_ - count_width_,
               columns = static_cast<double>(std::max<std::size_t>(1, primitives_.size()));
  cell_ = std::clamp(room / columns, std::max(5.0, 0.4 * em),
                     std::max(1.1 * row_height_, metrics.horizontalAdvance(QStringLiteral("00000"))));
  head_height_ = 1.5 * em;
  tops_.assign(1, 0.2 * em);
  for (const SetRow& row : rows_) {
    tops_.back() += row.gap_above * row_height_;
    tops_.push_back(tops_.back() + row_height_);
  }
  horizontalScrollBar()->setPageStep(viewport()->width());
  horizontalScrollBar()->setSingleStep(static_cast<int>(cell_ + 1));
  horizontalScrollBar()->setRange(0, static_cast<int>(std::max(0.0, std::ceil(columns * cell_ - room))));
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(static_cast<int>(row_height_));
  verticalScrollBar()->setRange(
      0, static_cast<int>(std::max(0.0, std::ceil(tops_.back() + head_height_ - viewport()->height()))));
}

double SetMatrix::top_of(std::size_t row) const { return head_height_ + tops_[row] - verticalScrollBar()->value(); }
double SetMatrix::left_of(std::size_t column) const {
  return label_width_ + static_cast<double>(column) * cell_ - horizontalScrollBar()->value();
}

QRect SetMatrix::cell_rect(std::size_t row, std::size_t column) const {
  if (row >= rows_.size() || column >= primitives_.size()) return {};
  const QRectF rect(left_of(column), top_of(row), cell_, row_height_);
  const bool in_sight = rect.left() >= label_width_ - 1 && rect.top() >= head_height_ - 1 &&
                        rect.right() <= viewport()->width() - count_width_ + 1 &&
                        rect.bottom() <= viewport()->height() + 1;
  return in_sight ? rect.toAlignedRect() : QRect();
}

std::optional<SetMatrix::Place> SetMatrix::place_at(QPointF at) const {
  if (at.y() < head_height_) return std::nullopt;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (at.y() < top_of(row) || at.y() >= top_of(row) + row_height_) continue;
    const double column = (at.x() - left_of(0)) / cell_;
    const bool on_bits = at.x() >= label_width_ && at.x() < viewport()->width() - count_width_ &&
                         column < static_cast<double>(primitives_.size());
    return Place{row, on_bits ? std::optional(static_cast<std::size_t>(std::max(0.0, column))) : std::nullopt};
  }
  return std::nullopt;
}

void SetMatrix::paint_row(QPainter& painter, std::size_t number) const {
  const Theme& t = *theme_;
  const SetRow& row = rows_[number];
  const double top = top_of(number), side = std::min(cell_, row_height_) * 0.82;
  const bool marked = row.candidate && row.candidate == picked_;
  if (row.strong) painter.fillRect(QRectF(0, top, viewport()->width(), row_height_), colour(mix(t.base, t.text, 0.07)));
  painter.save();
  painter.setClipRect(
      QRectF(label_width_ - 1, 0, viewport()->width() - label_width_ - count_width_ + 2, viewport()->height()));
  for (std::size_t column = 0; column < primitives_.size(); ++column) {
    const QRectF cell(left_of(column) + (cell_ - side) / 2, top + (row_height_ - side) / 2, side, side);
    const bool has = row.mask >> column & 1, counts = has && (row.within >> column & 1);
    painter.setPen(QPen(colour(has ? row.ink : mix(t.line, t.base, 0.3)), side > 7 ? 1.2 : 1));
    painter.setBrush(counts            ? QBrush(colour(row.ink))
                     : has && side > 7 ? QBrush(colour(row.ink), Qt::BDiagPattern)
                                       : QBrush(Qt::NoBrush));
    painter.drawRect(cell);
  }
  painter.restore();
  painter.setFont(row.strong ? bold_ : small_);
  painter.setPen(colour(marked ? t.selection : t.text));
  painter.drawText(QRectF(0, top, label_width_ - QFontMetricsF(small_).height() * 0.4, row_height_),
                   Qt::AlignRight | Qt::AlignVCenter, row.label);
  painter.setPen(colour(t.text));
  // Write the count after the bits, or at the edge of the window.
  const double end = std::min(left_of(primitives_.size()), viewport()->width() - count_width_);
  painter.drawText(QRectF(end, top, count_width_, row_height_), Qt::AlignCenter,
                   QString::number(std::popcount(row.mask)));
  if (marked) {
    painter.setPen(QPen(colour(t.selection), t.outline));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(t.outline / 2, top, end + count_width_ - t.outline, row_height_));
  }
}

/// Writes the ids of the primitives, as many as fit.
void SetMatrix::paint_heads(QPainter& painter) const {
  const Theme& t = *theme_;
  const QFontMetricsF metrics(small_);
  painter.fillRect(QRectF(0, 0, viewport()->width(), head_height_), colour(t.base));
  painter.setFont(small_);
  painter.setPen(colour(t.muted_text));
  painter.drawText(QRectF(0, 0, label_width_ - metrics.height() * 0.4, head_height_), Qt::AlignRight | Qt::AlignVCenter,
                   space_ == Space::triangle ? tr("triangle") : tr("point"));
  painter.drawText(
      QRectF(std::min(left_of(primitives_.size()), viewport()->width() - count_width_), 0, count_width_, head_height_),
      Qt::AlignCenter, QStringLiteral("#"));
  double taken = label_width_ - 0.3 * metrics.height();
  for (std::size_t column = 0; column < primitives_.size(); ++column) {
    const QString id = name_of_column(column);
    const double middle = left_of(column) + cell_ / 2, half = metrics.horizontalAdvance(id) / 2 + 1;
    const bool selected = std::binary_search(selected_.begin(), selected_.end(), column);
    if (middle - half < taken || middle + half > viewport()->width() - count_width_ + 2) continue;
    painter.setPen(colour(selected ? t.selection : t.muted_text));
    painter.drawText(QRectF(middle - half, 0, 2 * half, head_height_), Qt::AlignCenter, id);
    taken = middle + half + 0.25 * metrics.height();
  }
}

void SetMatrix::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const Theme& t = *theme_;
  painter.fillRect(viewport()->rect(), colour(t.base));
  if (!rows_.empty()) {
    painter.save();
    painter.setClipRect(QRectF(0, head_height_, viewport()->width(), viewport()->height() - head_height_));
    for (std::size_t row = 0; row < rows_.size(); ++row)
      if (top_of(row) + row_height_ >= head_height_ && top_of(row) < viewport()->height()) paint_row(painter, row);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour(t.selection), t.outline));
    for (const std::size_t column : selected_)
      if (left_of(column) >= label_width_ - 1 && left_of(column) + cell_ <= viewport()->width() - count_width_ + 1)
        painter.drawRect(QRectF(left_of(column), head_height_ - 4, cell_,
                                top_of(rows_.size() - 1) + row_height_ - head_height_ + 4));
    painter.restore();
    paint_heads(painter);
  }
  if (hasFocus()) {
    painter.setPen(QPen(colour(t.focus), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
}

void SetMatrix::resizeEvent(QResizeEvent*) { update_metrics(); }

void SetMatrix::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const auto place = place_at(event->position());
  if (place && place->column)
    emit primitive_picked(primitives_[*place->column]);
  else if (place && rows_[place->row].candidate)
    emit candidate_picked(*rows_[place->row].candidate);
  else
    emit picked_nothing();
}

void SetMatrix::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (event->modifiers() != Qt::AltModifier || rows_.empty()) return event->ignore();
  if (key == Qt::Key_Up || key == Qt::Key_Down) return emit candidate_walked(key == Qt::Key_Up ? -1 : 1);
  if ((key != Qt::Key_Left && key != Qt::Key_Right) || primitives_.empty()) return event->ignore();
  const std::size_t from = selected_.empty() ? 0 : selected_.front();
  const std::size_t to = selected_.empty()     ? 0
                         : key == Qt::Key_Left ? from - std::min<std::size_t>(from, 1)
                                               : std::min(from + 1, primitives_.size() - 1);
  emit primitive_picked(primitives_[to]);
}

QString SetMatrix::cell_tip(std::size_t row, std::size_t column) const {
  const bool has = rows_[row].mask >> column & 1, counts = rows_[row].within >> column & 1;
  const QString who = tr("bit %1, %2 %3")
                          .arg(column)
                          .arg(space_ == Space::triangle ? tr("triangle") : tr("point"), name_of_column(column));
  return QStringLiteral("%1: %2").arg(who, !has     ? tr("not in this set")
                                           : counts ? tr("in this set")
                                                    : tr("in this set, but not in the node's"));
}

bool SetMatrix::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto place = place_at(help->pos()); place && place->column)
    show_plain_tip(help->globalPos(), cell_tip(place->row, *place->column), viewport());
  else
    QToolTip::hideText();
  return true;
}

}  // namespace kdscope
