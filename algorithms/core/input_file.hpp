#pragma once
// Opens files from outside: only regular files, and reads no more of them than memory permits.

#include <cstdint>
#include <string>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// A regular file, open for reading. Pipes, devices and folders are rejected unread: they would block or never end.
class InputFile {
 public:
  /// Errors: bad_input if the file does not exist, is not regular, or may not be read.
  static Result<InputFile> open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  /// Size in bytes when the file was opened.
  std::uint64_t size() const { return size_; }
  /// Returns the first `most` bytes, or all if there are fewer. Errors: bad_input if the disk fails or the file shrinks
  /// meanwhile, out_of_memory.
  Result<std::string> read(std::uint64_t most) const;
  Result<std::string> read() const { return read(size_); }
  /// Returns enough to recognise a wrong file before a large one is read completely.
  Result<std::string> read_beginning() const { return read(4096); }

 private:
  InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace kdscope
