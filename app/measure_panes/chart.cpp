#include "app/measure_panes/chart.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {

void Chart::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

std::optional<std::uint32_t> Chart::id_at(QPointF place) const {
  return drawing_.hit(place.x(), place.y(), fontMetrics().height());
}

const DisplayItem* Chart::item_of(std::uint32_t id) const {
  const auto item = std::ranges::find(drawing_.items, std::optional(id), &DisplayItem::id);
  return item == drawing_.items.end() ? nullptr : &*item;
}

void Chart::paintEvent(QPaintEvent*) {
  if (!theme_) return;
  drawing_ = draw();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(rect(), colour(theme_->base));
  paint_display_list(painter, drawing_, *theme_, font());
}

bool Chart::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto id = id_at(help->pos());
  show_plain_tip(help->globalPos(), id ? QString::fromStdString(item_of(*id)->spoken) : QString(), this);
  return true;
}

DisplayItem& draw_mark(DisplayList& list, QPointF at, Glyph glyph, double radius, DisplayInk fill, DisplayInk rim,
                       double width) {
  return list.add({.shape = DisplayItem::Shape::marks,
                   .at = {at.x(), at.y()},
                   .ink = std::move(rim),
                   .width = width,
                   .size = radius,
                   .cells = {std::move(fill)},
                   .glyphs = {glyph}});
}

DisplayItem& draw_words(DisplayList& list, QPointF at, const QString& text, DisplayInk ink,
                        DisplayItem::Anchor anchor) {
  return list.words(at.x(), at.y(), text.toStdString(), std::move(ink), 0, anchor);
}

void draw_axes(DisplayList& list, const ChartFrame& frame, const QFontMetricsF& metrics) {
  using Anchor = DisplayItem::Anchor;
  const QRectF& plot = frame.plot;
  const double line = metrics.height(), unit = line / 18.0;
  const double thin = std::max(1.0, unit), thick = std::max(1.0, 1.4 * unit);
  const DisplayInk grid = of_theme(&Theme::line), axis = of_theme(&Theme::axis), muted = of_theme(&Theme::muted_text);
  double free_from = -1e300;
  for (const double tick : frame.x.ticks()) {
    const double x = frame.x(tick);
    list.line({x, plot.top(), x, plot.bottom()}, grid, thin);
    const QString text = frame.x_text(tick);
    const double half = metrics.horizontalAdvance(text) / 2 + 2;
    list.line({x, plot.bottom(), x, plot.bottom() + line * 0.3}, axis, thick);
    if (x - half < free_from) continue;
    free_from = x + half + line * 0.4;
    draw_words(list, {x, plot.bottom() + line * 0.9}, text, of_theme(&Theme::text), Anchor::middle);
  }
  double free_above = 1e300;
  for (const double tick : frame.y.ticks()) {
    const double y = frame.y(tick);
    list.line({plot.left(), y, plot.right(), y}, grid, thin);
    list.line({plot.left() - line * 0.3, y, plot.left(), y}, axis, thick);
    if (y > free_above || !frame.labels_y) continue;
    free_above = y - line * 1.05;
    draw_words(list, {plot.left() - line * 0.45, y}, frame.y_text(tick), of_theme(&Theme::text), Anchor::right);
  }
  list.line({plot.left(), plot.top(), plot.left(), plot.bottom(), plot.right(), plot.bottom()}, axis, thick);
  draw_words(list, {plot.right() - line * 0.1, plot.bottom() + line * 2.05}, frame.x_title + QStringLiteral(" \u2192"),
             muted, Anchor::right);
  if (frame.labels_y)
    draw_words(list, {line * 0.7, plot.top() - line * 0.95}, QStringLiteral("\u2191 ") + frame.y_title, muted);
}

QFont bold_of(QFont font) {
  font.setBold(true);
  return font;
}

double label_width(const QFontMetricsF& metrics, const PlotAxis& axis, const std::function<QString(double)>& text) {
  double width = 0;
  for (const double tick : axis.ticks()) width = std::max(width, metrics.horizontalAdvance(text(tick)));
  return width;
}

}  // namespace kdscope
