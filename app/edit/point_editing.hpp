#pragma once
// Editing of points as a feature of the window: its bar, pane, menu entries and keys.

#include <QObject>

namespace kdscope {

class WorkbenchWindow;
class Workbench;

/// Adds them; owned by the window.
void add_point_editing(WorkbenchWindow& window, Workbench& workbench);

}  // namespace kdscope
