// Tests how a file of points is read: chosen in a dialog by mouse and keys, previewed, kept in sessions, and the same
// text as the command line takes.

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include "app/panes/message_bar.hpp"
#include "app/run/file_reading.hpp"
#include "app/run/run_panel.hpp"
#include "app/workspace/layouts.hpp"
#include "app/workspace/workspace.hpp"
#include "datasets/datasets.hpp"
#include "tests/app/open_workbench.hpp"

namespace kdscope::file_reading_gui_test {

namespace {

struct OpenReading : OpenWorkbench {
  QTemporaryDir folder;
  RunPanel& panel = *window.findChild<RunPanel*>();
  QLineEdit& file = find<QLineEdit>("data_file");
  QString specification() { return find<QLineEdit>("data_specification").text(); }
  QTableWidget& rows() { return find<QTableWidget>("file_rows"); }
  QString sentence() { return find<QLabel>("file_sentence").text(); }

  OpenReading() : OpenWorkbench({1280, 1000}) {
    window.layouts().reveal(*window.dock("run"));
    settle();
  }
  QString write(const char* name, const QByteArray& content) {
    QFile out(folder.filePath(QLatin1String(name)));
    REQUIRE(out.open(QIODevice::WriteOnly));
    out.write(content);
    return out.fileName();
  }
  /// Types the path into the Run pane, and opens the dialog for it.
  void choose_file(const QString& path) {
    auto& source = find<QComboBox>("data_source");
    source.setCurrentIndex(source.findData(QString()));
    file.setFocus();
    file.clear();
    QTest::keyClicks(&file, path);
    settle();
    click(find<QPushButton>("how_read"));
    settle();
    REQUIRE(find<FileReading>("file_reading").isVisible());
  }
  void type(const char* field, const char* text) {
    auto& line = find<QLineEdit>(field);
    QApplication::setActiveWindow(line.window());
    line.setFocus();
    line.selectAll();
    QTest::keyClick(&line, Qt::Key_Backspace);
    QTest::keyClicks(&line, QLatin1String(text));
  }
  void choose(const char* field, const char* text) {
    auto& box = find<QComboBox>(field);
    const int to = box.findText(QLatin1String(text));
    REQUIRE(to >= 0);
    box.setFocus();
    repeat_until([&] { return box.currentIndex() == to; },
                 [&] { QTest::keyClick(&box, box.currentIndex() < to ? Qt::Key_Down : Qt::Key_Up); });
  }
  /// Waits until the preview shows what the specification reads.
  void wait_for(const QString& text) {
    INFO(specification().toStdString() << ": " << sentence().toStdString());
    REQUIRE(QTest::qWaitFor([&] { return sentence().contains(text); }, patience_ms));
  }
  QStringList header() {
    QStringList names;
    for (int d = 0; d < rows().columnCount(); ++d) names << rows().horizontalHeaderItem(d)->text();
    return names;
  }
  QStringList row(int i) {
    QStringList cells;
    for (int d = 0; d < rows().columnCount(); ++d) cells << rows().item(i, d)->text();
    return cells;
  }
};

}  // namespace

TEST_CASE("columns, type and shift of a file are chosen in the Run pane, previewed, run, and kept in a session") {
  OpenReading open;
  const QString path = open.write("scan.csv",
                                  "id,east,label,north\n7,694386.25,red,5155487.24\n"
                                  "8,694386.45,blue,5155487.26\n9,694386.30,red,5155486.74\n");
  open.choose_file(path);
  CHECK(open.rows().rowCount() == 0);  // not read by the window itself
  open.wait_for(QStringLiteral("\"red\" is not a number"));
  CHECK(open.sentence().toStdString() == open_data_set(path.toStdString()).error().message());

  open.type("columns", "north, 2");
  const QString chosen = path + QStringLiteral(":columns=north,2");
  CHECK(open.specification() == chosen);
  open.wait_for(QStringLiteral("3 points, 2 dimensions, decimal numbers."));
  CHECK(open.header() == QStringList{"north", "east"});
  // A float keeps eighths of east and halves of north.
  CHECK(open.row(0) == QStringList{"5155487", "694386.25"});
  const std::vector<std::string> warnings = (*open_data_set(chosen.toStdString()))->warnings;
  REQUIRE(warnings.size() == 1);
  CHECK(open.sentence().toStdString().ends_with("\nWarning: " + warnings[0]));

  open.type("shift", "auto");
  open.wait_for(QStringLiteral("subtracted"));
  CHECK(open.rows().item(0, 0)->text() != QLatin1String("5155487"));
  open.type("shift", "5155000,694000");
  const QString shifted = chosen + QStringLiteral(",shift=5155000,694000");
  CHECK(open.specification() == shifted);
  open.wait_for(QStringLiteral("subtracted"));
  REQUIRE(QTest::qWaitFor([&] { return open.row(0) == QStringList{"487.24", "386.25"}; }, patience_ms));
  open.click(open.find<QToolButton>("copy_specification"));
  CHECK(QApplication::clipboard()->text() == shifted);

  open.click(open.find<QPushButton>("accept_reading"));
  CHECK(open.file.text() == shifted);
  open.open_another([&] { open.click(open.find<QPushButton>("run")); });
  open.settle();
  CHECK(open.workbench.desk().request().data == shifted.toStdString());
  CHECK(open.workbench.edits().points()->points.value(1, 0) == Approx(487.26));

  const QString session = open.folder.filePath("kept.kdsession");
  REQUIRE(open.window.workspace().save_to(session));
  open.open_lesson(start_lesson);
  CHECK_FALSE(open.file.isVisible());
  open.workbench.open(session);
  REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && open.workbench.lessons().lesson() == nullptr; },
                          patience_ms));
  open.settle();
  CHECK(open.workbench.desk().request().data == shifted.toStdString());
  CHECK(open.panel.spec().data == shifted.toStdString());
  CHECK(open.file.text() == shifted);
  open.settle();
  open.click(open.find<QPushButton>("how_read"));
  CHECK(open.find<QLineEdit>("read_path").text() == path);
  CHECK(open.find<QLineEdit>("columns").text() == QLatin1String("north,2"));
  CHECK(open.find<QLineEdit>("shift").text() == QLatin1String("5155000,694000"));
}

TEST_CASE("every choice of how a file is read reaches the reader, by keys") {
  OpenReading open;
  open.choose_file(open.write("whole.csv", "1;2\n3;\n5;6\n"));
  open.wait_for(QStringLiteral("the value is empty"));
  open.choose("missing", "drop");
  open.wait_for(QStringLiteral("2 points, 2 dimensions, whole numbers."));
  CHECK(open.sentence().contains(QStringLiteral("Warning: ")));
  CHECK(open.row(1) == QStringList{"5", "6"});
  open.choose("type", "float");
  open.wait_for(QStringLiteral("decimal numbers"));
  open.type("scale", "0.5");
  REQUIRE(QTest::qWaitFor(
      [&] {
        return open.rows().rowCount() == 2 && open.row(1) == QStringList{"2.5", "3"};
      },
      patience_ms));
  open.choose("header", "yes");
  open.wait_for(QStringLiteral("1 point"));
  CHECK(open.header() == QStringList{"1", "2"});
  open.choose("separator", "tab");
  open.wait_for(QStringLiteral("is not a number"));
  CHECK(open.rows().rowCount() == 0);
  CHECK(open.specification().endsWith(
      QLatin1String("whole.csv:type=float,scale=0.5,missing=drop,header=yes,separator=tab")));
  for (const DataParameter& parameter : file_parameters())
    CHECK(open.window.findChild<QWidget*>(QString::fromStdString(parameter.name)) != nullptr);
  // A parameter with a fault is refused in the reader's sentence.
  open.type("scale", "0");
  open.wait_for(QStringLiteral("parameter scale is 0"));
}

TEST_CASE("a specification that is typed as the file fills the fields, and a refusal cannot be accepted") {
  OpenReading open;
  const QString path = open.write("a.csv", "x,y,z\n1,2,3\n4,5,6\n");
  open.choose_file(path + QStringLiteral(":columns=z,x,type=float"));
  auto& line = open.find<QLineEdit>("read_path");
  auto& accept = open.find<QPushButton>("accept_reading");
  CHECK(line.text() == path);
  CHECK(open.find<QLineEdit>("columns").text() == QLatin1String("z,x"));
  CHECK(open.find<QComboBox>("type").currentText() == QLatin1String("float"));
  open.wait_for(QStringLiteral("2 points, 2 dimensions, decimal numbers."));
  CHECK(open.row(0) == QStringList{"3", "1"});
  CHECK(accept.isEnabled());
  open.type("read_path", (path + QStringLiteral(":columns=y,missing=drop")).toUtf8().constData());
  QTest::keyClick(&line, Qt::Key_Tab);
  CHECK(line.text() == path);
  CHECK(open.find<QLineEdit>("columns").text() == QLatin1String("y"));
  CHECK(open.find<QComboBox>("type").currentText() == QLatin1String("auto"));
  open.wait_for(QStringLiteral("2 points, 1 dimension, whole numbers."));

  open.type("read_path", (path + QStringLiteral(":type=double")).toUtf8().constData());
  open.wait_for(QStringLiteral("parameter type=double is not a choice"));
  CHECK_FALSE(accept.isEnabled());
  open.type("read_path", (path + QStringLiteral(":type=int")).toUtf8().constData());
  CHECK(accept.isEnabled());
  QTest::keyClick(&line, Qt::Key_Escape);
  CHECK(open.file.text() == path + QStringLiteral(":columns=z,x,type=float"));  // as it was
}

TEST_CASE("reading a large file can be cancelled, and a change reads it again") {
  OpenReading open;
  QByteArray text;
  constexpr int count = 10'000'000;
  text.reserve(4 * count);
  for (int i = 0; i < count; ++i) text += "1,2\n";
  open.choose_file(open.write("large.csv", text));
  auto& cancel = open.find<QPushButton>("cancel_preview");
  REQUIRE(QTest::qWaitFor([&] { return cancel.isVisible(); }, patience_ms));
  CHECK(open.rows().rowCount() == 0);
  open.click(cancel);
  CHECK(open.sentence().startsWith("Cancelled."));
  CHECK_FALSE(cancel.isVisible());
  open.type("columns", "2");
  CHECK(open.sentence().startsWith("Cancelled."));  // the window goes on meanwhile
  open.wait_for(QStringLiteral("%L1 points, 1 dimension, whole numbers.").arg(count));
  CHECK(open.row(4) == QStringList{"2"});
  // A dialog that is closed while it reads does not hold up the window.
  open.type("columns", "1");
  REQUIRE(QTest::qWaitFor([&] { return cancel.isVisible(); }, patience_ms));
  open.find<FileReading>("file_reading").reject();
  CHECK(QTest::qWaitFor([&] { return open.window.findChild<FileReading*>() == nullptr; }, patience_ms));
}

TEST_CASE("a file that cannot be read offers to choose how, and the File menu opens points from a file") {
  OpenReading open;
  const QString path = open.write("labels.csv", "x,y,name\n1,2,a\n3,4,b\n");
  open.window.dock("narration")->raise();
  open.workbench.open(path);
  auto& offer = open.find<QPushButton>("offer");
  REQUIRE(QTest::qWaitFor([&] { return offer.isVisible(); }, patience_ms));
  CHECK(offer.text() == QLatin1String("Choose how it is read"));
  open.click(offer);
  open.settle();
  CHECK(open.find<QLineEdit>("read_path").text() == path);
  CHECK_FALSE(open.window.findChild<MessageBar*>()->isVisible());
  open.type("columns", "x,y");
  open.wait_for(QStringLiteral("2 points, 2 dimensions, whole numbers."));
  open.click(open.find<QPushButton>("accept_reading"));
  REQUIRE(QTest::qWaitFor(
      [&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace()->header.n == 2; }, patience_ms));
  CHECK(open.workbench.desk().request().data == (path + QStringLiteral(":columns=x,y")).toStdString());
  open.settle();

  const QString other = open.write("three.csv", "1,2\n3,4\n5,6\n");
  open.press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
  auto& files = open.find<QFileDialog>("file_dialog");
  emit files.fileSelected(other);
  files.reject();
  open.settle();
  open.wait_for(QStringLiteral("3 points"));
  CHECK_FALSE(open.find<QPushButton>("subtract_offset").isVisible());
  open.choose("type", "float");
  open.wait_for(QStringLiteral("decimal numbers"));
  open.click(open.find<QPushButton>("accept_reading"));
  REQUIRE(QTest::qWaitFor(
      [&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace()->header.n == 3; }, patience_ms));
  CHECK(open.workbench.edits().points()->points.type == ScalarType::float32);
}

TEST_CASE("a click subtracts a scan's offset, and the message bar repeats no warning of the dialog") {
  OpenReading open;
  const QString path = open.write("scan.xyz", "412026.538 5.5 1\n412026.524 5.5 1\n412030.5 7.25 2\n");
  auto& bar = *open.window.findChild<MessageBar*>();
  const auto opened = [&] {
    return !open.workbench.jobs().busy() && open.workbench.playback().trace()->header.n == 3 &&
           open.workbench.desk().request().data.starts_with(path.toStdString());
  };
  // Without the dialog, the warning stands in the bar until Esc.
  open.workbench.open(path);
  REQUIRE(QTest::qWaitFor(opened, patience_ms));
  REQUIRE(QTest::qWaitFor([&] { return bar.isVisible() && bar.can_dismiss(); }, patience_ms));
  CHECK(bar.text().contains(QStringLiteral("shift=auto")));
  open.window.setFocus();
  open.press(Qt::Key_Escape);
  CHECK_FALSE(bar.isVisible());

  open.open_lesson(start_lesson);
  open.press(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
  auto& files = open.find<QFileDialog>("file_dialog");
  emit files.fileSelected(path);
  files.reject();
  open.settle();
  open.wait_for(QStringLiteral("shift=auto"));
  auto& subtract = open.find<QPushButton>("subtract_offset");
  REQUIRE(subtract.isVisible());
  open.click(subtract);
  open.wait_for(QStringLiteral("subtracted"));
  CHECK_FALSE(subtract.isVisible());
  CHECK(subtract.window()->focusWidget() == &open.find<QPushButton>("accept_reading"));
  CHECK(open.find<QLineEdit>("shift").text() == QLatin1String("auto"));
  open.click(open.find<QPushButton>("accept_reading"));
  REQUIRE(QTest::qWaitFor(opened, patience_ms));
  open.settle();
  CHECK_FALSE(bar.isVisible());
}

}  // namespace kdscope::file_reading_gui_test
