#pragma once
// Adds looking inside steps to the window: the pane, the menu entries and the keys.

namespace kdscope {

class Workbench;
class WorkbenchWindow;

void add_looking_inside(WorkbenchWindow& window, Workbench& workbench);

}  // namespace kdscope
