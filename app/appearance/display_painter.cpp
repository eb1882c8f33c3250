#include "app/appearance/display_painter.hpp"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "app/appearance/appearance.hpp"

namespace kdscope {
namespace {

/// The fonts of one list: most texts share a few.
class DisplayFonts {
 public:
  struct Sized {
    QFont font;
    QFontMetricsF metrics;
  };
  explicit DisplayFonts(const QFont& font) : font_(font) {}
  const Sized& of(const DisplayItem& item) {
    const int size = item.size > 0 ? std::max(4, static_cast<int>(std::lround(item.size))) : 0;
    const auto [found, is_new] = sized_.try_emplace({size, item.bold});
    if (is_new) {
      QFont font = font_;
      font.setBold(item.bold);
      if (size > 0) font.setPixelSize(size);
      found->second.emplace(Sized{font, QFontMetricsF(font)});
    }
    return *found->second;
  }

 private:
  QFont font_;
  std::map<std::pair<int, bool>, std::optional<Sized>> sized_;
};

void paint_display_text(QPainter& painter, const DisplayList& list, const DisplayItem& item, const Theme& theme,
                        DisplayFonts& fonts, bool moves) {
  const auto& [font, metrics] = fonts.of(item);
  const QString words = QString::fromStdString(item.text);
  painter.setFont(font);
  painter.setPen(colour(item.ink(theme)));
  if (!item.ground && !moves) {  // Qt measures what it aligns: to measure it here too would take as long again
    constexpr double far = 1000;
    constexpr std::array anchors{Qt::AlignLeft, Qt::AlignHCenter, Qt::AlignRight};
    const double before = far * static_cast<double>(item.anchor);
    return painter.drawText(QRectF(item.at[0] - before, item.at[1] - metrics.height() / 2, 2 * far, metrics.height()),
                            anchors[static_cast<std::size_t>(item.anchor)] | Qt::AlignVCenter | Qt::TextSingleLine,
                            words);
  }
  const double width = metrics.horizontalAdvance(words) + (item.ground ? 6 : 1), high = metrics.height();
  const double before = item.anchor == DisplayItem::Anchor::left    ? 0
                        : item.anchor == DisplayItem::Anchor::right ? 1
                                                                    : 0.5;
  const double from = item.at[0] - before * width;
  const double left = moves ? std::clamp(from, 0.0, std::max(0.0, list.width - width)) : from;
  const QRectF box(left, item.at[1] - high / 2, width, high);
  if (item.ground) painter.fillRect(box, colour(theme.base));
  painter.drawText(QPointF(left + (item.ground ? 3 : 0.5), box.top() + metrics.ascent()), words);
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

void paint_marks(QPainter& painter, const DisplayItem& item, const Theme& theme) {
  painter.setPen(item.width > 0 ? QPen(colour(item.ink(theme)), item.width) : QPen(Qt::NoPen));
  for (std::size_t i = 0; i < item.glyphs.size(); ++i) {
    painter.setBrush(colour(item.cells[i](theme)));
    painter.drawPath(glyph_path(item.glyphs[i], {item.at[2 * i], item.at[2 * i + 1]}, item.size));
  }
}

void paint_shape(QPainter& painter, const DisplayItem& item, const Theme& theme) {
  using Shape = DisplayItem::Shape;
  constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine};
  QColor ink = colour(item.ink(theme));
  ink.setAlphaF(static_cast<float>(item.opacity));
  painter.setPen(item.width > 0 ? QPen(ink, item.width, dashes[static_cast<std::size_t>(item.dash)], Qt::FlatCap)
                                : QPen(Qt::NoPen));
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
  DisplayFonts fonts(font);
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const DisplayItem& item = list.items[i];
    if (i == list.scrolls_from)
      painter.setClipRect(QRectF(list.scrolls_left, 0, list.scrolls_right - list.scrolls_left, list.height),
                          Qt::IntersectClip);
    if (item.shape == Shape::text)
      paint_display_text(painter, list, item, theme, fonts, i < list.scrolls_from);
    else if (item.shape == Shape::cells)
      paint_cells(painter, item, theme);
    else if (item.shape == Shape::marks)
      paint_marks(painter, item, theme);
    else
      paint_shape(painter, item, theme);
  }
  painter.restore();
}

}  // namespace kdscope
