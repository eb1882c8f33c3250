#pragma once
// The order in which a variant's lanes, warps, blocks and threads run on the CPU. On a GPU their order is open, so a
// variant is right only if no order changes its result. One thread at a time.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/text/field.hpp"

namespace kdscope {

/// An order of the lanes of an interval, and of the warps, blocks and threads of a launch.
struct LaneOrder {
  enum class Kind : std::uint8_t {
    ascending,
    descending,
    shuffled,
    at_once,  ///< all lanes of an interval read what was there before it, except what atomic operations change
  };
  Kind kind = Kind::ascending;
  std::uint64_t seed = 0;  ///< of a shuffled order; at most largest_order_seed

  bool operator==(const LaneOrder&) const = default;
};
constexpr LaneOrder::Kind last_of(LaneOrder::Kind) { return LaneOrder::Kind::at_once; }
template <class Io>
void fields(Io& io, LaneOrder& o) {
  io(Field{"kind", o.kind}, Field{"seed", o.seed});
}
inline constexpr std::uint64_t largest_order_seed = 0x7fffffff, default_order_seed = 17;

/// Returns "ascending", "descending", "shuffled 17" or "at once", which lane_order_named() reads.
std::string name_of(const LaneOrder& order);
std::optional<LaneOrder> lane_order_named(std::string_view name);
/// Returns the order as a clause: "with lanes in descending order", "with all lanes at once".
std::string clause_of(const LaneOrder& order);

/// The order of this program's launches. Setting it restarts the sequence of shuffled orders.
const LaneOrder& lane_order();
void set_lane_order(const LaneOrder& order);

/// Returns a permutation of [0, n), another one at each call. Work O(n).
std::vector<std::uint32_t> shuffled_lanes(std::uint32_t n);

/// The lane that runs now.
struct RunningLane {
  const char* group = nullptr;  ///< "block", "warp"; null in a launch without groups
  std::uint32_t group_index = 0;
  std::int64_t lane = -1;  ///< -1 between the intervals of a group
};
RunningLane& running_lane();
/// Returns "block 0, lane 3"; an empty text outside of blocks and warps.
std::string running_lane_text();

/// One interval whose lanes run at once: each lane finds the memory as it was before the interval, and its writes are
/// held back until the end. So the increments of two lanes give 1 where an atomic operation was forgotten. Sees the
/// shared arrays, and the other guarded arrays where these are few and small (compared_share()).
class LanesAtOnce {
 public:
  explicit LanesAtOnce(std::uint32_t lanes);
  /// Writes what the lanes wrote.
  ~LanesAtOnce();
  LanesAtOnce(const LanesAtOnce&) = delete;
  LanesAtOnce& operator=(const LanesAtOnce&) = delete;
  void end_lane();

 private:
  struct Region {
    std::byte* at;
    std::size_t bytes, offset;
  };
  std::vector<Region> regions_;
  std::vector<std::byte> before_, after_;  ///< of all regions
};
/// Notes that the running lane changes memory by an atomic operation, which the lanes after it must see.
void note_atomic(const void* at, std::size_t bytes);
/// Returns the share of the intervals so far in which all arrays took part; 1 if there were none.
double compared_share();

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
  if (lane_order().kind == LaneOrder::Kind::at_once) {
    LanesAtOnce at_once(lanes);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      running = lane;
      run(lane);
      at_once.end_lane();
    }
  } else {
    run_in_order(lanes, [&](std::uint32_t lane) {
      running = lane;
      run(lane);
    });
  }
  running = -1;
}

/// The shared and per-lane arrays of a launch's blocks or warps, which run one after another and use the same memory.
/// Every array is guarded, bears the name of the variable that holds it, and is filled with unwritten_shared_byte.
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
  void* take(std::size_t element_bytes, std::size_t elements, const std::source_location& where, bool private_to_lanes);

 private:
  struct Taken {
    void* data;
    std::size_t element_bytes, elements;
    std::source_location where;
  };
  const char* group_;
  std::size_t most_bytes_, used_ = 0, next_ = 0;
  std::vector<Taken> arrays_;
};

/// The byte that fills shared arrays. It is not that of other arrays, 0xff: counters, which most shared arrays hold,
/// would go from there to plausible values.
inline constexpr std::uint8_t unwritten_shared_byte = 0xbe;

/// Returns the name of the variable to which a line assigns the result of a call in column `column` (counted from 1);
/// "shared" if there is none. before: the line before it.
std::string variable_of_call(std::string_view before, std::string_view line, std::size_t column);

}  // namespace kdscope
