#include "algorithms/variants/inside/recording_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <map>
#include <new>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/json_fields.hpp"
#include "algorithms/text/quotes.hpp"

namespace kdscope::access_log {

/// A line of a recording's file: one of these.
struct RecordingLine {
  std::optional<Launch> launch = {};
  std::optional<WatchedArray> array = {};
  std::optional<Site> site = {};
  std::optional<Interval> interval = {};
  std::optional<std::uint64_t> left_out = {};  ///< of the launch before it
};
template <class Io>
void fields(Io& io, RecordingLine& l) {
  io(Field{"launch", l.launch}, Field{"array", l.array}, Field{"site", l.site}, Field{"interval", l.interval},
     Field{"left_out", l.left_out});
}

namespace {

constexpr std::uint64_t state_mark = 0x31676f6c63636173ull;  // "saccclog1"
constexpr std::uint64_t accesses_begin = 4096;
static_assert(std::is_trivially_copyable_v<Access> && sizeof(Access) == 56);
static_assert(std::is_trivially_copyable_v<RecordingState> && sizeof(RecordingState) <= accesses_begin);

/// Where the lines begin.
std::uint64_t text_begin(std::uint64_t room) { return accesses_begin + room * sizeof(Access); }

/// Writes or reads all of a range of a file.
template <class Call, class Byte>
bool transfer_all(Call call, int file, Byte* bytes, std::uint64_t size, std::uint64_t offset) {
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t some = call(file, bytes + done, size - done, static_cast<off_t>(offset + done));
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return false;
    done += static_cast<std::uint64_t>(some);
  }
  return true;
}

}  // namespace

RecordingWriter::~RecordingWriter() {
  if (reserved_) ::munmap(reserved_, reserved_bytes_);
}

bool RecordingWriter::open(const std::string& path, std::uint64_t most_accesses) {
  // Memory on both sides that nobody may access keeps the recording from a variant's writes beside its arrays
  constexpr std::uint64_t guard = std::uint64_t(64) << 20;
  file_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  const std::uint64_t size = text_begin(most_accesses);
  if (file_.number() < 0 || ::ftruncate(file_.number(), static_cast<off_t>(size)) != 0) return good_ = false;
  reserved_bytes_ = size + 2 * guard;
  void* reserved = ::mmap(nullptr, reserved_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED) return good_ = false;
  reserved_ = static_cast<std::byte*>(reserved);
  void* mapped = ::mmap(reserved_ + guard, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_.number(), 0);
  if (mapped == MAP_FAILED) return good_ = false;
  accesses_ = reinterpret_cast<Access*>(static_cast<std::byte*>(mapped) + accesses_begin);
  state_ = ::new (mapped) RecordingState;
  state_->mark = state_mark, state_->room = most_accesses;
  return true;
}

void RecordingWriter::add_line(RecordingLine line) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  JsonFieldWriter members(json);
  fields(members, line);
  json.end_object();
  const std::string text = out.str() + "\n";
  const auto write = [](auto... all) { return ::pwrite(all...); };
  good_ =
      transfer_all(write, file_.number(), text.data(), text.size(), text_begin(state_->room) + state_->text_bytes) &&
      good_;
  if (good_) state_->text_bytes += text.size();
}

void RecordingWriter::add(Launch launch) { add_line({.launch = std::move(launch)}); }
void RecordingWriter::add(WatchedArray array) { add_line({.array = std::move(array)}); }
void RecordingWriter::add(Site site) { add_line({.site = std::move(site)}); }
void RecordingWriter::add(Interval interval) { add_line({.interval = std::move(interval)}); }
void RecordingWriter::end_launch() {
  if (state_->left_out > 0) add_line({.left_out = state_->left_out});
  state_->left_out = 0;
}

bool write_recording(const LaunchRecording& recording, const std::string& path) {
  RecordingWriter out;
  if (!out.open(path, recording.accesses.size())) return false;
  for (const Launch& launch : recording.launches) out.add(launch);
  for (const WatchedArray& array : recording.arrays) out.add(array);
  for (const Site& site : recording.sites) out.add(site);
  for (const Interval& interval : recording.intervals) out.add(interval);
  for (const Access& access : recording.accesses) out.add(access);
  return out.good();
}

namespace {

/// Returns whether two accesses may be the write and the read of one copied structure: the compiler reports them in
/// this order, from neighbouring places in the program.
bool may_copy(const LaunchRecording& r, const Access& write, const Access& read) {
  constexpr std::uint64_t neighbours = 64;  // bytes of code
  if (!write.is(AccessKind::write) || !read.is(AccessKind::read) || write.bytes != read.bytes) return false;
  if (write.launch != read.launch || write.group != read.group || write.interval != read.interval ||
      write.lane != read.lane || write.order + 1 != read.order)
    return false;
  if (write.array == read.array && write.offset == read.offset) return false;
  const Site &to = r.sites[write.site], &from = r.sites[read.site];
  return to.caller == from.caller && from.code > to.code && from.code - to.code <= neighbours;
}

/// Puts the read of each copied structure before its write, as they happen: where every pair of two places in the
/// program has equal values.
void order_copies(LaunchRecording& r) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> copies;
  const auto sites_at = [&](std::size_t i) { return std::pair{r.accesses[i].site, r.accesses[i + 1].site}; };
  for (std::size_t i = 0; i + 1 < r.accesses.size(); ++i)
    if (may_copy(r, r.accesses[i], r.accesses[i + 1]))
      copies.try_emplace(sites_at(i), true).first->second &= r.accesses[i].value == r.accesses[i + 1].value;
  for (std::size_t i = 0; i + 1 < r.accesses.size(); ++i) {
    const auto copy = copies.find(sites_at(i));
    if (copy == copies.end() || !copy->second || !may_copy(r, r.accesses[i], r.accesses[i + 1])) continue;
    std::swap(r.accesses[i], r.accesses[i + 1]);
    std::swap(r.accesses[i].order, r.accesses[i + 1].order);
    ++i;
  }
}

/// Adds what the lines hold. Throws JsonError.
void read_lines(const std::string& text, LaunchRecording& recording) {
  std::istringstream lines(text);
  for (std::string each; std::getline(lines, each);) {
    RecordingLine line;
    const JsonValue value = JsonValue::parse(each);
    JsonFieldReader members(value);
    fields(members, line);
    if (line.launch) recording.launches.push_back(std::move(*line.launch));
    if (line.array) recording.arrays.push_back(std::move(*line.array));
    if (line.site) recording.sites.push_back(std::move(*line.site));
    if (line.interval) recording.intervals.push_back(std::move(*line.interval));
    if (line.left_out && !recording.launches.empty()) recording.launches.back().left_out = *line.left_out;
  }
}

/// Returns whether the program has used up its stack. Below it is a gap, into which large variables reach.
bool stack_overflowed(const RecordingState& state) {
  constexpr std::uint64_t gap = std::uint64_t(100) << 20, page = 1 << 16;
  return state.signal == SIGSEGV && state.stack_begin > gap && state.fault >= state.stack_begin - gap &&
         state.fault < state.stack_begin + page;
}

/// Returns where a wild access leads: "through a null pointer".
std::string words_for(const WildAccess& wild) {
  constexpr std::uint64_t first_page = 4096;
  if (wild.address < first_page) return "through a null pointer";
  const std::string none = "memory that belongs to no array";
  const std::string name(wild.nearest.data(), std::ranges::find(wild.nearest, '\0') - wild.nearest.begin());
  if (name.empty()) return none;
  const auto bytes = static_cast<std::uint64_t>(wild.distance < 0 ? -wild.distance : wild.distance);
  return none + ", " + count_text(bytes, "byte", "bytes") +
         (wild.distance < 0 ? " in front of " : " behind the end of ") + kdscope::quoted(name);
}

/// Adds the access that ended the program, or may have: the last one, if the program ended at its address; otherwise
/// the first write to memory that is no array's, as it may have damaged what the program needs.
void add_wild_access(LaunchRecording& recording, const RecordingState& state) {
  const bool no_memory = state.signal == SIGSEGV || state.signal == SIGBUS;
  if (stack_overflowed(state) || (!no_memory && state.signal != SIGABRT)) return;
  // The address of an access far away is not known
  const std::uint64_t at = state.fault - state.last_wild.address;
  const bool last = state.last_wild.known != 0 && no_memory && (state.fault == 0 || at < state.last_wild.access.bytes);
  const WildAccess& wild = last ? state.last_wild : state.first_wild_write;
  if (wild.known == 0) return;
  WatchedArray array;
  array.no_array = words_for(wild);
  Access access = wild.access;
  access.array = static_cast<std::uint32_t>(recording.arrays.size());
  access.unknown = true;
  recording.arrays.push_back(std::move(array));
  const std::uint64_t place = std::min<std::uint64_t>(wild.place, recording.accesses.size());
  recording.accesses.insert(recording.accesses.begin() + static_cast<std::ptrdiff_t>(place), access);
}

}  // namespace

Result<LaunchRecording> read_recording(const std::string& path) {
  const Error nothing{ErrorKind::io_failure, "cannot be read", path, "record it again"};
  const auto damaged = [&](const std::string& why) {
    return Error{ErrorKind::bad_input, "is no recording of a launch" + why, path, "record it again"};
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0 || status.st_size == 0) return nothing;
  const auto read = [](auto... all) { return ::pread(all...); };
  RecordingState state;
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  if (!transfer_all(read, file.number(), reinterpret_cast<std::byte*>(&state), sizeof state, 0) ||
      state.mark != state_mark)
    return damaged("");
  if (state.room > bytes / sizeof(Access) || state.accesses > state.room || text_begin(state.room) > bytes ||
      state.text_bytes > bytes - text_begin(state.room))
    return damaged(", or not all of it");
  LaunchRecording recording;
  recording.accesses.resize(state.accesses);
  std::string text(state.text_bytes, '\0');
  if (!transfer_all(read, file.number(), reinterpret_cast<std::byte*>(recording.accesses.data()),
                    state.accesses * sizeof(Access), accesses_begin) ||
      !transfer_all(read, file.number(), text.data(), text.size(), text_begin(state.room)))
    return damaged(", or not all of it");
  try {
    read_lines(text, recording);
  } catch (const JsonError& e) {
    return damaged(std::string(": ") + e.what());
  }
  if (state.unknown > 0 && state.unknown <= state.accesses) recording.accesses[state.unknown - 1].unknown = true;
  if (state.left_out > 0 && !recording.launches.empty()) recording.launches.back().left_out = state.left_out;
  if (state.in_launch != 0) {
    recording.end = {true, state.launch, state.group, state.interval, state.running.lane};
    recording.end.stack_overflowed = stack_overflowed(state);
  }
  add_wild_access(recording, state);
  if (!is_whole(recording)) return damaged("");
  order_copies(recording);
  return recording;
}

}  // namespace kdscope::access_log
