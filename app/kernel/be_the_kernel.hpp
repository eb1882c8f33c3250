#pragma once
// "Be the kernel" as a feature of the window: its pane, menu entry and key.

namespace kdscope {

class Workbench;
class WorkbenchWindow;

/// Adds the feature to the window, which owns its parts.
void add_kernel_practice(WorkbenchWindow& window, Workbench& workbench);

}  // namespace kdscope
