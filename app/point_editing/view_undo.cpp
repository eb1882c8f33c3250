#include "app/point_editing/view_undo.hpp"

#include <QDeadlineTimer>
#include <QUndoCommand>

#include "app/views/scene_view.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"
#include "app/workspace/layouts.hpp"

namespace kdscope {
namespace {

constexpr int one_gesture_ms = 2000;

class MoveCamera : public QUndoCommand {
 public:
  MoveCamera(ViewUndo& owner, const CameraPlace& before, const CameraPlace& after)
      : QUndoCommand(ViewUndo::tr("move the camera")),
        owner_(owner),
        before_(before),
        after_(after),
        patience_(one_gesture_ms) {}
  int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto& next = static_cast<const MoveCamera&>(*other);
    if (patience_.hasExpired() || !(next.before_ == after_)) return false;
    after_ = next.after_;
    patience_ = next.patience_;
    setObsolete(before_ == after_);
    return true;
  }
  void undo() override { owner_.place_camera(before_); }
  void redo() override {
    if (!std::exchange(stands_, false)) owner_.place_camera(after_);
  }

 private:
  ViewUndo& owner_;
  CameraPlace before_, after_;
  QDeadlineTimer patience_;
  bool stands_ = true;
};

class MoveDocks : public QUndoCommand {
 public:
  MoveDocks(Layouts& layouts, QByteArray before, QByteArray after)
      : QUndoCommand(ViewUndo::tr("change the layout")),
        layouts_(layouts),
        before_(std::move(before)),
        after_(std::move(after)) {}
  void undo() override { layouts_.restore(before_); }
  void redo() override {
    if (!std::exchange(stands_, false)) layouts_.restore(after_);
  }

 private:
  Layouts& layouts_;
  QByteArray before_, after_;
  bool stands_ = true;
};

}  // namespace

ViewUndo::ViewUndo(WorkbenchWindow& window, Workbench& workbench)
    : QObject(&window), workbench_(workbench), view_(window.scene()), known_(camera()) {
  connect(&view_, &SceneView::camera_changed, this, [this] {
    const CameraPlace now = camera();
    workbench_.looks().set_camera(now.fitted ? std::nullopt : std::optional(now.state));
    if (now == known_) return;
    workbench_.undo_stack().push(new MoveCamera(*this, known_, now));
    known_ = now;
  });
  // Other points may have another frame, and the camera is fitted to it. This is not a gesture.
  connect(
      &workbench.playback(), &Playback::stepped, this, [this] { known_ = camera(); }, Qt::QueuedConnection);
  connect(
      &workbench.playback(), &Playback::axes_changed, this, [this] { known_ = camera(); }, Qt::QueuedConnection);
  Layouts& layouts = window.layouts();
  connect(&layouts, &Layouts::changed, this, [this, &layouts](const QByteArray& before, const QByteArray& after) {
    workbench_.undo_stack().push(new MoveDocks(layouts, before, after));
  });
}

CameraPlace ViewUndo::camera() const { return {view_.fitted_to(), view_.camera()}; }

void ViewUndo::place_camera(const CameraPlace& place) {
  known_ = place;
  if (place.fitted)
    view_.set_camera_preset(*place.fitted);
  else
    view_.set_camera(place.state);
  workbench_.looks().set_camera(place.fitted ? std::nullopt : std::optional(place.state));
}

}  // namespace kdscope
