#pragma once
// The order in which a variant's lanes, warps, blocks and threads run on the CPU. On a GPU their order is open, so a
// variant is right only if no order changes its result. One thread at a time.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/text/field.hpp"

namespace kdscope {

/// An order of the lanes of an interval, and of the warps, blocks and threads of a launch.
struct LaneOrder {
  enum class Kind : std::uint8_t {
    ascending,
    descending,
    shuffled,
    at_once,  ///< all lanes of an interval read what was there before it, and all blocks or warps of a launch what was
              ///< there before that, except what atomic operations change
    at_once_by_words,  ///< the same, and each word of memory is written as a whole
  };
  Kind kind = Kind::ascending;
  std::uint64_t seed = 0;  ///< of a shuffled order; at most largest_order_seed

  bool operator==(const LaneOrder&) const = default;
};
constexpr LaneOrder::Kind last_of(LaneOrder::Kind) { return LaneOrder::Kind::at_once_by_words; }
template <class Io>
void fields(Io& io, LaneOrder& o) {
  io(Field{"kind", o.kind}, Field{"seed", o.seed});
}
inline constexpr std::uint64_t largest_order_seed = 0x7fffffff, default_order_seed = 17;

/// Returns "ascending", "descending", "shuffled 17" or "at once" or "at once by words", which lane_order_named()
/// reads.
std::string name_of(const LaneOrder& order);
std::optional<LaneOrder> lane_order_named(std::string_view name);
/// Returns the order as a clause: "with lanes in descending order", "with all lanes at once".
std::string clause_of(const LaneOrder& order);

/// The order of this program's launches. Setting it restarts the sequence of shuffled orders.
const LaneOrder& lane_order();
inline bool runs_at_once() {
  return lane_order().kind == LaneOrder::Kind::at_once || lane_order().kind == LaneOrder::Kind::at_once_by_words;
}
void set_lane_order(const LaneOrder& order);

/// The byte that fills shared arrays as a rule. It is not that of other arrays, 0xff: counters, which most shared
/// arrays hold, would go from there to plausible values.
inline constexpr std::uint8_t unwritten_shared_byte = 0xbe;

/// Returns a permutation of [0, n), another one at each call. Work O(n).
std::vector<std::uint32_t> shuffled_lanes(std::uint32_t n);

/// The lane that runs now.
struct RunningLane {
  const char* group = nullptr;  ///< "block", "warp"; null in a launch without groups
  std::uint32_t group_index = 0;
  std::int64_t lane = -1;  ///< -1 between the intervals of a group
};
RunningLane& running_lane();
/// Keeps the lane that runs in other memory from now on, for as long as the program runs.
void move_running_lane(RunningLane& to);
/// Returns "block 0, lane 3"; an empty text outside of blocks and warps.
std::string running_lane_text();

/// Lanes of an interval, or blocks or warps of a launch, that run at once: each finds the memory as it was before, and
/// its writes are held back until the end. So the increments of two of them give 1 where an atomic operation was
/// forgotten. Sees the shared arrays (of lanes), and the other guarded arrays where these are few and small
/// (compared_share()).
/// A word of which two change different bytes keeps both changes, unless the order is by words: then it keeps those of
/// the last one, as on a device that adds to a part of a word. Code that writes bytes alone is right, but only by
/// bytes.
class AtOnce {
 public:
  enum class Of : std::uint8_t { lanes, groups };
  AtOnce(Of of, std::uint32_t count);
  /// Writes what all of them wrote.
  ~AtOnce();
  AtOnce(const AtOnce&) = delete;
  AtOnce& operator=(const AtOnce&) = delete;
  /// Ends one lane or group.
  void end_one();
  /// Notes an atomic operation, which those after this one must see.
  void note_atomic(std::byte* at, std::size_t bytes) { atomics_.emplace_back(at, bytes); }

 private:
  struct Region {
    std::byte* at;
    std::size_t bytes, offset, word_bytes;
  };
  std::vector<Region> regions_;
  std::vector<std::byte> before_, after_;                    ///< of all regions
  std::vector<std::pair<std::byte*, std::size_t>> atomics_;  ///< of the lane or group that runs
};
/// Notes that the running lane changes memory by an atomic operation.
void note_atomic(const void* at, std::size_t bytes);
/// Returns the share of the intervals and launches so far in which all arrays took part; 1 if there were none.
double compared_share();

/// Where the variant calls something. Converts from the argument of an operator, which takes no other one.
struct LaneAt {
  LaneAt(int number, const std::source_location& place = std::source_location::current())
      : lane(number), where(place) {}
  int lane;
  std::source_location where;
};
/// Called where a variant does what a device does in another way. deed: "starts an interval inside another one". Does
/// not return. Without a handler, an ErrorException of kind bad_input is thrown.
using MisuseHandler = void (*)(const std::string& deed, const std::source_location& where);
void set_misuse_handler(MisuseHandler handler);
[[noreturn]] void report_misuse(const std::string& deed, const std::source_location& where);
/// Report what all lanes of a group must do together inside an interval, and what a lane does outside of one.
void check_between_intervals(const char* call, const std::source_location& where);
void check_inside_interval(const char* call, const std::source_location& where);
/// Reports an access to the registers of another lane, or of any lane outside of an interval.
void check_own_register(const LaneAt& lane);

/// Calls run(i) for each i in [0, n) in this program's order.
template <class Run>
void run_in_order(std::uint32_t n, Run&& run) {
  switch (lane_order().kind) {
    case LaneOrder::Kind::descending:
      for (std::uint32_t i = n; i-- > 0;) run(i);
      return;
    case LaneOrder::Kind::shuffled:
      for (const std::uint32_t i : shuffled_lanes(n)) run(i);
      return;
    default:
      for (std::uint32_t i = 0; i < n; ++i) run(i);
  }
}

/// Runs the lanes of one interval, or the threads of a launch without blocks, in this program's order.
template <class Run>
void run_interval(std::uint32_t lanes, Run&& run) {
  std::int64_t& running = running_lane().lane;
  if (runs_at_once()) {
    AtOnce at_once(AtOnce::Of::lanes, lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      running = lane;
      run(lane);
      at_once.end_one();
    }
  } else {
    run_in_order(lanes, [&](std::uint32_t lane) {
      running = lane;
      run(lane);
    });
  }
  running = -1;
}

/// Runs the blocks or warps of a launch in this program's order.
template <class Run>
void run_groups(std::uint32_t groups, Run&& run) {
  if (!runs_at_once()) return run_in_order(groups, run);
  AtOnce at_once(AtOnce::Of::groups, groups);
  for (std::uint32_t group = 0; group < groups; ++group) {
    run(group);
    at_once.end_one();
  }
}

/// The byte that fills shared arrays before each block or warp, and the one array that it fills (by its variable;
/// empty: all). The others are filled with unwritten_shared_byte.
struct SharedFill {
  std::uint8_t byte = unwritten_shared_byte;
  std::string array = {};
};
template <class Io>
void fields(Io& io, SharedFill& f) {
  io(Field{"byte", f.byte}, Field{"array", f.array});
}
/// Returns the byte of an order: each has another one, so that a result which depends on what nobody wrote changes.
std::uint8_t shared_byte_of(const LaneOrder& order);
void set_shared_fill(const SharedFill& fill);
/// Returns the names of all shared arrays that this program's launches have taken.
std::vector<std::string> shared_array_names();

/// The shared and per-lane arrays of a launch's blocks or warps, which run one after another and use the same memory.
/// Every array is guarded, bears the name of the variable that holds it, and is filled (SharedFill).
class SharedArrays {
 public:
  /// most_bytes: the shared memory that the launch asks for.
  SharedArrays(const char* group, std::size_t most_bytes) : group_(group), most_bytes_(most_bytes) {}
  ~SharedArrays();
  SharedArrays(const SharedArrays&) = delete;
  SharedArrays& operator=(const SharedArrays&) = delete;

  void begin_group(std::uint32_t index);
  void end_group();
  /// Returns an array of the running block or warp. private_to_lanes: it takes registers on a device, and no shared
  /// memory. Throws ErrorException of kind bad_usage if the group takes more than the launch asked for.
  void* take(std::size_t element_bytes, std::size_t elements, const std::source_location& where, bool private_to_lanes,
             std::size_t word_bytes = 1);
  /// Notes what shared arrays hold at the end of an interval, or of another call that may change them.
  void note_contents();
  /// Reports an array that has changed since: code outside of intervals has done so, and on a device every lane would.
  void check_contents(const std::source_location& where) const;

 private:
  struct Taken {
    void* data;
    std::size_t element_bytes, elements;
    std::source_location where;
    std::string name;
    bool private_to_lanes;
    std::vector<std::byte> noted;  ///< see note_contents()
  };
  void note(Taken& array);
  const char* group_;
  std::size_t most_bytes_, used_ = 0, next_ = 0;
  std::vector<Taken> arrays_;
};

/// Returns the name of the variable to which a line assigns the result of a call in column `column` (counted from 1);
/// "shared" if there is none. before: the line before it.
std::string variable_of_call(std::string_view before, std::string_view line, std::size_t column);

}  // namespace kdscope
