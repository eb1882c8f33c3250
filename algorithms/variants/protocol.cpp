#include "algorithms/variants/protocol.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <sstream>

#include "algorithms/text/json.hpp"
#include "algorithms/text/json_value.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope::variants {
namespace {

constexpr std::array<std::string_view, 9> kind_names{"ready", "step",  "progress", "replaced", "failed",
                                                     "fault", "built", "array",    "shared"};
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
std::uint64_t count_at(const JsonValue& value, const char* name) {
  return static_cast<std::uint64_t>(integer_at(value, name));
}
bool flag_at(const JsonValue& value, const char* name) {
  const JsonValue* member = value.find(name);
  return member && member->boolean();
}

double number_at(const JsonValue& value, const char* name) {
  const JsonValue* member = value.find(name);
  return member ? member->number() : 0;
}
Parameters parameters_at(const JsonValue& value, const char* list = "parameters") {
  Parameters parameters;
  for (const auto& [name, parameter] : value.at(list).members()) parameters[name] = parameter.text();
  return parameters;
}
/// Hashes have 64 bits, numbers in JSON 53.
std::uint64_t hash_in(const std::string& text) {
  std::uint64_t hash = 0;
  constexpr std::size_t prefix = 2;  // "0x"
  const char *first = text.data() + std::min(prefix, text.size()), *last = text.data() + text.size();
  const auto [end, failed] = std::from_chars(first, last, hash, 16);
  if (failed != std::errc() || end != last) throw JsonError("a hash that is no number");
  return hash;
}

void write_parameters(JsonWriter& json, const Parameters& parameters, const char* list = "parameters") {
  json.key(list);
  json.begin_object();
  for (const auto& [name, value] : parameters) json.member(name, value);
  json.end_object();
}

template <class Items, class Write>
void write_list(JsonWriter& json, const char* name, const Items& items, Write write) {
  json.key(name);
  json.begin_array();
  for (const auto& item : items) write(item);
  json.end_array();
}

void write_report(JsonWriter& json, const BuildReport& report) {
  json.key("report");
  json.begin_object();
  write_list(json, "build_hashes", report.build_hashes, [&](std::uint64_t hash) { json.value(hash_text(hash)); });
  write_list(json, "build_ms", report.build_ms, [&](double ms) { json.value(ms); });
  write_parameters(json, report.parameters);
  json.member("backend", static_cast<int>(report.device.backend));
  json.member("ordinal", report.device.ordinal);
  json.member("device", report.device.name);
  json.member("memory_bytes", report.device.memory_bytes);
  json.member("detail", report.device.detail);
  json.member("processors", report.device.processors);
  json.member("upload_ms", report.upload_ms);
  json.member("download_ms", report.download_ms);
  json.member("peak_bytes", report.peak_bytes);
  json.member("sort_temporary_bytes", report.sort_temporary_bytes);
  write_list(json, "step_times", report.step_times, [&](const StepTime& step) {
    json.begin_object();
    json.member("name", step.name);
    json.member("level", step.level);
    json.member("phase", step.phase);
    json.member("ms", step.ms);
    json.member("launches", step.launches);
    json.member("bytes_read", step.bytes_read);
    json.member("bytes_written", step.bytes_written);
    json.end_object();
  });
  json.member("launches", report.launches);
  json.member("stepped_ms", report.stepped_ms);
  json.member("stepped_launches", report.stepped_launches);
  json.end_object();
}

BuildReport report_in(const JsonValue& value) {
  BuildReport report;
  for (const JsonValue& hash : value.at("build_hashes").items()) report.build_hashes.push_back(hash_in(hash.text()));
  for (const JsonValue& ms : value.at("build_ms").items()) report.build_ms.push_back(ms.number());
  if (report.build_hashes.empty() || report.build_ms.size() != report.build_hashes.size())
    throw JsonError("a report without builds");
  report.tree_hash = report.build_hashes.back();
  report.parameters = parameters_at(value);
  report.device = {static_cast<Backend>(integer_at(value, "backend", int(Backend::cuda))),
                   static_cast<int>(integer_at(value, "ordinal", 1 << 20)),
                   text_at(value, "device"),
                   static_cast<std::uint64_t>(integer_at(value, "memory_bytes")),
                   text_at(value, "detail"),
                   static_cast<int>(integer_at(value, "processors", 1 << 20))};
  report.upload_ms = number_at(value, "upload_ms");
  report.download_ms = number_at(value, "download_ms");
  report.peak_bytes = static_cast<std::uint64_t>(integer_at(value, "peak_bytes"));
  report.sort_temporary_bytes = static_cast<std::uint64_t>(integer_at(value, "sort_temporary_bytes"));
  for (const JsonValue& step : value.at("step_times").items())
    report.step_times.push_back({text_at(step, "name"), static_cast<int>(integer_at(step, "level", 1 << 20, -1)),
                                 text_at(step, "phase"), number_at(step, "ms"), count_at(step, "launches"),
                                 count_at(step, "bytes_read"), count_at(step, "bytes_written")});
  report.launches = count_at(value, "launches");
  report.stepped_ms = number_at(value, "stepped_ms");
  report.stepped_launches = count_at(value, "stepped_launches");
  return report;
}

}  // namespace

std::string runner_id() { return KDSCOPE_STREAM_ID; }

namespace {

/// Calls visit(name, member) for every member of a request. A new member does not compile until it is listed.
template <class Request, class Visit>
void visit_members(Request& request, Visit visit) {
  auto& [data, data_name, parameters, points_file, most_steps, stages, backend, tool, timed, algorithm, stays, thin,
         trace_budget_bytes, repeat, time_steps, search, processors, order, fill] = request;
  visit("data", data);
  visit("data_name", data_name);
  visit("parameters", parameters);
  visit("points_file", points_file);
  visit("most_steps", most_steps);
  visit("stages", stages);
  visit("backend", backend);
  visit("tool", tool);
  visit("timed", timed);
  visit("algorithm", algorithm);
  visit("stays", stays);
  visit("thin", thin);
  visit("trace_budget_bytes", trace_budget_bytes);
  visit("repeat", repeat);
  visit("time_steps", time_steps);
  visit("search", search);
  visit("processors", processors);
  visit("order", order);
  visit("fill", fill);
}

struct WriteMember {
  JsonWriter& json;
  void operator()(const char* name, const std::string& text) const { json.member(name, text); }
  void operator()(const char* name, bool flag) const { json.member(name, flag); }
  void operator()(const char* name, int number) const { json.member(name, number); }
  void operator()(const char* name, std::uint64_t number) const {
    json.member(name, std::min<std::uint64_t>(number, largest));
  }
  void operator()(const char* name, Backend backend) const { json.member(name, static_cast<int>(backend)); }
  void operator()(const char* name, const LaneOrder& order) const { json.member(name, name_of(order)); }
  void operator()(const char* name, const std::optional<SharedFill>& fill) const {
    if (!fill) return;
    json.key(name);
    json.begin_object();
    json.member("byte", static_cast<int>(fill->byte));
    json.member("array", fill->array);
    json.end_object();
  }
  void operator()(const char* name, const Parameters& parameters) const { write_parameters(json, parameters, name); }
  void operator()(const char* name, const std::vector<RecordedSource>& stages) const {
    write_list(json, name, stages, [&](const RecordedSource& stage) {
      json.begin_object();
      json.member("region", stage.region);
      json.member("file", stage.file);
      json.member("first_line", stage.first_line);
      json.member("text", stage.text);
      json.end_object();
    });
  }
};

struct ReadMember {
  const JsonValue& value;
  void operator()(const char* name, std::string& text) const { text = text_at(value, name); }
  void operator()(const char* name, bool& flag) const { flag = flag_at(value, name); }
  void operator()(const char* name, int& number) const {
    using Limits = std::numeric_limits<int>;
    number = static_cast<int>(integer_at(value, name, Limits::max(), Limits::min()));
  }
  void operator()(const char* name, std::uint64_t& number) const { number = count_at(value, name); }
  void operator()(const char* name, Backend& backend) const {
    backend = static_cast<Backend>(integer_at(value, name, int(Backend::cuda)));
  }
  void operator()(const char* name, LaneOrder& order) const {
    const auto named = lane_order_named(value.at(name).text());
    if (!named) throw JsonError("an unknown order of lanes");
    order = *named;
  }
  void operator()(const char* name, std::optional<SharedFill>& fill) const {
    if (const JsonValue* member = value.find(name))
      fill = SharedFill{static_cast<std::uint8_t>(integer_at(*member, "byte", 0xff)), text_at(*member, "array")};
  }
  void operator()(const char* name, Parameters& parameters) const { parameters = parameters_at(value, name); }
  void operator()(const char* name, std::vector<RecordedSource>& stages) const {
    for (const JsonValue& stage : value.at(name).items())
      stages.push_back({text_at(stage, "region"), text_at(stage, "file"),
                        static_cast<std::uint32_t>(integer_at(stage, "first_line", 0xffffffff)),
                        text_at(stage, "text")});
  }
};

}  // namespace

std::string line_of(const RecordRequest& request) {
  return json_line([&](JsonWriter& json) { visit_members(request, WriteMember{json}); });
}

Result<RecordRequest> request_from(const std::string& line) {
  return parsed(line, "request", [](const JsonValue& value) {
    RecordRequest request;
    visit_members(request, ReadMember{value});
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
      json.member("shared", event.place->shared);
    }
    json.member("writes", event.writes);
    json.member("line", event.line);
    json.member("header", event.header);
    json.member("lane", event.lane);
    json.member("address", event.address);
    json.member("element_bytes", event.element_bytes);
    json.member("fraction", event.fraction);
    if (event.report) write_report(json, *event.report);
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
      event.place = PlaceInArray{array->text(), value.at("index").integer(-largest, largest),
                                 static_cast<std::uint64_t>(value.at("size").integer(0, largest)),
                                 flag_at(value, "released"), flag_at(value, "shared")};
    event.writes = flag_at(value, "writes");
    event.line = static_cast<std::uint32_t>(integer_at(value, "line", 0xffffffff));
    event.header = text_at(value, "header");
    event.lane = text_at(value, "lane");
    event.address = static_cast<std::uint64_t>(integer_at(value, "address"));
    event.element_bytes = static_cast<std::uint64_t>(integer_at(value, "element_bytes"));
    event.fraction = number_at(value, "fraction");
    if (const JsonValue* report = value.find("report")) event.report = report_in(*report);
    if (event.kind == Event::Kind::built && !event.report) throw JsonError("builds without a report");
    return event;
  });
}

}  // namespace kdscope::variants
