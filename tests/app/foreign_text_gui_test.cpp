// Tests untrusted lessons, sessions and traces in the window: their texts are shown literally, files that they name are
// not opened, and an unreadable file affects nothing else.

#include <QAction>
#include <QDir>
#include <QDockWidget>
#include <QImage>
#include <QLabel>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QTextDocument>
#include <new>

#include "algorithms/trace/trace_file.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/message_bar.hpp"
#include "app/panes/narration_pane.hpp"
#include "app/workbench/background_job.hpp"
#include "app/workbench/guarded_application.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/own_lessons.hpp"

namespace kdscope::foreign_text_gui_test {

namespace {

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write(bytes);
}

/// A start lesson with this narration.
struct Lessons : OwnLessons {
  explicit Lessons(const QByteArray& narration)
      : OwnLessons("---\ntitle: <h1>T</h1>\nsource: S\ndata: wald-10\nalgorithm: wald\n---\n" + narration +
                   "\n\n## One\n```stop\nselect: initialise tags\n```\n" + narration + "\n") {}
};

int red_pixels(const QImage& image) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == qRgb(255, 0, 0);
  return count;
}

/// Throws when its event arrives.
struct Thrower : QObject {
  bool event(QEvent* event) override {
    if (event->type() == QEvent::User) throw std::bad_alloc();
    return QObject::event(event);
  }
};

}  // namespace

TEST_CASE("no picture that a lesson names is opened") {
  const QTemporaryDir pictures;
  QImage red(60, 60, QImage::Format_RGB32);
  red.fill(qRgb(255, 0, 0));
  const QString path = pictures.filePath("red.png");
  REQUIRE(red.save(path));
  const QByteArray name = path.toUtf8();
  const Lessons lessons("Before ![x](" + name + ") and ![y](file://" + name + ") and <img src=\"" + name +
                        "\"> after.");
  OpenWorkbench open;
  const QTextBrowser& text = open.window.findChild<NarrationPane*>()->text();
  REQUIRE(text.toPlainText().contains("after."));
  CHECK(text.toPlainText().contains("<img src"));  // HTML is shown as plain text
  open.settle();
  CHECK(red_pixels(open.window.grab().toImage()) == 0);
  for (const QUrl& url : {QUrl(path), QUrl::fromLocalFile(path)})
    CHECK(text.document()->resource(QTextDocument::ImageResource, url).value<QImage>().size() == QSize(1, 1));
}

TEST_CASE("no picture that a trace names is opened, and its HTML is a text") {
  const QTemporaryDir folder;
  QImage red(60, 60, QImage::Format_RGB32);
  red.fill(qRgb(255, 0, 0));
  const std::string picture = folder.filePath("red.png").toStdString();
  REQUIRE(red.save(QString::fromStdString(picture)));
  const auto recording = record_run({"wald-10", "wald", {}, Backend::cpu}).value();
  Trace trace = *recording.trace;
  const std::string hostile = "![x](" + picture + ") <img src=\"" + picture + "\"><h1>HEADLINE</h1>";
  trace.header.title = trace.header.data_set = trace.header.device = hostile;
  for (Step& step : trace.steps) step.title = hostile;
  const std::string path = folder.filePath("html.kdtrace").toStdString();
  REQUIRE(save_trace(trace, path));
  OpenWorkbench open;
  open.workbench.open(QString::fromStdString(path));
  open.finish_jobs();
  REQUIRE(open.workbench.playback().trace()->header.title == hostile);
  for (const char* dock : {"run", "narration", "timing", "points"}) open.window.dock(QString::fromLatin1(dock))->show();
  open.workbench.playback().seek(3);
  CHECK(red_pixels(open.picture()) == 0);
}

TEST_CASE("no label of the window takes a text for HTML of its own accord") {
  OpenWorkbench open;
  int labels = 0;
  for (const QLabel* label : open.window.findChildren<QLabel*>()) {
    if (label->buddy()) continue;  // names of fields, which the program itself sets
    INFO(label->objectName().toStdString()
         << " in " << label->parentWidget()->metaObject()->className() << ": " << label->text().toStdString());
    CHECK(label->textFormat() != Qt::AutoText);
    ++labels;
  }
  CHECK(labels > 30);
  const QString html = QStringLiteral("<img src=\"x\">.csv");
  CHECK_FALSE(plain_tip(html).contains(QLatin1String("<img")));
  CHECK(plain_tip(QStringLiteral("a & b")) == QLatin1String("a & b"));
}

TEST_CASE("an unknown section of a session is a plain text in the message") {
  const QTemporaryDir folder;
  const QString path = folder.filePath("html.kdsession");
  write(path, "kdscope_session: 1\ndata: \"wald-10\"\nalgorithm: \"wald\"\nstep: 0\n<h1>UPDATE</h1>: 1\n");
  OpenWorkbench open;
  auto* bar = open.window.findChild<MessageBar*>();
  open.workbench.open(path);
  REQUIRE(QTest::qWaitFor([&] { return bar->isVisible() && bar->text().contains("<h1>UPDATE</h1>"); }, patience_ms));
  for (const QLabel* label : bar->findChildren<QLabel*>()) CHECK(label->textFormat() == Qt::PlainText);
}

TEST_CASE("lessons that would fill the memory are listed as broken, and the window opens") {
  const Lessons lessons("Words.");
  lessons.add("comma", "---\n,\n---");
  QByteArray rows = "---\ntitle: T\nsource: S\ndata: wald-10\nalgorithm: wald\n---\n## A\n```stop\nselect: a\nshows:\n";
  for (int r = 0; r < 30000; ++r) rows += "  r" + QByteArray::number(r) + ": 0*100000\n";
  lessons.add("rows", rows + "```\nWords.\n");
  OpenWorkbench open;
  CHECK(open.workbench.lessons().catalogue().lessons.size() == 1);
  REQUIRE(open.workbench.lessons().catalogue().problems.size() == 2);
  CHECK(open.window.findChild<MessageBar*>()->text().contains("comma.md"));
}

TEST_CASE("an exception in an event or a job is reported, and the window goes on") {
  auto& application = *static_cast<GuardedApplication*>(QCoreApplication::instance());
  std::vector<Error> errors;
  application.report = [&](const Error& error) { errors.push_back(error); };
  Thrower thrower;
  QCoreApplication::postEvent(&thrower, new QEvent(QEvent::User));
  QCoreApplication::processEvents();
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].kind == ErrorKind::out_of_memory);
  BackgroundJob job;
  job.start(
      {}, [](const RunControl&) -> BackgroundJob::Finish { throw std::runtime_error("no such thing"); },
      [&](const Error& error) { errors.push_back(error); });
  CHECK(QTest::qWaitFor([&] { return errors.size() == 2; }, patience_ms));
  CHECK_FALSE(job.running());
  CHECK(errors.back().message().find("no such thing") != std::string::npos);
  application.report = nullptr;
}

TEST_CASE("control characters from files are shown escaped in labels, menus, tips and messages") {
  const QString escape = QString::fromUtf8("\x1b[31m\xe2\x80\xae.csv"), shown = QStringLiteral("\\x1b[31m\\u202e.csv");
  CHECK(foreign_text(escape) == shown);
  CHECK(as_label(QStringLiteral("a&") + escape) == QStringLiteral("a&&") + shown);
  CHECK(plain_tip(escape) == shown);
  CHECK(foreign_text(QStringLiteral("two\nlines")) == QLatin1String("two\nlines"));

  const Lessons lessons("Words\xe2\x80\xae.");
  QFile lesson(lessons.path_of("ten-points"));
  REQUIRE(lesson.open(QIODevice::ReadOnly));
  const QByteArray text = lesson.readAll();
  lessons.add("ten-points", QByteArray(text).replace("title: <h1>T</h1>", "title: \"T\\e[31m\\u202e\""));
  OpenWorkbench open;
  const QString title = QStringLiteral("T\\x1b[31m\\u202e");
  CHECK(open.window.windowTitle().contains(title));
  CHECK(open.window.findChild<QAction*>("wald/ten-points")->text().startsWith(title));
  const QString narration = open.window.findChild<NarrationPane*>()->text().toPlainText();
  CHECK(narration.contains("[31m"));
  CHECK_FALSE(narration.contains(QChar(0x1b)));
  CHECK_FALSE(narration.contains(QChar(0x202e)));
  open.workbench.messages().report({ErrorKind::bad_input, "no such file", escape.toStdString(), ""});
  CHECK(open.window.findChild<MessageBar*>()->text().startsWith(shown));
}

}  // namespace kdscope::foreign_text_gui_test
