#include "app/panes/dissolve.hpp"

#include <QBackingStore>
#include <QEvent>
#include <QOpenGLWidget>
#include <QPainter>
#include <algorithm>

#include "app/panes/viewer.hpp"
#include "app/workbench/step_motion.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

Dissolve::Dissolve(QWidget& view, Playback& playback, StepMotion& motion, Workbench& workbench,
                   std::function<QString()> frame)
    : QWidget(&view), view_(view), playback_(playback), motion_(motion), frame_(std::move(frame)) {
  setObjectName(QStringLiteral("dissolve"));
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
  view.installEventFilter(this);
  for (QWidget* child : view.findChildren<QWidget*>()) child->installEventFilter(this);
  connect(&motion, &StepMotion::moved, this, &Dissolve::follow);
  connect(&playback, &Playback::opened, this, [this] { shown_.reset(), forget(); });
  // The motion hears of these first, when the view still shows what was
  connect(&playback, &Playback::step_shown, this, &Dissolve::note_shown);
  connect(&playback, &Playback::concealment_changed, this, &Dissolve::note_shown);
  when_restyled(*this, workbench, [this] { forget(); });
}

void Dissolve::note_shown() {
  shown_ = {playback_.step(), playback_.concealment()};
  if (!motion_.under_way()) forget();
}

void Dissolve::forget() {
  picture_ = {};
  hide();
}

/// Copies what was painted last; nothing is painted again.
void Dissolve::take() {
  picture_ = {};
  if (!view_.isVisible()) return;
  if (frame_) old_frame_ = frame_();
  if (auto* canvas = view_.findChild<QOpenGLWidget*>()) {
    if (canvas->isVisible()) picture_ = canvas->grabFramebuffer();
    return;
  }
  const QBackingStore* store = view_.window()->backingStore();
  QPaintDevice* painted = store ? const_cast<QBackingStore*>(store)->paintDevice() : nullptr;
  if (!painted || painted->devType() != QInternal::Image) return;
  const double ratio = view_.devicePixelRatioF();
  const QRectF room(QPointF(view_.mapTo(view_.window(), QPoint())) * ratio, QSizeF(view_.size()) * ratio);
  picture_ = static_cast<QImage*>(painted)->copy(room.toRect());
}

void Dissolve::follow() {
  const std::pair now(playback_.step(), playback_.concealment());
  if (motion_.under_way() && shown_ && *shown_ != now) {
    take();
    shown_.reset();  // from here on, the view is drawn anew
  }
  opacity_ = motion_.under_way() && !picture_.isNull() ? 1 - motion_.time() / tokens::fades_until : 0;
  setVisible(opacity_ > 0);
  if (isHidden()) return;
  setGeometry(view_.rect());
  raise();
  update();
}

bool Dissolve::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if ((watched == &view_ && type == QEvent::Resize) || type == QEvent::MouseButtonPress || type == QEvent::Wheel)
    forget();
  return QWidget::eventFilter(watched, event);
}

void Dissolve::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  double old = opacity_;
  if (frame_ && frame_() != old_frame_) {
    painter.setOpacity(std::min(1.0, 2 * opacity_));
    painter.fillRect(rect(), palette().window());
    old = std::max(0.0, 2 * opacity_ - 1);
  }
  painter.setOpacity(old);
  painter.drawImage(QRectF(rect()), picture_);
}

}  // namespace kdscope
