#pragma once
// How every file is written: first to a temporary file, which then replaces the old file as a whole.

#include <string>
#include <string_view>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// A file that is replaced as a whole. Until keep(), the old file stays untouched, whatever happens.
///
/// The bytes go to a temporary file in the same folder, created exclusively under an unpredictable name with the ending
/// of the final file. It has the mode and, as far as permitted, the owner of the file that it replaces. If the path is
/// a link, its target is replaced. The destructor removes the temporary. If a process is killed, a later process of the
/// same machine that writes the same file removes its temporary. If several processes write one file at the same time,
/// each writes a whole file, and the last one remains.
class ReplacedFile {
 public:
  /// Creates the temporary file. Errors: io_failure if the folder does not permit it, or if `path` is not a regular
  /// file or is write-protected.
  static Result<ReplacedFile> begin(const std::string& path);
  ReplacedFile(ReplacedFile&& other) noexcept;
  ReplacedFile& operator=(ReplacedFile&&) = delete;
  ~ReplacedFile();

  const std::string& path() const { return path_; }
  /// Returns the temporary's name, for writers that open a file by its name. They must not replace that file.
  const std::string& temporary() const { return temporary_; }
  /// Appends bytes. Errors: io_failure.
  Result<void> write(std::string_view bytes);
  /// Flushes the bytes to disk and moves the file to its final name. Call this at most once. Errors: io_failure; the
  /// old file is then unchanged.
  Result<void> keep();

 private:
  ReplacedFile(std::string path, std::string target, bool replaces);
  Error failure(int number) const;

  std::string path_, target_, temporary_;
  bool replaces_;  // whether it replaces an older file
  int descriptor_ = -1;
};

/// Writes a whole file. Errors: io_failure; the old file is then unchanged.
Result<void> replace_file(const std::string& path, std::string_view bytes);

}  // namespace kdscope
