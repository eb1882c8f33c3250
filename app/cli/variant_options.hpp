#pragma once
// What the actions of the command `variant` share.

#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/variants/kit.hpp"
#include "app/cli/commands.hpp"

namespace kdscope::cli {

/// Returns the back end of --backend, the CPU if it is left out. Errors: bad_usage for an unknown one, and for auto.
Result<Backend> variant_backend(const Arguments& arguments);

/// The file of an action, and the run that its options describe.
struct VariantOfAction {
  variants::VariantFile file;
  RunRequest run;  ///< with its points and without an algorithm: it is that of the file
};

/// Reads the file behind an action, and opens the points: those of --data, or those that `usual_data` names for the
/// file's algorithm. Prints the warnings of the data. Errors: bad_usage for another number of operands, an unknown
/// back end, and parameters that the algorithm lacks; those of read_variant() and open_data_set().
Result<VariantOfAction> variant_of_action(const Arguments& arguments, const std::string& example,
                                          std::string (*usual_data)(const std::string& algorithm), Console& console);

/// Returns a command to copy: " kdscope-cli variant build my.cu --data wald-10 --param sort=bitonic". data: may be
/// empty.
std::string command_text(const std::string& action, const std::string& file, const std::string& data,
                         const Parameters& parameters);

/// Prints the compiler's messages as FILE:LINE:COLUMN: KIND: TEXT.
void print_messages(const std::vector<variants::CompilerMessage>& messages, const std::string& path, Console& console);
/// Prints why a file does not compile: the messages, or the whole output if no message names a line of the file.
void print_errors(const variants::CompilerErrors& errors, const std::string& path, Console& console);

}  // namespace kdscope::cli
