#include "app/application_panes/picture_canvas.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace kdscope {

bool keeps_key(QEvent* event) {
  if (event->type() != QEvent::ShortcutOverride) return false;
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Return:
    case Qt::Key_Enter:
      event->accept();
      return true;
    default:
      return false;
  }
}

PictureCanvas::PictureCanvas(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(120, 90);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Picture"));
}

void PictureCanvas::show_image(QImage image) {
  if (image.size() != image_.size()) pixel_.reset();
  image_ = std::move(image);
  update();
}

void PictureCanvas::set_hint(const QString& hint) {
  hint_ = hint;
  update();
}

void PictureCanvas::choose(QPoint pixel) {
  if (!image_.rect().contains(pixel)) return;
  pixel_ = pixel;
  update();
  emit chosen(pixel);
}

QRectF PictureCanvas::place() const {
  if (image_.isNull()) return {};
  const double scale = std::min(double(width()) / image_.width(), double(height()) / image_.height());
  const QSizeF size = scale * QSizeF(image_.size());
  return {QPointF((width() - size.width()) / 2, (height() - size.height()) / 2), size};
}

QRectF PictureCanvas::square_of(QPoint pixel) const {
  const QRectF at = place();
  const double side = at.width() / image_.width();
  return {at.left() + pixel.x() * side, at.top() + pixel.y() * side, side, side};
}

std::optional<QPoint> PictureCanvas::pixel_at(QPointF position) const {
  const QRectF at = place();
  if (at.isEmpty() || !at.contains(position)) return {};
  const double side = at.width() / image_.width();
  const QPoint pixel(static_cast<int>((position.x() - at.left()) / side),
                     static_cast<int>((position.y() - at.top()) / side));
  if (!image_.rect().contains(pixel)) return {};
  return pixel;
}

bool PictureCanvas::event(QEvent* event) { return (!image_.isNull() && keeps_key(event)) || QWidget::event(event); }

void PictureCanvas::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (image_.isNull()) {
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, hint_);
    return;
  }
  const QRectF at = place();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, at.width() < image_.width());
  painter.drawImage(at, image_);
  if (pixel_) {
    // Two frames, so that one is seen on any picture
    const QRectF square = square_of(*pixel_);
    const double least = 9;
    const QRectF frame =
        square.width() < least ? QRectF(square.center() - QPointF(least / 2, least / 2), QSizeF(least, least)) : square;
    painter.setPen(QPen(Qt::black, 3));
    painter.drawRect(frame);
    painter.setPen(QPen(Qt::white, 1));
    painter.drawRect(frame);
  }
  if (hasFocus()) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRect(at.adjusted(1, 1, -1, -1));
  }
}

void PictureCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = event->position();
  dragging_ = false;
}

void PictureCanvas::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton) || image_.isNull()) return;
  const QPointF way = event->position() - pressed_;
  constexpr double least = 4;
  if (!dragging_ && std::abs(way.x()) + std::abs(way.y()) < least) return;
  dragging_ = true;
  pressed_ = event->position();
  const QRectF at = place();
  emit dragged(way.x() / at.width(), way.y() / at.height());
}

void PictureCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || dragging_) return;
  if (const auto pixel = pixel_at(event->position())) choose(*pixel);
}

void PictureCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  if (const auto pixel = pixel_at(event->position())) emit taken(*pixel);
}

void PictureCanvas::keyPressEvent(QKeyEvent* event) {
  const QPoint from = pixel_.value_or(QPoint(image_.width() / 2, image_.height() / 2));
  const int far = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
  switch (event->key()) {
    case Qt::Key_Left:
      return choose(from - QPoint(far, 0));
    case Qt::Key_Right:
      return choose(from + QPoint(far, 0));
    case Qt::Key_Up:
      return choose(from - QPoint(0, far));
    case Qt::Key_Down:
      return choose(from + QPoint(0, far));
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (pixel_) emit taken(*pixel_);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void PictureCanvas::wheelEvent(QWheelEvent* event) {
  if (image_.isNull()) return event->ignore();
  emit moved_nearer(event->angleDelta().y() / 120.0);
  event->accept();
}

}  // namespace kdscope
