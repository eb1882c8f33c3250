// Exports: figures without rasters, pictures up to 8K, the dialog, and files that cannot be written.

#include <sys/resource.h>

#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QImageReader>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <csignal>

#include "app/views/scene_view.hpp"
#include "tests/app/exporting.hpp"
#include "tests/support/point_algorithms.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope::export_gui_test {

namespace {

std::shared_ptr<const Trace> small_run(const std::string& algorithm,
                                       const std::string& data = "uniform:n=40,dim=2,seed=3") {
  return record_run({data, algorithm, {}}).value().trace;
}

void write(const QString& path, const QByteArray& text) {
  QFile file(path);
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write(text);
}

/// Limits the size of files to this many bytes, like a full disk, until the end of a block.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : signals_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, signals_);
  }

 private:
  rlimit before_{};
  void (*signals_)(int);
};

}  // namespace

TEST_CASE("trees and partitions of every algorithm are true lines and texts in SVG and PDF", "[share]") {
  const QTemporaryDir folder;
  for (const AlgorithmSpec& spec : test::shown_point_algorithms()) {
    INFO(spec.id);
    const auto trace = small_run(spec.id);
    const auto last = static_cast<std::uint32_t>(trace->steps.size() - 1);
    for (const ExportWhat what : {ExportWhat::tree, ExportWhat::partition, ExportWhat::coordinates}) {
      INFO(name_of(what));
      const QString svg = folder.filePath("figure.svg"), pdf = folder.filePath("figure.pdf");
      REQUIRE_FALSE(exported(request_for(what, ExportFormat::svg, svg, last, last), {trace, {}, {}}));
      const QByteArray text = contents(svg);
      CHECK_FALSE(text.contains("<image"));
      // One text per point, node or axis, and the caption.
      const int nodes = static_cast<int>(final_parents(*trace).size());
      CHECK(text.count("<text") > (what == ExportWhat::coordinates ? 7
                                   : what == ExportWhat::tree      ? std::min(nodes, 40)
                                                                   : 40));
      CHECK(text.contains(QStringLiteral("step %1 / %1").arg(last).toUtf8()));
      CHECK(text.contains(step_heading(trace->steps[last]).c_str()));
      for (int i = 0; i < (what == ExportWhat::tree ? std::min(nodes, 10) : 10) && what != ExportWhat::coordinates; ++i)
        CHECK(text.contains((what == ExportWhat::partition ? ">p" : ">") + QByteArray::number(i) + "</text>"));
      REQUIRE_FALSE(exported(request_for(what, ExportFormat::pdf, pdf, last / 2, last), {trace, {}, {}}));
      const QByteArray document = contents(pdf);
      CHECK(document.startsWith("%PDF-"));
      CHECK_FALSE(document.contains("/Subtype /Image"));
      CHECK(document.contains("/FontDescriptor"));
      CHECK(document.count("/Type /Page\n") == static_cast<int>(last - last / 2 + 1));
    }
  }
}

TEST_CASE("coordinates of one dimension and of many, of equal points and of twenty thousand become a figure") {
  const QTemporaryDir folder;
  for (const auto& [data, lines] : {std::pair{"uniform:n=40,dim=1", 0},
                                    {"uniform:n=40,dim=8", 40},
                                    {"equal:n=20,dim=3", 20},
                                    {"uniform:n=20000,dim=4", 2000}}) {
    INFO(data);
    const auto recording = record_run({data, "brown", {}, Backend::cpu}).value();
    const auto last = static_cast<std::uint32_t>(recording.trace->steps.size() - 1);
    const QString path = folder.filePath("coordinates.svg");
    REQUIRE_FALSE(
        exported(request_for(ExportWhat::coordinates, ExportFormat::svg, path, last, last), {recording.trace, {}, {}}));
    const QByteArray text = contents(path);
    // Points that are not in the tree lie on the line of the duplicate that it contains.
    Cursor end(recording.trace);
    end.seek(last);
    CHECK(text.count("<polyline") >= lines - static_cast<int>(nodes_of_points(end).left_out.size()));
    CHECK(text.contains("A sample: 2,000 of 20,000 points.") == (lines == 2000));
  }
}

TEST_CASE("the smallest figure of coordinates with the largest texts comes to an end, with every line") {
  const QTemporaryDir folder;
  const auto recording = record_run({"uniform:n=10,dim=3", "brown", {}, Backend::cpu}).value();
  const QString path = folder.filePath("coordinates.svg");
  ExportRequest request = request_for(ExportWhat::coordinates, ExportFormat::svg, path, 0, 0);
  request.text_scale = max_text_scale;
  const auto allowed = [&](int side) {
    request.width = request.height = side;
    return static_cast<bool>(check(request, *recording.trace));
  };
  int side = 400;
  while (side > 1 && allowed(side - 1)) --side;
  REQUIRE(allowed(side));
  CHECK(side < 100);
  for (const int wide : {side, 200, 400}) {
    INFO(wide << " pixels");
    request.width = request.height = wide;
    REQUIRE_FALSE(exported(request, {recording.trace, {}, {}}));
    CHECK(contents(path).count("<polyline") >= 10);
    CHECK_FALSE(contents(path).contains("nan"));
  }
}

TEST_CASE("a partition of one, three and five dimensions, of equal points and of twenty thousand becomes a figure") {
  const QTemporaryDir folder;
  for (const char* data : {"uniform:n=30,dim=1,seed=1", "uniform:n=30,dim=3,seed=1", "uniform:n=30,dim=5,seed=1",
                           "equal:n=9,dim=2", "uniform:n=1,dim=2,seed=1", "uniform:n=20000,dim=2,seed=1"}) {
    INFO(data);
    const auto recording = record_run({data, "brown", {}, Backend::automatic, true}).value();
    const auto last = static_cast<std::uint32_t>(recording.trace->steps.size() - 1);
    const QString path = folder.filePath("figure.svg");
    REQUIRE_FALSE(
        exported(request_for(ExportWhat::partition, ExportFormat::svg, path, last, last), {recording.trace, {}, {}}));
    CHECK(contents(path).contains("<path"));
    CHECK_FALSE(contents(path).contains("nan"));
  }
}

TEST_CASE("the view as the user left it becomes a picture, up to 8K", "[screen][share]") {
  OpenWorkbench open;
  const QTemporaryDir folder;
  open.show_step(5);
  CameraState camera = open.window.scene().camera();
  const ExportSource source{open.workbench.playback().trace(), {}, {Space::point, 4}, &open.window.scene().scene()};
  ExportRequest request = request_for(ExportWhat::view, ExportFormat::png, folder.filePath("fitted.png"), 5, 5);
  REQUIRE_FALSE(exported(request, source));
  camera.parallel_scale *= 0.5;
  open.window.scene().set_camera(camera);
  request.path = folder.filePath("near.png").toStdString();
  REQUIRE_FALSE(exported(request, source));
  const QImage fitted(folder.filePath("fitted.png")), near(folder.filePath("near.png"));
  CHECK(fitted.size() == QSize(1280, 800));
  CHECK(colours_in(fitted) > 50);
  CHECK(differing_pixels(fitted, near) > 20000);
  const QSize large = test::everything() ? QSize(most_width, most_height) : QSize(2560, 1440);
  CHECK(QSize(most_width, most_height) == QSize(7680, 4320));
  request.width = large.width(), request.height = large.height();
  REQUIRE_FALSE(exported(request, source));
  CHECK(QImageReader(folder.filePath("near.png")).size() == large);
  CHECK(colours_in(open.picture()) > 100);  // the window still draws
}

TEST_CASE("tables go to one CSV a step; Cancel leaves nothing behind") {
  const QTemporaryDir folder;
  const auto trace = small_run("brown");
  REQUIRE_FALSE(
      exported(request_for(ExportWhat::table, ExportFormat::csv, folder.filePath("t.csv"), 2, 4), {trace, {}, {}}));
  CHECK(QDir(folder.path()).entryList(QDir::Files) == QStringList{"t-002.csv", "t-003.csv", "t-004.csv"});
  const auto large = record_run({"uniform:n=300000,dim=2,seed=1", "brown", {}, Backend::automatic, true}).value();
  const auto last = static_cast<std::uint32_t>(large.trace->steps.size() - 1);
  write(folder.filePath("big.csv"), "old");
  const auto cancelled =
      exported(request_for(ExportWhat::table, ExportFormat::csv, folder.filePath("big.csv"), last, last),
               {large.trace, {}, {}}, 0);
  REQUIRE(cancelled);
  CHECK(cancelled->kind == ErrorKind::cancelled);
  CHECK(contents(folder.filePath("big.csv")) == "old");
  const auto stopped =
      exported(request_for(ExportWhat::tree, ExportFormat::pdf, folder.filePath("tree.pdf"), 0, 8), {trace, {}, {}}, 2);
  REQUIRE(stopped);
  CHECK(stopped->kind == ErrorKind::cancelled);
  CHECK(QDir(folder.path()).entryList(QDir::Files) == QStringList{"big.csv", "t-002.csv", "t-003.csv", "t-004.csv"});
}

TEST_CASE("a disk that is full or a folder that is missing keeps the old file, in one sentence") {
  const QTemporaryDir folder;
  const auto trace = small_run("brown", "uniform:n=3000,dim=2,seed=2");
  const auto last = static_cast<std::uint32_t>(trace->steps.size() - 1);
  for (const auto& [what, format] : {std::pair{ExportWhat::table, ExportFormat::csv},
                                     {ExportWhat::partition, ExportFormat::svg},
                                     {ExportWhat::partition, ExportFormat::pdf},
                                     {ExportWhat::partition, ExportFormat::png}}) {
    INFO(name_of(format));
    const QString path = folder.filePath(QStringLiteral("old.") + QLatin1String(name_of(format)));
    write(path, "old");
    std::optional<Error> error;
    {
      const SmallDisk disk(8192);
      error = exported(request_for(what, format, path, last, last), {trace, {}, {}});
    }
    REQUIRE(error);
    CHECK(error->kind == ErrorKind::io_failure);
    CHECK(error->message().find("cannot be written") != std::string::npos);
    CHECK(contents(path) == "old");
    CHECK(QDir(folder.path()).entryList({"*.part.*"}).isEmpty());
    const auto nowhere = exported(
        request_for(what, format, QStringLiteral("/nowhere/at/all/x.") + QLatin1String(name_of(format)), last, last),
        {trace, {}, {}});
    REQUIRE(nowhere);
    CHECK(nowhere->kind == ErrorKind::io_failure);
    CHECK(QDir().mkpath(folder.filePath("taken")));
  }
  const auto is_folder =
      exported(request_for(ExportWhat::tree, ExportFormat::svg, folder.filePath("taken"), last, last), {trace, {}, {}});
  REQUIRE(is_folder);
  CHECK(is_folder->message().find("a folder has this name") != std::string::npos);
}

TEST_CASE("a film without ffmpeg is refused before anything starts, with what to install") {
  const QTemporaryDir folder;
  const auto trace = small_run("brown");
  const QByteArray path = qgetenv("PATH");
  qputenv("PATH", folder.path().toUtf8());
  const QString film = folder.filePath("film.mp4");
  const auto error = exported(request_for(ExportWhat::view, ExportFormat::mp4, film, 0, 3), {trace, {}, {}});
  qputenv("PATH", path);
  REQUIRE(error);
  CHECK(error->kind == ErrorKind::bad_usage);
  CHECK(error->message().find("apt-get install ffmpeg") != std::string::npos);
  CHECK_FALSE(QFile::exists(film));
}

TEST_CASE("Ctrl+E opens the dialog; what is chosen is written, and what stands in the way is said at once") {
  OpenWorkbench open;
  const QTemporaryDir folder;
  open.workbench.playback().seek(4);
  open.press(Qt::Key_E, Qt::ControlModifier);
  auto& dialog = open.find<QDialog>("export");
  REQUIRE(QTest::qWaitFor([&] { return dialog.isVisible(); }, patience_ms));
  auto& what = open.find<QComboBox>("export_what");
  auto& start = open.find<QPushButton>("export_start");
  auto& message = open.find<QLabel>("export_message");
  QTest::keyClick(&what, Qt::Key_Down);
  CHECK(what.currentText() == "Tree");
  CHECK(open.find<QSpinBox>("export_first").value() == 4);
  auto& file = open.find<QLineEdit>("export_file");
  CHECK(file.text().endsWith("kdscope-tree.svg"));
  file.setText(folder.filePath("deep/down/tree.svg"));
  start.click();
  REQUIRE(QTest::qWaitFor([&] { return start.isEnabled(); }, patience_ms));
  CHECK(message.text().contains("cannot be created"));
  file.setFocus();
  file.selectAll();
  QTest::keyClicks(&file, folder.filePath("tree.svg"));
  QTest::keyClick(&file, Qt::Key_Return);
  REQUIRE(QTest::qWaitFor([&] { return message.text().contains("read back"); }, patience_ms));
  CHECK(contents(folder.filePath("tree.svg")).contains("<svg"));
  open.find<QSpinBox>("export_first").setValue(6);
  CHECK_FALSE(start.isEnabled());
  CHECK(message.text().contains("no steps 6 to 4"));
  open.find<QPushButton>("export_all_steps").click();
  CHECK(start.isEnabled());
  CHECK(message.text().contains("10 files"));
  QTest::keyClick(&dialog, Qt::Key_Escape);
  CHECK(QTest::qWaitFor([&] { return open.window.findChild<QDialog*>("export") == nullptr; }, patience_ms));
}

TEST_CASE("--render exports without a person, and without a display where VTK does not draw") {
  const QTemporaryDir folder;
  const auto run = [&](QStringList arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove("DISPLAY");
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(KDSCOPE_PROGRAM), arguments << "--lesson" << QString::fromUtf8(start_lesson));
    REQUIRE(process.waitForFinished(2 * patience_ms));
    INFO(process.readAllStandardError().toStdString());
    return process.exitCode();
  };
  CHECK(run({"--render", folder.filePath("a.svg"), "--what", "tree", "--steps", "6"}) == 0);
  CHECK(contents(folder.filePath("a.svg")).contains("step 6 / 9"));
  CHECK(run({"--render", folder.filePath("a.pdf"), "--steps", "0-3", "--theme", "dark"}) == 0);
  CHECK(contents(folder.filePath("a.pdf")).count("/Type /Page\n") == 4);
  CHECK(run({"--render", folder.filePath("a.csv"), "--steps", "3"}) == 0);
  CHECK(contents(folder.filePath("a.csv")).startsWith("position,tags"));
  CHECK(run({"--render", folder.filePath("steps"), "--what", "partition", "--size", "300x200"}) == 0);
  CHECK(QImage(folder.filePath("steps/step-008.png")).size() == QSize(300, 200));
  CHECK(run({"--render", folder.filePath("a.svg"), "--what", "view"}) == 2);
  CHECK(run({"--render", folder.filePath("a.png")}) == 5);
  CHECK(run({"--render", "/nowhere/at/all/a.svg"}) == 5);
}

}  // namespace kdscope::export_gui_test
