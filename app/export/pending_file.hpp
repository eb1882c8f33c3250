#pragma once
// A file under a temporary name until it is complete, so that a failed or cancelled export keeps the old one.

#include <QString>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// Beside the file to be, with the same ending: "tree.svg" is "tree.part.svg" until kept. Removes what was not kept.
class PendingFile {
 public:
  explicit PendingFile(const QString& path);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const QString& path() const { return path_; }
  const QString& temporary() const { return temporary_; }
  /// Whether a file can be made there at all, so that this is said before long work begins. Makes the folder's last part
  /// where it is missing.
  Result<void> prepare();
  /// Renames it over the old file. Errors: io_failure.
  Result<void> keep();

 private:
  QString path_, temporary_;
  bool kept_ = false;
};

/// "PATH cannot be written: why".
Error cannot_write(const QString& path, const QString& why);

}  // namespace kdscope
