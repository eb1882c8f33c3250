#include "app/export/pending_file.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <filesystem>

namespace kdscope {

Error cannot_write(const QString& path, const QString& why) {
  return {ErrorKind::io_failure, "the file cannot be written: " + why.toStdString(), path.toStdString(),
          "check the folder, its permissions and its free space"};
}

PendingFile::PendingFile(const QString& path) : path_(path) {
  const QFileInfo info(path);
  temporary_ = info.dir().filePath(info.completeBaseName() + QStringLiteral(".part.") + info.suffix());
}

PendingFile::~PendingFile() {
  if (!kept_) QFile::remove(temporary_);
}

Result<void> PendingFile::prepare() {
  const QFileInfo info(path_);
  if (info.isDir()) return cannot_write(path_, QStringLiteral("a folder has this name"));
  if (!info.dir().exists() && !QDir().mkdir(info.dir().path()))
    return cannot_write(path_, QStringLiteral("the folder %1 cannot be made").arg(info.dir().path()));
  if (info.exists() && !info.isWritable()) return cannot_write(path_, QStringLiteral("the old file is write-protected"));
  QFile file(temporary_);
  if (!file.open(QIODevice::WriteOnly)) return cannot_write(path_, file.errorString());
  return {};
}

Result<void> PendingFile::keep() {
  std::error_code failed;
  std::filesystem::rename(QFile::encodeName(temporary_).toStdString(), QFile::encodeName(path_).toStdString(), failed);
  if (failed) return cannot_write(path_, QString::fromStdString(failed.message()));
  kept_ = true;
  return {};
}

}  // namespace kdscope
