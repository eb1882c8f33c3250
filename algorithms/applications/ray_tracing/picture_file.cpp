#include "algorithms/applications/ray_tracing/picture_file.hpp"

#include "algorithms/core/replaced_file.hpp"

namespace kdscope {

Error other_ending(const std::string& path) {
  return {ErrorKind::bad_usage, "pictures are written as portable pixmaps", path, "choose a name that ends in .ppm"};
}

Result<void> write_picture(const std::string& path, std::uint32_t width, std::uint32_t height,
                           const std::vector<std::uint32_t>& pixels) {
  if (!path.ends_with(".ppm")) return other_ending(path);
  std::string bytes = "P6\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n";
  bytes.reserve(bytes.size() + 3 * pixels.size());
  for (const std::uint32_t pixel : pixels)
    for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<char>(pixel >> shift & 0xff));
  return replace_file(path, bytes);
}

}  // namespace kdscope
