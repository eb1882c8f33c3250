#pragma once
// Exports without a window.

#include "app/command_line/command_line.hpp"

namespace kdscope {

/// Records or opens the run that the command line names, and exports it as its options specify. Prints the name of each
/// file once it is complete. Needs a QApplication, and an X server only for pictures of the view. Errors: those of
/// record_run() and the exporter.
Result<void> render_steps(const CommandLine& line);

}  // namespace kdscope
