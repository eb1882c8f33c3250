#include "app/application_panes/handle_tool.hpp"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <utility>

#include "app/application_panes/cloud_handles.hpp"

namespace kdscope {

HandleTool::HandleTool(SceneView& view, Grip grip, QObject* parent)
    : QObject(parent), view_(view), grip_(std::move(grip)) {
  if (QWidget* canvas = view.canvas()) canvas->installEventFilter(this);
}

void HandleTool::set_on(bool on) {
  if (on == on_) return;
  if (!on && held_) let_go();
  on_ = on;
  pressed_ = false;
  if (QWidget* canvas = view_.canvas()) {
    canvas->setMouseTracking(on);
    if (on)
      canvas->setCursor(Qt::CrossCursor);
    else
      canvas->unsetCursor();
  }
}

void HandleTool::let_go() {
  if (!std::exchange(held_, std::nullopt)) return;
  qApp->removeEventFilter(this);
  if (QWidget* canvas = view_.canvas(); canvas && on_) canvas->setCursor(Qt::CrossCursor);
}

void HandleTool::follow(QPointF at) {
  const auto line = view_.line_of_sight(at);
  if (line) emit dragged(kdscope::dragged(*held_, *line) - *held_);
}

bool HandleTool::eventFilter(QObject* watched, QEvent* event) {
  // Escape takes a drag back wherever the focus is, before it clears the selection.
  if (held_ && (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    event->accept();
    if (event->type() == QEvent::KeyPress) {
      let_go();
      emit taken_back();
    }
    return true;
  }
  if (watched != view_.canvas() || !on_ || (view_.is_2d() && !held_)) return false;
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->button() != Qt::LeftButton) break;
      if (held_) let_go();  // its release went to another window
      pressed_at_ = mouse->position();
      moved_ = false;
      const auto line = view_.line_of_sight(pressed_at_);
      // The mouse holds the place under it, which lies beside the one that the grip returns
      if (const auto gripped = line ? grip_(*line) : std::nullopt) held_ = kdscope::dragged(*gripped, *line);
      pressed_ = line && !held_;
      if (!held_) break;
      view_.canvas()->setCursor(Qt::ClosedHandCursor);
      qApp->installEventFilter(this);
      emit grabbed();
      return true;
    }
    case QEvent::MouseMove: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (held_ && !(mouse->buttons() & Qt::LeftButton)) let_go();  // its release went to another window
      if (mouse->buttons() == Qt::NoButton) {
        const auto line = view_.line_of_sight(mouse->position());
        view_.canvas()->setCursor(line && grip_(*line) ? Qt::OpenHandCursor : Qt::CrossCursor);
      }
      moved_ |= (mouse->position() - pressed_at_).manhattanLength() >= QApplication::startDragDistance();
      if (!held_) break;
      if (moved_) follow(mouse->position());
      return true;
    }
    case QEvent::MouseButtonRelease: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->button() != Qt::LeftButton) break;
      if (held_) {
        if (moved_) follow(mouse->position());
        let_go();
        return true;
      }
      // The view has seen the press, so it sees the release as well
      const auto line = view_.line_of_sight(mouse->position());
      if (std::exchange(pressed_, false) && !moved_ && line) emit clicked(*line);
      break;
    }
    default:
      break;
  }
  return false;
}

}  // namespace kdscope
