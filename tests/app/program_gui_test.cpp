// Tests the program as a shell starts it: pictures and exit codes.

#include <QDir>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <csignal>

#include "tests/app/open_workbench.hpp"

namespace kdscope::program_gui_test {

namespace {

struct ProgramOutcome {
  int code = -1;
  QString out, err;
};

ProgramOutcome run(const QStringList& arguments) {
  QProcess process;
  process.start(QStringLiteral(KDSCOPE_PROGRAM), arguments);
  REQUIRE(process.waitForFinished(2 * patience_ms));
  REQUIRE(process.exitStatus() == QProcess::NormalExit);
  return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
          QString::fromUtf8(process.readAllStandardError())};
}

}  // namespace

TEST_CASE("--help and wrong usage") {
  CHECK(run({"--help"}).code == 0);
  CHECK(run({"--help"}).out.contains("--screenshot"));
  CHECK(run({"--wrong"}).code == 2);
  CHECK(run({"--wrong"}).err.contains("--wrong"));
  CHECK(run({"--lesson", "no/such", "--screenshot", "x.png"}).code == 2);
  CHECK(run({"--step", "99", "--screenshot", "x.png"}).err.contains("steps 0 to 9"));
  CHECK(run({"no-such-data", "--screenshot", "x.png"}).code == 3);
  CHECK(run({"--device", "no-such-device", "--screenshot", "x.png"}).code == 2);
}

TEST_CASE("SIGTERM ends the program as a closed window does") {
  const QTemporaryDir folder;
  QProcess process;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("XDG_STATE_HOME", folder.filePath("state"));
  environment.insert("XDG_CONFIG_HOME", folder.filePath("config"));
  process.setProcessEnvironment(environment);
  process.start(QStringLiteral(KDSCOPE_PROGRAM), QStringList());
  // A fork of this test also handles signals, because it inherits the handlers of Catch2.
  REQUIRE(process.waitForStarted(patience_ms));
  // Wait until the program handles the signal. While the program replaces the fork, the list may still show the fork's
  // handlers.
  const auto hears = [&] {
    QTest::qWait(100);
    QFile status(QStringLiteral("/proc/%1/status").arg(process.processId()));
    if (!status.open(QIODevice::ReadOnly)) return false;
    const QString text = QString::fromLatin1(status.readAll());
    return (text.section("SigCgt:", 1).section('\n', 0, 0).trimmed().toULongLong(nullptr, 16) >> (SIGTERM - 1) & 1) !=
           0;
  };
  REQUIRE(QTest::qWaitFor([&] { return hears() && hears(); }, patience_ms));
  process.terminate();
  REQUIRE(process.waitForFinished(patience_ms));
  CHECK(process.exitStatus() == QProcess::NormalExit);
  CHECK(process.exitCode() == 0);
  CHECK(QDir(folder.filePath("state/kdscope")).entryList({"running-*.kdsession"}, QDir::Files).isEmpty());
}

TEST_CASE("--screenshot saves the window at its size, with a picture in it") {
  const QTemporaryDir folder;
  const QString path = folder.filePath("shot.png");
  const ProgramOutcome outcome = run({"--step", "3", "--theme", "dark", "--size", "1200x760", "--screenshot", path});
  INFO(outcome.err.toStdString());
  CHECK(outcome.code == 0);
  const QImage image(path);
  CHECK(image.size() == QSize(1200, 760));
  CHECK(colours_in(image) > 100);
}

TEST_CASE("--screenshot needs what was asked for, and prints what else is damaged") {
  const QTemporaryDir folder;
  QDir(folder.path()).mkpath("lessons/wald");
  const auto write = [&](const char* name, const QByteArray& text) {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(text);
  };
  write("lessons/wald/good.md",
        "---\ntitle: T\nsource: S\ndata: wald-10\nalgorithm: wald\n---\nWords.\n\n## One\n```stop\nselect: "
        "initialise tags\n```\nWords.\n");
  write("lessons/wald/comma.md", "---\n,\n---");
  write("part.kdsession", "kdscope_session: 1\ndata: \"wald-10\"\nalgorithm: \"wald\"\nstep: 0\nstrange: 1\n");
  write("nothing.kdsession", "kdscope_session: 1\ndata: \"no-such-data\"\nalgorithm: \"wald\"\n");
  qputenv("KDSCOPE_LESSONS", folder.filePath("lessons").toUtf8());
  const auto shot = [&](const QStringList& arguments) {
    const QString path = folder.filePath("shot.png");
    const ProgramOutcome outcome = run(arguments + QStringList{"--screenshot", path});
    INFO(outcome.err.toStdString());
    CHECK((outcome.code == 0) == QFile::exists(path));
    QFile::remove(path);
    return outcome;
  };
  const ProgramOutcome other = shot({"--lesson", "wald/good"});
  CHECK(other.code == 0);
  CHECK(other.err.contains("comma.md"));
  CHECK(shot({"--lesson", "wald/comma"}).code == 3);
  qunsetenv("KDSCOPE_LESSONS");
  const ProgramOutcome part = shot({folder.filePath("part.kdsession")});
  CHECK(part.code == 0);
  CHECK(part.err.contains("'strange'"));
  CHECK(shot({folder.filePath("nothing.kdsession")}).code == 3);
}

TEST_CASE("--render writes a session's own step, or the one that --steps names") {
  const QTemporaryDir folder;
  QFile session(folder.filePath("s.kdsession"));
  REQUIRE(session.open(QIODevice::WriteOnly));
  session.write("kdscope_session: 1\ndata: \"wald-10\"\nalgorithm: \"wald\"\nstep: 3\n");
  session.close();
  const auto table = [&](const QStringList& arguments) {
    const QString path = folder.filePath("table.csv");
    const ProgramOutcome outcome = run(arguments + QStringList{"--render", path});
    INFO(outcome.err.toStdString());
    REQUIRE(outcome.code == 0);
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    return file.readAll();
  };
  const auto of_data = [&](const QString& step) {
    return table({"--data", "wald-10", "--algorithm", "wald", "--steps", step});
  };
  const QByteArray third = of_data("3"), fifth = of_data("5");
  REQUIRE(third != fifth);
  CHECK(table({session.fileName()}) == third);
  CHECK(table({session.fileName(), "--steps", "5"}) == fifth);
}

TEST_CASE("--render writes one picture per step, and they differ", "[screen]") {
  const QTemporaryDir folder;
  const ProgramOutcome outcome =
      run({"--lesson", start_lesson, "--render", folder.filePath("steps"), "--size", "640x400"});
  INFO(outcome.err.toStdString());
  CHECK(outcome.code == 0);
  const QStringList pictures = QDir(folder.filePath("steps")).entryList({"step-*.png"}, QDir::Files, QDir::Name);
  REQUIRE(pictures.size() >= 8);
  CHECK(pictures.size() == outcome.out.count('\n'));
  const QImage first(folder.filePath("steps/") + pictures.front()), last(folder.filePath("steps/") + pictures.back());
  CHECK(first.size() == QSize(640, 400));
  CHECK(colours_in(last) > 20);
  CHECK(differing_pixels(first.convertToFormat(QImage::Format_RGB32), last.convertToFormat(QImage::Format_RGB32)) >
        500);
}

}  // namespace kdscope::program_gui_test
