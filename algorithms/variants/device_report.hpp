#pragma once
// Reads the reports of compute-sanitizer, the tool that watches a CUDA device's accesses.

#include <optional>
#include <string>
#include <vector>

#include "algorithms/variants/protocol.hpp"

namespace kdscope::variants {

/// Returns the first access out of bounds in the tool's output, or nullopt. file: the variant's source. arrays: the
/// events of kind array, in order. The address is attributed to the array that contains it or lies nearest in front of
/// it, since an index usually runs past the end.
std::optional<Event> access_in(const std::string& output, const std::string& file, const std::vector<Event>& arrays);

}  // namespace kdscope::variants
