#pragma once
// Makes an in-memory trace file whose seal matches any bytes, for data that must pass the seal.

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "algorithms/trace/file_seal.hpp"

namespace kdscope::tests {

class SealedFile {
 public:
  /// Makes the file. behind_seal: the bytes that follow the first seal_bytes of a trace file.
  explicit SealedFile(std::string_view behind_seal)
      : file_(::memfd_create("trace", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(file_.number())) {
    const std::string bytes = std::string(seal_bytes, '\0').append(behind_seal);
    whole_ = ::write(file_.number(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
             seal_file(path_).has_value();
  }
  bool whole() const { return whole_; }
  const std::string& path() const { return path_; }

 private:
  Descriptor file_;
  std::string path_;
  bool whole_ = false;
};

}  // namespace kdscope::tests
