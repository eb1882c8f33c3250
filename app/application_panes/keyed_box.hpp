#pragma once
// Spin boxes that arrow keys move, although the window takes these for the steps of the run.

#include <QEvent>

#include "app/application_panes/picture_canvas.hpp"

namespace kdscope {

template <class Box>
class KeyedBox : public Box {
 public:
  using Box::Box;

 protected:
  bool event(QEvent* event) override { return keeps_key(event) || Box::event(event); }
};

}  // namespace kdscope
