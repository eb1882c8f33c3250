#include "app/present/lecturer_notes.hpp"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

namespace kdscope {

QString data_folder() {
  const QString chosen = qEnvironmentVariable("XDG_DATA_HOME");
  return (QDir::isAbsolutePath(chosen) ? chosen : QDir::homePath() + QStringLiteral("/.local/share")) +
         QStringLiteral("/kdscope");
}

Result<void> LecturerNotes::open(const QString& folder) {
  path_ = folder + QStringLiteral("/notes.json");
  Result<Notes> notes = read(path_);
  notes_ = notes ? std::move(*notes) : Notes();
  if (notes) return {};
  const QString aside = path_ + QStringLiteral(".damaged");
  QFile::remove(aside);
  QFile::rename(path_, aside);
  Error error = notes.error();
  error.remedy = "it is kept as " + aside.toStdString();
  return error;
}

QString LecturerNotes::text(const std::string& lesson, const std::string& stop) const {
  const auto of_lesson = notes_.find(lesson);
  if (of_lesson == notes_.end()) return {};
  const auto found = of_lesson->second.find(stop);
  return found == of_lesson->second.end() ? QString() : found->second;
}

Result<void> LecturerNotes::set(const std::string& lesson, const std::string& stop, const QString& text) {
  if (this->text(lesson, stop) == text) return {};
  if (!path_.isEmpty())
    if (auto now = read(path_)) notes_ = std::move(*now);  // another program may have written
  if (text.isEmpty())
    notes_[lesson].erase(stop);
  else
    notes_[lesson][stop] = text;
  if (notes_[lesson].empty()) notes_.erase(lesson);
  return path_.isEmpty() ? Result<void>() : write(path_, notes_);
}

Result<LecturerNotes::Notes> LecturerNotes::read(const QString& path) {
  QFile file(path);
  if (!file.exists()) return Notes();
  if (!file.open(QIODevice::ReadOnly))
    return Error{ErrorKind::io_failure, "your notes cannot be read: " + file.errorString().toStdString(),
                 path.toStdString(), ""};
  QJsonParseError problem;
  const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &problem);
  const auto damaged = [&](const QString& what) {
    return Error{ErrorKind::bad_input, QStringLiteral("your notes cannot be used: %1").arg(what).toStdString(),
                 path.toStdString(), ""};
  };
  if (!document.isObject()) return damaged(problem.errorString());
  Notes notes;
  const QJsonObject lessons = document.object();
  for (auto lesson = lessons.begin(); lesson != lessons.end(); ++lesson) {
    if (!lesson->isObject()) return damaged(QStringLiteral("'%1' has no stops").arg(lesson.key()));
    const QJsonObject stops = lesson->toObject();
    for (auto stop = stops.begin(); stop != stops.end(); ++stop) {
      if (!stop->isString()) return damaged(QStringLiteral("'%1' has no text").arg(stop.key()));
      notes[lesson.key().toStdString()][stop.key().toStdString()] = stop->toString();
    }
  }
  return notes;
}

Result<void> LecturerNotes::write(const QString& path, const Notes& notes) {
  QJsonObject lessons;
  for (const auto& [lesson, stops] : notes) {
    QJsonObject texts;
    for (const auto& [stop, text] : stops) texts[QString::fromStdString(stop)] = text;
    lessons[QString::fromStdString(lesson)] = texts;
  }
  QDir().mkpath(path.section(QLatin1Char('/'), 0, -2));
  QSaveFile file(path);
  const QByteArray bytes = QJsonDocument(lessons).toJson();
  if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()) return {};
  return Error{ErrorKind::io_failure, "your notes cannot be written: " + file.errorString().toStdString(),
               path.toStdString(), "they last until the program ends"};
}

}  // namespace kdscope
