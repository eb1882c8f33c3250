#pragma once
// Lessons of a test's own.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/support/catch.hpp"

namespace kdscope {

/// A folder of lessons that windows read in place of the shipped ones, until the end of a block. `start` is the text of
/// the lesson with which a window opens.
struct OwnLessons {
  QTemporaryDir folder;

  explicit OwnLessons(const QByteArray& start) {
    REQUIRE(folder.isValid());
    QDir(folder.path()).mkpath(QStringLiteral("wald"));
    add("ten-points", start);
    qputenv("KDSCOPE_LESSONS", folder.path().toUtf8());
  }
  ~OwnLessons() { qunsetenv("KDSCOPE_LESSONS"); }
  QString path_of(const char* name) const {
    return folder.filePath(QStringLiteral("wald/%1.md").arg(QLatin1String(name)));
  }
  void add(const char* name, const QByteArray& text) const {
    QFile file(path_of(name));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(text);
  }
};

}  // namespace kdscope
