#include "algorithms/variants/variant_run.hpp"

#include <cstring>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/variants/run_folder.hpp"

namespace kdscope::variants {
namespace {

namespace fs = std::filesystem;

/// The events of one process.
struct Heard {
  bool ready = false;
  std::size_t steps = 0;  ///< number of steps that began
  std::string last_step;
  std::optional<Event> failed, access;
  std::optional<std::vector<std::string>> replaced;
  std::optional<Error> nonsense;
};

std::string text_of(const Event& access) {
  const char* verb = access.writes ? "writes" : "reads";
  std::string where = access.line > 0 ? "line " + std::to_string(access.line) + " " : "the variant ";
  if (!access.place) return where + verb + " memory that belongs to no array";
  const PlaceInArray& place = *access.place;
  const std::string element = place.array + "[" + std::to_string(place.index) + "]";
  if (place.released) return where + verb + " " + element + " after the array was released";
  return where + verb + " " + element + ", but " + kdscope::quoted(place.array) + " has " +
         count_text(place.size, "element", "elements");
}

std::string crash_text(const ProgramEnd& end, const Heard& heard, const ProgramLimits& limits) {
  using Reason = ProgramEnd::Reason;
  if (heard.access) return text_of(*heard.access);
  switch (end.reason) {
    case Reason::signal:
      return std::string("the variant crashed (") + ::strsignal(end.code) + ")";
    case Reason::time:
      return "the variant did not end within " + std::to_string(limits.time.count() / 1000) + " seconds";
    case Reason::memory:
      return "the variant used more than " + memory_text(limits.memory_bytes) + " of memory";
    case Reason::output:
      return "the variant printed more than " + memory_text(limits.output_bytes);
    case Reason::processes:
      return "the variant started more than " + std::to_string(limits.processes) + " processes";
    default:
      return "the variant ended itself with exit code " + std::to_string(end.code);
  }
}

Result<Heard> run_once(const fs::path& program, const RecordRequest& request, const ProgramLimits& limits,
                       ProgramEnd& end, std::stop_token stop) {
  Heard heard;
  const auto hear = [&](const std::string& line) {
    auto event = event_from(line);
    if (!event) {
      if (!heard.nonsense) heard.nonsense = event.error();
      return;
    }
    switch (event->kind) {
      case Event::Kind::ready:
        heard.ready = true;
        break;
      case Event::Kind::step:
        ++heard.steps;
        heard.last_step = event->text;
        break;
      case Event::Kind::replaced:
        heard.replaced = event->names;
        break;
      case Event::Kind::failed:
        heard.failed = *event;
        break;
      case Event::Kind::out_of_bounds:
        if (!heard.access) heard.access = *event;
        break;
    }
  };
  auto ended = run_program({program.string()}, line_of(request), limits, hear, stop);
  if (!ended) return ended.error();
  end = std::move(*ended);
  if (end.reason == ProgramEnd::Reason::stopped) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
  if (!heard.ready)
    return Error{ErrorKind::bad_input, "is no variant, or was built for another kdscope", program.string(),
                 "compile it again"};
  return heard;
}

/// Marks the end of a run that crashed.
std::shared_ptr<const Trace> with_end(const Trace& trace, const std::string& crash, const std::string& step) {
  auto marked = std::make_shared<Trace>(trace);
  if (!marked->steps.empty())
    marked->steps.back().checks.push_back(
        {"end of the run", "the run goes on to its last step", false, crash + " in the step that follows, " + step});
  return marked;
}

}  // namespace

Result<VariantRun> run_variant(const fs::path& program, const Kit&, RecordRequest request, const ProgramLimits& limits,
                               std::stop_token stop) {
  try {
    const RunFolder folder;
    request.trace_file = (folder.path() / "run.kdtrace").string();
    ProgramEnd end;
    auto heard = run_once(program, request, limits, end, stop);
    if (!heard) return heard.error();
    if (heard->nonsense) return *heard->nonsense;
    if (heard->failed) return heard->failed->error;
    VariantRun run;
    // Omit AddressSanitizer's report, which is in `access`.
    run.output = end.output.substr(0, heard->access ? end.output.find("\n====") + 1 : std::string::npos);
    run.access = heard->access;
    if (heard->replaced && end.reason == ProgramEnd::Reason::exit && end.code == 0) {
      run.replaced = *heard->replaced;
    } else {
      run.crash = crash_text(end, *heard, limits);
      run.step = heard->last_step;
      if (heard->steps < 2) return run;
      // Record the steps before the crash again, because the trace of the crashed process is lost with it.
      request.most_steps = heard->steps - 1;
      heard = run_once(program, request, limits, end, stop);
      if (!heard) return heard.error();
      if (!heard->replaced) return run;  // this time it crashed earlier
    }
    auto trace = load_trace(request.trace_file);
    if (!trace) return trace.error();
    run.trace = run.crash.empty() ? *trace : with_end(**trace, run.crash, run.step);
    return run;
  } catch (const ErrorException& e) {
    return e.error();
  }
}

}  // namespace kdscope::variants
