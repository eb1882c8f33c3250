#include "app/session/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace kdscope {
namespace {

namespace fs = std::filesystem;

/// Writes everything and brings it to the disk; 0, or errno.
int write_through(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(descriptor) == 0 ? 0 : errno;
}

}  // namespace

Result<void> replace_file(const std::string& path, std::string_view bytes) {
  std::error_code ignored;
  const fs::file_status there = fs::status(path, ignored);
  const auto failure = [&](const std::string& what, const char* remedy) {
    return Error{ErrorKind::io_failure, "cannot be saved (" + what + ")", path,
                 std::string(fs::exists(there) ? "the old file is unchanged; " : "") + remedy};
  };
  if (fs::exists(there) && !fs::is_regular_file(there)) return failure("it is no ordinary file", "choose another name");
  const fs::path target = fs::exists(there) ? fs::canonical(path, ignored) : fs::path(path);
  static std::atomic<unsigned> count{0};
  const std::string temporary = target.string() + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    const bool missing = errno == ENOENT;
    return failure(std::strerror(errno), missing ? "the folder is missing: choose another" : "choose another folder");
  }
  struct stat old{};
  if (::stat(target.c_str(), &old) == 0) ::fchmod(descriptor, old.st_mode & 07777);
  int failed = write_through(descriptor, bytes);
  if (::close(descriptor) != 0 && failed == 0) failed = errno;
  if (failed == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) failed = errno;
  if (failed != 0) {
    ::unlink(temporary.c_str());
    return failure(std::strerror(failed),
                   failed == ENOSPC || failed == EDQUOT || failed == EFBIG ? "free some room or choose another disk"
                                                                          : "choose another folder");
  }
  // The rename itself reaches the disk with its folder.
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); opened >= 0) {
    ::fsync(opened);
    ::close(opened);
  }
  return {};
}

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
