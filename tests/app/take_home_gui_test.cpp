// What a class takes home: arrays as figures, the web page and the handout of a lesson.

#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <algorithm>

#include "app/pseudocode/page_code.hpp"
#include "app/recording/saved_run.hpp"
#include "tests/app/exporting.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/web/lesson_page.hpp"

namespace kdscope::take_home_gui_test {

namespace {

ExportSource source_of(const std::string& id) {
  for (const Lesson& lesson : read_lessons(lessons_folder()).lessons) {
    if (lesson.id != id) continue;
    const auto recording = record_run(run_of(lesson, Backend::cpu)).value();
    const auto stops = resolve_stops(lesson, *recording.trace).value();
    return {recording.trace, stops, {}, nullptr, lesson};
  }
  FAIL("no lesson " << id);
  return {};
}

}  // namespace

TEST_CASE("arrays as SVG have the text of every cell; PDF and PNG are complete") {
  const QTemporaryDir folder;
  const ExportSource source = source_of("wald/ten-points");
  const auto last = static_cast<std::uint32_t>(source.trace->steps.size() - 1);
  const QString svg = folder.filePath("a.svg"), pdf = folder.filePath("a.pdf"), png = folder.filePath("a.png");
  Cursor cursor(source.trace), before(source.trace);
  for (const std::uint32_t step : {3u, last}) {
    REQUIRE_FALSE(exported(request_for(ExportWhat::table, ExportFormat::svg, svg, step, step), source));
    const QByteArray text = contents(svg);
    CHECK_FALSE(text.contains("<image"));
    QStringList shown;
    QXmlStreamReader xml(text);
    while (!xml.atEnd())
      if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text"))
        shown << xml.readElementText().trimmed();
    cursor.seek(step);
    before.seek(step - 1);
    const ArrayTable table(cursor, &before);
    for (std::size_t row = 0; row < table.rows().size(); ++row) {
      CHECK(shown.removeOne(QString::fromStdString(table.rows()[row].label)));
      for (std::uint64_t column = 0; column < table.column_count(); ++column)
        CHECK(shown.removeOne(QString::fromStdString(table.cell(row, column).text)));
    }
    CHECK(shown.size() == 2);  // the caption
  }
  REQUIRE_FALSE(exported(request_for(ExportWhat::table, ExportFormat::pdf, pdf, 0, last), source));
  CHECK(contents(pdf).count("/Type /Page\n") == static_cast<int>(last) + 1);
  REQUIRE_FALSE(exported(request_for(ExportWhat::table, ExportFormat::png, png, 3, 3), source));
  CHECK(QImage(png).size() == QSize(1280, 800));
}

TEST_CASE("the figure of a stop is headed by the stop's title, and that of a step between by the step's") {
  const QTemporaryDir folder;
  const QString svg = folder.filePath("tree.svg");
  const ExportSource source = source_of("wald/ten-points");
  for (std::uint32_t step = 0; step < source.trace->steps.size(); ++step) {
    const auto stop = std::ranges::find(source.stops, step);
    const std::string heading = stop == source.stops.end()
                                    ? source.trace->steps[step].title
                                    : source.lesson->stops[std::size_t(stop - source.stops.begin())].title;
    REQUIRE_FALSE(exported(request_for(ExportWhat::tree, ExportFormat::svg, svg, step, step), source));
    INFO("step " << step << ": " << heading);
    CHECK(contents(svg).contains(heading.c_str()));
  }
}

TEST_CASE("a figure of long arrays says which columns it shows") {
  const QTemporaryDir folder;
  const auto recording = record_run({"uniform:n=300,dim=3,seed=1", "wald", {}}).value();
  const QString svg = folder.filePath("a.svg");
  REQUIRE_FALSE(
      exported(request_for(ExportWhat::table, ExportFormat::svg, svg, 2, 2), {recording.trace, {}, {}, nullptr, {}}));
  CHECK(contents(svg).contains(" of 300 are shown."));
}

TEST_CASE("the window writes the same web page as the headless tool") {
  const QTemporaryDir folder;
  const ExportSource source = source_of("wald/six-points");
  const QString path = folder.filePath("six.html");
  REQUIRE_FALSE(exported(request_for(ExportWhat::page, ExportFormat::html, path, 0, 1), source));
  const auto baked =
      BakedLesson::bake(*source.lesson, source.trace, page_code(source.trace, axes_of(*source.lesson))).value();
  CHECK(contents(path).toStdString() == baked.page());

  const auto error =
      exported(request_for(ExportWhat::page, ExportFormat::html, "/nowhere/at/all/six.html", 0, 1), source);
  REQUIRE(error);
  CHECK(error->kind == ErrorKind::io_failure);
  ExportSource without = source;
  without.lesson.reset();
  const auto refused =
      exported(request_for(ExportWhat::handout, ExportFormat::pdf, folder.filePath("none"), 0, 1), without);
  REQUIRE(refused);
  CHECK(refused->message().find("belongs to a lesson") != std::string::npos);
  REQUIRE_FALSE(exported(request_for(ExportWhat::page, ExportFormat::html, path, 0, 1), without));
  CHECK(contents(path).contains("\"title\":\"" + QByteArray::fromStdString(source.trace->header.title) + "\""));
}

TEST_CASE("a handout has a page for every stop, vector figures, and answers on request") {
  const QTemporaryDir folder;
  for (const char* id : {"wald/ten-points", "hu/many-dimensions"}) {
    INFO(id);
    const ExportSource source = source_of(id);
    const QString plain = folder.filePath("plain.pdf"), solved = folder.filePath("solved.pdf");
    ExportRequest request = request_for(ExportWhat::handout, ExportFormat::pdf, plain, 0, 1);
    REQUIRE_FALSE(exported(request, source));
    request.path = solved.toStdString();
    request.answers = true;
    REQUIRE_FALSE(exported(request, source));
    for (const QString& path : {plain, solved}) {
      const QByteArray document = contents(path);
      CHECK(document.startsWith("%PDF-"));
      CHECK(document.count("/Type /Page\n") > static_cast<int>(source.lesson->stops.size()));
      CHECK(document.contains("/FontDescriptor"));
    }
    if (QProcess::execute("sh", {"-c", "command -v pdftotext >/dev/null"}) != 0) continue;
    const auto text_of = [](const QString& path) {
      QProcess reader;
      reader.start("pdftotext", {path, "-"});
      REQUIRE(reader.waitForFinished());
      // Fonts join letters such as f and i.
      return QString::fromUtf8(reader.readAllStandardOutput()).normalized(QString::NormalizationForm_KC).simplified();
    };
    const QString before = text_of(plain), after = text_of(solved);
    int questions = 0;
    for (const Stop& stop : source.lesson->stops) {
      CHECK(before.contains(QString::fromStdString(stop.title)));
      questions += static_cast<int>(stop.questions.size());
    }
    CHECK(before.count("Answer.") == 0);
    CHECK(after.count("Answer.") == questions);
    CHECK(before.count("Question") >= questions);
  }
}

TEST_CASE("figures and the handout of a lesson show what its stops draw, and no other step does") {
  const QTemporaryDir folder;
  ExportSource source = source_of("textbook/first-tree");
  std::vector<std::uint32_t> drawn;
  for (std::size_t i = 0; i < source.stops.size(); ++i)
    for (LessonMark& mark : source.lesson->stops[i].marks) {
      mark.labels = {"drawn here"};
      drawn.push_back(source.stops[i]);
    }
  REQUIRE(drawn.size() == 2);
  const auto last = static_cast<std::uint32_t>(source.trace->steps.size() - 1);
  const QString svg = folder.filePath("a.svg");
  for (std::uint32_t step = 0; step <= last; ++step) {
    REQUIRE_FALSE(exported(request_for(ExportWhat::partition, ExportFormat::svg, svg, step, step), source));
    CAPTURE(step);
    CHECK(contents(svg).contains("drawn here") == (std::ranges::find(drawn, step) != drawn.end()));
  }
  const QString pdf = folder.filePath("a.pdf");
  REQUIRE_FALSE(exported(request_for(ExportWhat::handout, ExportFormat::pdf, pdf, 0, 1), source));
  if (QProcess::execute("sh", {"-c", "command -v pdftotext >/dev/null"}) != 0) return;
  QProcess reader;
  reader.start("pdftotext", {pdf, "-"});
  REQUIRE(reader.waitForFinished());
  CHECK(reader.readAllStandardOutput().count("drawn here") == static_cast<int>(drawn.size()));
}

TEST_CASE("the figures of a handout without answers leave out what its questions hide") {
  if (QProcess::execute("sh", {"-c", "command -v pdftotext >/dev/null"}) != 0)
    KDSCOPE_SKIP("pdftotext is not installed (Debian: poppler-utils)");
  const QTemporaryDir folder;
  ExportSource source = source_of("wald/six-points");
  Lesson& lesson = *source.lesson;
  for (Stop& stop : lesson.stops) {
    stop.questions.clear();
    stop.narration = "Look.";
    stop.panes = {"view", "tree"};
  }
  Question question;
  question.text = "What?";
  question.answer = "0. Nothing.";
  question.hides = {HiddenPart::tree, HiddenPart::splits};
  question.hidden_rows = {"tags"};
  for (Stop& stop : lesson.stops) stop.questions = {question};
  ExportRequest request = request_for(ExportWhat::handout, ExportFormat::pdf, folder.filePath("a.pdf"), 0, 1);
  const auto text_of = [&](bool answers) {
    request.answers = answers;
    REQUIRE_FALSE(exported(request, source));
    QProcess reader;
    reader.start("pdftotext", {QString::fromStdString(request.path), "-"});
    REQUIRE(reader.waitForFinished());
    return QString::fromUtf8(reader.readAllStandardOutput()).normalized(QString::NormalizationForm_KC).simplified();
  };
  const QString plain = text_of(false), solved = text_of(true);
  const auto stops = static_cast<int>(lesson.stops.size());
  CHECK(plain.count("The tree is left out: sketch it.") == stops);
  CHECK(plain.count("The splits are left out: draw them.") == 1);
  CHECK(plain.count("The picture before.") == stops - 1);
  CHECK(plain.count("Draw the splits that are new.") == stops - 1);
  // The hidden row; pdftotext may leave out the space behind an arrow
  CHECK(plain.count(QRegularExpression(QStringLiteral("[ \u2192]\\?"))) >= 6 * stops);
  CHECK_FALSE(solved.contains("left out"));
  CHECK(solved.count("0. Nothing.") == stops);
}

TEST_CASE("File > Export offers the page and the handout of an open lesson") {
  const QTemporaryDir folder;
  OpenWorkbench open;
  open.press(Qt::Key_E, Qt::ControlModifier);
  auto& dialog = open.find<QDialog>("export");
  REQUIRE(QTest::qWaitFor([&] { return dialog.isVisible(); }, patience_ms));
  auto& what = open.find<QComboBox>("export_what");
  what.setFocus();
  QTest::keyClicks(&what, "Handout");
  CHECK(what.currentData().toInt() == static_cast<int>(ExportWhat::handout));
  CHECK(open.find<QWidget>("export_answers").isVisible());
  QTest::keyClick(&what, Qt::Key_Up);
  CHECK(what.currentData().toInt() == static_cast<int>(ExportWhat::page));
  CHECK_FALSE(open.find<QWidget>("export_answers").isVisible());
  CHECK_FALSE(open.find<QWidget>("export_first").isVisible());
  auto& file = open.find<QLineEdit>("export_file");
  CHECK(file.text().endsWith(".html"));
  const QString path = folder.filePath("ten.html");
  file.setText(path);
  open.find<QPushButton>("export_start").click();
  REQUIRE(
      QTest::qWaitFor([&] { return open.find<QLabel>("export_message").text().contains("read back"); }, patience_ms));
  CHECK(contents(path).contains("<!DOCTYPE html>"));
}

}  // namespace kdscope::take_home_gui_test
