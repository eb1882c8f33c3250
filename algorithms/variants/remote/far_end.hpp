#pragma once
// kdscope-runner --far: a runner that is reached through one pair of streams.

#include <string>
#include <vector>

#include "algorithms/core/error.hpp"

namespace kdscope::variants::remote {

/// Reads the words behind --far: none, or --memory and a size such as 8G, the most memory that this process and its
/// runner may each allocate from now on. Errors of kind bad_usage.
Result<void> limit_memory(const std::vector<std::string>& words);

/// The main function: starts this program as a runner, and passes frames from standard input on to it and what it
/// sends to standard output, until standard input or the runner ends. Returns the exit code.
int run_far_end();

}  // namespace kdscope::variants::remote
