#pragma once
// Work other than builds and recordings, as a runner (runners.hpp) does it in place of the process that asks
// (algorithms/run). A request and its output are structs with fields() (trace_stream.hpp); what an output shares with
// its request is not copied back.

#include <fcntl.h>

#include <functional>
#include <new>
#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/variants/points_file.hpp"

namespace kdscope::variants {

/// A function that a runner can call. name: unique, and shown after a crash.
template <class Request, class Output>
struct Work {
  const char* name;
  Result<Output> (*here)(const Request& request, const RunControl& control);
};

/// The name of the work that returns values which the process kept of its last recording.
inline constexpr const char* values_work = "values of a recording";
struct KeptValuesRequest {
  std::uint32_t array = 0;
  std::uint64_t place = 0;
  ElementType type = ElementType::uint8;
  std::uint64_t size = 0;  ///< elements
};
struct KeptValuesOutput {
  std::vector<std::uint8_t> bytes;
};
template <class Io>
void fields(Io& io, KeptValuesRequest& r) {
  io(r.array, r.place, r.type, r.size);
}
template <class Io>
void fields(Io& io, KeptValuesOutput& o) {
  io(o.bytes);
}

/// A Work as the runner calls it: reads the request from one file and writes the output to another.
struct ServedWork {
  std::string name;
  std::function<Result<void>(const std::string& input, const std::string& output, const RunControl& control)> serve;
};
template <class Request, class Output>
ServedWork served(const Work<Request, Output>& work) {
  return {work.name,
          [here = work.here](const std::string& input, const std::string& output,
                             const RunControl& control) -> Result<void> {
            try {
              trace_stream::SharedObjects shared;
              const Descriptor from = open_shared(input, O_RDONLY), to = open_shared(output, O_WRONLY | O_TRUNC);
              trace_stream::Receiver in(reader_of(from.number()), available_memory(), &shared);
              Request request;
              in(request);
              auto done = here(request, control);
              if (!done) return done.error();
              trace_stream::Sender out(to.number(), &shared);
              out(*done);
              out.flush();
              return {};
            } catch (const ErrorException& e) {
              return e.error();
            } catch (const std::bad_alloc&) {
              return Error{ErrorKind::out_of_memory, "host memory is exhausted", "", "close other programs"};
            }
          }};
}

}  // namespace kdscope::variants
