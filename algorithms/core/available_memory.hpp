#pragma once
// Checks the memory before large allocations: Linux grants more memory than exists and then kills the program.

#include <cstdint>
#include <string>

namespace kdscope {

/// Returns the number of bytes that this program may still allocate: the machine's available memory, the limit of
/// the program's control group, or what its own limit (RLIMIT_DATA) leaves, whichever is lowest.
std::uint64_t available_memory();

/// Returns "0 MiB" to "9999 MiB", then "9.8 GiB" with one decimal; rounded up.
std::string memory_text(std::uint64_t bytes);

/// Throws ErrorException of kind out_of_memory if `bytes` are not available. what: the plural noun that needs them.
void require_memory(std::uint64_t bytes, const std::string& what);

}  // namespace kdscope
