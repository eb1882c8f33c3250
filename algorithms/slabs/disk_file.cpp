#include "algorithms/slabs/disk_file.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "algorithms/core/error.hpp"

namespace kdscope::slabs {
namespace {

Error unwritable(const std::string& name, int number) {
  const bool full = number == ENOSPC || number == EDQUOT || number == EFBIG;
  return {ErrorKind::io_failure, std::string("cannot be written (") + std::strerror(number) + ")", name,
          full ? "free some room, or choose another disk" : "choose another folder"};
}

}  // namespace

DiskFile DiskFile::reading(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    throw ErrorException({ErrorKind::bad_input, std::string("cannot be read (") + std::strerror(errno) + ")", path,
                          "name a file that this user may read"});
  return {path, descriptor};
}

DiskFile DiskFile::writing(const std::string& path, const std::string& name) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) throw ErrorException(unwritable(name, errno));
  return {name, descriptor};
}

DiskFile DiskFile::scratch(const std::string& folder, std::uint64_t bytes) {
  const std::string name = "the scratch file in " + folder;
  int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
    std::string path = folder + "/kdscope-scratch-XXXXXX";
    descriptor = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor >= 0) ::unlink(path.c_str());
  }
  if (descriptor < 0) throw ErrorException(unwritable(name, errno));
  DiskFile file(name, descriptor);
  file.reserve(bytes);
  return file;
}

DiskFile DiskFile::scratch_in_memory() {
  const int descriptor = ::memfd_create("kdscope-scratch", MFD_CLOEXEC);
  if (descriptor < 0) throw ErrorException(unwritable("the scratch file in memory", errno));
  return {"the scratch file in memory", descriptor};
}

DiskFile::DiskFile(DiskFile&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

DiskFile::~DiskFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void DiskFile::fail_to_write(int number) const { throw ErrorException(unwritable(name_, number)); }

void DiskFile::reserve(std::uint64_t bytes) {
  if (bytes == 0 || ::fallocate(descriptor_, 0, 0, static_cast<off_t>(bytes)) == 0) return;
  if (errno != EOPNOTSUPP && errno != ENOSYS) fail_to_write(errno);
}

void DiskFile::read_bytes(std::uint64_t byte, void* to, std::size_t size) const {
  for (std::size_t done = 0; done < size;) {
    const ssize_t read =
        ::pread(descriptor_, static_cast<char*>(to) + done, size - done, static_cast<off_t>(byte + done));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0)
      throw ErrorException({ErrorKind::io_failure, std::string("cannot be read (") + std::strerror(errno) + ")", name_,
                            "check the disk"});
    if (read == 0)
      throw ErrorException({ErrorKind::bad_input, "the file ends at byte " + std::to_string(byte + done), name_,
                            "it has become shorter; leave it alone while it is read"});
    done += static_cast<std::size_t>(read);
  }
}

void DiskFile::write_bytes(std::uint64_t byte, const void* from, std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t written =
        ::pwrite(descriptor_, static_cast<const char*>(from) + done, size - done, static_cast<off_t>(byte + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail_to_write(written < 0 ? errno : ENOSPC);
    done += static_cast<std::size_t>(written);
  }
}

std::uint64_t room_in(const std::string& folder) {
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0) return std::numeric_limits<std::uint64_t>::max();
  return std::uint64_t{disk.f_bavail} * disk.f_frsize;
}

bool share_a_disk(const std::string& folder, const std::string& other) {
  struct stat one {
  }, two{};
  return ::stat(folder.c_str(), &one) == 0 && ::stat(other.c_str(), &two) == 0 && one.st_dev == two.st_dev;
}

}  // namespace kdscope::slabs
