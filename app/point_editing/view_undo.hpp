#pragma once
// Undo for the appearance of the window: the place of the camera and the docks.

#include <QObject>
#include <optional>

#include "visualizer/model/camera.hpp"
#include "visualizer/scene/scene.hpp"

namespace kdscope {

class WorkbenchWindow;
class SceneView;
class Workbench;

/// A camera that the user moved, or one that fits the points by a preset.
struct CameraPlace {
  std::optional<CameraPreset> fitted;
  CameraState state;
  bool operator==(const CameraPlace& other) const { return fitted == other.fitted && (fitted || state == other.state); }
};

/// Turns camera gestures and changes of the layout into commands of the workbench's undo stack. Gestures that follow
/// one another within two seconds are one command.
class ViewUndo : public QObject {
  Q_OBJECT

 public:
  ViewUndo(WorkbenchWindow& window, Workbench& workbench);
  /// Puts the camera there without a command.
  void place_camera(const CameraPlace& place);

 private:
  CameraPlace camera() const;

  Workbench& workbench_;
  SceneView& view_;
  CameraPlace known_;
};

}  // namespace kdscope
