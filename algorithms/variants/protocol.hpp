#pragma once
// The messages between kdscope and a process that builds: a variant's, or a runner (runners.hpp). JSON, one value per
// line. Requests go to the process's standard input. The process sends its events through descriptor 3, so that nothing
// else that a variant prints is an event, and the trace through descriptor 4, step by step (trace/trace_stream.hpp).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/variants/inside/launch_recording.hpp"
#include "algorithms/variants/lane_order.hpp"
#include "algorithms/variants/named_memory.hpp"

namespace kdscope::variants {

inline constexpr int event_descriptor = 3, trace_descriptor = 4;

/// A run in another process: a recording, or builds at full speed.
struct ProcessRequest {
  RunRequest run;              ///< without its points, which the process opens; without a specification and a file, the
                               ///< last request's; an empty algorithm: the process's first builder
  std::string data_name = {};  ///< name of the data set in the trace; empty: `run.data`
  std::string points_file = {};  ///< a data set as trace_stream sends it, in place of `run.data`; empty: none
  std::string tool = {};  ///< on CUDA: of compute-sanitizer, under which it runs; the process announces its arrays
  bool timed = false;     ///< build at full speed, and record nothing
  bool stays = false;     ///< the process waits for another request
  LaneOrder order = {};   ///< of a recording on the CPU
  std::optional<SharedFill> fill = {};              ///< of its shared arrays; without one, that of the order
  std::string work = {};                            ///< name of other work (work.hpp), in place of a run; empty: none
  std::string input = {}, output = {};              ///< its files
  std::optional<access_log::Wanted> accesses = {};  ///< the launches to record access by access (Purpose::inside)
  std::uint64_t keeps_above = 0;  ///< of a recording: the process keeps values beyond so many bytes, for `values_work`;
                                  ///< 0: it sends all
  std::string queries = {};  ///< of the search `run.search`, as open_queries() takes them; empty: its own query alone
};
template <class Io>
void fields(Io& io, ProcessRequest& r) {
  io(Field{"run", r.run}, Field{"data_name", r.data_name}, Field{"points_file", r.points_file}, Field{"tool", r.tool},
     Field{"timed", r.timed}, Field{"stays", r.stays}, Field{"order", r.order}, Field{"fill", r.fill},
     Field{"work", r.work}, Field{"input", r.input}, Field{"output", r.output}, Field{"accesses", r.accesses},
     Field{"queries", r.queries}, Field{"keeps_above", r.keeps_above});
}

/// One line from a variant's process.
struct Event {
  enum class Kind : std::uint8_t {
    ready,     ///< the process has started; `text`: the id of the kit that it was built with
    step,      ///< a step begins; `text`: its path
    progress,  ///< the share `fraction` is done; `text`: what is being done
    replaced,  ///< the recording is complete; `names`: the stages whose replacements were launched; `fraction`: see
               ///< compared_share()
    failed,    ///< the recording or build failed with `error`
    fault,     ///< the sanitizer ends the process; `text`: its word for the reason. An access has a `place`, unless no
               ///< array is there. Or a device would do something else than this executor; `text`: misuse_mark and what
    built,     ///< builds at full speed ended with `report`, which lacks the tree
    done,      ///< other work has ended
    array,     ///< the array `place` was allocated at `address`, with elements of `element_bytes`
    shared,    ///< `names`: the shared arrays and the registers of lanes that launches have taken
  };
  Kind kind = Kind::ready;
  std::string text = {};
  std::vector<std::string> names = {};
  Error error = {};
  std::optional<PlaceInArray> place = {};
  bool writes = false;      ///< whether the access of a fault writes
  std::uint32_t line = 0;   ///< line of a fault in the variant's file; 0 if none of its functions was running
  std::string header = {};  ///< "compaction.hpp:45" if the fault is in a header that the line calls; else empty
  std::string lane = {};    ///< "block 0, lane 3" in which the fault was; empty outside of blocks and warps
  std::uint64_t address = 0, element_bytes = 0;
  double fraction = 0;
  std::optional<BuildReport> report = {};
};
template <class Io>
void fields(Io& io, Event& e) {
  io(Field{"text", e.text}, Field{"names", e.names}, Field{"error", e.error}, Field{"place", e.place},
     Field{"writes", e.writes}, Field{"line", e.line}, Field{"header", e.header}, Field{"lane", e.lane},
     Field{"address", e.address}, Field{"element_bytes", e.element_bytes}, Field{"fraction", e.fraction},
     Field{"report", e.report});
}

/// The first word of a fault that is no access to memory (lane_order.hpp).
inline constexpr std::string_view misuse_mark = "misuse ";

/// The id that kdscope-runner sends when it is ready: a digest of what determines the bytes that both exchange.
std::string runner_id();

std::string line_of(const ProcessRequest& request);
std::string line_of(const Event& event);
/// Parse a line. Errors of kind bad_input: the line is not a request or not an event.
Result<ProcessRequest> request_from(const std::string& line);
Result<Event> event_from(const std::string& line);

}  // namespace kdscope::variants
