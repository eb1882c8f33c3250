#include "algorithms/variants/inside/launch_recording.hpp"

#include <cstdio>
#include <cstring>
#include <sstream>
#include <utility>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/json_fields.hpp"

namespace kdscope::access_log {
namespace {

/// All but the accesses.
struct Head {
  std::vector<Launch> launches;
  std::vector<WatchedArray> arrays;
  std::vector<Site> sites;
  std::vector<Interval> intervals;
  std::uint64_t accesses = 0;
  RecordingEnd end = {};
};
template <class Io>
void fields(Io& io, Head& h) {
  io(Field{"launches", h.launches}, Field{"arrays", h.arrays}, Field{"sites", h.sites}, Field{"intervals", h.intervals},
     Field{"accesses", h.accesses}, Field{"end", h.end});
}

template <class T>
std::string number_text(const char* format, T value) {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

bool is_whole(const LaunchRecording& r) {
  constexpr std::int64_t farthest = std::int64_t(1) << 44;
  constexpr std::uint32_t most_bytes = 1 << 26;  // of one access
  for (const WatchedArray& array : r.arrays)
    if (array.element_bytes == 0 || array.elements > static_cast<std::uint64_t>(farthest) / array.element_bytes)
      return false;
  // A caller stands before those that it calls
  for (std::size_t site = 0; site < r.sites.size(); ++site)
    if (r.sites[site].caller > site) return false;
  if (r.end.known && r.end.launch >= r.launches.size()) return false;
  for (const Interval& interval : r.intervals)
    if (interval.launch >= r.launches.size() || interval.site >= r.sites.size()) return false;
  for (const Access& access : r.accesses)
    if (access.launch >= r.launches.size() || access.array >= r.arrays.size() || access.site >= r.sites.size() ||
        access.bytes == 0 || access.bytes > most_bytes || access.offset > farthest || access.offset < -farthest ||
        access.kind > static_cast<std::uint32_t>(AccessKind::atomic))
      return false;
  return true;
}

std::int64_t LaunchRecording::index_of(const Access& access) const {
  const std::int64_t width = array_of(access).element_bytes;
  return access.offset >= 0 ? access.offset / width : -((-access.offset + width - 1) / width);
}

bool LaunchRecording::out_of_bounds(const Access& access) const {
  const WatchedArray& array = array_of(access);
  return access.offset < 0 ||
         static_cast<std::uint64_t>(access.offset) + access.bytes > array.elements * array.element_bytes;
}

std::string LaunchRecording::element_of(const Access& access) const {
  return array_of(access).name + "[" + std::to_string(index_of(access)) + "]";
}

std::string value_text(std::uint64_t value, std::uint32_t bytes, ValueType type) {
  if (bytes > sizeof value) return "...";
  if (type == ValueType::real) {
    float single = 0;
    double number = 0;
    std::memcpy(&single, &value, sizeof single);
    std::memcpy(&number, &value, sizeof number);
    return number_text("%.6g", bytes == sizeof single ? static_cast<double>(single) : number);
  }
  if (type == ValueType::signed_whole && bytes > 0) {
    const int unused_bits = 64 - 8 * static_cast<int>(bytes);
    return std::to_string(static_cast<std::int64_t>(value << unused_bits) >> unused_bits);
  }
  return std::to_string(value);
}

std::string LaunchRecording::value_of(const Access& access) const {
  const WatchedArray& array = array_of(access);
  if (access.unknown) return "?";
  return value_text(access.value, access.bytes, access.bytes == array.element_bytes ? array.type : ValueType::whole);
}

std::string LaunchRecording::deed_of(const Access& access) const {
  const char* verb = access.is(AccessKind::read) ? " reads " : access.is(AccessKind::write) ? " writes " : " changes ";
  const WatchedArray& array = array_of(access);
  if (array.name.empty())
    return line_of(access.site) + verb + array.no_array.value_or("memory that belongs to no array");
  const bool with_value =
      !access.unwritten && !access.unknown && access.bytes <= sizeof access.value && !out_of_bounds(access);
  return line_of(access.site) + verb + element_of(access) +
         (with_value ? (access.is(AccessKind::read) ? " = " : " <- ") + value_of(access) : "");
}

std::string LaunchRecording::line_of(std::uint32_t site) const {
  const Site& at = sites[site];
  return at.line == 0 ? "?" : at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
}

std::string LaunchRecording::place_of(const Access& access) const {
  const Launch& launch = launches[access.launch];
  const std::string lane = access.lane == every_lane ? "every lane" : "lane " + std::to_string(access.lane);
  if (launch.kind == LaunchKind::threads || launch.kind == LaunchKind::library)
    return "index " + std::to_string(access.lane);
  return (launch.kind == LaunchKind::blocks ? "block " : "warp ") + std::to_string(access.group) + ", interval " +
         std::to_string(access.interval) + ", " + lane;
}

std::string LaunchRecording::text_of_launch(std::uint32_t number) const {
  const Launch& launch = launches[number];
  const std::string name = "launch " + std::to_string(number) + ": '" + launch.name + "', ";
  switch (launch.kind) {
    case LaunchKind::blocks:
      return name + count_text(launch.groups, "block", "blocks") + " of " + count_text(launch.lanes, "lane", "lanes");
    case LaunchKind::warps:
      return name + count_text(launch.groups, "warp", "warps");
    case LaunchKind::library:
      return name + count_text(launch.lanes, "element", "elements") + ", by a library";
    case LaunchKind::threads:
      break;
  }
  return name + count_text(launch.lanes, "index", "indices");
}

std::string head_of(const LaunchRecording& r) {
  Head head{r.launches, r.arrays, r.sites, r.intervals, r.accesses.size(), r.end};
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  JsonFieldWriter members(json);
  fields(members, head);
  json.end_object();
  return out.str();
}

Result<LaunchRecording> recording_of(const std::string& text, std::vector<Access> accesses, const std::string& where) {
  const auto damaged = [&](const std::string& why) {
    return Error{ErrorKind::bad_input, "is no recording of a launch" + why, where, "record it again"};
  };
  try {
    Head head;
    const JsonValue value = JsonValue::parse(text);
    JsonFieldReader members(value);
    fields(members, head);
    if (accesses.size() != head.accesses) return damaged(", or not all of it");
    LaunchRecording r{head.launches, head.arrays, head.sites, head.intervals, std::move(accesses), head.end};
    if (!is_whole(r)) return damaged("");
    return r;
  } catch (const JsonError& e) {
    return damaged(std::string(": ") + e.what());
  }
}

}  // namespace kdscope::access_log
