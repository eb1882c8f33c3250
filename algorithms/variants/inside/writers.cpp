#include "algorithms/variants/inside/writers.hpp"

#include <algorithm>

namespace kdscope::access_log {
namespace {

bool touches(const LaunchRecording& recording, const Access& access, const Element& element) {
  if (access.array != element.array) return false;
  if (recording.arrays[element.array].shared && (access.launch != element.launch || access.group != element.group))
    return false;
  return access.offset < element.offset + element.bytes && element.offset < access.offset + access.bytes;
}

/// Writes an access into the elements that it covers.
void apply(const LaunchRecording& recording, std::size_t place, SharedArray& to) {
  const Access& access = recording.accesses[place];
  const std::int64_t width = recording.arrays[to.array].element_bytes;
  const bool whole = access.bytes == width && access.offset % width == 0 && access.bytes <= sizeof access.value;
  for (std::int64_t i = recording.index_of(access); i * width < access.offset + access.bytes; ++i) {
    if (i < 0 || i >= static_cast<std::int64_t>(to.elements.size())) continue;
    to.elements[static_cast<std::size_t>(i)] = {whole ? SharedElement::State::known : SharedElement::State::unknown,
                                                access.value, place};
  }
}

/// Returns whether the exclusive sums of the elements from `first` on are these.
bool sums_to(const SharedArray& array, std::size_t first, const std::vector<std::uint64_t>& sums) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const SharedElement& element = array.elements[first + i];
    if (element.state != SharedElement::State::known || sums[i] != sum) return false;
    sum += static_cast<std::uint32_t>(element.value);
  }
  return true;
}

/// Replaces elements by their sums. If it cannot be known which ones they were, those of all arrays are unknown.
void apply_scan(const std::vector<std::uint64_t>& sums, std::vector<SharedArray>& arrays) {
  std::vector<std::pair<SharedArray*, std::size_t>> places;
  for (SharedArray& array : arrays)
    for (std::size_t first = 0; first + sums.size() <= array.elements.size(); ++first)
      if (sums_to(array, first, sums)) places.emplace_back(&array, first);
  if (places.size() == 1 && sums.size() < most_values) {
    for (std::size_t i = 0; i < sums.size(); ++i)
      places[0].first->elements[places[0].second + i] = {SharedElement::State::known, sums[i], {}};
    return;
  }
  for (SharedArray& array : arrays)
    for (SharedElement& element : array.elements)
      if (element.state == SharedElement::State::known) element = {SharedElement::State::unknown, 0, {}};
}

}  // namespace

std::optional<std::size_t> place_of(const LaunchRecording& recording, const Access& access) {
  const auto same = [&](const Access& each) {
    return each.launch == access.launch && each.group == access.group && each.interval == access.interval &&
           each.lane == access.lane && each.order == access.order && each.array == access.array &&
           each.offset == access.offset;
  };
  const auto found = std::ranges::find_if(recording.accesses, same);
  if (found == recording.accesses.end()) return std::nullopt;
  return static_cast<std::size_t>(found - recording.accesses.begin());
}

Element element_of(const Access& access) {
  return {access.array, access.launch, access.group, access.offset, access.bytes};
}

std::optional<std::size_t> writer_before(const LaunchRecording& recording, const Element& element, std::size_t before) {
  for (std::size_t i = std::min(before, recording.accesses.size()); i > 0; --i) {
    const Access& access = recording.accesses[i - 1];
    if (!access.is(AccessKind::read) && touches(recording, access, element)) return i - 1;
  }
  return std::nullopt;
}

std::optional<std::size_t> reader_from(const LaunchRecording& recording, const Element& element, std::size_t from) {
  for (std::size_t i = from; i < recording.accesses.size(); ++i) {
    const Access& access = recording.accesses[i];
    if (!touches(recording, access, element)) continue;
    if (access.reads()) return i;
    if (access.offset <= element.offset && element.offset + element.bytes <= access.offset + access.bytes)
      return std::nullopt;
  }
  return std::nullopt;
}

std::vector<SharedArray> shared_arrays_at(const LaunchRecording& recording, const std::vector<Stretch>& stretches,
                                          std::size_t stretch, std::size_t until) {
  const auto same_group = [&](std::size_t i) {
    return stretches[i].launch == stretches[stretch].launch && stretches[i].group == stretches[stretch].group;
  };
  if (std::ranges::none_of(recording.arrays, &WatchedArray::shared)) return {};
  std::size_t first = stretch;
  while (first > 0 && same_group(first - 1)) --first;
  std::vector<SharedArray> arrays;
  for (std::size_t s = first; s <= stretch; ++s) {
    for (std::size_t i = stretches[s].begin; i < std::min(stretches[s].end, until); ++i) {
      const Access& access = recording.accesses[i];
      if (!recording.array_of(access).shared) continue;
      auto known = std::ranges::find(arrays, access.array, &SharedArray::array);
      if (known == arrays.end()) {
        arrays.push_back({access.array, {}});
        known = arrays.end() - 1;
        known->elements.resize(recording.arrays[access.array].elements);
      }
      if (!access.is(AccessKind::read)) apply(recording, i, *known);
    }
    // A scan stands at the end of its interval
    if (!stretches[s].call || until < stretches[s].end) continue;
    const Interval& call = recording.intervals[*stretches[s].call];
    if (call.call == "exclusive_sum") apply_scan(call.values, arrays);
  }
  std::ranges::sort(arrays, {}, [&](const SharedArray& each) { return recording.arrays[each.array].bank_offset; });
  return arrays;
}

}  // namespace kdscope::access_log
