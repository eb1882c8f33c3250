#include "algorithms/variants/variant_run.hpp"

#include <cstring>
#include <map>
#include <sstream>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/variants/device_report.hpp"

namespace kdscope::variants {
namespace {

namespace fs = std::filesystem;

/// The events of one process.
struct Heard {
  std::optional<std::string> kit_id;  ///< the kit that it was built with, once it has started
  std::string last_step, last_progress;
  std::optional<Event> failed, fault;
  bool done = false;
  std::optional<std::vector<std::string>> replaced;
  std::vector<std::string> shared_arrays;
  double compared_share = 1;
  std::vector<Event> arrays;
  std::optional<Error> nonsense;
  ReceivedTrace received;
};

/// Returns what a fault did to memory that is no element of an array: "frees memory twice". reason: the sanitizer's
/// word.
std::string deed_of(const std::string& reason, const char* verb) {
  if (reason.starts_with(misuse_mark)) return reason.substr(misuse_mark.size());
  const std::string word = reason.substr(0, reason.find(' '));
  static const std::map<std::string, std::string> deeds{
      {"double-free", "frees memory twice"},
      {"bad-free", "frees memory that was not allocated"},
      {"alloc-dealloc-mismatch", "frees memory in another way than it was allocated"},
      {"new-delete-type-mismatch", "frees memory of another size than was allocated"},
      {"stack-overflow", "overflows the stack: a recursion does not end, or local variables are too large"},
      {"division", "divides by zero"},
      {"FPE", "divides integers whose quotient does not exist"},
      {"ABRT", "calls abort()"},
      {"ILL", "executes an instruction that does not exist, as __builtin_trap() does"}};
  if (const auto found = deeds.find(word); found != deeds.end()) return found->second;
  if (word == "out-of-memory" || word == "allocation-size-too-big" || word == "calloc-overflow") {
    const std::string bytes = reason.substr(word.size());
    return "asks for" + (bytes.empty() ? " more memory" : bytes + " bytes of memory, more") + " than there is";
  }
  if (word == "null-deref") return std::string(verb) + " through a null pointer";
  return std::string(verb) + " memory that belongs to no array" + (word.empty() ? "" : " (" + word + ")");
}

std::string text_of(const Event& fault) {
  const char* verb = fault.writes ? "writes" : "reads";
  const std::string line = fault.line > 0 ? "line " + std::to_string(fault.line) : "";
  std::string where = fault.header.empty() ? line : fault.header + (line.empty() ? "" : ", called from " + line + ",");
  if (where.empty()) where = "the variant";
  where += ' ';
  const std::string lane = fault.lane.empty() ? "" : " (" + fault.lane + ")";
  if (!fault.place) return where + deed_of(fault.text, verb) + lane;
  const PlaceInArray& place = *fault.place;
  const std::string element = place.array + "[" + std::to_string(place.index) + "]";
  if (place.released) return where + verb + " " + element + " after the array was released" + lane;
  return where + verb + " " + element + ", but " + (place.shared ? "the shared array " : "") +
         kdscope::quoted(place.array) + " has " + count_text(place.size, "element", "elements") + lane;
}

std::string crash_text(const ProgramEnd& end, const Heard& heard, const ProgramLimits& limits) {
  using Reason = ProgramEnd::Reason;
  if (heard.fault) return text_of(*heard.fault);
  if (heard.failed) return heard.failed->error.what;
  switch (end.reason) {
    case Reason::signal:
      return std::string("the variant crashed (") + ::strsignal(end.code) + ")";
    case Reason::time:
      return "the variant did not end within " +
             count_text(static_cast<std::uint64_t>(limits.time.count() / 1000), "second", "seconds");
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

Result<Heard> run_once(const fs::path& program, const Kit& kit, const ProcessRequest& request,
                       const ProgramLimits& limits, ProgramEnd& end, std::stop_token stop) {
  Heard heard;
  std::vector<std::string> command{program.string()};
  if (!request.tool.empty()) command = device_tool_command(kit, request.tool, program.string());
  const auto hear = [&](const std::string& line) {
    auto event = event_from(line);
    if (!event) {
      if (!heard.nonsense) heard.nonsense = event.error();
      return;
    }
    switch (event->kind) {
      case Event::Kind::ready:
        heard.kit_id = event->text;
        break;
      case Event::Kind::step:
        heard.last_step = event->text;
        break;
      case Event::Kind::replaced:
        heard.replaced = event->names;
        heard.compared_share = event->fraction;
        break;
      case Event::Kind::failed:
        heard.failed = *event;
        break;
      case Event::Kind::fault:
        if (!heard.fault) heard.fault = *event, heard.shared_arrays = event->names;
        break;
      case Event::Kind::shared:
        heard.shared_arrays = event->names;
        break;
      case Event::Kind::progress:
        heard.last_progress = event->text;
        break;
      case Event::Kind::done:
        heard.done = true;
        break;
      case Event::Kind::built:  // answers another request
        break;
      case Event::Kind::array:
        heard.arrays.push_back(*event);
        break;
    }
  };
  auto ended = run_program(command, line_of(request), limits, hear, stop, &heard.received);
  if (!ended) return ended.error();
  end = std::move(*ended);
  if (heard.received.error && heard.received.error->kind == ErrorKind::bad_input)
    return Error{ErrorKind::bad_input, "the variant wrote into the pipe of its recording", program.string(),
                 "write nothing to descriptors 3 and 4; these are kdscope's own"};
  if (heard.received.error) return *heard.received.error;
  if (end.reason == ProgramEnd::Reason::stopped) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
  if (!heard.kit_id && !request.tool.empty() && end.code == 127)
    return Error{ErrorKind::bad_usage, "compute-sanitizer cannot be started", command.front(),
                 "install it with the CUDA toolkit, or leave out --sanitize"};
  if (!heard.kit_id)
    return Error{ErrorKind::bad_input, "is not the program of a variant", program.string(),
                 "compile the variant again"};
  if (*heard.kit_id != kit.id)
    return Error{ErrorKind::bad_input, "was built against the headers of another kdscope", program.string(),
                 "compile the variant again"};
  if (!request.tool.empty() && !heard.fault && !request.run.replaced_sources.empty())
    heard.fault = fault_in(end.output, request.tool, request.run.replaced_sources.front().file, heard.arrays);
  return heard;
}

constexpr std::size_t most_printed = 64 << 10;

/// Returns the lines of a text that do not hold a mark.
std::string lines_without(const std::string& text, std::string_view mark) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.find(mark) == std::string::npos) kept += line + "\n";
  return kept;
}

/// Returns the step in which a run ended, or what comes before the first one.
std::string place_of_end(const Heard& heard) {
  if (!heard.last_step.empty()) return heard.last_step;
  return (heard.last_progress.empty() ? "the start" : "the " + heard.last_progress) + ", before the first step";
}

/// Returns what a variant printed, without the report of a tool of the device, which is in the run's `fault`.
Prints prints_of(Prints printed, bool under_tool) {
  if (under_tool)
    for (PrintedStep& step : printed.steps) step.text = lines_without(step.text, "=========");
  std::erase_if(printed.steps, [](const PrintedStep& step) { return step.text.empty(); });
  keep_last(printed, most_printed);
  return printed;
}

}  // namespace

Result<VariantRun> run_variant(const fs::path& program, const Kit& kit, const ProcessRequest& request,
                               const ProgramLimits& limits, std::stop_token stop) {
  ProgramEnd end;
  auto heard = run_once(program, kit, request, limits, end, stop);
  if (!heard) return heard.error();
  if (heard->nonsense) return *heard->nonsense;
  const bool of_device = heard->failed && heard->failed->error.kind == ErrorKind::device_failure;
  if (heard->failed && !of_device && !heard->fault) return heard->failed->error;
  VariantRun run;
  run.prints = prints_of(std::move(end.prints), !request.tool.empty());
  run.shared_arrays = heard->shared_arrays;
  run.fault = heard->fault;
  const std::shared_ptr<Trace>& trace = heard->received.trace;
  if (heard->replaced && heard->received.complete && end.reason == ProgramEnd::Reason::exit && end.code == 0) {
    run.replaced = *heard->replaced;
    run.compared_share = heard->compared_share;
    run.trace = trace;
    return run;
  }
  if (heard->done && end.reason == ProgramEnd::Reason::exit && end.code == 0) return run;
  run.crash = crash_text(end, *heard, limits);
  run.late = !heard->fault && !heard->failed && end.reason == ProgramEnd::Reason::time;
  run.step = place_of_end(*heard);
  if (heard->replaced && heard->received.complete && heard->fault && !request.tool.empty()) {
    run.step.clear();
    run.replaced = *heard->replaced;
    run.trace = trace;
    return run;
  }
  if (trace->steps.empty()) return run;
  mark_end(*trace, run.crash + " in the step that follows, " + run.step);
  run.trace = trace;
  return run;
}

}  // namespace kdscope::variants
