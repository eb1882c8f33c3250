#include "app/search/query_picker.hpp"

#include <QMouseEvent>
#include <cmath>

namespace kdscope {

QueryPicker::QueryPicker(Workbench& workbench, SceneView& view, QObject* parent)
    : QObject(parent), workbench_(workbench), view_(view) {
  if (QWidget* canvas = view.canvas()) canvas->installEventFilter(this);
}

void QueryPicker::set_picking(bool picking) {
  if (picking == picking_) return;
  picking_ = picking;
  pressed_ = false;
  if (picking) in_space_ = !view_.is_2d();
  view_.set_flat(picking);  // a query is placed in a plane
  if (QWidget* canvas = view_.canvas()) {
    if (picking)
      canvas->setCursor(Qt::CrossCursor);
    else
      canvas->unsetCursor();
  }
  emit picking_changed(picking);
}

void QueryPicker::pick(QPointF at, bool last) {
  const auto trace = workbench_.playback().trace();
  std::vector<double> pixel;
  const auto place = view_.coordinates_at(at, &pixel);
  if (!trace || !place) return;
  query_.resize(trace->header.dim, 0.0);
  for (std::size_t d = 0; d < query_.size() && d < place->size(); ++d) {
    if (pixel[d] <= 0) continue;  // the dimension is not drawn
    query_[d] = rounded_to_pixel((*place)[d], pixel[d]);
    if (trace->header.scalar == ScalarType::int32) query_[d] = std::round(query_[d]);
  }
  emit picked(query_, last);
}

bool QueryPicker::eventFilter(QObject* watched, QEvent* event) {
  if (!picking_ || !workbench_.playback().cursor() || !view_.is_2d()) return QObject::eventFilter(watched, event);
  const bool press = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick;
  if (!press && event->type() != QEvent::MouseMove && event->type() != QEvent::MouseButtonRelease)
    return QObject::eventFilter(watched, event);
  const auto* mouse = static_cast<QMouseEvent*>(event);
  if (press && mouse->button() == Qt::LeftButton) {
    pressed_ = true;
    pick(mouse->position(), false);
    return true;
  }
  if (!pressed_) return QObject::eventFilter(watched, event);
  if (event->type() == QEvent::MouseButtonRelease && mouse->button() == Qt::LeftButton) pressed_ = false;
  pick(mouse->position(), !pressed_);
  if (!pressed_ && in_space_) set_picking(false);  // the search is watched in space
  return true;
}

}  // namespace kdscope
