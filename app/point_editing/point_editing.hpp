#pragma once
// Editing of points as a feature of the window: its bar, pane, menu entries and keys.

namespace kdscope {

class WorkbenchWindow;
class Workbench;

/// Adds the feature to the window, which owns its parts.
void add_point_editing(WorkbenchWindow& window, Workbench& workbench);

}  // namespace kdscope
