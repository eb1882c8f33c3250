#pragma once
// A slider that arrow keys move, although the window takes these for the steps of the run.

#include <QSlider>

#include "app/apply/picture_canvas.hpp"

namespace kdscope {

class Slider : public QSlider {
 public:
  using QSlider::QSlider;

 protected:
  bool event(QEvent* event) override { return keeps_key(event) || QSlider::event(event); }
};

}  // namespace kdscope
