#include "app/views/set_matrix.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
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

SetPicture SetMatrix::picture() const {
  const QFontMetricsF metrics(bold_);
  return {rows_,
          primitives_,
          space_,
          {.width = std::max(1.0, double(viewport()->width())),
           .height = std::max(1.0, double(viewport()->height())),
           .line_height = metrics.height(),
           .outline = theme_->outline,
           .scrolled_x = double(horizontalScrollBar()->value()),
           .scrolled_y = double(verticalScrollBar()->value()),
           .selected = selected_,
           .picked = picked_,
           .width_of = [metrics](std::string_view text) {
             return metrics.horizontalAdvance(QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())));
           }}};
}

void SetMatrix::update_metrics() {
  small_ = bold_ = interface_font(text_scale_, 0.9);
  bold_.setBold(true);
  const SetPicture all = picture();
  const auto set_range = [](QScrollBar* bar, int page, double step, double most) {
    bar->setPageStep(page);
    bar->setSingleStep(static_cast<int>(step));
    bar->setRange(0, static_cast<int>(most));
  };
  set_range(horizontalScrollBar(), viewport()->width(), all.cell_width() + 1, all.most_x());
  set_range(verticalScrollBar(), viewport()->height(), all.row_height(), all.most_y());
}

QRect SetMatrix::cell_rect(std::size_t row, std::size_t column) const {
  const auto cell = picture().cell(row, column);
  return cell ? QRectF((*cell)[0], (*cell)[1], (*cell)[2], (*cell)[3]).toAlignedRect() : QRect();
}

void SetMatrix::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  painter.fillRect(viewport()->rect(), colour(theme_->base));
  paint_display_list(painter, picture().draw(), *theme_, small_);
  if (hasFocus()) {
    painter.setPen(QPen(colour(theme_->focus), 1));
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
}

void SetMatrix::resizeEvent(QResizeEvent*) { update_metrics(); }

void SetMatrix::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const auto place = picture().place_at(event->position().x(), event->position().y());
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
  return QString::fromStdString(picture().words_of(row, column));
}

bool SetMatrix::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const auto place = picture().place_at(help->pos().x(), help->pos().y()); place && place->column)
    show_plain_tip(help->globalPos(), cell_tip(place->row, *place->column), viewport());
  else
    QToolTip::hideText();
  return true;
}

}  // namespace kdscope
