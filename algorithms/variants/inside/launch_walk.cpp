#include "algorithms/variants/inside/launch_walk.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace kdscope::access_log {
namespace {

using IntervalKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // launch, group, interval

IntervalKey key_of(const Access& access) { return {access.launch, access.group, access.interval}; }

}  // namespace

void put_in_order(LaunchRecording& recording) {
  if (!std::ranges::is_sorted(recording.accesses, {}, key_of)) std::ranges::stable_sort(recording.accesses, {}, key_of);
}

std::vector<Stretch> stretches_of(const LaunchRecording& recording) {
  std::map<IntervalKey, Stretch> found;
  for (std::size_t i = 0; i < recording.intervals.size(); ++i) {
    const Interval& interval = recording.intervals[i];
    Stretch& stretch = found[{interval.launch, interval.group, interval.number}];
    stretch.launch = interval.launch, stretch.group = interval.group, stretch.interval = interval.number;
    stretch.call = i;
  }
  const std::vector<Access>& accesses = recording.accesses;
  for (std::size_t begin = 0, end = 0; begin < accesses.size(); begin = end) {
    const IntervalKey key = key_of(accesses[begin]);
    while (end < accesses.size() && key_of(accesses[end]) == key) ++end;
    Stretch& stretch = found[key];
    std::tie(stretch.launch, stretch.group, stretch.interval) = key;
    stretch.begin = begin, stretch.end = end;
  }
  std::vector<Stretch> stretches;
  for (const auto& [key, stretch] : found) stretches.push_back(stretch);
  return stretches;
}

LaunchWalk::LaunchWalk(std::shared_ptr<const LaunchRecording> recording)
    : recording_(std::move(recording)), stretches_(stretches_of(*recording_)) {}

bool LaunchWalk::step(int direction) {
  if (depth() == Depth::interval) {
    if (direction > 0 ? stretch_ + 1 >= stretches_.size() : stretch_ == 0) return false;
    stretch_ = direction > 0 ? stretch_ + 1 : stretch_ - 1;
    return true;
  }
  if (depth() == Depth::lane) {
    const auto first = other_lane(direction);
    if (!first) return false;
    go_to_access(*first);
    access_.reset();
    return true;
  }
  if (direction > 0 ? *access_ + 1 >= recording_->accesses.size() : *access_ == 0) return false;
  go_to_access(direction > 0 ? *access_ + 1 : *access_ - 1);
  return true;
}

bool LaunchWalk::leap(int direction) {
  if (depth() == Depth::access) {
    const auto first = other_lane(direction);
    if (first) go_to_access(*first);
    return first.has_value();
  }
  const auto unit = [&](std::size_t i) {
    const Stretch& at = stretches_[i];
    return std::tuple(at.launch, at.group, depth() == Depth::interval ? 0 : at.interval);
  };
  const auto lane_begins = [&](std::size_t i) {
    return depth() == Depth::interval || stretches_[i].begin < stretches_[i].end;
  };
  std::size_t to = stretch_;
  if (direction > 0) {
    while (to < stretches_.size() && (unit(to) == unit(stretch_) || !lane_begins(to))) ++to;
    if (to == stretches_.size()) return false;
  } else {
    while (to > 0 && (unit(to) == unit(stretch_) || !lane_begins(to))) --to;
    if (unit(to) == unit(stretch_) || !lane_begins(to)) return false;
    while (to > 0 && unit(to - 1) == unit(to)) --to;
  }
  const bool by_lane = depth() == Depth::lane;
  stretch_ = to;
  if (by_lane) lane_ = recording_->accesses[stretch().begin].lane;
  return true;
}

void LaunchWalk::go_to_end(int direction) {
  const Depth before = depth();
  const bool any = !recording_->accesses.empty();
  if (before != Depth::interval && any) {
    go_to_access(direction > 0 ? recording_->accesses.size() - 1 : 0);
    if (before == Depth::lane) access_.reset();
  } else {
    go_to_stretch(direction > 0 ? stretches_.size() - 1 : 0);
  }
}

bool LaunchWalk::go_deeper() {
  if (depth() == Depth::access) return false;
  const auto first = depth() == Depth::lane            ? first_of_lane()
                     : stretch().begin < stretch().end ? std::optional(stretch().begin)
                                                       : std::nullopt;
  if (!first) return false;
  const bool to_lane = depth() == Depth::interval;
  go_to_access(*first);
  if (to_lane) access_.reset();
  return true;
}

bool LaunchWalk::go_out() {
  if (depth() == Depth::interval) return false;
  if (access_)
    access_.reset();
  else
    lane_.reset();
  return true;
}

void LaunchWalk::go_to_stretch(std::size_t number) {
  stretch_ = std::min(number, stretches_.size() - 1);
  lane_.reset();
  access_.reset();
}

void LaunchWalk::go_to_lane(std::uint32_t lane) {
  lane_ = lane;
  access_.reset();
}

void LaunchWalk::go_to_access(std::size_t access) {
  const auto behind =
      std::ranges::find_if(stretches_, [&](const Stretch& each) { return each.begin <= access && access < each.end; });
  if (behind == stretches_.end()) return;
  stretch_ = static_cast<std::size_t>(behind - stretches_.begin());
  access_ = access;
  lane_ = recording_->accesses[access].lane;
}

bool LaunchWalk::go_to(const PlaceInside& place) {
  const auto found = std::ranges::find_if(stretches_, [&](const Stretch& each) {
    return each.launch == place.launch && each.group == place.group &&
           each.interval == place.interval.value_or(each.interval);
  });
  if (found == stretches_.end()) return false;
  if (place.lane && *place.lane >= recording_->launches[found->launch].lanes) return false;
  go_to_stretch(static_cast<std::size_t>(found - stretches_.begin()));
  if (place.lane) go_to_lane(*place.lane);
  return true;
}

std::optional<std::size_t> LaunchWalk::first_of_lane() const {
  for (std::size_t i = stretch().begin; i < stretch().end; ++i)
    if (recording_->accesses[i].lane == *lane_) return i;
  return std::nullopt;
}

std::optional<std::size_t> LaunchWalk::other_lane(int direction) const {
  const std::vector<Access>& accesses = recording_->accesses;
  const auto same = [&](std::size_t a, std::size_t b) {
    return accesses[a].lane == accesses[b].lane && key_of(accesses[a]) == key_of(accesses[b]);
  };
  // A lane without accesses stands before the first later one of its interval
  const auto own = first_of_lane();
  if (!own) {
    std::size_t next = stretch().begin;
    while (next < stretch().end && accesses[next].lane < *lane_) ++next;
    if (direction > 0) return next < accesses.size() ? std::optional(next) : std::nullopt;
    if (next == 0) return std::nullopt;
    std::size_t first = next - 1;
    while (first > 0 && same(first - 1, next - 1)) --first;
    return first;
  }
  std::size_t at = *own;
  if (direction > 0) {
    while (at < accesses.size() && same(at, *own)) ++at;
    return at < accesses.size() ? std::optional(at) : std::nullopt;
  }
  while (at > 0 && same(at - 1, *own)) --at;
  if (at == 0) return std::nullopt;
  const std::size_t last = at - 1;
  at = last;
  while (at > 0 && same(at - 1, last)) --at;
  return at;
}

}  // namespace kdscope::access_log
