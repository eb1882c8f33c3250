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

/// A font of some pixels, 0: of its own size. Pixel sizes of fonts are whole numbers, point sizes are not.
QFont sized(QFont font, double pixels, bool bold, const QPaintDevice& device) {
  font.setBold(bold);
  if (pixels > 0) font.setPointSizeF(std::max(4.0, pixels) * 72 / device.logicalDpiY());
  return font;
}

QColor ink_of(const DisplayItem& item, const Theme& theme) {
  QColor ink = colour(item.ink(theme));
  ink.setAlphaF(static_cast<float>(item.opacity));
  return ink;
}

/// The fonts of one list: most texts share a few.
class DisplayFonts {
 public:
  DisplayFonts(const QFont& font, QPaintDevice* device) : font_(font), device_(device) {}
  /// Sets the font of an item, unless the painter has it already.
  const QFontMetricsF& use(QPainter& painter, const DisplayItem& item) {
    const auto [found, is_new] = sized_.try_emplace({item.size, item.bold});
    if (is_new) {
      const QFont font = sized(font_, item.size, item.bold, *device_);
      found->second.emplace(Sized{font, QFontMetricsF(font, device_)});
    }
    if (const Sized* sized = &*found->second; sized != used_) {
      painter.setFont(sized->font);
      used_ = sized;
    }
    return used_->metrics;
  }

 private:
  struct Sized {
    QFont font;
    QFontMetricsF metrics;
  };
  QFont font_;
  QPaintDevice* device_;
  const Sized* used_ = nullptr;
  std::map<std::pair<double, bool>, std::optional<Sized>> sized_;
};

void paint_display_text(QPainter& painter, const DisplayList& list, const DisplayItem& item, const Theme& theme,
                        DisplayFonts& fonts, bool moves) {
  const QFontMetricsF& metrics = fonts.use(painter, item);
  if (item.angle != 0) {
    DisplayItem level = item;
    level.at = {0, 0}, level.angle = 0;
    painter.save();
    painter.translate(item.at[0], item.at[1]);
    painter.rotate(item.angle);
    paint_display_text(painter, list, level, theme, fonts, false);
    return painter.restore();
  }
  const QString words = QString::fromStdString(item.text);
  const auto write = [&](const auto& draw) {
    const double rim = std::max(1.0, std::round(item.size / 12));
    painter.setPen(colour(theme.base));
    if (item.halo)
      for (const auto& [across, down] : {std::pair{-rim, -rim}, {-rim, rim}, {rim, -rim}, {rim, rim}})
        draw(QPointF(across, down));
    painter.setPen(ink_of(item, theme));
    draw(QPointF());
  };
  if (!item.ground && !moves) {  // Qt measures what it aligns: to measure it here too would take as long again
    constexpr double far = 1000;
    constexpr std::array anchors{Qt::AlignLeft, Qt::AlignHCenter, Qt::AlignRight};
    const double before = far * static_cast<double>(item.anchor);
    const QRectF box(item.at[0] - before, item.at[1] - metrics.height() / 2, 2 * far, metrics.height());
    const int flags = anchors[static_cast<std::size_t>(item.anchor)] | Qt::AlignVCenter | Qt::TextSingleLine;
    return write([&](QPointF by) { painter.drawText(box.translated(by), flags, words); });
  }
  const double width = metrics.horizontalAdvance(words) + (item.ground ? 6 : 1), high = metrics.height();
  const double before = item.anchor == DisplayItem::Anchor::left    ? 0
                        : item.anchor == DisplayItem::Anchor::right ? 1
                                                                    : 0.5;
  const double from = item.at[0] - before * width;
  const double left = moves ? std::clamp(from, 0.0, std::max(0.0, list.width - width)) : from;
  const QRectF box(left, item.at[1] - high / 2, width, high);
  if (item.ground) painter.fillRect(box, colour(theme.base));
  const QPointF foot(left + (item.ground ? 3 : 0.5), box.top() + metrics.ascent());
  write([&](QPointF by) { painter.drawText(foot + by, words); });
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

/// Smooths edges that are neither level nor upright, where the painter does not smooth all.
class SmoothEdges {
 public:
  explicit SmoothEdges(QPainter& painter) : painter_(painter), before_(painter.testRenderHint(QPainter::Antialiasing)) {
    if (!before_) painter_.setRenderHint(QPainter::Antialiasing);
  }
  ~SmoothEdges() {
    if (!before_) painter_.setRenderHint(QPainter::Antialiasing, false);
  }

 private:
  QPainter& painter_;
  const bool before_;
};

void paint_marks(QPainter& painter, const DisplayItem& item, const Theme& theme) {
  const SmoothEdges smooth(painter);
  const QColor rim = colour(item.ink(theme));
  for (std::size_t i = 0; i < item.glyphs.size(); ++i) {
    const QColor fill = colour(item.cells[i](theme));
    const bool faint = i < item.faint.size() && item.faint[i];
    painter.setPen(item.width > 0 ? QPen(faint ? fill : rim, item.width) : QPen(Qt::NoPen));
    painter.setBrush(fill);
    painter.drawPath(glyph_path(item.glyphs[i], {item.at[2 * i], item.at[2 * i + 1]}, item.size));
  }
}

void paint_shape(QPainter& painter, const DisplayItem& item, const Theme& theme) {
  using Shape = DisplayItem::Shape;
  constexpr std::array dashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
  const QColor ink = ink_of(item, theme);
  if (item.shape == Shape::box && item.width == 0 && item.at[4] == 0)
    return painter.fillRect(QRectF(item.at[0], item.at[1], item.at[2], item.at[3]), ink);
  painter.setPen(item.width > 0 ? QPen(ink, item.width, dashes[static_cast<std::size_t>(item.dash)], Qt::FlatCap,
                                       item.shape == Shape::box ? Qt::MiterJoin : Qt::BevelJoin)
                                : QPen(Qt::NoPen));
  painter.setBrush(item.width > 0 ? QBrush(Qt::NoBrush) : QBrush(ink));
  if (item.shape == Shape::circle) return painter.drawEllipse(QPointF(item.at[0], item.at[1]), item.at[2], item.at[2]);
  if (item.shape == Shape::box)
    return painter.drawRoundedRect(QRectF(item.at[0], item.at[1], item.at[2], item.at[3]), item.at[4], item.at[4]);
  const bool is_level = item.at.size() == 4 && (item.at[0] == item.at[2] || item.at[1] == item.at[3]);
  std::optional<SmoothEdges> smooth;
  if (!is_level) smooth.emplace(painter);
  QPolygonF corners;
  for (std::size_t i = 0; i + 1 < item.at.size(); i += 2) corners << QPointF(item.at[i], item.at[i + 1]);
  if (item.shape == Shape::polygon)
    painter.drawPolygon(corners);
  else
    painter.drawPolyline(corners);
}

}  // namespace

TextWidth text_width_in(const QFont& font) {
  // A label is measured again for each of its places.
  return [font, words = std::string(), size = 0.0, strong = false, width = 0.0](std::string_view text, double pixels,
                                                                                bool bold) mutable {
    if (text == words && pixels == size && bold == strong) return width;
    words = text, size = pixels, strong = bold;
    const QImage device(1, 1, QImage::Format_RGB32);
    width = QFontMetricsF(sized(font, pixels, bold, device), &device).horizontalAdvance(QString::fromStdString(words));
    return width;
  };
}

void paint_display_list(QPainter& painter, const DisplayList& list, const Theme& theme, const QFont& font) {
  using Shape = DisplayItem::Shape;
  painter.save();
  DisplayFonts fonts(font, painter.device());
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
