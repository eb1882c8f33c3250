#include "algorithms/variants/inside/access_recorder.hpp"

#include <link.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

#include "algorithms/variants/lane_order.hpp"
#include "algorithms/variants/named_memory.hpp"

namespace kdscope::access_log {
namespace {

/// An array that exists now.
struct Known {
  WatchedArray array;
  std::size_t bytes;
  bool registers = false;
  std::vector<bool> written = {};  ///< by bytes
  std::int64_t id = -1;            ///< in the recording, once it is accessed
};

struct Recorder {
  std::map<std::uintptr_t, Known> arrays;  ///< by the address of the first element
  std::pair<const std::uintptr_t, Known>* last = nullptr;
  std::uintptr_t stack_begin = 0, stack_end = 0, program = 0;

  Wanted wanted;
  std::string step;
  bool started = false, in_launch = false, hidden = false;
  bool suspicious = false;  ///< what was recorded since the file was written may end the program
  std::uint32_t early_files = 0;
  LaunchRecording recording;
  std::map<std::string, std::uint32_t> strays;  ///< arrays found by their zones alone, by name and size
  std::unordered_map<std::uint64_t, std::uint32_t> sites;
  std::vector<std::uint32_t> callers;  ///< sites of the functions that run, plus 1
  std::uint32_t group = 0, interval = 0, order = 0, arrays_so_far = 0;
  std::int64_t last_lane = -2;
  const void* pending = nullptr;  ///< memory whose value belongs to an access noted before it happened
  std::size_t pending_access = 0;
  /// The last access if it is to no array and no zone, which may end the program.
  struct Wild {
    std::size_t bytes = 0;  ///< 0: there is none
    AccessKind kind = AccessKind::read;
    const void* code = nullptr;
  } wild;
};
Recorder& recorder() {
  static Recorder only;
  return only;
}

/// The recorder is at work. Its own calls of inline functions may run the copies in the program, which report accesses.
class AtWork {
 public:
  AtWork() : before_(std::exchange(now_, true)) {}
  ~AtWork() { now_ = before_; }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
  /// Returns whether it was at work already, so that this report is of its own work.
  bool already() const { return before_; }

 private:
  static inline bool now_ = false;
  bool before_;
};

/// Returns the site of a return address in the function that runs.
std::uint32_t site_at(const void* code) {
  Recorder& r = recorder();
  if (r.program == 0)
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
          *static_cast<std::uintptr_t*>(to) = info->dlpi_addr + 1;  // the program comes first; 0 is not known yet
          return 1;
        },
        &r.program);
  const std::uint32_t caller = r.callers.empty() ? 0 : r.callers.back();
  const std::uint64_t offset = reinterpret_cast<std::uintptr_t>(code) - (r.program - 1);
  // Code of a program has far less than 2^36 bytes
  const auto [found, is_new] = r.sites.try_emplace(offset << 28 ^ caller, r.recording.sites.size());
  if (is_new) r.recording.sites.push_back({offset, caller});
  return found->second;
}

/// The same for a call of the recorder; 0 while nothing is recorded.
std::uint32_t site_of_call(const void* code) {
  const AtWork at_work;
  return recorder().in_launch ? site_at(code) : 0;
}

std::pair<const std::uintptr_t, Known>* array_with(std::uintptr_t at) {
  Recorder& r = recorder();
  if (r.last && at - r.last->first < r.last->second.bytes) return r.last;
  const auto after = r.arrays.upper_bound(at);
  if (after == r.arrays.begin()) return nullptr;
  auto& found = *std::prev(after);
  return at - found.first < found.second.bytes ? r.last = &found : nullptr;
}

bool on_stack(std::uintptr_t at) {
  Recorder& r = recorder();
  if (r.stack_end == 0) {
    pthread_attr_t attributes;
    void* begin = nullptr;
    std::size_t bytes = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return false;
    ::pthread_attr_getstack(&attributes, &begin, &bytes);
    ::pthread_attr_destroy(&attributes);
    r.stack_begin = reinterpret_cast<std::uintptr_t>(begin), r.stack_end = r.stack_begin + bytes;
  }
  return at >= r.stack_begin && at < r.stack_end;
}

std::uint64_t value_at(const void* at, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, std::min(bytes, sizeof value));
  return value;
}

/// Completes the last write, which was noted before it happened. A read after it does not show that it has happened:
/// the copy of a structure reports its write, then its read, and copies only then.
void complete_access() {
  Recorder& r = recorder();
  if (!r.pending) return;
  Access& access = r.recording.accesses[r.pending_access];
  access.value = value_at(std::exchange(r.pending, nullptr), access.bytes);
}

/// at: null if the memory cannot be read.
void record(std::uint32_t array, std::int64_t offset, const volatile void* at, std::size_t bytes, AccessKind kind,
            bool unwritten, const void* code) {
  Recorder& r = recorder();
  const RunningLane& running = running_lane();
  const std::uint32_t lane = running.lane < 0 ? every_lane : static_cast<std::uint32_t>(running.lane);
  if (!r.wanted.groups.has(r.group) || (lane != every_lane && !r.wanted.lanes.has(lane))) return;
  Launch& launch = r.recording.launches.back();
  if (r.recording.accesses.size() >= r.wanted.most_accesses) {
    ++launch.left_out;
    return;
  }
  if (running.lane != std::exchange(r.last_lane, running.lane)) r.order = 0;
  r.recording.accesses.push_back({static_cast<std::uint32_t>(r.recording.launches.size() - 1), r.group, r.interval,
                                  lane, r.order++, array, site_at(code), static_cast<std::uint32_t>(bytes), offset, 0,
                                  static_cast<std::uint32_t>(kind), unwritten, 0});
  r.suspicious = r.suspicious || unwritten || r.recording.out_of_bounds(r.recording.accesses.back());
  const void* memory = const_cast<const void*>(at);
  if (!memory) return;
  if (kind == AccessKind::read)
    r.recording.accesses.back().value = value_at(memory, bytes);
  else
    r.pending = memory, r.pending_access = r.recording.accesses.size() - 1;
}

/// Records an access that is in no array: out of bounds if a guarded zone is there.
void record_stray(const volatile void* at, std::size_t bytes, AccessKind kind, const void* code) {
  Recorder& r = recorder();
  const auto place = array_at(const_cast<const void*>(at));
  if (!place) {
    r.wild = {bytes, kind, code};
    return;
  }
  const auto [found, is_new] =
      r.strays.try_emplace(place->array + " " + std::to_string(place->size), r.recording.arrays.size());
  if (is_new) {
    WatchedArray array{place->array, 1, place->size};
    for (const auto& [data, known] : r.arrays)
      if (known.array.name == place->array && known.array.elements == place->size) array = known.array;
    if (place->released) array.released = true, array.number = 0;
    r.recording.arrays.push_back(array);
  }
  record(found->second, place->index * r.recording.arrays[found->second].element_bytes, at, bytes, kind, false, code);
}

}  // namespace

void watch_array(const void* data, WatchedArray array) {
  const AtWork at_work;
  const std::size_t bytes = array.elements * array.element_bytes;
  recorder().last = nullptr;
  Known& known = recorder().arrays[reinterpret_cast<std::uintptr_t>(data)];
  // The groups of a launch take the same arrays one after another
  const bool same = known.array.name == array.name && known.bytes == bytes && array.shared;
  known = {std::move(array), bytes, false, std::vector<bool>(bytes), same ? known.id : -1};
  if (!known.array.shared) known.array.number = ++recorder().arrays_so_far;
}

std::uint32_t watch_shared(const void* data, std::uint32_t element_bytes, std::uint32_t alignment, std::size_t elements,
                           ValueType type, std::uint32_t bank_offset) {
  const AtWork at_work;
  constexpr std::uint32_t boundary = 16;
  const std::uint32_t begin = (bank_offset + boundary - 1) / boundary * boundary;
  const auto place = array_at(data);
  watch_array(data, {place ? place->array : "shared", element_bytes, elements, type, true, begin, false, 0, alignment});
  return begin + static_cast<std::uint32_t>(element_bytes * elements);
}

void watch_registers(const void* data, std::size_t bytes) {
  const AtWork at_work;
  recorder().last = nullptr;
  recorder().arrays[reinterpret_cast<std::uintptr_t>(data)] = {{}, bytes, true, {}, -1};
}

void forget_array(const void* data) {
  const AtWork at_work;
  recorder().last = nullptr;
  recorder().arrays.erase(reinterpret_cast<std::uintptr_t>(data));
}

namespace {

/// Keeps what was recorded before an access to no memory, which is often the effect of a fault that was.
void finish_at_crash(int signal) {
  ::signal(signal, SIG_DFL);
  Recorder& r = recorder();
  if (r.in_launch && r.wild.bytes > 0) {
    const AtWork at_work;
    r.recording.arrays.push_back({});
    record(static_cast<std::uint32_t>(r.recording.arrays.size() - 1), 0, nullptr, r.wild.bytes, r.wild.kind, false,
           r.wild.code);
  }
  finish_recording();
  ::raise(signal);
}

}  // namespace

void record_step(const Wanted& wanted, const std::string& step) {
  const AtWork at_work;
  if (!recorder().started)
    for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(crash, finish_at_crash);
  recorder().wanted = wanted;
  recorder().step = step;
  recorder().started = true;
}

bool finish_recording() {
  const AtWork at_work;
  complete_access();
  Recorder& r = recorder();
  const std::int64_t lane = running_lane().lane;
  if (r.in_launch)
    r.recording.end = {true, static_cast<std::uint32_t>(r.recording.launches.size() - 1), r.group, r.interval, lane};
  return !std::exchange(r.started, false) || write_recording(r.recording, r.wanted.file);
}

LaunchScope::LaunchScope(const char* name, LaunchKind kind, std::uint32_t groups, std::uint32_t lanes) {
  const AtWork at_work;
  Recorder& r = recorder();
  r.in_launch = kind != LaunchKind::library && r.started;
  r.group = r.interval = 0;
  r.last_lane = -2;
  r.callers.clear();
  if (r.started) r.recording.launches.push_back({r.step, name, kind, groups, lanes});
}
LaunchScope::~LaunchScope() {
  const AtWork at_work;
  Recorder& r = recorder();
  complete_access();
  r.in_launch = false;
  // Memory may be damaged so much that no file can be written later
  constexpr std::uint32_t most_early_files = 10;
  if (r.started && std::exchange(r.suspicious, false) && r.early_files++ < most_early_files)
    write_recording(r.recording, r.wanted.file);
  // The shared memory of the launch is used anew
  recorder().last = nullptr;
  std::erase_if(recorder().arrays, [](const auto& each) { return each.second.array.shared || each.second.registers; });
}

void begin_group(std::uint32_t index) {
  const AtWork at_work;
  complete_access();
  recorder().group = index, recorder().interval = 0, recorder().last_lane = -2;
}

HiddenScope::HiddenScope(bool hides) : before_(recorder().hidden) { recorder().hidden = before_ || hides; }
HiddenScope::~HiddenScope() { recorder().hidden = before_; }

IntervalScope::IntervalScope(const char* call, bool hides)
    : call_(call), site_(site_of_call(__builtin_return_address(0))), hidden_(hides) {}
IntervalScope::~IntervalScope() {
  const AtWork at_work;
  Recorder& r = recorder();
  complete_access();
  r.last_lane = -2;
  if (r.in_launch && r.wanted.groups.has(r.group)) {
    values.resize(std::min(values.size(), most_values));
    r.recording.intervals.push_back({call_, static_cast<std::uint32_t>(r.recording.launches.size() - 1), r.group,
                                     r.interval, site_, std::move(values), std::move(sources), type, bytes});
  }
  ++r.interval;
}

AtomicScope::AtomicScope(const void* at, std::size_t bytes) : hidden_(false) {
  note_access(at, bytes, AccessKind::atomic, __builtin_return_address(0));
  recorder().hidden = true;
}
AtomicScope::~AtomicScope() {
  const AtWork at_work;
  complete_access();
}

void note_access(const volatile void* at, std::size_t bytes, AccessKind kind, const void* code) {
  const AtWork at_work;
  if (at_work.already()) return;
  Recorder& r = recorder();
  const bool recorded = r.in_launch && !r.hidden && (running_lane().group || running_lane().lane >= 0);
  if (!recorded && kind == AccessKind::read) return;
  if (recorded && kind != AccessKind::read) complete_access();
  r.wild = {};
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  auto* found = array_with(address);
  if (!found) {
    if (recorded && !on_stack(address)) record_stray(at, bytes, kind, code);
    return;
  }
  auto& [begin, known] = *found;
  if (known.registers) return;
  const std::size_t offset = address - begin, end = std::min(offset + bytes, known.bytes);
  const auto first = known.written.begin() + static_cast<std::ptrdiff_t>(offset),
             last = known.written.begin() + static_cast<std::ptrdiff_t>(end);
  const bool unwritten = kind != AccessKind::write && std::find(first, last, true) == last;
  if (kind != AccessKind::read) std::fill(first, last, true);
  if (!recorded) return;
  if (known.id < 0) {
    known.id = static_cast<std::int64_t>(r.recording.arrays.size());
    r.recording.arrays.push_back(known.array);
  }
  record(static_cast<std::uint32_t>(known.id), static_cast<std::int64_t>(offset), at, bytes, kind, unwritten, code);
}

void enter_function(const void* code) {
  const AtWork at_work;
  if (!at_work.already() && recorder().in_launch) recorder().callers.push_back(site_at(code) + 1);
}
void leave_function() {
  const AtWork at_work;
  if (!at_work.already() && !recorder().callers.empty()) recorder().callers.pop_back();
}

}  // namespace kdscope::access_log
