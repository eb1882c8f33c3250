#include "app/session/whole_file.hpp"

#include "algorithms/core/input_file.hpp"

namespace kdscope {

Result<std::string> read_file(const std::string& path, std::uintmax_t limit) {
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  if (file->size() > limit)
    return Error{ErrorKind::bad_input, "a file of " + std::to_string(file->size()) + " bytes is refused", path,
                 "at most " + std::to_string(limit) + " bytes are read"};
  return file->read();
}

}  // namespace kdscope
