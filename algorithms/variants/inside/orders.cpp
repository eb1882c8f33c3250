#include "algorithms/variants/inside/orders.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace kdscope::access_log {
namespace {

/// A byte that a launch left, and the access that wrote it.
struct LeftByte {
  std::uint8_t value = 0;
  std::size_t access = 0;
};
/// By array and byte. Only the first bytes of an access have known values.
using LeftBytes = std::unordered_map<std::uint64_t, LeftByte>;

/// The accesses of one launch, in the order in which they were made.
std::pair<std::size_t, std::size_t> accesses_of(const LaunchRecording& r, std::uint32_t launch) {
  const auto [begin, end] = std::ranges::equal_range(r.accesses, launch, {}, &Access::launch);
  return {static_cast<std::size_t>(begin - r.accesses.begin()), static_cast<std::size_t>(end - r.accesses.begin())};
}

LeftBytes bytes_after(const LaunchRecording& r, std::uint32_t launch) {
  LeftBytes bytes;
  const auto [begin, end] = accesses_of(r, launch);
  for (std::size_t i = begin; i < end; ++i) {
    const Access& access = r.accesses[i];
    const WatchedArray& array = r.array_of(access);
    if (access.is(AccessKind::read) || array.shared || array.number == 0 || r.out_of_bounds(access)) continue;
    for (std::uint32_t byte = 0; byte < std::min<std::uint32_t>(access.bytes, sizeof access.value); ++byte)
      bytes[std::uint64_t(array.number) << 44 ^ static_cast<std::uint64_t>(access.offset + byte)] = {
          static_cast<std::uint8_t>(access.value >> 8 * byte), i};
  }
  return bytes;
}

/// Adds to `recording` what an access of another recording names.
Access carried_over(LaunchRecording& recording, const LaunchRecording& other, Access access) {
  const WatchedArray& array = other.array_of(access);
  auto same = std::ranges::find_if(recording.arrays, [&](const WatchedArray& each) {
    return each.number == array.number && each.shared == array.shared && each.name == array.name;
  });
  if (same == recording.arrays.end()) same = recording.arrays.insert(same, array);
  access.array = static_cast<std::uint32_t>(same - recording.arrays.begin());
  const Site& site = other.sites[access.site];
  auto known = std::ranges::find_if(recording.sites, [&](const Site& each) {
    return each.code == site.code && each.file == site.file && each.line == site.line;
  });
  if (known == recording.sites.end()) known = recording.sites.insert(known, {site.code, 0, site.file, site.line});
  access.site = static_cast<std::uint32_t>(known - recording.sites.begin());
  return access;
}

/// The place of an access in the program of its lane.
using InLane = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
InLane place_in_lane(const Access& access) { return {access.group, access.interval, access.lane, access.order}; }

/// Returns the first accesses of a launch, in the order of groups, intervals and lanes, that differ in element or
/// value.
std::optional<std::pair<std::size_t, std::size_t>> first_difference_in_lanes(const LaunchRecording& r,
                                                                             const LaunchRecording& other,
                                                                             std::uint32_t launch) {
  std::map<InLane, std::size_t> here, there;
  for (const auto& [from, to] : {std::pair{&r, &here}, {&other, &there}}) {
    const auto [begin, end] = accesses_of(*from, launch);
    for (std::size_t i = begin; i < end; ++i) to->emplace(place_in_lane(from->accesses[i]), i);
  }
  for (const auto& [place, i] : here) {
    const auto found = there.find(place);
    if (found == there.end()) continue;
    const Access &one = r.accesses[i], &two = other.accesses[found->second];
    if (one.offset != two.offset || one.value != two.value || one.kind != two.kind) return std::pair{i, found->second};
  }
  return std::nullopt;
}

std::string deed(const LaunchRecording& r, const Access& access) {
  const char* verb = access.is(AccessKind::read) ? "reads" : access.is(AccessKind::write) ? "writes" : "changes";
  return r.line_of(access.site) + " " + verb + " " + r.element_of(access) +
         (access.is(AccessKind::read) ? " = " : " <- ") + r.value_of(access);
}

Fault fault_between(LaunchRecording& recording, const LaunchRecording& other, const LeftByte& left,
                    const LeftByte* other_left, const std::string& order) {
  const Access first = recording.accesses[left.access];
  Fault fault{FaultKind::order, "", 1, first, {}, first.launch};
  fault.sentence = deed(recording, first) + " with lanes in ascending order (" + recording.place_of(first) + "), but ";
  if (other_left) {
    const Access second = carried_over(recording, other, other.accesses[other_left->access]);
    fault.second = second;
    fault.sentence += deed(recording, second) + " " + order + " (" + recording.place_of(second) + ")";
  } else {
    fault.sentence += order + " nobody writes it";
  }
  fault.sentence += ", so the result of '" + recording.launches[first.launch].name + "' depends on the order";
  const auto earlier = first_difference_in_lanes(recording, other, first.launch);
  if (!earlier || earlier->first == left.access) return fault;
  const Access one = recording.accesses[earlier->first],
               two = carried_over(recording, other, other.accesses[earlier->second]);
  fault.sentence += "; the lanes differ first where " + deed(recording, one) + " or " + recording.value_of(two) +
                    (one.offset == two.offset ? "" : " at " + recording.element_of(two)) + " (" +
                    recording.place_of(one) + ")";
  return fault;
}

}  // namespace

std::optional<Fault> order_fault(LaunchRecording& recording, const LaunchRecording& other,
                                 const OrderComparison& comparison) {
  const auto is_wanted = [&](const LeftByte& byte) {
    return comparison.file.empty() ||
           recording.line_of(recording.accesses[byte.access].site).starts_with(comparison.file + ":");
  };
  for (std::uint32_t launch = 0; launch < comparison.launches && launch < other.launches.size(); ++launch) {
    if (recording.launches[launch].name != other.launches[launch].name) return std::nullopt;
    const LeftBytes here = bytes_after(recording, launch), there = bytes_after(other, launch);
    const LeftByte *left = nullptr, *other_left = nullptr;
    std::uint64_t least = ~std::uint64_t(0);
    for (const auto& [place, byte] : here) {
      const auto found = there.find(place);
      if (place >= least || (found != there.end() && found->second.value == byte.value) || !is_wanted(byte)) continue;
      least = place, left = &byte, other_left = found == there.end() ? nullptr : &found->second;
    }
    if (left) return fault_between(recording, other, *left, other_left, comparison.order);
  }
  return std::nullopt;
}

}  // namespace kdscope::access_log
