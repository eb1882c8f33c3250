#include "algorithms/trace/file_seal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "algorithms/core/byte_hash.hpp"

namespace kdscope {
namespace {

constexpr std::string_view magic = "kdscope trace (HDF5 follows at byte 512)\n";

using Seal = std::array<char, seal_bytes>;

Error failure(const char* what, const std::string& path) {
  return {ErrorKind::io_failure, std::string(what) + " (" + std::strerror(errno) + ")", path, ""};
}

/// Computes the seal that matches the file's bytes.
Result<Seal> expected_seal(int descriptor, const std::string& path) {
  std::vector<char> block(1 << 20);
  ByteHash hasher;
  std::uint64_t at = seal_bytes;
  for (;;) {
    std::size_t filled = 0;
    while (filled < block.size()) {
      const ssize_t got =
          ::pread(descriptor, block.data() + filled, block.size() - filled, static_cast<off_t>(at + filled));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return failure("cannot be read", path);
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    hasher.add(block.data(), filled);
    at += filled;
    if (filled < block.size()) break;
  }
  Seal seal{};
  std::snprintf(seal.data(), seal.size(), "%sbytes %llu\nhash %016llx\n", magic.data(),
                static_cast<unsigned long long>(at), static_cast<unsigned long long>(hasher.state()));
  return seal;
}

}  // namespace

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

Result<void> seal_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.number() < 0) return failure("cannot be opened", path);
  const Result<Seal> seal = expected_seal(file.number(), path);
  if (!seal) return seal.error();
  if (::pwrite(file.number(), seal->data(), seal->size(), 0) != static_cast<ssize_t>(seal->size()))
    return failure("cannot be written", path);
  if (::fsync(file.number()) != 0) return failure("cannot be written to disk", path);
  return {};
}

Result<Descriptor> open_sealed(const std::string& path) {
  // Open without blocking: a pipe or a device would block or never end.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) {
    Error error = failure("cannot be opened", path);
    error.kind = ErrorKind::bad_input;
    return error;
  }
  if (!S_ISREG(status.st_mode)) return Error{ErrorKind::bad_input, "is not a file", path, "name a .kdtrace file"};
  Seal found{};
  const ssize_t got = ::pread(file.number(), found.data(), found.size(), 0);
  if (got < static_cast<ssize_t>(magic.size()) || std::memcmp(found.data(), magic.data(), magic.size()) != 0)
    return Error{ErrorKind::bad_input, "is not a kdscope trace", path, "name a file that `kdscope-cli record` wrote"};
  const Result<Seal> expected = expected_seal(file.number(), path);
  if (!expected) return expected.error();
  if (found == *expected) return file;

  unsigned long long promised = 0;
  std::sscanf(found.data() + magic.size(), "bytes %20llu", &promised);
  const auto size = static_cast<unsigned long long>(status.st_size);
  if (size < promised)
    return Error{ErrorKind::bad_input,
                 "is cut short: " + std::to_string(size) + " of " + std::to_string(promised) + " bytes are there", path,
                 "copy or record it again"};
  return Error{ErrorKind::bad_input, "is damaged or was changed after it was written", path, "copy or record it again"};
}

}  // namespace kdscope
