#pragma once
// The mouse on the handles of a cloud in the 3D view.

#include <QObject>
#include <QPointF>
#include <functional>
#include <optional>

#include "algorithms/core/vector3.hpp"
#include "app/views/scene_view.hpp"

namespace kdscope {

/// While it is on, a click reports what it meets, and a handle follows the mouse that is pressed on it, in the plane
/// that faces the eye; elsewhere the mouse moves the camera as always. Escape takes a drag back.
class HandleTool : public QObject {
  Q_OBJECT

 public:
  /// Returns the place on the handle that a line of sight meets; nullopt if it meets none.
  using Grip = std::function<std::optional<Vector3>(const SightLine&)>;

  HandleTool(SceneView& view, Grip grip, QObject* parent);
  void set_on(bool on);
  bool on() const { return on_; }
  bool dragging() const { return held_.has_value(); }
  /// Ends a drag where it is.
  void let_go();

 signals:
  /// A click that moved nothing, and met no handle.
  void clicked(const kdscope::SightLine& line);
  /// A handle was grabbed; then it has been dragged so far from where it was.
  void grabbed();
  void dragged(const kdscope::Vector3& by);
  void taken_back();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void follow(QPointF at);

  SceneView& view_;
  Grip grip_;
  bool on_ = false, moved_ = false, pressed_ = false;
  QPointF pressed_at_;
  std::optional<Vector3> held_;  ///< the place under the mouse when it grabbed the handle
};

}  // namespace kdscope
