#include "app/workspace/autosave.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace kdscope {
namespace {

constexpr int most_programs = 64, most_kept = 5;

/// Null where another program that lives has it.
std::unique_ptr<QLockFile> locked(const QString& session) {
  auto lock = std::make_unique<QLockFile>(session + QStringLiteral(".lock"));
  lock->setStaleLockTime(0);  // a lock ends with its program, not with time
  return lock->tryLock(0) ? std::move(lock) : nullptr;
}

}  // namespace

Autosave::Autosave(const QString& folder, QObject* parent) : QObject(parent), folder_(folder) {
  writer_.setMaxThreadCount(1);
  const QDir dir(folder);
  if (!dir.mkpath(QStringLiteral("."))) return;
  QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  const QFileInfoList files =
      dir.entryInfoList({QStringLiteral("running-*") + QLatin1String(session_ending)}, QDir::Files, QDir::Time);
  for (const QFileInfo& file : files)
    if (auto lock = locked(file.filePath()))
      left_.push_back({{file.filePath(), file.lastModified()}, std::move(lock)});
  for (int place = 1; place <= most_programs && own_path_.isEmpty(); ++place) {
    const QString path = dir.filePath(QStringLiteral("running-%1").arg(place)) + QLatin1String(session_ending);
    if (QFile::exists(path)) continue;
    own_lock_ = locked(path);
    if (own_lock_ && !QFile::exists(path)) own_path_ = path;
  }
}

Autosave::~Autosave() { writer_.waitForDone(); }

std::vector<Autosave::Left> Autosave::left() const {
  std::vector<Left> all;
  for (const Found& found : left_) all.push_back(found.left);
  return all;
}

void Autosave::discard_left(const QString& path) {
  QFile::remove(path);
  std::erase_if(left_, [&](const Found& found) { return found.left.path == path; });
}

void Autosave::release_left() { left_.clear(); }

void Autosave::write(SavedSession saved) {
  if (own_path_.isEmpty()) {
    if (!std::exchange(told_, true))
      emit failed({ErrorKind::io_failure, "the session cannot be saved by itself", folder_.toStdString(),
                   "save it yourself, or make the folder writable"});
    return;
  }
  if (writing_)
    next_ = std::move(saved);
  else
    start(std::move(saved));
}

void Autosave::start(SavedSession saved) {
  writing_ = true;
  writer_.start([this, path = own_path_.toStdString(), saved = std::move(saved)] {
    const auto result = std::make_shared<Result<void>>(save_session(saved, path));
    QMetaObject::invokeMethod(
        this,
        [this, result] {
          writing_ = false;
          if (*result) {
            told_ = false;
            emit written();
          } else if (!std::exchange(told_, true)) {
            emit failed(result->error());
          }
          if (auto next = std::exchange(next_, std::nullopt)) start(std::move(*next));
        },
        Qt::QueuedConnection);
  });
}

QString Autosave::keep(SavedSession saved) {
  const QDir dir(folder_);
  const QFileInfoList kept =
      dir.entryInfoList({QStringLiteral("unsaved *") + QLatin1String(session_ending)}, QDir::Files, QDir::Time);
  for (const QFileInfo& old : kept.mid(most_kept - 1)) QFile::remove(old.filePath());
  const QString path =
      dir.filePath(QStringLiteral("unsaved ") + QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd hh.mm.ss"))) +
      QLatin1String(session_ending);
  writer_.start([this, path = path.toStdString(), saved = std::move(saved)] {
    if (const auto result = save_session(saved, path); !result)
      QMetaObject::invokeMethod(this, [this, error = result.error()] { emit failed(error); }, Qt::QueuedConnection);
  });
  return path;
}

void Autosave::clear() {
  next_.reset();
  writer_.waitForDone();
  if (!own_path_.isEmpty()) QFile::remove(own_path_);
}

}  // namespace kdscope
