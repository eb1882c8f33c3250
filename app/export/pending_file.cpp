#include "app/export/pending_file.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <utility>

namespace kdscope {

Error cannot_write(const QString& path, const QString& why) {
  return {ErrorKind::io_failure, "the file cannot be written: " + why.toStdString(), path.toStdString(),
          "check the folder, its permissions and its free space"};
}

PendingFile::PendingFile(const QString& path) : path_(path) {}

Result<void> PendingFile::prepare() {
  const QDir folder = QFileInfo(path_).dir();
  if (!folder.exists() && !QDir().mkdir(folder.path()))
    return cannot_write(path_, QStringLiteral("the folder %1 cannot be created").arg(folder.path()));
  Result<ReplacedFile> file = ReplacedFile::begin(QFile::encodeName(path_).toStdString());
  if (!file) return file.error();
  file_.emplace(std::move(*file));
  return {};
}

QString PendingFile::temporary() const { return QFile::decodeName(file_->temporary().c_str()); }

Result<void> PendingFile::keep() { return file_->keep(); }

}  // namespace kdscope
