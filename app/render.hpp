#pragma once
// One picture per step, without a window.

#include <string>

#include "app/session/command_line.hpp"

namespace kdscope {

/// Records what the command line asks for and writes step-000.png and so on into its folder, which is made if needed.
/// Prints progress. Errors: as for record_run() and render_to_png(), and a folder that cannot be made.
Result<void> render_steps(const CommandLine& line);

/// The run that the command line asks for: a lesson's, or the given data with the first algorithm.
Result<RunSpec> asked_run(const CommandLine& line);

}  // namespace kdscope
