#include "algorithms/variants/inside/access_recorder.hpp"

#include <link.h>
#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

#include "algorithms/variants/inside/recording_file.hpp"
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
  RecordingWriter file;
  std::uint32_t launches = 0;
  std::vector<WatchedArray> recorded_arrays;    ///< those in the file
  std::map<std::string, std::uint32_t> strays;  ///< arrays found by their zones alone, by name and size
  std::unordered_map<std::uint64_t, std::uint32_t> sites;
  std::vector<std::uint32_t> callers;  ///< sites of the functions that run, plus 1
  std::uint32_t group = 0, interval = 0, order = 0, arrays_so_far = 0;
  std::int64_t last_lane = -2;
  const void* pending = nullptr;  ///< memory whose value belongs to an access noted before it happened
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
  const auto [found, is_new] = r.sites.try_emplace(offset << 28 ^ caller, r.sites.size());
  if (is_new) r.file.add(Site{offset, caller});
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

/// Sets the group and interval that run.
void set_place(std::uint32_t group, std::uint32_t interval) {
  Recorder& r = recorder();
  r.group = group, r.interval = interval;
  if (r.file.is_open()) r.file.state().group = group, r.file.state().interval = interval;
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
  Access& access = r.file.accesses()[std::exchange(r.file.state().unknown, 0) - 1];
  access.value = value_at(std::exchange(r.pending, nullptr), access.bytes);
}

/// Adds an array to the recording.
std::uint32_t add_array(const WatchedArray& array) {
  Recorder& r = recorder();
  r.recorded_arrays.push_back(array);
  r.file.add(array);
  return static_cast<std::uint32_t>(r.recorded_arrays.size() - 1);
}

/// Returns an access that happens now, without its value.
Access access_of(std::uint32_t array, std::int64_t offset, std::size_t bytes, AccessKind kind, const void* code) {
  const Recorder& r = recorder();
  const std::int64_t lane = running_lane().lane;
  return {r.launches - 1,
          r.group,
          r.interval,
          lane < 0 ? every_lane : static_cast<std::uint32_t>(lane),
          r.order,
          array,
          site_at(code),
          static_cast<std::uint32_t>(bytes),
          offset,
          0,
          static_cast<std::uint32_t>(kind),
          0,
          0,
          0};
}

void record(std::uint32_t array, std::int64_t offset, const volatile void* at, std::size_t bytes, AccessKind kind,
            bool unwritten, const void* code) {
  Recorder& r = recorder();
  RecordingState& state = r.file.state();
  const std::int64_t lane = running_lane().lane;
  if (!r.wanted.groups.has(r.group) || (lane >= 0 && !r.wanted.lanes.has(static_cast<std::uint32_t>(lane)))) return;
  if (!r.file.has_room()) {
    ++state.left_out;
    return;
  }
  if (lane != std::exchange(r.last_lane, lane)) r.order = 0;
  Access access = access_of(array, offset, bytes, kind, code);
  access.unwritten = unwritten, ++r.order;
  const void* memory = const_cast<const void*>(at);
  if (kind == AccessKind::read) access.value = value_at(memory, bytes);
  r.file.add(access);
  if (kind != AccessKind::read) r.pending = memory, state.unknown = state.accesses;
}

/// Notes an access to memory that belongs to no array. Work O(arrays).
WildAccess wild_access(std::uintptr_t at, std::size_t bytes, AccessKind kind, const void* code) {
  Recorder& r = recorder();
  WildAccess wild{1, at, r.file.state().accesses, access_of(0, 0, bytes, kind, code)};
  std::uint64_t least = ~std::uint64_t(0);
  for (const auto& [begin, known] : r.arrays) {
    const std::uintptr_t end = begin + known.bytes;
    const std::uint64_t gap = at >= end ? at - end : begin - at;
    if (known.registers || gap >= least) continue;
    least = gap;
    wild.distance = static_cast<std::int64_t>(at - (at >= end ? end : begin));
    wild.nearest = {};
    known.array.name.copy(wild.nearest.data(), wild.nearest.size() - 1);
  }
  constexpr std::uint64_t farthest = 64 << 20;
  if (least > farthest) wild.nearest = {};
  return wild;
}

/// Records an access that is in no array: out of bounds if a guarded zone is there.
void record_stray(const volatile void* at, std::size_t bytes, AccessKind kind, const void* code) {
  Recorder& r = recorder();
  const auto place = array_at(const_cast<const void*>(at));
  if (!place) {
    RecordingState& state = r.file.state();
    state.last_wild = wild_access(reinterpret_cast<std::uintptr_t>(at), bytes, kind, code);
    // Outside of lanes, executors write their own objects
    if (kind != AccessKind::read && running_lane().lane >= 0 && state.first_wild_write.known == 0)
      state.first_wild_write = state.last_wild;
    return;
  }
  const auto [found, is_new] =
      r.strays.try_emplace(place->array + " " + std::to_string(place->size), r.recorded_arrays.size());
  if (is_new) {
    WatchedArray array{place->array, 1, place->size};
    for (const auto& [data, known] : r.arrays)
      if (known.array.name == place->array && known.array.elements == place->size) array = known.array;
    if (place->released) array.released = true, array.number = 0;
    add_array(array);
  }
  record(found->second, place->index * r.recorded_arrays[found->second].element_bytes, at, bytes, kind, false, code);
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

/// Notes what ends the program. The signal comes again when this returns.
void note_end(int signal, siginfo_t* info, void*) {
  RecordingState& state = recorder().file.state();
  state.signal = signal;
  if (signal == SIGSEGV || signal == SIGBUS) state.fault = reinterpret_cast<std::uintptr_t>(info->si_addr);
}

/// Has signals that end the program noted, also that of a stack that is used up.
void note_ends() {
  static std::array<std::byte, 1 << 16> other_stack;
  const stack_t stack{.ss_sp = other_stack.data(), .ss_flags = 0, .ss_size = other_stack.size()};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = note_end;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

void record_step(const Wanted& wanted, const std::string& step) {
  const AtWork at_work;
  Recorder& r = recorder();
  r.wanted = wanted;
  r.step = step;
  if (std::exchange(r.started, true) || !r.file.open(wanted.file, wanted.most_accesses)) return;
  on_stack(0);
  r.file.state().stack_begin = r.stack_begin;
  move_running_lane(r.file.state().running);
  note_ends();
}

bool finish_recording() {
  const AtWork at_work;
  Recorder& r = recorder();
  complete_access();
  return !std::exchange(r.started, false) || r.file.good();
}

LaunchScope::LaunchScope(const char* name, LaunchKind kind, std::uint32_t groups, std::uint32_t lanes) {
  const AtWork at_work;
  Recorder& r = recorder();
  r.in_launch = kind != LaunchKind::library && r.started && r.file.is_open();
  r.last_lane = -2;
  r.callers.clear();
  if (r.started && r.file.is_open()) {
    r.file.add(Launch{r.step, name, kind, groups, lanes});
    r.file.state().launch = r.launches++;
    r.file.state().in_launch = r.in_launch;
  }
  set_place(0, 0);
}
LaunchScope::~LaunchScope() {
  const AtWork at_work;
  Recorder& r = recorder();
  complete_access();
  r.in_launch = false;
  if (r.file.is_open()) {
    r.file.end_launch();
    r.file.state().in_launch = 0;
  }
  // The shared memory of the launch is used anew
  recorder().last = nullptr;
  std::erase_if(recorder().arrays, [](const auto& each) { return each.second.array.shared || each.second.registers; });
}

void begin_group(std::uint32_t index) {
  const AtWork at_work;
  complete_access();
  recorder().last_lane = -2;
  set_place(index, 0);
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
    r.file.add(Interval{call_, r.launches - 1, r.group, r.interval, site_, std::move(values), std::move(sources), type,
                        bytes});
  }
  set_place(r.group, r.interval + 1);
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
  if (recorded) r.file.state().last_wild.known = 0;
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  auto* found = array_with(address);
  if (!found) {
    if (recorded && !on_stack(address) && !r.file.holds(address)) record_stray(at, bytes, kind, code);
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
    known.id = add_array(known.array);
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
