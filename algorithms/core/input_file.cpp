#include "algorithms/core/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace kdscope {

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<InputFile> InputFile::open(const std::string& path) {
  const auto refused = [&](const std::string& what, const char* remedy) {
    return Error{ErrorKind::bad_input, what, path, remedy};
  };
  // Check the path before opening it: opening a device may have effects, and a pipe waits for its writer.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0)
    return refused(errno == ENOENT ? "there is no such file"
                                   : std::string("the file cannot be opened (") + std::strerror(errno) + ")",
                   "check the name and its permissions");
  if (!S_ISREG(status.st_mode)) return refused("this is no ordinary file", "name a file");
  InputFile file(path, ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.descriptor_ < 0 || ::fstat(file.descriptor_, &status) != 0)
    return refused(std::string("the file cannot be opened (") + std::strerror(errno) + ")",
                   "check the name and its permissions");
  if (!S_ISREG(status.st_mode)) return refused("this is no ordinary file", "name a file");
  file.size_ = static_cast<std::uint64_t>(status.st_size);
  return file;
}

Result<std::string> InputFile::read(std::uint64_t most) const try {
  std::string bytes(std::min(most, size_), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::pread(descriptor_, bytes.data() + filled, bytes.size() - filled, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return Error{ErrorKind::bad_input,
                   got < 0 ? std::string("the file cannot be read (") + std::strerror(errno) + ")"
                           : "the file ends before its size",
                   path_, "read it again, or take another copy"};
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "the file does not fit in memory", path_, "use a smaller file"};
}

Result<std::string> read_file(const std::string& path, std::uint64_t limit) {
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  if (file->size() > limit)
    return Error{ErrorKind::bad_input, "a file of " + std::to_string(file->size()) + " bytes is refused", path,
                 "at most " + std::to_string(limit) + " bytes are read"};
  return file->read();
}

}  // namespace kdscope
