#pragma once
// How views of space and tree are wired, in one place: for the window, a presentation and each column side by side.

#include <functional>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "app/session/session.hpp"

class QObject;

namespace kdscope {

class SceneView;
class TreeView;
class Workbench;

/// Calls `take` with what is picked in the view, in the space of the picked thing; with an empty selection for nothing.
/// The connection ends with `receiver`.
void connect_picks(SceneView& view, QObject* receiver, const std::function<void(const Selection&)>& take);
void connect_picks(TreeView& view, QObject* receiver, const std::function<void(const Selection&)>& take);

/// The view follows steps, the lesson's highlights, axes and selection of the workbench from now on, and what is picked
/// in it is selected. Theme and text scale are its owner's to set, by restyle().
void connect_view(SceneView& view, Workbench& workbench);
void connect_view(TreeView& view, Workbench& workbench);

/// Gives a view the theme and the other looks of a session, and a text scale in percent.
void restyle(SceneView& view, const Session& session, int text_scale);
void restyle(TreeView& view, const Session& session, int text_scale);

}  // namespace kdscope
