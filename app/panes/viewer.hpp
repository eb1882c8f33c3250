#pragma once
// How a picture follows a run, in one place: in the window, in a presentation, in a preview and in each column side by
// side.

#include <functional>

#include "app/session/session.hpp"

class QWidget;

namespace kdscope {

class Playback;
class SceneView;
class TreeView;
class Workbench;

/// What shows a run. attach() calls each member after the change that it is named for, once the widget is visible.
class Viewer {
 public:
  using Pick = std::function<void(const Selection&)>;

  virtual ~Viewer() = default;
  /// Another run is open; stepped() and selected() follow.
  virtual void opened(const Playback&) {}
  /// The step, the axes or the baseline changed.
  virtual void stepped(const Playback& playback) = 0;
  virtual void selected(const Playback& playback) = 0;
  /// The theme, the text scale (in percent) or what views leave out changed.
  virtual void restyled(const Session& looks, int text_scale) = 0;
  /// Calls `pick` from now on with what a person picks in the widget, with an empty selection for nothing.
  virtual void when_picked(Pick pick) = 0;
};

/// The viewer follows the playback and the looks of the workbench from now on, as long as its widget lives. `pick`
/// takes what is picked in it; by default the playback selects that.
void attach(Viewer& viewer, QWidget& widget, Playback& playback, Workbench& workbench, Viewer::Pick pick = {});
/// The same for views, each by a viewer that belongs to the view.
void attach(SceneView& view, Playback& playback, Workbench& workbench, Viewer::Pick pick = {});
void attach(TreeView& view, Playback& playback, Workbench& workbench, Viewer::Pick pick = {});

}  // namespace kdscope
