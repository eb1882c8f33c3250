#include "app/session/whole_file.hpp"

#include <filesystem>
#include <fstream>

namespace kdscope {

namespace fs = std::filesystem;

Result<std::string> read_file(const std::string& path, std::uintmax_t limit) {
  std::error_code failed;
  const fs::file_status there = fs::status(path, failed);
  if (!fs::exists(there))
    return Error{ErrorKind::io_failure, "there is no such file", path, "check the name, or put the file back"};
  if (!fs::is_regular_file(there)) return Error{ErrorKind::io_failure, "this is no ordinary file", path, "choose a file"};
  const std::uintmax_t size = fs::file_size(path, failed);
  if (!failed && size > limit)
    return Error{ErrorKind::bad_input, "a file of " + std::to_string(size) + " bytes is refused", path,
                 "at most " + std::to_string(limit) + " bytes are read"};
  std::string bytes(failed ? 0 : size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    return Error{ErrorKind::io_failure, "the file cannot be read", path, "check its permissions"};
  return bytes;
}

}  // namespace kdscope
