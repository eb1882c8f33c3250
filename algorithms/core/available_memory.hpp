#pragma once
// Checked before large allocations: Linux grants more memory than exists and then kills the program.

#include <cstdint>
#include <string>

namespace kdscope {

/// Bytes that this program may still allocate: the machine's available memory, or the limit of its control group if
/// lower.
std::uint64_t available_memory();

/// "0 MiB" to "9999 MiB", then "9.8 GiB" to one decimal; rounded up.
std::string memory_text(std::uint64_t bytes);

/// Throws ErrorException of kind out_of_memory if `bytes` are not available; `what` is the plural noun that needs them.
void require_memory(std::uint64_t bytes, const std::string& what);

}  // namespace kdscope
