#pragma once
// Files read and written as a whole: what stood there before stays until the new bytes are safe on the disk.

#include <cstdint>
#include <string>
#include <string_view>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// Writes a temporary file beside `path`, brings it to the disk and renames it. On failure the old file is as it was, and
/// nothing is left behind. Through a link, the file behind it is replaced. Errors: io_failure.
Result<void> replace_file(const std::string& path, std::string_view bytes);

/// The bytes of an ordinary file of at most `limit` bytes. Errors: io_failure, bad_input for a longer one.
Result<std::string> read_file(const std::string& path, std::uintmax_t limit);

}  // namespace kdscope
