#include "algorithms/variants/variant_program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include "algorithms/builders/builders.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/trace_stream.hpp"
#include "algorithms/variants/points_file.hpp"
#include "algorithms/variants/protocol.hpp"
#include "algorithms/variants/replaced_stages.hpp"
#include "datasets/datasets.hpp"

// Present only in a program with AddressSanitizer.
extern "C" {
__attribute__((weak)) void __asan_set_error_report_callback(void (*callback)(const char* report));
__attribute__((weak)) void* __asan_get_report_address();
__attribute__((weak)) int __asan_get_report_access_type();
}

namespace kdscope {
namespace {

using variants::Event;

std::string_view variant_file;
bool announces = false;  // whether arrays are announced

void send(const Event& event) {
  const std::string line = line_of(event);
  for (std::string_view rest = line; !rest.empty();) {
    const ssize_t sent = ::write(variants::event_descriptor, rest.data(), rest.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) ::_exit(1);  // no process reads the events
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// Returns the line of the variant's file that the stack of a report names first; 0 if none of its functions is there.
/// main() does not count: it stands in the file, but calls every stage of the builder.
std::uint32_t line_in_variant(std::string_view report) {
  const std::string place = std::string(variant_file) + ":";
  for (std::size_t at = report.find(place); at != std::string_view::npos; at = report.find(place, at + 1)) {
    const std::size_t begin = report.rfind('\n', at) + 1;
    if (report.substr(begin, at - begin).find(" in main ") != std::string_view::npos) continue;
    std::uint32_t line = 0;
    const char* digits = report.data() + at + place.size();
    std::from_chars(digits, report.data() + report.size(), line);
    return line;
  }
  return 0;
}

/// Sends an event for an access out of bounds. AddressSanitizer calls this before it ends the program.
void report_access(const char* report) {
  Event event{Event::Kind::out_of_bounds};
  event.place = array_at(__asan_get_report_address());
  event.writes = __asan_get_report_access_type() == 1;
  event.line = line_in_variant(report);
  event.text = std::string_view(report).substr(0, 4096);
  send(event);
}

int fail(const Error& error) {
  Event event{Event::Kind::failed};
  event.error = error;
  send(event);
  return 1;
}

/// Returns the data of a request. Keeps it for the next request, which may name the same, or none.
Result<std::shared_ptr<const DataSet>> data_of(const variants::RecordRequest& wanted) {
  static std::string last;
  static std::shared_ptr<const DataSet> kept;
  const bool same = wanted.points_file.empty() && (wanted.data.empty() || wanted.data == last);
  if (kept && same) return kept;
  kept = nullptr;  // memory may not hold both
  auto opened = wanted.points_file.empty() ? open_data_set(wanted.data) : variants::read_points(wanted.points_file);
  if (!opened) return opened;
  last = wanted.data, kept = *opened;
  if (wanted.data_name.empty()) return kept;
  DataSet named = *kept;
  named.name = wanted.data_name;
  return kept = std::make_shared<const DataSet>(std::move(named));
}

int build_for(const BuildRequest& request, const RunControl& control) {
  auto report = build(request, control);
  if (!report) return fail(report.error());
  Event event{Event::Kind::built};
  report->tree = Tree();
  event.report = std::move(*report);
  send(event);
  return 0;
}

int record_for(const BuildRequest& request, RunControl control) {
  trace_stream::StepSender sender(variants::trace_descriptor);
  control.step_starts = [](std::string_view path) { send({Event::Kind::step, std::string(path)}); };
  control.step_recorded = [&](TraceBuilder& trace) {
    sender.step(trace.so_far());
    trace.release_values();
  };
  const auto trace = record(request, control);
  if (!trace) {
    sender.end();
    return fail(trace.error());
  }
  sender.end(**trace);
  send({Event::Kind::replaced, {}, {replaced_launches().begin(), replaced_launches().end()}});
  return 0;
}

int serve(const variants::RecordRequest& wanted) {
  const auto data = data_of(wanted);
  if (!data) return fail(data.error());
  BuildRequest request;
  variants::visit_shared_members(request, wanted, [](auto& to, const auto& from) { to = from; });
  if (request.algorithm.empty()) request.algorithm = builders().front()->spec.id;
  request.data = *data;
  announces = wanted.sanitize;
  RunControl control;
  control.progress = [](double fraction, std::string_view what) {
    Event event{Event::Kind::progress, std::string(what)};
    event.fraction = fraction;
    send(event);
  };
  return wanted.timed ? build_for(request, control) : record_for(request, control);
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

int run_as_variant(const char* file, const char* kit_id) {
  if (::fcntl(variants::event_descriptor, F_GETFD) < 0) {
    std::fputs("This is a variant of a builder of kdscope. Run it with kdscope-cli variant build.\n", stderr);
    return 2;
  }
  variant_file = file;
  if (__asan_set_error_report_callback) __asan_set_error_report_callback(report_access);
  return serve_requests(kit_id);
}

int run_as_runner() {
  if (::fcntl(variants::event_descriptor, F_GETFD) < 0) {
    std::fputs("kdscope-runner builds for the window, which starts it. Run kdscope, or kdscope-cli.\n", stderr);
    return 2;
  }
  return serve_requests(variants::runner_id());
}

}  // namespace kdscope
