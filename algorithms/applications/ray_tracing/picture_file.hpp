#pragma once
// Pictures as files that every image program reads.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// The error of a name with another ending than .ppm.
Error other_ending(const std::string& path);
/// Writes pixels (Picture::pixels) as a portable pixmap, binary, 8 bits per colour. Errors: bad_usage if the name does
/// not end in .ppm; io_failure, the old file is then unchanged.
Result<void> write_picture(const std::string& path, std::uint32_t width, std::uint32_t height,
                           const std::vector<std::uint32_t>& pixels);

}  // namespace kdscope
