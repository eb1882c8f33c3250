#include "app/appearance/display_painter.hpp"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/appearance/appearance.hpp"

namespace kdscope {
namespace {

void paint_display_text(QPainter& painter, const DisplayList& list, const DisplayItem& item, const Theme& theme,
                        QFont font, bool moves) {
  font.setBold(item.bold);
  if (item.size > 0) font.setPixelSize(std::max(6, static_cast<int>(std::lround(item.size))));
  const QFontMetricsF metrics(font);
  const QString words = QString::fromStdString(item.text);
  const double width = metrics.horizontalAdvance(words) + (item.ground ? 6 : 1), high = metrics.height();
  const double before = item.anchor == DisplayItem::Anchor::left    ? 0
                        : item.anchor == DisplayItem::Anchor::right ? 1
                                                                    : 0.5;
  const double from = item.at[0] - before * width;
  const double left = moves ? std::clamp(from, 0.0, std::max(0.0, list.width - width)) : from;
  const QRectF box(left, item.at[1] - high / 2, width, high);
  if (item.ground) painter.fillRect(box, colour(theme.base));
  painter.setFont(font);
  painter.setPen(colour(item.ink(theme)));
  painter.drawText(box, Qt::AlignCenter, words);
}

/// Paints a row of cells without seams between them.
void paint_cells(QPainter& painter, const DisplayItem& item, const Theme& theme) {
  QImage row(static_cast<int>(item.cells.size()), 1, QImage::Format_ARGB32_Premultiplied);
  row.fill(Qt::transparent);
  for (int i = 0; i < row.width(); ++i)
    if (const DisplayInk& ink = item.cells[static_cast<std::size_t>(i)]) row.setPixelColor(i, 0, colour(ink(theme)));
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.drawImage(QRectF(item.at[0], item.at[1], item.at[2], item.at[3]), row, QRectF(row.rect()));
  painter.restore();
}

void paint_shape(QPainter& painter, const DisplayItem& item, const Theme& theme) {
  using Shape = DisplayItem::Shape;
  constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
  const QColor ink = colour(item.ink(theme));
  painter.setPen(item.width > 0 ? QPen(ink, item.width, dashes[static_cast<std::size_t>(item.dash)]) : QPen(Qt::NoPen));
  painter.setBrush(item.width > 0 ? QBrush(Qt::NoBrush) : QBrush(ink));
  if (item.shape == Shape::circle) return painter.drawEllipse(QPointF(item.at[0], item.at[1]), item.at[2], item.at[2]);
  if (item.shape == Shape::box)
    return painter.drawRoundedRect(QRectF(item.at[0], item.at[1], item.at[2], item.at[3]), item.at[4], item.at[4]);
  QPolygonF corners;
  for (std::size_t i = 0; i + 1 < item.at.size(); i += 2) corners << QPointF(item.at[i], item.at[i + 1]);
  if (item.shape == Shape::polygon)
    painter.drawPolygon(corners);
  else
    painter.drawPolyline(corners);
}

}  // namespace

void paint_display_list(QPainter& painter, const DisplayList& list, const Theme& theme, const QFont& font) {
  using Shape = DisplayItem::Shape;
  painter.save();
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const DisplayItem& item = list.items[i];
    if (i == list.scrolls_from)
      painter.setClipRect(QRectF(list.scrolls_left, 0, list.scrolls_right - list.scrolls_left, list.height),
                          Qt::IntersectClip);
    if (item.shape == Shape::text)
      paint_display_text(painter, list, item, theme, font, i < list.scrolls_from);
    else if (item.shape == Shape::cells)
      paint_cells(painter, item, theme);
    else
      paint_shape(painter, item, theme);
  }
  painter.restore();
}

}  // namespace kdscope
