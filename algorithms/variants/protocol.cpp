#include "algorithms/variants/protocol.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "algorithms/text/json_fields.hpp"
#include "algorithms/trace/trace_stream.hpp"

namespace kdscope::variants {
namespace {

constexpr std::array<std::string_view, 10> kind_names{"ready", "step",  "progress", "replaced", "failed",
                                                      "fault", "built", "done",     "array",    "shared"};

/// Returns a line with the members of `sent`, behind that of its kind unless it has none.
template <class T>
std::string json_line(T sent, std::string_view kind = {}) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  if (!kind.empty()) json.member("event", kind);
  JsonFieldWriter members(json);
  fields(members, sent);
  json.end_object();
  out << "\n";
  return out.str();
}

/// Calls read(value), and converts exceptions to errors.
template <class Read>
auto parsed(const std::string& line, const char* name, Read read) -> Result<decltype(read(JsonValue()))> {
  try {
    return read(JsonValue::parse(line));
  } catch (const JsonError& e) {
    return Error{ErrorKind::bad_input, std::string("a variant sent no ") + name + ", but " + e.what(), "",
                 "write nothing to descriptor 3"};
  }
}

template <class T>
T members_of(const JsonValue& value) {
  T received;
  JsonFieldReader members(value);
  fields(members, received);
  return received;
}

}  // namespace

std::string runner_id() { return KDSCOPE_STREAM_ID; }

std::string line_of(const ProcessRequest& request) { return json_line(request); }

Result<ProcessRequest> request_from(const std::string& line) {
  return parsed(line, "request", members_of<ProcessRequest>);
}

std::string line_of(const Event& event) { return json_line(event, kind_names[static_cast<std::size_t>(event.kind)]); }

Result<Event> event_from(const std::string& line) {
  return parsed(line, "event", [](const JsonValue& value) {
    const std::string& kind = value.at("event").text();
    const auto found = std::ranges::find(kind_names, kind);
    if (found == kind_names.end()) throw JsonError("the unknown event '" + kind.substr(0, 40) + "'");
    Event event = members_of<Event>(value);
    event.kind = static_cast<Event::Kind>(found - kind_names.begin());
    if (event.report) {
      if (event.report->build_hashes.empty() || event.report->build_ms.size() != event.report->build_hashes.size())
        throw JsonError("a report without builds");
      event.report->tree_hash = event.report->build_hashes.back();
    }
    if (event.kind == Event::Kind::built && !event.report) throw JsonError("builds without a report");
    return event;
  });
}

}  // namespace kdscope::variants
