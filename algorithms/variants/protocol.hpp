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
#include "algorithms/variants/lane_order.hpp"
#include "algorithms/variants/named_memory.hpp"

namespace kdscope::variants {

inline constexpr int event_descriptor = 3, trace_descriptor = 4;

/// A recording, or builds at full speed, that a process makes. Members without a comment: see BuildRequest.
struct RecordRequest {
  std::string data;       ///< specification of the data set (datasets.hpp); without it and a file, the last request's
  std::string data_name;  ///< name of the data set in the trace; empty: `data`
  Parameters parameters;
  std::string points_file;  ///< a data set as trace_stream sends it, in place of `data`; empty: none
  std::size_t most_steps = 0;
  std::vector<RecordedSource> stages;  ///< the variant's regions
  Backend backend = Backend::cpu;
  std::string tool = {};  ///< on CUDA: of compute-sanitizer, under which it runs; the process announces its arrays
  bool timed = false;     ///< build at full speed, and record nothing
  std::string algorithm = {};  ///< empty: the process's first builder
  bool stays = false;          ///< the process waits for another request
  bool thin = false;
  std::uint64_t trace_budget_bytes = 0;
  int repeat = 1;
  bool time_steps = false;
  Parameters search = {};
  int processors = 0;
  LaneOrder order = {};  ///< of a recording on the CPU
  std::optional<SharedFill> fill = {};  ///< of its shared arrays; without one, that of the order
};

/// Calls visit(member of `build`, member of `record`) for each member that both have. A new member of BuildRequest does
/// not compile until it is listed here or its name is unused.
template <class Build, class Record, class Visit>
void visit_shared_members(Build& build, Record& record, Visit visit) {
  auto& [algorithm, data, parameters, backend, repeat, time_steps, trace_budget_bytes, thin, processors, most_steps,
         search, replaced_sources] = build;
  static_cast<void>(data);  // sent as a specification or a file
  visit(algorithm, record.algorithm);
  visit(parameters, record.parameters);
  visit(backend, record.backend);
  visit(repeat, record.repeat);
  visit(time_steps, record.time_steps);
  visit(trace_budget_bytes, record.trace_budget_bytes);
  visit(thin, record.thin);
  visit(processors, record.processors);
  visit(most_steps, record.most_steps);
  visit(search, record.search);
  visit(replaced_sources, record.stages);
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

/// The first word of a fault that is no access to memory (lane_order.hpp).
inline constexpr std::string_view misuse_mark = "misuse ";

/// The id that kdscope-runner sends when it is ready: a digest of what determines the bytes that both exchange.
std::string runner_id();

std::string line_of(const RecordRequest& request);
std::string line_of(const Event& event);
/// Parse a line. Errors of kind bad_input: the line is not a request or not an event.
Result<RecordRequest> request_from(const std::string& line);
Result<Event> event_from(const std::string& line);

}  // namespace kdscope::variants
