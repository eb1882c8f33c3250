#pragma once
// The recording of launches, access by access: what every lane of the kernels of some steps read and wrote. The program
// of a builder or variant writes it (access_recorder.hpp, recording_file.hpp); faults.hpp, cost.hpp and tables read it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/text/field.hpp"

namespace kdscope::access_log {

/// Half-open range of steps, blocks, warps or lanes.
struct Range {
  std::uint32_t begin = 0, end = 0xffffffffu;
  bool has(std::uint32_t i) const { return i >= begin && i < end; }
  bool operator==(const Range&) const = default;
};
template <class Io>
void fields(Io& io, Range& r) {
  io(Field{"begin", r.begin}, Field{"end", r.end});
}

inline constexpr std::uint64_t default_budget = 1'000'000;  ///< accesses; 56 bytes each

/// What to record, and where to.
struct Wanted {
  Range steps = {};
  Range groups = {}, lanes = {};  ///< lanes: of each block or warp, or indices of a launch without these
  std::uint64_t most_accesses = default_budget;
  std::string file = {};
};
template <class Io>
void fields(Io& io, Wanted& w) {
  io(Field{"steps", w.steps}, Field{"groups", w.groups}, Field{"lanes", w.lanes},
     Field{"most_accesses", w.most_accesses}, Field{"file", w.file});
}

enum class LaunchKind : std::uint8_t { threads, blocks, warps, library };
constexpr LaunchKind last_of(LaunchKind) { return LaunchKind::library; }

struct Launch {
  std::string step;  ///< its path
  std::string name;
  LaunchKind kind = LaunchKind::threads;
  std::uint32_t groups = 1, lanes = 0;  ///< blocks or warps, and the lanes of each; library: the elements
  std::uint64_t left_out = 0;           ///< accesses that the budget left out
};
template <class Io>
void fields(Io& io, Launch& l) {
  io(Field{"step", l.step}, Field{"name", l.name}, Field{"kind", l.kind}, Field{"groups", l.groups},
     Field{"lanes", l.lanes}, Field{"left_out", l.left_out});
}

enum class ValueType : std::uint8_t { whole, signed_whole, real, other };
constexpr ValueType last_of(ValueType) { return ValueType::other; }

struct WatchedArray {
  std::string name;  ///< empty: memory that belongs to no array
  std::uint32_t element_bytes = 1;
  std::uint64_t elements = 0;
  ValueType type = ValueType::other;
  bool shared = false;
  std::uint32_t bank_offset = 0;  ///< of a shared array: its first byte within the memory of the block
  bool released = false;          ///< accesses came after its release
  std::uint32_t number = 0;     ///< of a global array: the same in each run of the program; 0 for one that is released
  std::uint32_t alignment = 0;  ///< of an element, in bytes: a device accesses at most so many at once; 0: not known
  /// Of memory that belongs to no array: "memory that belongs to no array, 40 bytes behind the end of 'tags'".
  std::optional<std::string> no_array = {};
};
template <class Io>
void fields(Io& io, WatchedArray& a) {
  io(Field{"name", a.name}, Field{"element_bytes", a.element_bytes}, Field{"elements", a.elements},
     Field{"type", a.type}, Field{"shared", a.shared}, Field{"bank_offset", a.bank_offset},
     Field{"released", a.released}, Field{"number", a.number}, Field{"alignment", a.alignment},
     Field{"no_array", a.no_array});
}

/// A place in the machine code and the place that called it.
struct Site {
  std::uint64_t code = 0;    ///< return address of the access, from the beginning of the program
  std::uint32_t caller = 0;  ///< index of another site plus 1; 0: none
  std::string file = {};     ///< "algorithms/builders/wald/update_tags.hpp": the innermost line of the kernel
  std::uint32_t line = 0;
};
template <class Io>
void fields(Io& io, Site& s) {
  io(Field{"code", s.code}, Field{"caller", s.caller}, Field{"file", s.file}, Field{"line", s.line});
}

/// What all lanes of a block or warp did together: the lanes of an interval, a vote, a shuffle, a scan.
struct Interval {
  std::string call;  ///< "lanes", "ballot", "shuffle", "exclusive_sum", "smallest", "largest"
  std::uint32_t launch = 0, group = 0, number = 0, site = 0;
  /// ballot: the mask; smallest and largest: the result; shuffle: the value that each lane received;
  /// exclusive_sum: the sums. At most most_values.
  std::vector<std::uint64_t> values = {};
  std::vector<std::uint32_t> sources = {};  ///< shuffle: the lane from which each lane received
  ValueType type = ValueType::whole;        ///< of the values
  std::uint32_t bytes = 4;                  ///< of each
};
template <class Io>
void fields(Io& io, Interval& i) {
  io(Field{"call", i.call}, Field{"launch", i.launch}, Field{"group", i.group}, Field{"number", i.number},
     Field{"site", i.site}, Field{"values", i.values}, Field{"sources", i.sources}, Field{"type", i.type},
     Field{"bytes", i.bytes});
}
inline constexpr std::size_t most_values = 1024;

enum class AccessKind : std::uint8_t { read, write, atomic };

/// The lane of an access outside of intervals, which every lane of a device makes.
inline constexpr std::uint32_t every_lane = 0xffffffffu;

/// One access of a lane, or of every lane.
struct Access {
  std::uint32_t launch, group, interval, lane;  ///< group and interval: 0 in a launch without blocks and warps
  std::uint32_t order;                          ///< within the lane and the interval, from 0
  std::uint32_t array, site, bytes;
  std::int64_t offset;          ///< bytes from the beginning of the array; negative in front of it
  std::uint64_t value;          ///< read or written; of more than 8 bytes the first 8
  std::uint32_t kind : 2;       ///< AccessKind
  std::uint32_t unwritten : 1;  ///< it reads, and nobody has written any of the bytes
  std::uint32_t unknown : 1;    ///< the program ended before the value was known
  std::uint32_t : 28;
  std::uint32_t spare;

  bool reads() const { return kind != static_cast<std::uint32_t>(AccessKind::write); }
  bool is(AccessKind wanted) const { return kind == static_cast<std::uint32_t>(wanted); }
};

/// Where the program ended, if it did so within a launch.
struct RecordingEnd {
  bool known = false;
  std::uint32_t launch = 0, group = 0, interval = 0;
  std::int64_t lane = -1;         ///< -1 between intervals
  bool stack_overflowed = false;  ///< because its stack was used up; not kept with a trace
};
template <class Io>
void fields(Io& io, RecordingEnd& e) {
  io(Field{"known", e.known}, Field{"launch", e.launch}, Field{"group", e.group}, Field{"interval", e.interval},
     Field{"lane", e.lane});
}

/// Returns a value of so many bytes as a number of its type, or as an unsigned one; "..." if it has more than 8.
std::string value_text(std::uint64_t value, std::uint32_t bytes, ValueType type);
inline std::string value_text(const Interval& interval, std::size_t i) {
  return value_text(interval.values[i], interval.bytes, interval.type);
}

struct LaunchRecording {
  std::vector<Launch> launches;
  std::vector<WatchedArray> arrays;
  std::vector<Site> sites;
  std::vector<Interval> intervals;
  std::vector<Access> accesses;  ///< in the order in which one thread made them
  RecordingEnd end = {};

  const WatchedArray& array_of(const Access& access) const { return arrays[access.array]; }
  /// Returns the index of the element that an access begins at.
  std::int64_t index_of(const Access& access) const;
  bool out_of_bounds(const Access& access) const;
  /// Returns "counts[12]".
  std::string element_of(const Access& access) const;
  /// Returns the value as a number of the array's type, or as an unsigned one.
  std::string value_of(const Access& access) const;
  /// Returns "update_tags.hpp:45", or "?" if the line is not known.
  std::string line_of(std::uint32_t site) const;
  /// Returns "count.hpp:7 writes h[6] <- 9": without the value if it is not known, or is none.
  std::string deed_of(const Access& access) const;
  /// Returns "block 3, interval 2, lane 5", "index 5".
  std::string place_of(const Access& access) const;
  /// Returns "launch 2: 'partition', 4 blocks of 256 lanes".
  std::string text_of_launch(std::uint32_t launch) const;
  /// Returns "warp" or "block": what the groups of a launch are.
  const char* group_word(std::uint32_t launch) const {
    return launches[launch].kind == LaunchKind::warps ? "warp" : "block";
  }
};

/// Returns all but the accesses as a line of JSON. Its members are those of the structures above.
std::string head_of(const LaunchRecording& recording);
/// Returns the recording with this head. Errors of kind bad_input: an index names nothing, a size cannot be computed
/// with, or the number of accesses is another one. where: names the place of the bytes in the error.
Result<LaunchRecording> recording_of(const std::string& head, std::vector<Access> accesses, const std::string& where);

/// Returns whether every index names something, and sizes can be computed with, so that readers need not look.
bool is_whole(const LaunchRecording& recording);

}  // namespace kdscope::access_log
