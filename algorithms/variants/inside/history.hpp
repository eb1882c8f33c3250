#pragma once
// Who wrote an element, and who reads it next, in the recorded launches.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/variants/inside/launch_recording.hpp"

namespace kdscope::access_log {

/// Reads "tags[12]". Returns nullopt for another text.
std::optional<std::pair<std::string, std::int64_t>> element_named(std::string_view text);

/// Elements of the arrays with a name, whichever recording they are in.
struct NamedElements {
  std::string array;
  std::int64_t index = 0;
  std::uint32_t count = 1;
  std::optional<std::uint32_t> group = {};  ///< of a shared array; none: those of all groups
};

/// Returns the accesses to bytes of elements, by their indices, in the order in which they were made.
std::vector<std::size_t> accesses_of_element(const LaunchRecording& recording, const NamedElements& elements);

/// An access of an original to elements, and the one of a variant that is as many accesses behind the step's first.
struct AccessPair {
  std::string step;
  std::optional<std::size_t> original = {}, variant = {};  ///< by their indices; none: there are no more
  /// Lanes, values or kinds differ. Lines do not count, because a variant's have other numbers.
  bool differs = false;
};

/// Returns the accesses of both to elements, step by step, in the original's order of steps; those of the variant alone
/// come last.
std::vector<AccessPair> accesses_beside(const LaunchRecording& original, const LaunchRecording& variant,
                                        const NamedElements& elements);

/// Returns the first write, in the order of launches, groups, intervals and lanes, that differs in element, kind or
/// value, or that one of them lacks: of those to global arrays, or else to shared ones, which a variant may name
/// otherwise; nullopt if there is none. Writes of a lane in an interval are paired by their numbers. Launches behind
/// one of another name are left out. Work O(accesses * log(accesses)).
std::optional<AccessPair> first_different_write(const LaunchRecording& original, const LaunchRecording& variant);

}  // namespace kdscope::access_log
