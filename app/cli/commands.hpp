#pragma once
// The commands of kdscope-cli as functions, so that tests call what the program calls.

#include <istream>
#include <ostream>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/core/caught.hpp"
#include "app/arguments/arguments.hpp"

namespace kdscope::cli {

/// What the program returns to its caller.
enum ExitCode : int {
  exit_ok = 0,
  exit_bad_usage = 2,      ///< the command line
  exit_bad_input = 3,      ///< a file or a data set
  exit_failed_check = 4,   ///< a check does not hold, or two traces differ
  exit_other_failure = 5,  ///< device, memory, disk, interrupted
  exit_slower = 6,         ///< --compare: something got slower
  exit_not_used = 7,       ///< variant build: no launch used the variant's stage
  exit_other_steps = 8,    ///< variant build: a builder of other steps built the same tree
  exit_not_met = 9         ///< record --until, show --where: no step meets the condition
};
ExitCode exit_code_of(ErrorKind kind);

/// Where a command writes and reads, and how it is stopped.
struct Console {
  std::ostream& out;
  std::ostream& err;
  std::stop_token stop;
  bool show_progress = false;  ///< err is a terminal
  std::istream* in = nullptr;  ///< answers to what a command asks; null: none
};

struct Command {
  CommandSpec spec;
  /// Returns an exit code, or the error to print, which may also come as an ErrorException.
  Result<ExitCode> (*run)(const Arguments& arguments, Console& console);
  bool spreads = false;  ///< takes several devices, too (device_option.hpp)
};

Command list_command();
Command build_command();
Command record_command();
Command show_command();
Command verify_command();
Command diff_command();
Command repeat_command();
Command query_command();
Command experiment_command();
Command bench_command();
Command render_command();
Command cloud_command();
Command track_command();
Command roofline_command();
Command tune_command();
Command variant_command();
Command builder_command();
Command inside_command();
Command practise_command();
Command grade_command();
Command export_command();
Command device_command();

/// All commands, in the order of --help.
const std::vector<Command>& commands();

/// The message when memory is exhausted. It is a constant, because composing a message takes memory.
inline constexpr char out_of_memory_words[] =
    "kdscope-cli: host memory is exhausted; use fewer points, or end other programs.\n";

/// Runs a command line (without the program's name): prints to the console and returns the exit code. Throws
/// std::bad_alloc if not even an error can be reported.
int run_command_line(const std::vector<std::string>& words, Console& console);

}  // namespace kdscope::cli
