#pragma once
// kdscope-runner --far: a runner that is reached through one pair of streams.

namespace kdscope::variants::remote {

/// The main function: starts this program as a runner, and passes frames from standard input on to it and what it
/// sends to standard output, until standard input or the runner ends. Returns the exit code.
int run_far_end();

}  // namespace kdscope::variants::remote
