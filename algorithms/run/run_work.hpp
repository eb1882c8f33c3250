#pragma once
// Does other work than builds through the one door (run.hpp). The units that include this header know the fields() of
// the request and the output.

#include <new>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/variants/runners.hpp"
#include "algorithms/variants/work.hpp"

namespace kdscope {

/// Does the work in one of these runners, or in this process without them. Errors are those of the work, and
/// device_failure if the runner ends.
template <class Request, class Output>
Result<Output> run_work(const variants::Work<Request, Output>& work, const Request& request, const RunControl& control,
                        const std::shared_ptr<variants::Runners>& runners = variants::runners_in_use()) {
  if (!runners) return work.here(request, control);
  try {
    trace_stream::SharedObjects shared;
    const variants::SharedFile input, output;
    Request copy = request;
    trace_stream::Sender out(input.number(), &shared);
    out(copy);
    out.flush();
    if (const auto there = runners->work(work.name, input, output, control); !there) return there.error();
    trace_stream::Receiver in(variants::reader_of(output.number()), available_memory(), &shared);
    Output received;
    in(received);
    return received;
  } catch (const ErrorException& e) {
    return e.error();
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::out_of_memory, "host memory is exhausted", "", "close other programs"};
  }
}

}  // namespace kdscope
