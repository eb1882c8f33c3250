#pragma once
// A file under a temporary name until it is complete, so that a failed or cancelled export keeps the old one.

#include <QString>
#include <optional>

#include "algorithms/core/replaced_file.hpp"

namespace kdscope {

/// A ReplacedFile for Qt's writers, which open the temporary by its name.
class PendingFile {
 public:
  explicit PendingFile(const QString& path);

  const QString& path() const { return path_; }
  /// Makes the temporary, and the last folder of the path where it is missing; before long work begins. Errors:
  /// io_failure.
  Result<void> prepare();
  /// Requires prepare().
  QString temporary() const;
  /// Puts it in its place. Requires prepare(). Errors: io_failure.
  Result<void> keep();

 private:
  QString path_;
  std::optional<ReplacedFile> file_;
};

/// "PATH cannot be written: why".
Error cannot_write(const QString& path, const QString& why);

}  // namespace kdscope
