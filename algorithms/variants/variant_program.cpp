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
#include "algorithms/trace/trace_file.hpp"
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

int serve(const variants::RecordRequest& wanted) {
  // The data of a timed build is that of the next one.
  static std::string last;
  static Result<std::shared_ptr<const DataSet>> opened = std::shared_ptr<const DataSet>();
  if (std::exchange(last, wanted.data) != wanted.data || !wanted.timed) opened = open_data_set(wanted.data);
  if (!opened) return fail(opened.error());
  BuildRequest request;
  request.algorithm = builders().front()->spec.id;
  request.data = *opened;
  if (!wanted.data_name.empty()) {
    DataSet named = **opened;
    named.name = wanted.data_name;
    request.data = std::make_shared<const DataSet>(std::move(named));
  }
  request.parameters = wanted.parameters;
  request.backend = wanted.backend;
  announces = wanted.sanitize;
  request.most_steps = wanted.most_steps;
  request.replaced_sources = wanted.stages;
  if (wanted.timed) {
    const auto report = build(request);
    if (!report) return fail(report.error());
    Event event{Event::Kind::built, hash_text(report->tree_hash)};
    event.milliseconds = report->build_ms.front();
    send(event);
    return 0;
  }
  RunControl control;
  control.step_starts = [](std::string_view path) { send({Event::Kind::step, std::string(path)}); };
  const auto trace = record(request, control);
  if (!trace) return fail(trace.error());
  if (const auto saved = save_trace(**trace, wanted.trace_file); !saved) return fail(saved.error());
  send({Event::Kind::replaced, {}, {replaced_launches().begin(), replaced_launches().end()}});
  return 0;
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
  send({Event::Kind::ready, kit_id});
  int code = 2;
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = variants::request_from(line);
    code = request ? serve(*request) : fail(request.error());
    if (code != 0 || !request->timed) break;
  }
  return code;
}

}  // namespace kdscope
