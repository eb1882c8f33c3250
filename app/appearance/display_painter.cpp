#include "app/appearance/display_painter.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>

#include "app/appearance/appearance.hpp"

namespace kdscope {
namespace {

void paint_display_text(QPainter& painter, const DisplayList& list, const DisplayItem& item, const Theme& theme,
                        QFont font) {
  font.setBold(item.bold);
  const QFontMetricsF metrics(font);
  const QString words = QString::fromStdString(item.text);
  const double width = metrics.horizontalAdvance(words) + (item.ground ? 6 : 1), high = metrics.height();
  const double before = item.anchor == DisplayItem::Anchor::left    ? 0
                        : item.anchor == DisplayItem::Anchor::right ? 1
                                                                    : 0.5;
  const double left = std::clamp(item.at[0] - before * width, 0.0, std::max(0.0, list.width - width));
  const QRectF box(left, item.at[1] - high / 2, width, high);
  if (item.ground) painter.fillRect(box, colour(theme.base));
  painter.setFont(font);
  painter.setPen(colour(item.ink(theme)));
  painter.drawText(box, Qt::AlignCenter, words);
}

}  // namespace

void paint_display_list(QPainter& painter, const DisplayList& list, const Theme& theme, const QFont& font) {
  for (const DisplayItem& item : list.items) {
    if (item.shape == DisplayItem::Shape::text) {
      paint_display_text(painter, list, item, theme, font);
      continue;
    }
    const QColor ink = colour(item.ink(theme));
    painter.setPen(item.width > 0 ? QPen(ink, item.width, item.dashed ? Qt::DashLine : Qt::SolidLine)
                                  : QPen(Qt::NoPen));
    painter.setBrush(item.width > 0 ? QBrush(Qt::NoBrush) : QBrush(ink));
    if (item.shape == DisplayItem::Shape::circle) {
      painter.drawEllipse(QPointF(item.at[0], item.at[1]), item.at[2], item.at[2]);
      continue;
    }
    QPolygonF corners;
    for (std::size_t i = 0; i + 1 < item.at.size(); i += 2) corners << QPointF(item.at[i], item.at[i + 1]);
    painter.drawPolyline(corners);
  }
}

}  // namespace kdscope
