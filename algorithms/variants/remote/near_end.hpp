#pragma once
// kdscope-runner --near: stands where a runner would, and passes all on to one elsewhere.

#include "algorithms/variants/remote/connection.hpp"

namespace kdscope::variants::remote {

/// The main function: reads requests from standard input, and writes events to descriptor 3 and traces to descriptor 4
/// (protocol.hpp), until standard input or the connection ends. What fails during a request is its event `failed`. A
/// connection that is lost between requests ends this process without one, so that the next request makes another. A
/// first connection that fails is tried again when a request comes. If the far runner crashes, this process ends in
/// the same way. Returns the exit code.
int run_near_end(const Way& way);

}  // namespace kdscope::variants::remote
