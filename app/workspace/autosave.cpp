#include "app/workspace/autosave.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <exception>
#include <utility>

namespace kdscope {
namespace {

constexpr int most_programs = 64, most_kept = 5;

/// Locks a session file. Null if another running program holds the lock.
std::unique_ptr<QLockFile> locked(const QString& session) {
  auto lock = std::make_unique<QLockFile>(session + QStringLiteral(".lock"));
  lock->setStaleLockTime(0);  // a lock ends with its program, not after a time
  return lock->tryLock(0) ? std::move(lock) : nullptr;
}

}  // namespace

Autosave::Autosave(const QString& folder, QObject* parent) : QObject(parent), folder_(folder) {
  const QDir dir(folder);
  if (!dir.mkpath(QStringLiteral("."))) return;
  QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  const QFileInfoList files =
      dir.entryInfoList({QStringLiteral("running-*") + QLatin1String(session_ending)}, QDir::Files, QDir::Time);
  for (const QFileInfo& file : files)
    if (auto lock = locked(file.filePath())) left_.push_back({{file.filePath(), file.lastModified()}, std::move(lock)});
  for (int place = 1; place <= most_programs && own_path_.isEmpty(); ++place) {
    const QString path = dir.filePath(QStringLiteral("running-%1").arg(place)) + QLatin1String(session_ending);
    if (QFile::exists(path)) continue;
    own_lock_ = locked(path);
    if (own_lock_ && !QFile::exists(path)) own_path_ = path;
  }
}

Autosave::~Autosave() {
  writer_.wait();
  try {
    for (const auto& [path, saved] : to_keep_) (void)save_session(saved, path);
  } catch (const std::exception&) {  // no window is left to report the error
  }
}

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
      emit failed({ErrorKind::io_failure, "the session cannot be saved automatically", folder_.toStdString(),
                   "save it yourself, or make the folder writable"});
    return;
  }
  next_ = std::move(saved);
  write_next();
}

void Autosave::write_next() {
  if (writer_.running()) return;
  if (!to_keep_.empty()) {
    writer_.start(
        {},
        [this, waiting = std::move(to_keep_.front())](const RunControl&) {
          return [this, result = save_session(waiting.second, waiting.first)] {
            if (!result) emit failed(result.error());
            write_next();
          };
        },
        [this](const Error& error) {
          emit failed(error);
          write_next();
        });
    to_keep_.pop_front();
  } else if (next_) {
    writer_.start(
        {},
        [this, path = own_path_.toStdString(), saved = std::move(*next_)](const RunControl&) {
          return [this, result = save_session(saved, path)] { end_of_write(result); };
        },
        [this](const Error& error) { end_of_write(error); });
    next_.reset();
  }
}

void Autosave::end_of_write(const Result<void>& result) {
  if (result) {
    told_ = false;
    emit written();
  } else if (!std::exchange(told_, true)) {
    emit failed(result.error());
  }
  write_next();
}

QString Autosave::keep(SavedSession saved) {
  const QDir dir(folder_);
  const QFileInfoList kept =
      dir.entryInfoList({QStringLiteral("unsaved *") + QLatin1String(session_ending)}, QDir::Files, QDir::Time);
  for (const QFileInfo& old : kept.mid(most_kept - 1)) QFile::remove(old.filePath());
  const QString path = dir.filePath(QStringLiteral("unsaved ") +
                                    QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd hh.mm.ss"))) +
                       QLatin1String(session_ending);
  to_keep_.emplace_back(path.toStdString(), std::move(saved));
  write_next();
  return path;
}

void Autosave::clear() {
  next_.reset();
  writer_.wait();
  if (!own_path_.isEmpty()) QFile::remove(own_path_);
}

}  // namespace kdscope
