#include "algorithms/variants/protocol.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "algorithms/text/json.hpp"
#include "algorithms/text/json_value.hpp"

namespace kdscope::variants {
namespace {

constexpr std::array<std::string_view, 7> kind_names{"ready",         "step",  "replaced", "failed",
                                                     "out of bounds", "built", "array"};
constexpr std::int64_t largest = std::int64_t(1) << 53;

template <class Write>
std::string json_line(Write write) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  write(json);
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

std::string text_at(const JsonValue& value, const char* name) {
  const JsonValue* member = value.find(name);
  return member ? member->text() : std::string();
}
std::int64_t integer_at(const JsonValue& value, const char* name, std::int64_t max = largest, std::int64_t min = 0) {
  const JsonValue* member = value.find(name);
  return member ? member->integer(min, max) : 0;
}
bool flag_at(const JsonValue& value, const char* name) {
  const JsonValue* member = value.find(name);
  return member && member->boolean();
}

}  // namespace

std::string line_of(const RecordRequest& request) {
  return json_line([&](JsonWriter& json) {
    json.member("data", request.data);
    json.member("data_name", request.data_name);
    json.key("parameters");
    json.begin_object();
    for (const auto& [name, value] : request.parameters) json.member(name, value);
    json.end_object();
    json.member("backend", static_cast<int>(request.backend));
    json.member("sanitize", request.sanitize);
    json.member("timed", request.timed);
    json.member("trace_file", request.trace_file);
    json.member("most_steps", request.most_steps);
    json.key("stages");
    json.begin_array();
    for (const RecordedSource& stage : request.stages) {
      json.begin_object();
      json.member("region", stage.region);
      json.member("file", stage.file);
      json.member("first_line", stage.first_line);
      json.member("text", stage.text);
      json.end_object();
    }
    json.end_array();
  });
}

Result<RecordRequest> request_from(const std::string& line) {
  return parsed(line, "request", [](const JsonValue& value) {
    RecordRequest request;
    request.data = text_at(value, "data");
    request.data_name = text_at(value, "data_name");
    for (const auto& [name, parameter] : value.at("parameters").members()) request.parameters[name] = parameter.text();
    request.backend = static_cast<Backend>(integer_at(value, "backend", int(Backend::cuda)));
    request.sanitize = flag_at(value, "sanitize");
    request.timed = flag_at(value, "timed");
    request.trace_file = text_at(value, "trace_file");
    request.most_steps = static_cast<std::size_t>(integer_at(value, "most_steps"));
    for (const JsonValue& stage : value.at("stages").items())
      request.stages.push_back({text_at(stage, "region"), text_at(stage, "file"),
                                static_cast<std::uint32_t>(integer_at(stage, "first_line", 0xffffffff)),
                                text_at(stage, "text")});
    return request;
  });
}

std::string line_of(const Event& event) {
  return json_line([&](JsonWriter& json) {
    json.member("event", kind_names[static_cast<std::size_t>(event.kind)]);
    json.member("text", event.text);
    json.member("names", event.names);
    json.member("error_kind", static_cast<int>(event.error.kind));
    json.member("what", event.error.what);
    json.member("where", event.error.where);
    json.member("remedy", event.error.remedy);
    if (event.place) {
      json.member("array", event.place->array);
      json.member("index", event.place->index);
      json.member("size", event.place->size);
      json.member("released", event.place->released);
    }
    json.member("writes", event.writes);
    json.member("line", event.line);
    json.member("address", event.address);
    json.member("element_bytes", event.element_bytes);
    json.member("milliseconds", event.milliseconds);
  });
}

Result<Event> event_from(const std::string& line) {
  return parsed(line, "event", [](const JsonValue& value) {
    Event event;
    const std::string& kind = value.at("event").text();
    const auto found = std::ranges::find(kind_names, kind);
    if (found == kind_names.end()) throw JsonError("the unknown event '" + kind.substr(0, 40) + "'");
    event.kind = static_cast<Event::Kind>(found - kind_names.begin());
    event.text = text_at(value, "text");
    if (const JsonValue* names = value.find("names"))
      for (const JsonValue& name : names->items()) event.names.push_back(name.text());
    event.error.kind = static_cast<ErrorKind>(integer_at(value, "error_kind", int(ErrorKind::io_failure)));
    event.error.what = text_at(value, "what");
    event.error.where = text_at(value, "where");
    event.error.remedy = text_at(value, "remedy");
    if (const JsonValue* array = value.find("array"))
      event.place =
          PlaceInArray{array->text(), value.at("index").integer(-largest, largest),
                       static_cast<std::uint64_t>(value.at("size").integer(0, largest)), flag_at(value, "released")};
    event.writes = flag_at(value, "writes");
    event.line = static_cast<std::uint32_t>(integer_at(value, "line", 0xffffffff));
    event.address = static_cast<std::uint64_t>(integer_at(value, "address"));
    event.element_bytes = static_cast<std::uint64_t>(integer_at(value, "element_bytes"));
    if (const JsonValue* time = value.find("milliseconds")) event.milliseconds = time->number();
    return event;
  });
}

}  // namespace kdscope::variants
