#pragma once
// Opens files from outside. It accepts only regular files and reads only as much as memory permits.

#include <cstdint>
#include <string>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// A regular file that is open for reading. Pipes, devices and folders are rejected unread, because they would block or
/// never end.
class InputFile {
 public:
  /// Opens a file. Errors: bad_input if the file does not exist, is not regular, or may not be read.
  static Result<InputFile> open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  /// Returns the size in bytes that the file had when it was opened.
  std::uint64_t size() const { return size_; }
  /// Returns the first `most` bytes, or all if there are fewer. Errors: bad_input if the disk fails or the file shrinks
  /// meanwhile, out_of_memory.
  Result<std::string> read(std::uint64_t most) const;
  Result<std::string> read() const { return read(size_); }
  /// Returns enough bytes to recognise a wrong file before a large one is read completely.
  Result<std::string> read_beginning() const { return read(4096); }

 private:
  InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// Returns the bytes of a regular file of at most `limit` bytes. Errors: those of InputFile; bad_input for a larger
/// one.
Result<std::string> read_file(const std::string& path, std::uint64_t limit);

}  // namespace kdscope
