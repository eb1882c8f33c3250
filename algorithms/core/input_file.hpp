#pragma once
// How foreign files are opened: only ordinary ones, and only as much of them as there is room for.

#include <cstdint>
#include <string>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// An ordinary file, open for reading. Pipes, devices and folders are refused unread: they would block or never end.
class InputFile {
 public:
  /// Errors: bad_input if there is no such file, if it is no ordinary one, or if its permissions forbid reading.
  static Result<InputFile> open(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  /// In bytes, when it was opened.
  std::uint64_t size() const { return size_; }
  /// The first bytes: all of them, or `most`.
  /// Errors: bad_input if the disk does not give them or if the file shrinks meanwhile, out_of_memory.
  Result<std::string> read(std::uint64_t most) const;
  Result<std::string> read() const { return read(size_); }
  /// Enough to recognise a wrong file by, before the whole of a large one is read.
  Result<std::string> read_beginning() const { return read(4096); }

 private:
  InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace kdscope
