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

/// Returns the accesses to bytes of an element of the arrays with a name, by their indices, in the order in which they
/// were made. Elements of an array that groups share count for each group.
std::vector<std::size_t> accesses_of_element(const LaunchRecording& recording, std::string_view array,
                                             std::int64_t index);

}  // namespace kdscope::access_log
