#include "app/appearance/cut_label.hpp"

#include <QPainter>
#include <algorithm>

namespace kdscope {
namespace {

/// Heights of a line: a longer brief form gives way, too.
constexpr int most_insisted = 12;

}  // namespace

QString CutLabel::shown_text() const {
  const int room = contentsRect().width();
  const auto fits = [&](const QString& words) { return fontMetrics().horizontalAdvance(words) <= room; };
  const QString words = brief_.isEmpty() || fits(text()) ? text() : brief_;
  return fits(words) ? words : fontMetrics().elidedText(words, Qt::ElideRight, room);
}

QSize CutLabel::minimumSizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  const QMargins margins = contentsMargins();
  return {
      std::min(metrics.horizontalAdvance(brief_), most_insisted * metrics.height()) + margins.left() + margins.right(),
      QLabel::minimumSizeHint().height()};
}

void CutLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  painter.drawText(contentsRect(), static_cast<int>(alignment() | Qt::AlignVCenter), shown_text());
}

}  // namespace kdscope
