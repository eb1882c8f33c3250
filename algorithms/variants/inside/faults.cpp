#include "algorithms/variants/inside/faults.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "algorithms/text/counts.hpp"

namespace kdscope::access_log {
namespace {

constexpr std::int64_t none = -1;

/// Accesses to one place so far, by their indices.
struct Seen {
  std::int64_t read = none, other_read = none, write = none, atomic = none;  ///< other_read: of another lane
  void add_those_of(const Seen& later) {
    for (const auto member : {&Seen::read, &Seen::write, &Seen::atomic})
      if (later.*member != none) this->*member = later.*member;
  }
};
struct Place {
  Seen interval;     ///< accesses of the interval that runs
  Seen group, past;  ///< of its block or warp before that; of the blocks or warps before it
};

class FaultFinder {
 public:
  explicit FaultFinder(const LaunchRecording& recording) : r_(recording) {}

  std::vector<Fault> run() {
    find_grains();
    std::uint32_t launch = 0xffffffffu;
    for (std::size_t i = 0; i < r_.accesses.size(); ++i) {
      const Access& access = r_.accesses[i];
      if (access.launch != launch) places_.clear();
      launch = access.launch;
      if (r_.array_of(access).released || r_.out_of_bounds(access))
        add(FaultKind::out_of_bounds, access, nullptr);
      else {
        if (access.unwritten) add(FaultKind::unwritten_read, access, nullptr);
        look_for_races(static_cast<std::int64_t>(i));
      }
    }
    return std::move(faults_);
  }

 private:
  /// The grain of an array divides the offset and the size of each of its accesses.
  void find_grains() {
    grains_.assign(r_.arrays.size(), 16);
    for (const Access& access : r_.accesses) {
      const auto both = static_cast<std::uint64_t>(access.offset) | access.bytes | 16;
      std::uint64_t& grain = grains_[access.array];
      grain = std::min(grain, std::uint64_t(1) << std::countr_zero(both));
    }
  }

  void look_for_races(std::int64_t index) {
    const Access& access = r_.accesses[static_cast<std::size_t>(index)];
    const bool shared = r_.array_of(access).shared;
    const auto grain = static_cast<std::int64_t>(grains_[access.array]);
    for (std::int64_t at = access.offset; at < access.offset + access.bytes; at += grain) {
      Place& place = places_[std::uint64_t(access.array) << 40 ^ static_cast<std::uint64_t>(at / grain)];
      begin_interval_of(access, place, shared);
      const Seen &now = place.interval, &past = place.past;
      // Reads are no race with reads, nor atomic operations with one another
      compare(now.write, access, true);
      if (!access.is(AccessKind::read))
        for (const std::int64_t other : {now.read, now.other_read}) compare(other, access, true);
      if (!access.is(AccessKind::atomic)) compare(now.atomic, access, true);
      compare(past.write, access, false);
      if (!access.is(AccessKind::read)) compare(past.read, access, false);
      if (!access.is(AccessKind::atomic)) compare(past.atomic, access, false);
      note(place.interval, access, index);
    }
  }

  /// Puts the accesses of earlier intervals and groups behind those of this one.
  void begin_interval_of(const Access& access, Place& place, bool shared) const {
    std::int64_t last = none;
    for (const std::int64_t each : {place.interval.read, place.interval.write, place.interval.atomic})
      last = std::max(last, each);
    if (last == none) return;
    const Access& before = r_.accesses[static_cast<std::size_t>(last)];
    if (before.group == access.group && before.interval == access.interval) return;
    place.group.add_those_of(place.interval);
    place.interval = {};
    if (before.group == access.group) return;
    if (!shared) place.past.add_those_of(place.group);  // every group has shared arrays of its own
    place.group = {};
  }

  void note(Seen& seen, const Access& access, std::int64_t index) const {
    if (access.is(AccessKind::write)) seen.write = index;
    if (access.is(AccessKind::atomic)) seen.atomic = index;
    if (!access.is(AccessKind::read)) return;
    if (seen.read == none || r_.accesses[static_cast<std::size_t>(seen.read)].lane == access.lane)
      seen.read = index;
    else
      seen.other_read = index;
  }

  void compare(std::int64_t other_index, const Access& access, bool same_group) {
    if (other_index == none) return;
    const Access& other = r_.accesses[static_cast<std::size_t>(other_index)];
    if (same_group && other.lane == access.lane) return;
    const bool same_write = other.is(AccessKind::write) && access.is(AccessKind::write) &&
                            other.offset == access.offset && other.bytes == access.bytes && other.value == access.value;
    if (same_write || is_guarded(access, other)) return;
    const LaunchKind kind = r_.launches[access.launch].kind;
    const bool in_group = same_group && (kind == LaunchKind::blocks || kind == LaunchKind::warps);
    add(in_group ? FaultKind::race_in_group : FaultKind::race_between_groups, access, &other);
  }

  /// Returns whether one of both is a look before an atomic operation of the same line, which needs no current value.
  bool is_guarded(const Access& one, const Access& other) const {
    const bool looks = one.is(AccessKind::read) && other.is(AccessKind::atomic),
               is_looked_at = one.is(AccessKind::atomic) && other.is(AccessKind::read);
    return (looks || is_looked_at) && r_.line_of(one.site) == r_.line_of(other.site);
  }

  void add(FaultKind kind, const Access& access, const Access* other) {
    // Either line may come first
    std::string line = r_.line_of(access.site), other_line = other ? r_.line_of(other->site) : "";
    if (other_line < line) std::swap(line, other_line);
    const std::tuple key(kind, r_.array_of(access).name, line, other_line);
    const auto [found, is_new] = known_.try_emplace(key, faults_.size());
    if (!is_new) {
      ++faults_[found->second].times;
      return;
    }
    Fault fault{kind, sentence_of(kind, access, other), 1, access, {}, access.launch};
    if (other) fault.second = *other;
    faults_.push_back(std::move(fault));
  }

  std::string sentence_of(FaultKind kind, const Access& access, const Access* other) const {
    const WatchedArray& array = r_.array_of(access);
    const std::string place = " (" + r_.place_of(access) + ")";
    const std::string launch = " of '" + r_.launches[access.launch].name + "'";
    switch (kind) {
      case FaultKind::out_of_bounds:
        if (array.name.empty()) return r_.deed_of(access) + place;
        if (array.released) return r_.deed_of(access) + " after the array was released" + place;
        return r_.deed_of(access) + ", but " + (array.shared ? "the shared array " : "") + "'" + array.name + "' has " +
               count_text(array.elements, "element", "elements") + place;
      case FaultKind::unwritten_read:
        return r_.deed_of(access) + ", which nobody has written" + place;
      case FaultKind::race_in_group:
        return r_.deed_of(*other) + " (" + r_.place_of(*other) + ") and " + r_.deed_of(access) + " (lane " +
               (access.lane == every_lane ? "any" : std::to_string(access.lane)) +
               "), with no barrier between them and no atomic operation" + launch;
      case FaultKind::race_between_groups:
        return r_.deed_of(*other) + " (" + r_.place_of(*other) + ") and " + r_.deed_of(access) + place +
               ", in any order, without an atomic operation" + launch;
      default:
        return {};  // what no access shows
    }
  }

  const LaunchRecording& r_;
  std::vector<std::uint64_t> grains_;  // by array
  std::unordered_map<std::uint64_t, Place> places_;
  std::vector<Fault> faults_;
  std::map<std::tuple<FaultKind, std::string, std::string, std::string>, std::size_t> known_;
};

}  // namespace

const char* name_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::out_of_bounds:
      return "out of bounds";
    case FaultKind::unwritten_read:
      return "unwritten read";
    case FaultKind::race_in_group:
      return "race in a block";
    case FaultKind::race_between_groups:
      return "race between blocks";
    case FaultKind::barrier:
      return "barrier that not all lanes reach";
    case FaultKind::lane_rules:
      return "lane rules";
    case FaultKind::order:
      return "order";
  }
  return "";
}

std::vector<Fault> find_faults(const LaunchRecording& recording) { return FaultFinder(recording).run(); }

}  // namespace kdscope::access_log
