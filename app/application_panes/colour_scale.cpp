#include "app/application_panes/colour_scale.hpp"

#include <QPainter>
#include <algorithm>

#include "app/appearance/appearance.hpp"

namespace kdscope {

Rgb blue_to_red(double share) {
  const Rgb blue = rgb(0x2166ac), grey = rgb(0xd9d9d9), red = rgb(0xb2182b);
  share = std::clamp(share, 0.0, 1.0);
  return share < 0.5 ? mix(blue, grey, 2 * share) : mix(grey, red, 2 * share - 1);
}

ColourScale::ColourScale(const Appearance& looks, QWidget* parent) : QWidget(parent), looks_(looks) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ColourScale::set_ends(const QString& low, const QString& high) {
  low_ = low, high_ = high;
  setAccessibleDescription(tr("from %1 to %2").arg(low, high));
  updateGeometry();
  update();
}

QSize ColourScale::sizeHint() const {
  const QFontMetrics metrics = fontMetrics();
  const int line = metrics.height();
  return {metrics.horizontalAdvance(low_) + metrics.horizontalAdvance(high_) + 5 * line, line * 13 / 10};
}

void ColourScale::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const QFontMetrics metrics = fontMetrics();
  const int gap = metrics.height() / 2, left = metrics.horizontalAdvance(low_) + gap,
            right = width() - metrics.horizontalAdvance(high_) - gap;
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, low_);
  painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, high_);
  const QRect bar(left, height() / 5, std::max(0, right - left), height() * 3 / 5);
  for (int x = 0; x < bar.width(); ++x)
    painter.fillRect(bar.left() + x, bar.top(), 1, bar.height(), colour(blue_to_red((x + 0.5) / bar.width())));
  painter.setPen(colour(theme_of(looks_).axis));
  painter.drawRect(bar.adjusted(-1, -1, 0, 0));
}

}  // namespace kdscope
