#include "algorithms/variants/inside/history.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace kdscope::access_log {

std::optional<std::pair<std::string, std::int64_t>> element_named(std::string_view text) {
  const std::size_t open = text.rfind('[');
  if (open == std::string_view::npos || open == 0 || !text.ends_with(']')) return std::nullopt;
  std::int64_t index = 0;
  const char *begin = text.data() + open + 1, *end = text.data() + text.size() - 1;
  const auto [rest, failed] = std::from_chars(begin, end, index);
  if (failed != std::errc() || rest != end) return std::nullopt;
  return std::pair(std::string(text.substr(0, open)), index);
}

std::vector<std::size_t> accesses_of_element(const LaunchRecording& recording, const NamedElements& elements) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < recording.accesses.size(); ++i) {
    const Access& access = recording.accesses[i];
    const WatchedArray& of = recording.array_of(access);
    if (of.name != elements.array || (elements.group && *elements.group != access.group)) continue;
    const std::int64_t begin = elements.index * of.element_bytes,
                       end = begin + std::int64_t{elements.count} * of.element_bytes;
    if (access.offset < end && access.offset + access.bytes > begin) found.push_back(i);
  }
  return found;
}

std::vector<AccessPair> accesses_beside(const LaunchRecording& original, const LaunchRecording& variant,
                                        const NamedElements& elements) {
  // By the paths of steps, and these in the order in which they were first launched
  std::vector<std::string> steps;
  std::map<std::string, std::array<std::vector<std::size_t>, 2>> by_step;
  for (const LaunchRecording* recording : {&original, &variant})
    for (const std::size_t i : accesses_of_element(*recording, elements)) {
      const std::string& step = recording->launches[recording->accesses[i].launch].step;
      if (!by_step.contains(step)) steps.push_back(step);
      by_step[step][recording == &variant].push_back(i);
    }
  std::vector<AccessPair> pairs;
  for (const std::string& step : steps) {
    const auto& [left, right] = by_step[step];
    for (std::size_t k = 0; k < std::max(left.size(), right.size()); ++k) {
      AccessPair pair{step};
      if (k < left.size()) pair.original = left[k];
      if (k < right.size()) pair.variant = right[k];
      pair.differs = !pair.original || !pair.variant;
      if (!pair.differs) {
        const Access &a = original.accesses[left[k]], &b = variant.accesses[right[k]];
        pair.differs = a.kind != b.kind || original.place_of(a) != variant.place_of(b) ||
                       original.value_of(a) != variant.value_of(b);
      }
      pairs.push_back(std::move(pair));
    }
  }
  return pairs;
}

namespace {

/// The place of a write: launch, group, interval, lane, and its number among those of the lane.
using WritePlace = std::array<std::uint32_t, 5>;
using PlacedWrites = std::vector<std::pair<WritePlace, std::size_t>>;

/// Returns the writes in the order of their places. shared: also those to shared arrays.
PlacedWrites placed_writes(const LaunchRecording& recording, bool shared) {
  PlacedWrites writes;
  for (std::size_t i = 0; i < recording.accesses.size(); ++i) {
    const Access& access = recording.accesses[i];
    if (!access.is(AccessKind::read) && (shared || !recording.array_of(access).shared))
      writes.push_back({{access.launch, access.group, access.interval, access.lane, access.order}, i});
  }
  std::ranges::sort(writes);
  // Reads of one alone must not shift the numbers
  WritePlace before{};
  std::uint32_t number = 0;
  for (auto& [place, i] : writes) {
    const bool same_lane = number > 0 && std::equal(place.begin(), place.end() - 1, before.begin());
    before = place;
    place.back() = same_lane ? number : 0;
    number = place.back() + 1;
  }
  return writes;
}

std::optional<AccessPair> first_different_write(const LaunchRecording& original, const LaunchRecording& variant,
                                                bool shared) {
  std::size_t same = 0;
  while (same < std::min(original.launches.size(), variant.launches.size()) &&
         original.launches[same].name == variant.launches[same].name)
    ++same;
  const PlacedWrites left = placed_writes(original, shared), right = placed_writes(variant, shared);
  for (std::size_t a = 0, b = 0; a < left.size() || b < right.size(); ++a, ++b) {
    AccessPair pair;
    if (a < left.size() && (b == right.size() || left[a].first <= right[b].first)) pair.original = left[a].second;
    if (b < right.size() && (a == left.size() || right[b].first <= left[a].first)) pair.variant = right[b].second;
    const Access& either = pair.original ? original.accesses[*pair.original] : variant.accesses[*pair.variant];
    if (either.launch >= same) return std::nullopt;
    pair.step = original.launches[either.launch].step;
    pair.differs = !pair.original || !pair.variant;
    if (!pair.differs) {
      const Access &one = original.accesses[*pair.original], &two = variant.accesses[*pair.variant];
      pair.differs = one.kind != two.kind || one.offset != two.offset || one.bytes != two.bytes ||
                     one.value != two.value || original.array_of(one).name != variant.array_of(two).name;
    }
    if (pair.differs) return pair;
  }
  return std::nullopt;
}

}  // namespace

std::optional<AccessPair> first_different_write(const LaunchRecording& original, const LaunchRecording& variant) {
  const auto found = first_different_write(original, variant, false);
  return found ? found : first_different_write(original, variant, true);
}

}  // namespace kdscope::access_log
