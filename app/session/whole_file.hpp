#pragma once
// Files read as a whole.

#include <cstdint>
#include <string>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// The bytes of an ordinary file of at most `limit` bytes. Errors: bad_input.
Result<std::string> read_file(const std::string& path, std::uintmax_t limit);

}  // namespace kdscope
