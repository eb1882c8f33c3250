#include "algorithms/variants/variant_run.hpp"

#include <algorithm>
#include <cstring>
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
  std::string last_step;
  std::optional<Event> failed, access;
  std::optional<std::vector<std::string>> replaced;
  std::vector<Event> arrays;
  std::optional<Error> nonsense;
  ReceivedTrace received;
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
  if (heard.failed) return heard.failed->error.what;
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

Result<Heard> run_once(const fs::path& program, const Kit& kit, const RecordRequest& request,
                       const ProgramLimits& limits, ProgramEnd& end, std::stop_token stop) {
  Heard heard;
  std::vector<std::string> command{program.string()};
  if (request.sanitize)
    command = {compute_sanitizer_of(kit), "--tool", "memcheck", "--error-exitcode", "9", program.string()};
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
        break;
      case Event::Kind::failed:
        heard.failed = *event;
        break;
      case Event::Kind::out_of_bounds:
        if (!heard.access) heard.access = *event;
        break;
      case Event::Kind::progress:
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
  if (heard.received.error) return *heard.received.error;
  if (end.reason == ProgramEnd::Reason::stopped) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
  if (!heard.kit_id && request.sanitize && end.code == 127)
    return Error{ErrorKind::bad_usage, "compute-sanitizer cannot be started", command.front(),
                 "install it with the CUDA toolkit, or leave out --sanitize"};
  if (!heard.kit_id)
    return Error{ErrorKind::bad_input, "is not the program of a variant", program.string(),
                 "compile the variant again"};
  if (*heard.kit_id != kit.id)
    return Error{ErrorKind::bad_input, "was built against the headers of another kdscope", program.string(),
                 "compile the variant again"};
  if (request.sanitize && !heard.access && !request.stages.empty())
    heard.access = access_in(end.output, request.stages.front().file, heard.arrays);
  return heard;
}

/// Returns the lines of a text that do not begin with a mark.
std::string lines_without(const std::string& text, std::string_view mark) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with(mark)) kept += line + "\n";
  return kept;
}

}  // namespace

Result<VariantRun> run_variant(const fs::path& program, const Kit& kit, const RecordRequest& request,
                               const ProgramLimits& limits, std::stop_token stop) {
  ProgramEnd end;
  auto heard = run_once(program, kit, request, limits, end, stop);
  if (!heard) return heard.error();
  if (heard->nonsense) return *heard->nonsense;
  const bool of_device = heard->failed && heard->failed->error.kind == ErrorKind::device_failure;
  if (heard->failed && !of_device && !heard->access) return heard->failed->error;
  VariantRun run;
  // Omit the sanitizer's report, which is in `access`.
  run.output = end.output;
  if (request.sanitize)
    run.output = lines_without(run.output, "=========");
  else if (heard->access)
    run.output.resize(std::min(run.output.size(), run.output.find("\n====") + 1));
  run.access = heard->access;
  const std::shared_ptr<Trace>& trace = heard->received.trace;
  if (heard->replaced && heard->received.complete && end.reason == ProgramEnd::Reason::exit && end.code == 0) {
    run.replaced = *heard->replaced;
    run.trace = trace;
    return run;
  }
  run.crash = crash_text(end, *heard, limits);
  run.step = heard->last_step;
  if (trace->steps.empty()) return run;
  mark_end(*trace, run.crash + " in the step that follows, " + run.step);
  run.trace = trace;
  return run;
}

}  // namespace kdscope::variants
