#pragma once
// The entries of the View menu that look at the scene, show its parts and set colours, theme and text size.

class QMenu;

namespace kdscope {

class SceneView;
class Workbench;

/// Appends the entries to a menu.
void fill_view_menu(QMenu& menu, Workbench& workbench, SceneView& scene);

}  // namespace kdscope
