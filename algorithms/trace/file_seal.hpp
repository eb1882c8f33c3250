#pragma once
// The first 512 bytes of a trace file: a line that says what it is, its length, and a hash of everything behind. HDF5
// skips such a user block. It is checked before HDF5 sees the file, because HDF5 itself may crash on damaged files.

#include <cstddef>
#include <string>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// Bytes that the seal takes at the beginning of a file; a size that HDF5 accepts for a user block.
inline constexpr std::size_t seal_bytes = 512;

/// Writes the seal of a finished file and waits until the file is on disk. Reads the file once.
Result<void> seal_file(const std::string& path);

/// Whether the file is what was sealed; an error says that it is no trace file, cut short or damaged. Finds accidents,
/// not forgeries. Reads the file once.
Result<void> check_seal(const std::string& path);

}  // namespace kdscope
