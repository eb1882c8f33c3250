#include "algorithms/variants/variant_program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <source_location>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "algorithms/builders/builders.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/trace/trace_stream.hpp"
#include "algorithms/variants/inside/access_recorder.hpp"
#include "algorithms/variants/lane_order.hpp"
#include "algorithms/variants/points_file.hpp"
#include "algorithms/variants/printed_steps.hpp"
#include "algorithms/variants/protocol.hpp"
#include "algorithms/variants/replaced_stages.hpp"
#include "algorithms/variants/shown_values.hpp"
#include "algorithms/variants/work.hpp"
#include "datasets/datasets.hpp"

// Present only in a program with AddressSanitizer.
extern "C" {
__attribute__((weak)) void __asan_set_error_report_callback(void (*callback)(const char* report));
__attribute__((weak)) void* __asan_get_report_address();
__attribute__((weak)) int __asan_get_report_access_type();
__attribute__((weak)) const char* __asan_get_report_description();
__attribute__((weak)) void __sanitizer_set_report_fd(void* descriptor);
}

namespace kdscope {
namespace {

using variants::Event;

std::string_view variant_file;
bool announces = false;  // whether arrays are announced
std::vector<variants::ServedWork> works;
TakeTurn turns;
std::shared_ptr<trace_stream::KeptValues> kept_values;  // of the last recording

void send(const Event& event) {
  const std::string line = line_of(event);
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t sent = ::write(variants::event_descriptor, rest.data(), rest.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) ::_exit(1);  // no process reads the events
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// Where a fault happened: in the variant's file, or in a header that a line of it calls.
struct FaultPlace {
  std::uint32_t line = 0;
  std::string header;
};

/// Returns the first places that the stack of a report names: in the variant's file, and in a builder's header above
/// that. main() does not count: it stands in the file, but calls every stage of the builder.
FaultPlace place_in(std::string_view report) {
  constexpr std::string_view of_builders = "/algorithms/builders/";
  FaultPlace place;
  while (!report.empty()) {
    const std::string_view frame = report.substr(0, report.find('\n'));
    report.remove_prefix(std::min(report.size(), frame.size() + 1));
    const std::size_t blank = frame.rfind(' '), number = frame.find_first_not_of(' ');
    if (number == std::string_view::npos || frame[number] != '#' || frame.find(" in main ") != std::string_view::npos)
      continue;
    const std::string_view where = frame.substr(blank + 1), file = where.substr(0, where.find(':'));
    if (file == variant_file) {
      std::from_chars(where.data() + std::min(where.size(), file.size() + 1), where.data() + where.size(), place.line);
      return place;
    }
    if (place.header.empty() && file.find(of_builders) != std::string_view::npos)
      place.header = where.substr(where.rfind('/') + 1);
  }
  return place;
}

/// Returns the sanitizer's word for the reason of a report, such as "double-free", with the number of bytes of an
/// allocation that failed.
std::string reason_of(std::string_view report) {
  constexpr std::string_view allocates = "trying to allocate 0x";
  constexpr std::string_view error = "ERROR: AddressSanitizer: ";
  std::string reason = __asan_get_report_description ? __asan_get_report_description() : "";
  if (const std::size_t of = report.find(error); reason == "signal" && of != std::string_view::npos) {
    const std::string_view words = report.substr(of + error.size());
    reason = words.substr(0, words.find(' '));  // "FPE", "ABRT"
  }
  const std::size_t at = report.find(allocates);
  std::uint64_t bytes = 0;
  if (at != std::string_view::npos &&
      std::from_chars(report.data() + at + allocates.size(), report.data() + report.size(), bytes, 16).ec ==
          std::errc())
    reason += " " + std::to_string(bytes);
  return reason;
}

void send_fault(Event event, FaultPlace place) {
  access_log::finish_recording();
  event.names = shared_array_names();
  event.line = place.line;
  event.header = std::move(place.header);
  event.lane = running_lane_text();
  send(event);
}

/// Sends an event for a fault. AddressSanitizer calls this before it ends the program.
void report_fault(const char* report) {
  Event event{Event::Kind::fault, reason_of(report)};
  event.place = array_at(__asan_get_report_address());
  event.writes = __asan_get_report_access_type() == 1 ||
                 std::string_view(report).find("caused by a WRITE") != std::string_view::npos;
  send_fault(std::move(event), place_in(report));
}

/// Returns a place by its file and line, as the compiler names them.
FaultPlace place_of(std::string_view path, std::uint32_t line) {
  if (path == variant_file) return {line, ""};
  return {0, std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(line)};
}

void end_at_misuse(const std::string& deed, const std::source_location& where) {
  send_fault({Event::Kind::fault, std::string(variants::misuse_mark) + deed},
             place_of(where.file_name(), where.line()));
  ::_exit(1);
}

/// Keeps the sanitizer's report out of what the variant prints: report_fault() gets it too.
void send_reports_nowhere() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (__sanitizer_set_report_fd && nowhere >= 0)
    __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(nowhere)));
}

int fail(const Error& error) {
  Event event{Event::Kind::failed};
  event.error = error;
  send(event);
  return 1;
}

/// Returns the data of a request. Keeps it for the next request, which may name the same, or none.
Result<std::shared_ptr<const DataSet>> data_of(const variants::ProcessRequest& wanted) {
  static std::string last;
  static std::shared_ptr<const DataSet> kept;
  const std::string& data = wanted.run.data;
  const bool same = wanted.points_file.empty() && (data.empty() || data == last);
  if (kept && same) return kept;
  kept = nullptr;  // memory may not hold both
  auto opened = wanted.points_file.empty() ? open_data_set(data) : variants::read_points(wanted.points_file);
  if (!opened) return opened;
  last = data, kept = *opened;
  if (wanted.data_name.empty()) return kept;
  DataSet named = *kept;
  named.name = wanted.data_name;
  return kept = std::make_shared<const DataSet>(std::move(named));
}

int build_for(const RunRequest& request, const RunControl& control) {
  auto report = build(request, control);
  if (!report) return fail(report.error());
  Event event{Event::Kind::built};
  report->tree = Tree();
  event.report = std::move(*report);
  send(event);
  return 0;
}

/// Marks in a variant's prints that a step begins. The numbers are those of the steps that are kept.
void mark_prints(std::uint32_t step) {
  const char* program = std::getenv(variants::program_variable);
  if (variant_file.empty() || !program) return;
  std::fflush(stdout);
  const std::string mark = variants::mark_of_step(program, step);
  for (std::string_view rest = mark; !rest.empty();) {
    const ssize_t sent = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;  // the variant has closed its output
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

int record_for(const variants::ProcessRequest& wanted, const RunRequest& request, RunControl control) {
  const std::optional<access_log::Wanted>& inside = wanted.accesses;
  std::uint32_t kept = 0;
  if (wanted.keeps_above > 0) kept_values = std::make_shared<trace_stream::KeptValues>(wanted.keeps_above);
  trace_stream::StepSender sender(variants::trace_descriptor, kept_values);
  control.step_starts = [&](std::string_view path) {
    mark_prints(kept);
    send({Event::Kind::step, std::string(path)});
    if (inside && inside->steps.has(kept)) access_log::record_step(*inside, std::string(path));
  };
  control.step_recorded = [&](TraceBuilder& trace) {
    ++kept;
    shown_values::write_to(trace);
    sender.step(trace.so_far());
    trace.release_values();
  };
  const auto trace = record(request, control);
  const bool written = access_log::finish_recording();
  if (trace && !written) return fail({ErrorKind::io_failure, "cannot be written", inside->file, "check the disk"});
  if (!trace) {
    sender.end();
    return fail(trace.error());
  }
  sender.end(**trace);
  send({Event::Kind::shared, {}, shared_array_names()});
  Event end{Event::Kind::replaced, {}, {replaced_launches().begin(), replaced_launches().end()}};
  end.fraction = compared_share();
  send(end);
  return 0;
}

/// Builds a tree as the library does, and records the accesses of the launches that search it.
int search_for(const variants::ProcessRequest& wanted, RunRequest request, const RunControl& control) {
  const auto asked = search_in(std::exchange(request.search, {}));
  if (!asked) return fail(asked.error());
  auto search_request = request_of(*asked, request.points->points);
  if (!search_request) return fail(search_request.error());
  if (!wanted.queries.empty()) {
    const auto queries = open_queries(wanted.queries, *request.points);
    if (!queries) return fail(queries.error());
    search_request->queries = *queries;
  }
  request.processors = 1;  // the recorder knows one thread
  auto built = build(request, control);
  if (!built) return fail(built.error());
  search_request->tree = std::make_shared<const Tree>(std::move(built->tree));
  search_request->backend = Backend::cpu;
  send({Event::Kind::step, "search"});
  access_log::record_step(*wanted.accesses, "search");
  const auto found = search(*search_request, control);
  const bool written = access_log::finish_recording();
  if (!found) return fail(found.error());
  if (!written) return fail({ErrorKind::io_failure, "cannot be written", wanted.accesses->file, "check the disk"});
  send({Event::Kind::done});
  return 0;
}

Result<variants::KeptValuesOutput> kept_values_of(const variants::KeptValuesRequest& request, const RunControl&) {
  if (!kept_values) return Error{ErrorKind::bad_input, "no values are kept", "", "run again"};
  const TypedArray& values = kept_values->at(request.array, request.place, request.type, request.size);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.bytes().data());
  return variants::KeptValuesOutput{{bytes, bytes + values.byte_count()}};
}

int work_for(const variants::ProcessRequest& wanted, const RunControl& control) {
  const auto work = std::ranges::find(works, wanted.work, &variants::ServedWork::name);
  if (work == works.end()) return fail({ErrorKind::bad_usage, "a runner cannot do " + wanted.work, "", ""});
  send({Event::Kind::step, wanted.work});
  if (const auto done = work->serve(wanted.input, wanted.output, control); !done) return fail(done.error());
  send({Event::Kind::done});
  return 0;
}

int serve(const variants::ProcessRequest& wanted) {
  RunControl control;
  control.progress = [](double fraction, std::string_view what) {
    Event event{Event::Kind::progress, std::string(what)};
    event.fraction = fraction;
    send(event);
  };
  const std::shared_ptr<void> turn = turns ? turns(wanted, control) : nullptr;
  if (!wanted.work.empty()) return work_for(wanted, control);
  kept_values = nullptr;
  const auto data = data_of(wanted);
  if (!data) {
    if (!wanted.timed) trace_stream::StepSender(variants::trace_descriptor).end();  // which the other side waits for
    return fail(data.error());
  }
  RunRequest request = wanted.run;
  if (request.algorithm.empty()) request.algorithm = builders().front()->spec.id;
  request.points = *data;
  announces = !wanted.tool.empty();
  set_lane_order(wanted.order);
  if (wanted.fill) set_shared_fill(*wanted.fill);
  if (wanted.accesses && !request.search.empty()) return search_for(wanted, std::move(request), control);
  return wanted.timed ? build_for(request, control) : record_for(wanted, request, control);
}

int serve_requests(const std::string& id) {
  send({Event::Kind::ready, id});
  int code = 2;
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = variants::request_from(line);
    code = request ? serve(*request) : fail(request.error());
    if (!request || !request->stays) break;
  }
  return code;
}

}  // namespace

void announce_array(const char* name, std::size_t element_bytes, const void* data, std::size_t bytes) {
  if (!announces) return;
  Event event{Event::Kind::array};
  event.place = PlaceInArray{name, 0, bytes / element_bytes};
  event.address = reinterpret_cast<std::uintptr_t>(data);
  event.element_bytes = element_bytes;
  send(event);
}

void end_at_division(const DivisionPlace& place) {
  send_fault({Event::Kind::fault, "division by zero"}, place_of(place.file, place.line));
  ::_exit(1);
}

int run_as_variant(const char* file, const char* kit_id) {
  if (::fcntl(variants::event_descriptor, F_GETFD) < 0) {
    std::fputs("This is a variant of a builder of kdscope. Run it with kdscope-cli variant build.\n", stderr);
    return 2;
  }
  variant_file = file;
  std::setvbuf(stdout, nullptr, _IONBF, 0);  // whatever ends the program, its prints were sent
  send_reports_nowhere();
  set_misuse_handler(end_at_misuse);
  if (__asan_set_error_report_callback) __asan_set_error_report_callback(report_fault);
  return serve_requests(kit_id);
}

int run_as_runner(const std::vector<variants::ServedWork>& all_works, const TakeTurn& take_turn) {
  works = all_works;
  works.push_back(served(variants::Work{variants::values_work, kept_values_of}));
  turns = take_turn;
  if (::fcntl(variants::event_descriptor, F_GETFD) < 0) {
    std::fputs("kdscope-runner builds for the window, which starts it. Run kdscope, or kdscope-cli.\n", stderr);
    return 2;
  }
  return serve_requests(variants::runner_id());
}

}  // namespace kdscope
