#include "algorithms/core/replaced_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

namespace kdscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = ".part-";
constexpr std::size_t digits = 16;  // length of a machine's name and of a random number

std::string hexadecimal(std::uint64_t value) {
  std::array<char, digits + 1> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(value));
  return text.data();
}

/// Identifies this machine. A process number is meaningless on another machine, which may share the folder.
std::string this_machine() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (std::size_t i = 0; name[i] != '\0'; ++i) hash = (hash ^ static_cast<unsigned char>(name[i])) * 0x100000001b3u;
  return hexadecimal(hash);
}

/// The temporary name NAME.part-MACHINE-PROCESS-RANDOM.ENDING. NAME is shortened if the file system would reject it.
struct TemporaryName {
  std::string before, ending;

  explicit TemporaryName(const fs::path& target) : before(target.stem().string()), ending(target.extension().string()) {
    constexpr std::size_t own = mark.size() + 2 * digits + 12;
    if (ending.size() + own > NAME_MAX) ending.clear();
    before.resize(std::min(before.size(), NAME_MAX - own - ending.size()));
    before += mark;
    before += this_machine() + '-';
  }
  std::string for_this_process(std::uint64_t random) const {
    return before + std::to_string(::getpid()) + '-' + hexadecimal(random) + ending;
  }
  /// Returns whether a file is the temporary of a terminated process of this machine.
  bool is_stale(std::string_view name) const {
    if (!name.starts_with(before) || !name.ends_with(ending)) return false;
    name.remove_prefix(before.size());
    pid_t process = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), process);
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    if (problem != std::errc() || process <= 0 || name.size() != 1 + digits + ending.size() || name[0] != '-')
      return false;
    return ::kill(process, 0) != 0 && errno == ESRCH;
  }
};

void remove_stale(const fs::path& folder, const TemporaryName& names) {
  // Avoid std::filesystem::directory_iterator, which would end the program when memory is exhausted.
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), ::closedir);
  if (!entries) return;
  while (const dirent* entry = ::readdir(entries.get()))
    if (names.is_stale(entry->d_name)) ::unlinkat(::dirfd(entries.get()), entry->d_name, 0);
}

fs::path folder_of(const std::string& target) {
  const fs::path folder = fs::path(target).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

ReplacedFile::ReplacedFile(std::string path, std::string target, bool replaces)
    : path_(std::move(path)), target_(std::move(target)), replaces_(replaces) {}

ReplacedFile::ReplacedFile(ReplacedFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      replaces_(other.replaces_),
      descriptor_(std::exchange(other.descriptor_, -1)) {
  other.temporary_.clear();
}

ReplacedFile::~ReplacedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Error ReplacedFile::failure(int number) const {
  const bool full = number == ENOSPC || number == EDQUOT || number == EFBIG;
  const char* remedy = full               ? "free some room or choose another disk"
                       : number == ENOENT ? "the folder is missing: choose another"
                                          : "choose another folder";
  return {ErrorKind::io_failure, "cannot be saved (" + std::string(std::strerror(number)) + ")", path_,
          std::string(replaces_ ? "the old file is unchanged; " : "") + remedy};
}

Result<ReplacedFile> ReplacedFile::begin(const std::string& path) {
  const auto refused = [&](const char* why) {
    return Error{ErrorKind::io_failure, std::string("cannot be saved (") + why + ")", path,
                 "the old file is unchanged; choose another name"};
  };
  struct stat old {};
  const bool replaces = ::stat(path.c_str(), &old) == 0;
  if (replaces && S_ISDIR(old.st_mode)) return refused("a folder has this name");
  if (replaces && !S_ISREG(old.st_mode)) return refused("it is no ordinary file");
  if (replaces && ::access(path.c_str(), W_OK) != 0) return refused("it is write-protected");
  std::error_code ignored;
  const fs::path behind = replaces ? fs::canonical(path, ignored) : fs::path(path);
  ReplacedFile file(path, behind.empty() ? path : behind.string(), replaces);
  const TemporaryName names{fs::path(file.target_)};
  const fs::path folder = folder_of(file.target_);
  remove_stale(folder, names);
  for (int attempt = 0; file.descriptor_ < 0 && attempt < 8; ++attempt) {
    std::uint64_t random = 0;
    if (::getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) return file.failure(errno);
    file.temporary_ = (folder / names.for_this_process(random)).string();  // before the file exists: may throw
    // Make the replacement of a private file private from its first byte on.
    file.descriptor_ =
        ::open(file.temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, replaces ? 0600 : 0666);
    if (file.descriptor_ >= 0) break;
    const int why = errno;
    file.temporary_.clear();  // the file of that name belongs to another process
    if (why != EEXIST) return file.failure(why);
  }
  if (file.descriptor_ < 0) return file.failure(EEXIST);
  if (replaces) {
    // Try to restore the owner; otherwise the file keeps the owner that the system allows.
    [[maybe_unused]] const int given = ::fchown(file.descriptor_, old.st_uid, old.st_gid);
    if (::fchmod(file.descriptor_, old.st_mode & 07777) != 0) return file.failure(errno);
  }
  return file;
}

Result<void> ReplacedFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failure(written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> ReplacedFile::keep() {
  if (::fsync(descriptor_) != 0) return failure(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) return failure(errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failure(errno);
  temporary_.clear();
  // Sync the folder too, so that the rename itself reaches the disk.
  if (const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
  return {};
}

Result<void> replace_file(const std::string& path, std::string_view bytes) {
  Result<ReplacedFile> file = ReplacedFile::begin(path);
  if (!file) return file.error();
  if (Result<void> written = file->write(bytes); !written) return written;
  return file->keep();
}

}  // namespace kdscope
