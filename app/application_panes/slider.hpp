#pragma once
// A slider that arrow keys, Home and End move, although the window takes these for the steps of the run.

#include <QKeyEvent>
#include <QSlider>

#include "app/application_panes/picture_canvas.hpp"

namespace kdscope {

class Slider : public QSlider {
 public:
  using QSlider::QSlider;

 protected:
  bool event(QEvent* event) override { return keeps_end_key(event) || keeps_key(event) || QSlider::event(event); }

 private:
  static bool keeps_end_key(QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Home && key != Qt::Key_End) return false;
    event->accept();
    return true;
  }
};

}  // namespace kdscope
