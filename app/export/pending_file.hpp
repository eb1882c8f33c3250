#pragma once
// A file with a temporary name until it is complete, so that a failed or cancelled export keeps the old file.

#include <QString>
#include <optional>

#include "algorithms/core/replaced_file.hpp"

namespace kdscope {

/// A ReplacedFile for Qt's writers, which open the temporary file by its name.
class PendingFile {
 public:
  explicit PendingFile(const QString& path);

  const QString& path() const { return path_; }
  /// Creates the temporary file, and the last folder of the path if it is missing. Call it before long work begins.
  /// Errors: io_failure.
  Result<void> prepare();
  /// The name of the temporary file. Requires prepare().
  QString temporary() const;
  /// Renames the temporary file to path(). Requires prepare(). Errors: io_failure.
  Result<void> keep();

 private:
  QString path_;
  std::optional<ReplacedFile> file_;
};

/// "PATH cannot be written: why".
Error cannot_write(const QString& path, const QString& why);

}  // namespace kdscope
