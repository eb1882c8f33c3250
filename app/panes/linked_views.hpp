#pragma once
// Views that show the workbench's step and selection, and pick for it: the window's own, and those of a presentation.

namespace kdscope {

class SceneView;
class TreeView;
class Workbench;

/// The view follows steps and selection from now on, and what is picked in it is selected. Theme and text scale are its
/// owner's to set.
void link(SceneView& view, Workbench& workbench);
void link(TreeView& view, Workbench& workbench);

}  // namespace kdscope
