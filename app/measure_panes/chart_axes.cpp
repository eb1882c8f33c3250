#include "app/measure_panes/chart_axes.hpp"

#include <QFontMetrics>
#include <QLineF>
#include <algorithm>

#include "app/appearance/appearance.hpp"

namespace kdscope {

void draw_axes(QPainter& painter, const ChartFrame& frame, const Theme& theme) {
  const QRectF& plot = frame.plot;
  const QFontMetrics metrics = painter.fontMetrics();
  const double line = metrics.height(), unit = line / 18.0;
  const QPen grid(colour(theme.line), std::max(1.0, unit)), axis(colour(theme.axis), std::max(1.0, 1.4 * unit));
  double free_from = -1e300;
  for (const double tick : frame.x.ticks()) {
    const double x = frame.x(tick);
    painter.setPen(grid);
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const QString text = frame.x_text(tick);
    const double half = metrics.horizontalAdvance(text) / 2.0 + 2;
    painter.setPen(axis);
    painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + line * 0.3));
    if (x - half < free_from) continue;
    free_from = x + half + line * 0.4;
    painter.setPen(colour(theme.text));
    painter.drawText(QRectF(x - half, plot.bottom() + line * 0.4, 2 * half, line), Qt::AlignCenter, text);
  }
  double free_above = 1e300;
  for (const double tick : frame.y.ticks()) {
    const double y = frame.y(tick);
    painter.setPen(grid);
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(axis);
    painter.drawLine(QPointF(plot.left() - line * 0.3, y), QPointF(plot.left(), y));
    if (y > free_above || !frame.labels_y) continue;
    free_above = y - line * 1.05;
    painter.setPen(colour(theme.text));
    painter.drawText(QRectF(0, y - line / 2, plot.left() - line * 0.45, line), Qt::AlignRight | Qt::AlignVCenter,
                     frame.y_text(tick));
  }
  painter.setPen(axis);
  painter.drawLine(plot.topLeft(), plot.bottomLeft());
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  painter.setPen(colour(theme.muted_text));
  const double title_right = plot.right() - line * 0.1;
  painter.drawText(QRectF(plot.left(), plot.bottom() + line * 1.5, title_right - plot.left(), line * 1.1),
                   Qt::AlignRight | Qt::AlignVCenter, frame.x_title + QStringLiteral(" \u2192"));
  if (frame.labels_y)
    painter.drawText(QRectF(line * 0.7, plot.top() - line * 1.5, plot.right(), line * 1.1), Qt::AlignVCenter,
                     QStringLiteral("\u2191 ") + frame.y_title);
}

double label_width(const QFontMetrics& metrics, const PlotAxis& axis, const std::function<QString(double)>& text) {
  double width = 0;
  for (const double tick : axis.ticks()) width = std::max<double>(width, metrics.horizontalAdvance(text(tick)));
  return width;
}

int spot_at(const std::vector<ChartSpot>& spots, QPointF place, double reach) {
  int nearest = -1;
  for (std::size_t i = 0; i < spots.size(); ++i)
    if (const double distance = QLineF(spots[i].place, place).length(); distance < reach) {
      reach = distance;
      nearest = static_cast<int>(i);
    }
  return nearest;
}

}  // namespace kdscope
