// Makes films with ffmpeg and opens them again. Skipped if ffmpeg is not installed.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <csignal>
#include <numeric>

#include "app/export/video_encoder.hpp"
#include "tests/app/exporting.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

bool films_available() {
  return VideoEncoder::available(ExportFormat::mp4) && VideoEncoder::available(ExportFormat::webm);
}
constexpr const char* without_films = "ffmpeg with encoders for H.264 and VP9 is not installed";

ExportRequest film(ExportWhat what, ExportFormat format, const QString& path, std::uint32_t last) {
  ExportRequest request;
  request.what = what;
  request.format = format;
  request.path = path.toStdString();
  request.last = last;
  request.width = 321;
  request.height = 240;
  request.steps_per_second = 2;
  return request;
}

}  // namespace

TEST_CASE("films of every algorithm have all their frames", "[screen][share]") {
  if (!films_available()) KDSCOPE_SKIP(without_films);
  const QTemporaryDir folder;
  for (const AlgorithmSpec& spec : test::shown_point_algorithms()) {
    INFO(spec.id);
    const auto recording = record_run({"uniform:n=20,dim=2,seed=3", spec.id, {}}).value();
    const ExportSource source{recording.trace, {2, 4}, {}};
    for (const auto& [what, format] : {std::pair{ExportWhat::partition, ExportFormat::gif},
                                       {ExportWhat::tree, ExportFormat::mp4},
                                       {ExportWhat::view, ExportFormat::webm}}) {
      INFO(name_of(format));
      const QString path = folder.filePath(QStringLiteral("film.") + QLatin1String(name_of(format)));
      const ExportRequest request = film(what, format, path, 5);
      const auto error = exported(request, source);
      INFO((error ? error->message() : ""));
      REQUIRE_FALSE(error);
      const auto facts = film_facts(format, path).value();
      const std::vector<int> frames = frames_of(request, source.stops);
      CHECK(facts.frames == std::accumulate(frames.begin(), frames.end(), 0));
      CHECK(facts.size == QSize(format == ExportFormat::gif ? 321 : 320, 240));
    }
  }
}

TEST_CASE("a film that is cancelled or cannot be written keeps the old one") {
  if (!films_available()) KDSCOPE_SKIP(without_films);
  const QTemporaryDir folder;
  const auto recording = record_run({"uniform:n=60,dim=2,seed=3", "brown", {}}).value();
  const QString path = folder.filePath("film.mp4");
  QFile old(path);
  REQUIRE(old.open(QIODevice::WriteOnly));
  old.write("old");
  old.close();
  const auto last = static_cast<std::uint32_t>(recording.trace->steps.size() - 1);
  const auto cancelled = exported(film(ExportWhat::tree, ExportFormat::mp4, path, last), {recording.trace, {}, {}}, 3);
  REQUIRE(cancelled);
  CHECK(cancelled->kind == ErrorKind::cancelled);
  const auto nowhere =
      exported(film(ExportWhat::tree, ExportFormat::mp4, "/nowhere/at/all/film.mp4", last), {recording.trace, {}, {}});
  REQUIRE(nowhere);
  CHECK(nowhere->kind == ErrorKind::io_failure);
  CHECK(QDir(folder.path()).entryList(QDir::Files) == QStringList{"film.mp4"});
  CHECK(QFile(path).size() == 3);
}

TEST_CASE("the window lives while a film is checked, and cancelling does not wait for a program that hangs") {
  const QTemporaryDir folder;
  const auto write_program = [&](const char* name, const QByteArray& lines) {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n" + lines);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  };
  write_program("ffmpeg",
                "case \"$*\" in *-encoders*) echo ' V libx264 V '; exit;; esac\n"
                "for last; do :; done\ncat >\"$last\"\n");
  write_program("ffprobe", "echo $$ >\"" + folder.filePath("pid").toUtf8() + "\"\nexec sleep 100000\n");
  const QByteArray before = qgetenv("PATH");
  qputenv("PATH", folder.path().toUtf8() + ":" + before);
  const auto recording = record_run({"uniform:n=20,dim=2,seed=3", "brown", {}}).value();
  const QString path = folder.filePath("film.mp4");
  Exporter exporter;
  std::optional<Error> outcome;
  QObject::connect(&exporter, &Exporter::finished, [&](const std::optional<Error>& error) { outcome = error; });
  exporter.start(film(ExportWhat::tree, ExportFormat::mp4, path, 1), {recording.trace, {}, {}});
  // The event loop goes on while ffprobe hangs.
  const auto pid = [&] {
    QFile file(folder.filePath("pid"));
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
  };
  REQUIRE(QTest::qWaitFor([&] { return pid() > 0 || !exporter.running(); }, 2 * patience_ms));
  INFO((outcome ? outcome->message() : ""));
  REQUIRE(exporter.running());
  exporter.cancel();
  REQUIRE(QTest::qWaitFor([&] { return !exporter.running(); }, 2 * patience_ms));
  qputenv("PATH", before);
  REQUIRE(outcome);
  CHECK(outcome->kind == ErrorKind::cancelled);
  CHECK_FALSE(QFile::exists(path));
  CHECK(::kill(pid(), 0) != 0);
}

TEST_CASE("what is no film does not read back as one") {
  if (!films_available()) KDSCOPE_SKIP(without_films);
  const QTemporaryDir folder;
  for (const ExportFormat format : {ExportFormat::gif, ExportFormat::mp4, ExportFormat::webm}) {
    QFile file(folder.filePath("film"));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("no film at all");
    file.close();
    CHECK_FALSE(film_facts(format, file.fileName()));
  }
}
