#include "app/views/minimap.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {

Minimap::Minimap(double lines, QWidget* parent) : QWidget(parent), lines_(lines), theme_(&theme(ThemeId::light)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setObjectName(QStringLiteral("minimap"));
  setAccessibleName(tr("Overview"));
  setToolTip(tr("Everything, the part in sight, and the selection: press to go there"));
  hide();
}

void Minimap::set_picture(QImage picture, const Theme& theme) {
  picture_ = std::move(picture);
  theme_ = &theme;
  update();
}

void Minimap::set_window(const QRectF& in_sight) {
  window_ = in_sight;
  setVisible(window_.width() < 0.999 || window_.height() < 0.999);
  update();
}

void Minimap::set_marks(std::vector<QRectF> places) {
  marks_ = std::move(places);
  update();
}

QRectF Minimap::on_widget(const QRectF& share, double least) const {
  const double wide = std::max(least, share.width() * width()), high = std::max(least, share.height() * height());
  const QPointF middle(share.center().x() * width(), share.center().y() * height());
  return {std::clamp(middle.x() - wide / 2, 0.0, std::max(0.0, width() - wide)),
          std::clamp(middle.y() - high / 2, 0.0, std::max(0.0, height() - high)), wide, high};
}

void Minimap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), colour(theme_->base));
  if (!picture_.isNull()) painter.drawImage(rect(), picture_);
  const double least = std::max(5.0, height() / 6.0);
  for (const QRectF& mark : marks_) {
    const QRectF at = on_widget(mark, least);
    painter.fillRect(at.adjusted(-1, -1, 1, 1), colour(theme_->base));
    painter.fillRect(at, colour(theme_->selection));
  }
  QColor shade = colour(theme_->focus);
  painter.setPen(QPen(shade, tokens::border));
  shade.setAlphaF(0.15f);
  painter.setBrush(shade);
  painter.drawRect(on_widget(window_, 6).adjusted(0, 0, -1, -1));
  painter.fillRect(0, 0, width(), tokens::border, colour(theme_->line));  // apart from what scrolls above
}

void Minimap::mousePressEvent(QMouseEvent* event) {
  emit pressed({std::clamp(event->position().x() / std::max(1, width()), 0.0, 1.0),
                std::clamp(event->position().y() / std::max(1, height()), 0.0, 1.0)});
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) mousePressEvent(event);
}

}  // namespace kdscope
