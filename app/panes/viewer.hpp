#pragma once
// How a picture follows a run: the same for the window, presentations, previews and columns side by side.

#include <functional>

#include "app/session/session.hpp"

class QWidget;

namespace kdscope {

class Playback;
class SceneView;
class StepMotion;
class TreeView;
class Workbench;

/// Something that shows a run. attach() arranges the calls: each member is called after the change that it is named
/// for; while the widget is hidden, opened(), stepped(), selected() and marked() wait until it is shown.
class Viewer {
 public:
  using Pick = std::function<void(const Selection&)>;

  virtual ~Viewer() = default;
  /// Another run is open; stepped(), selected() and marked() follow.
  virtual void opened(const Playback&) {}
  /// The step, the axes, the baseline or what is hidden changed.
  virtual void stepped(const Playback& playback) = 0;
  /// The selection changed.
  virtual void selected(const Playback& playback) = 0;
  /// The added overlays changed.
  virtual void marked(const Playback&) {}
  /// The theme, the text scale (in percent) or the set of things that views show changed.
  virtual void restyled(const Appearance& looks, int text_scale) = 0;
  /// From now on, calls `pick` with what a person picks in the widget; an empty selection stands for nothing.
  virtual void when_picked(Pick pick) = 0;
};

/// Calls `restyle` whenever the looks of the workbench change, or the text scale that the widget's window has of its
/// own.
void when_restyled(QWidget& widget, Workbench& workbench, std::function<void()> restyle);

/// Makes the viewer follow the playback and the looks of the workbench as long as its widget lives. `pick` receives
/// what is picked in the widget; by default, the playback selects it.
void attach(Viewer& viewer, QWidget& widget, Playback& playback, Workbench& workbench, Viewer::Pick pick = {});
/// The same for views; the viewer is made here and belongs to the view. `motion`: of the playback, for others than that
/// of the workbench.
void attach(SceneView& view, Playback& playback, Workbench& workbench, Viewer::Pick pick = {},
            StepMotion* motion = nullptr);
void attach(TreeView& view, Playback& playback, Workbench& workbench, Viewer::Pick pick = {},
            StepMotion* motion = nullptr);

}  // namespace kdscope
