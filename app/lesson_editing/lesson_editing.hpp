#pragma once
// Writing lessons as a feature of the window: its pane. The entries of the Lessons menu are the workspace's.

namespace kdscope {

class WorkbenchWindow;
class Workbench;

/// Adds the feature to the window, which owns its parts. Call it when the Lessons menu is filled.
void add_lesson_editing(WorkbenchWindow& window, Workbench& workbench);

}  // namespace kdscope
