#pragma once
// How every file is written: beside its place first, then into it as a whole.

#include <string>
#include <string_view>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// A file that takes its place as a whole: until keep(), what stood there before is untouched, whatever happens.
///
/// The bytes go into a temporary file in the same folder, made exclusively under a name that nobody can guess and with
/// the ending of the file to be. It has the mode, and as far as permitted the owner, of the file that it replaces.
/// Through a link, the file behind it is replaced. The temporary goes away with this object; one of a process that was
/// killed goes away when a later process of the same machine writes the same file. Processes that write one file at a
/// time each end with a whole one, and the last one stays.
class ReplacedFile {
 public:
  /// Makes the temporary. Errors: io_failure if the folder does not allow it, or if `path` is no ordinary file or
  /// write-protected.
  static Result<ReplacedFile> begin(const std::string& path);
  ReplacedFile(ReplacedFile&& other) noexcept;
  ReplacedFile& operator=(ReplacedFile&&) = delete;
  ~ReplacedFile();

  const std::string& path() const { return path_; }
  /// For writers that open a file by its name. They must not replace it.
  const std::string& temporary() const { return temporary_; }
  /// Appends. Errors: io_failure.
  Result<void> write(std::string_view bytes);
  /// Brings the bytes to the disk and puts the file in its place. At most once. Errors: io_failure, and the old file is
  /// as it was.
  Result<void> keep();

 private:
  ReplacedFile(std::string path, std::string target, bool replaces);
  Error failure(int number) const;

  std::string path_, target_, temporary_;
  bool replaces_;  // an older file
  int descriptor_ = -1;
};

/// Writes a whole file. Errors: io_failure, and the old file is as it was.
Result<void> replace_file(const std::string& path, std::string_view bytes);

}  // namespace kdscope
