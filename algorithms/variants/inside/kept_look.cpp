#include "algorithms/variants/inside/kept_look.hpp"

#include <optional>
#include <span>
#include <sstream>
#include <string>

#include "algorithms/core/caught.hpp"
#include "algorithms/text/json_fields.hpp"
#include "algorithms/trace/beside_state.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "algorithms/variants/inside/writers.hpp"

namespace kdscope::access_log {
namespace kept {

/// A fault as JSON. Accesses are places in the recording, -1: none of it.
struct OneFault {
  std::string kind, sentence;
  std::uint64_t times = 1;
  std::int64_t first = -1, second = -1;
};
template <class Io>
void fields(Io& io, OneFault& f) {
  io(Field{"kind", f.kind}, Field{"sentence", f.sentence}, Field{"times", f.times}, Field{"first", f.first},
     Field{"second", f.second});
}
struct FaultList {
  std::vector<OneFault> faults;
};

template <class Io>
void fields(Io& io, FaultList& all) {
  io(Field{"faults", all.faults});
}

}  // namespace kept

namespace {

constexpr Space access_space{"inside_access"}, character{"inside_character"};
const std::string prefix = launch_arrays;

/// The columns of accesses: one array each.
constexpr std::pair<const char*, std::uint32_t Access::*> whole_columns[] = {
    {"launch", &Access::launch}, {"group", &Access::group}, {"interval", &Access::interval}, {"lane", &Access::lane},
    {"order", &Access::order},   {"array", &Access::array}, {"site", &Access::site},         {"bytes", &Access::bytes}};
constexpr std::uint32_t unwritten_bit = 4, unknown_bit = 8;  // of "kind"

/// One array with a version per step that has a look, and an empty one behind it.
class KeptArray {
 public:
  KeptArray(const std::string& name, Space space, ElementType type, std::size_t steps) : steps_(steps) {
    array_.info.name = array_.info.label = prefix + name;
    array_.info.type = type;
    array_.info.index_space = space;
    array_.info.shown_as_row = false;
  }
  void add(std::uint32_t step, TypedArray values) {
    if (!array_.versions.empty() && array_.versions.back().step == step) array_.versions.pop_back();
    const std::uint64_t size = values.size();
    array_.versions.push_back({step, true, size, {}, std::move(values)});
    if (step + 1 < steps_) array_.versions.push_back({step + 1, true, 0, {}, TypedArray(array_.info.type)});
  }
  Trace::Array take() { return std::move(array_); }

 private:
  std::size_t steps_;
  Trace::Array array_;
};

template <class T, class Get>
TypedArray column_of(const LaunchRecording& recording, Get get) {
  std::vector<T> values;
  values.reserve(recording.accesses.size());
  for (const Access& access : recording.accesses) values.push_back(static_cast<T>(get(access)));
  return TypedArray::of(values);
}

TypedArray text_array(const std::string& text) {
  return TypedArray::of(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

/// Returns the contents of an array at a step. Throws ErrorException if it is missing or of another type.
TypedArray contents(const Trace& trace, const std::string& name, ElementType type, std::uint32_t step) {
  const Trace::Array* array = trace.find(prefix + name);
  if (!array || array->info.type != type || array->info.components != 1 || array->info.gather)
    throw ErrorException(
        {ErrorKind::bad_input, "is missing or of another type", "array " + prefix + name, "record the launch again"});
  return contents_at(*array, step);
}

std::string text_in(const Trace& trace, const std::string& name, std::uint32_t step) {
  const TypedArray bytes = contents(trace, name, ElementType::uint8, step);
  const auto text = bytes.as<std::uint8_t>();
  return {text.begin(), text.end()};
}

std::string faults_text(const Look& look) {
  const auto place = [&](const std::optional<Access>& access) {
    const auto found = access ? place_of(look.recording, *access) : std::nullopt;
    return found ? static_cast<std::int64_t>(*found) : -1;
  };
  kept::FaultList all;
  for (const Fault& fault : look.faults)
    all.faults.push_back({name_of(fault.kind), fault.sentence, fault.times, place(fault.first), place(fault.second)});
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  JsonFieldWriter members(json);
  fields(members, all);
  json.end_object();
  return out.str();
}

std::optional<FaultKind> fault_kind_named(const std::string& name) {
  for (std::uint8_t number = 0; *name_of(static_cast<FaultKind>(number)) != '\0'; ++number)
    if (name == name_of(static_cast<FaultKind>(number))) return static_cast<FaultKind>(number);
  return std::nullopt;
}

std::vector<Fault> faults_in(const std::string& text, const LaunchRecording& recording) {
  const auto refuse = [](const std::string& why) {
    throw ErrorException({ErrorKind::bad_input, why, "the findings of a launch", "record the launch again"});
  };
  kept::FaultList all;
  try {
    const JsonValue value = JsonValue::parse(text);
    JsonFieldReader members(value);
    fields(members, all);
  } catch (const JsonError& e) {
    refuse(std::string("are damaged: ") + e.what());
  }
  const auto access = [&](std::int64_t place) -> std::optional<Access> {
    if (place < 0) return std::nullopt;
    if (static_cast<std::uint64_t>(place) >= recording.accesses.size()) refuse("name an access that is not there");
    return recording.accesses[static_cast<std::size_t>(place)];
  };
  std::vector<Fault> faults;
  for (const kept::OneFault& each : all.faults) {
    const auto kind = fault_kind_named(each.kind);
    if (!kind) refuse("are of an unknown kind");
    Fault fault;
    fault.kind = *kind, fault.sentence = each.sentence, fault.times = each.times;
    fault.first = access(each.first), fault.second = access(each.second);
    faults.push_back(std::move(fault));
  }
  return faults;
}

/// Passes each value of a column to its access; the first column makes the accesses.
template <class T, class Set>
void take_column(const TypedArray& column, std::vector<Access>& accesses, Set set) {
  const auto values = column.as<T>();
  if (accesses.empty()) accesses.resize(values.size());
  if (values.size() != accesses.size())
    throw ErrorException({ErrorKind::bad_input, "has columns of different lengths", "the recording of a launch",
                          "record the launch again"});
  for (std::size_t i = 0; i < values.size(); ++i) set(accesses[i], values[i]);
}

/// Throws ErrorException if what is computed of a recording would take more memory than it can need: files are not
/// trusted.
void expect_moderate(const LaunchRecording& recording) {
  std::uint64_t bytes = 0, shared = 0;
  for (const Access& access : recording.accesses) bytes += access.bytes;
  for (const WatchedArray& array : recording.arrays)
    if (array.shared) shared += array.elements * array.element_bytes;
  constexpr std::uint64_t some = 4 << 20, bytes_per_access = 64, most_shared = 64 << 20;
  if (bytes > some + bytes_per_access * recording.accesses.size() || shared > most_shared)
    throw ErrorException({ErrorKind::bad_input, "names more bytes than its accesses can move",
                          "the recording of a launch", "record the launch again"});
}

}  // namespace

void keep_looks(Trace& trace, const LooksByStep& looks) {
  std::erase_if(trace.arrays, [](const Trace::Array& array) { return array.info.name.starts_with(prefix); });
  const std::size_t steps = trace.steps.size();
  std::vector<KeptArray> columns;
  for (const auto& [name, member] : whole_columns)
    columns.emplace_back("access." + std::string(name), access_space, ElementType::uint32, steps);
  KeptArray offset("access.offset", access_space, ElementType::uint64, steps),
      value("access.value", access_space, ElementType::uint64, steps),
      kind("access.kind", access_space, ElementType::uint8, steps), head("head", character, ElementType::uint8, steps),
      end("end", character, ElementType::uint8, steps), faults("faults", character, ElementType::uint8, steps);
  bool any = false;
  for (const auto& [step, look] : looks) {
    if (step >= steps) continue;
    any = true;
    const LaunchRecording& r = look->recording;
    for (std::size_t c = 0; c < columns.size(); ++c)
      columns[c].add(
          step, column_of<std::uint32_t>(r, [member = whole_columns[c].second](const Access& a) { return a.*member; }));
    offset.add(step, column_of<std::uint64_t>(r, [](const Access& a) { return a.offset; }));
    value.add(step, column_of<std::uint64_t>(r, [](const Access& a) { return a.value; }));
    kind.add(step, column_of<std::uint8_t>(r, [](const Access& a) {
               return a.kind | (a.unwritten ? unwritten_bit : 0) | (a.unknown ? unknown_bit : 0);
             }));
    head.add(step, text_array(head_of(r)));
    end.add(step, text_array(look->crash));
    faults.add(step, text_array(faults_text(*look)));
  }
  if (any) {
    for (KeptArray& column : columns) trace.arrays.push_back(column.take());
    for (KeptArray* array : {&offset, &value, &kind, &head, &end, &faults}) trace.arrays.push_back(array->take());
  }
  trace.index_arrays();
}

std::vector<std::uint32_t> steps_with_looks(const Trace& trace) {
  std::vector<std::uint32_t> steps;
  if (const Trace::Array* head = trace.find(prefix + "head"))
    for (const ArrayVersion& version : head->versions)
      if (version.size > 0) steps.push_back(version.step);
  return steps;
}

Result<Look> kept_look(const Trace& trace, std::uint32_t step) try {
  std::vector<Access> accesses;
  for (const auto& [name, member] : whole_columns)
    take_column<std::uint32_t>(contents(trace, "access." + std::string(name), ElementType::uint32, step), accesses,
                               [member = member](Access& a, std::uint32_t v) { a.*member = v; });
  take_column<std::uint64_t>(contents(trace, "access.offset", ElementType::uint64, step), accesses,
                             [](Access& a, std::uint64_t v) { a.offset = static_cast<std::int64_t>(v); });
  take_column<std::uint64_t>(contents(trace, "access.value", ElementType::uint64, step), accesses,
                             [](Access& a, std::uint64_t v) { a.value = v; });
  take_column<std::uint8_t>(contents(trace, "access.kind", ElementType::uint8, step), accesses,
                            [](Access& a, std::uint8_t v) {
                              a.kind = v & 3u;
                              a.unwritten = (v & unwritten_bit) != 0;
                              a.unknown = (v & unknown_bit) != 0;
                            });
  auto recording =
      value_of(recording_of(text_in(trace, "head", step), std::move(accesses), "step " + std::to_string(step)));
  expect_moderate(recording);
  Look look{std::move(recording), {}, text_in(trace, "end", step)};
  look.faults = faults_in(text_in(trace, "faults", step), look.recording);
  return look;
} catch (const ErrorException& e) {
  return e.error();
}

std::shared_ptr<const Trace> with_looks(std::shared_ptr<const Trace> trace, LooksByStep looks) {
  if (looks.empty()) return trace;
  for (const std::uint32_t step : steps_with_looks(*trace)) {
    if (looks.contains(step)) continue;
    if (auto kept = kept_look(*trace, step)) looks[step] = std::make_shared<const Look>(std::move(*kept));
  }
  auto with = std::make_shared<Trace>(*trace);
  keep_looks(*with, looks);
  return with;
}

}  // namespace kdscope::access_log
