#pragma once
// Exports without a window.

#include "app/session/command_line.hpp"

namespace kdscope {

/// Records or opens what the command line asks for and exports it as its options say; prints each file as it is
/// complete. Needs a QApplication, and an X server for pictures of the view alone. Errors: as for record_run() and the
/// exporter.
Result<void> render_steps(const CommandLine& line);

}  // namespace kdscope
