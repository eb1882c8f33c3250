#pragma once
// What happened to elements within recorded launches: who wrote them, who read them, and what shared arrays held.

#include <cstdint>
#include <optional>
#include <vector>

#include "algorithms/variants/inside/launch_walk.hpp"

namespace kdscope::access_log {

/// Returns the place of an access in a recording, by what it is; nullopt if it is of another recording.
std::optional<std::size_t> place_of(const LaunchRecording& recording, const Access& access);

/// Bytes of an array. A shared array is another one in each block or warp of each launch.
struct Element {
  std::uint32_t array = 0, launch = 0, group = 0;  ///< the last two count for shared arrays
  std::int64_t offset = 0;
  std::uint32_t bytes = 0;
};
Element element_of(const Access& access);

/// Returns the last access before the place `before` that writes some of the element's bytes, in the order of the
/// recording; nullopt if none does, so that the value is older than the recording.
std::optional<std::size_t> writer_before(const LaunchRecording& recording, const Element& element, std::size_t before);
/// Returns the first access from the place `from` on that reads some of the element's bytes, unless one that writes all
/// of them without reading them comes first.
std::optional<std::size_t> reader_from(const LaunchRecording& recording, const Element& element, std::size_t from);

/// An element of a shared array.
struct SharedElement {
  enum class State : std::uint8_t {
    unwritten,
    known,    ///< `value`, which `writer` left
    unknown,  ///< written by an access of several elements, or by a scan whose result does not show which array it was
  };
  State state = State::unwritten;
  std::uint64_t value = 0;
  std::optional<std::size_t> writer = {};  ///< an access; none: a scan of the block
};
struct SharedArray {
  std::uint32_t array = 0;  ///< in LaunchRecording::arrays
  std::vector<SharedElement> elements;
};

/// Returns the shared arrays of a block or warp that it has touched so far: after the accesses in front of the place
/// `until`, in or behind the stretch of this number. A scan changes the array whose elements give its sums.
std::vector<SharedArray> shared_arrays_at(const LaunchRecording& recording, const std::vector<Stretch>& stretches,
                                          std::size_t stretch, std::size_t until);

}  // namespace kdscope::access_log
