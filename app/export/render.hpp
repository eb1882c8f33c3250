#pragma once
// Exports without a window.

#include "app/session/command_line.hpp"

namespace kdscope {

/// Records or opens the run that the command line names and exports it as its options specify; prints the name of each
/// file when it is complete. Needs a QApplication, and an X server only for pictures of the view. Errors: as for
/// record_run() and the exporter.
Result<void> render_steps(const CommandLine& line);

}  // namespace kdscope
