// Tests experiments: chart and table fill row by row, while the rest of the window stays usable.

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>

#include "app/experiments/experiment_file.hpp"
#include "app/measure/kept_file.hpp"
#include "app/measure_panes/experiment_pane.hpp"
#include "app/workspace/layouts.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/runner_processes.hpp"
#include "tests/support/share.hpp"

namespace kdscope::experiment_gui_test {

namespace {

struct OpenExperiment : OpenWorkbench {
  ExperimentPane& pane;
  QDockWidget& dock;

  OpenExperiment() : pane(*window.findChild<ExperimentPane*>()), dock(*window.findChild<QDockWidget*>("experiments")) {
    REQUIRE_FALSE(dock.isVisible());
    window.findChild<QAction*>("wald-table-1")->trigger();
    REQUIRE(QTest::qWaitFor([&] { return pane.isVisible(); }, patience_ms));
    choose("experiment_backend", QString::fromLatin1("CPU"));
  }

  void choose(const char* box, const QString& text) {
    auto& combo = find<QComboBox>(box);
    REQUIRE(combo.findText(text) >= 0);
    combo.setCurrentText(text);
    settle();
  }

  QImage chart() {
    settle();
    return find<ExperimentChart>("experiment_chart").grab().toImage().convertToFormat(QImage::Format_RGB32);
  }

  std::size_t measured() const {
    const auto& rows = pane.rows();
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.measured(); }));
  }

  QString status() { return find<QLabel>("experiment_status").text(); }
};

int pixels_of(const QImage& image, Rgb c) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == qRgb(c.r, c.g, c.b);
  return count;
}

}  // namespace

TEST_CASE("an experiment shows what was printed, and fills in what is measured") {
  OpenExperiment open;
  open.choose("experiment_max_n", "10K");
  open.find<QSpinBox>("experiment_repeat").setValue(3);
  auto& table = open.find<QTableWidget>("experiment_table");
  REQUIRE(table.rowCount() == 4);
  CHECK(table.item(1, 4)->text() == "0.6");
  CHECK(table.item(1, 2)->text() == "\u2013");
  CHECK_FALSE(open.find<QPushButton>("save_experiment").isEnabled());
  const QImage printed = open.chart();
  CHECK(colours_in(printed) > 3);

  const std::uint32_t step = open.step();
  open.click(open.find<QPushButton>("run_experiment"));
  open.finish_jobs();
  CHECK(open.measured() == 4);
  CHECK(open.status().startsWith("Done"));
  CHECK(open.step() == step);
  for (int row = 0; row < 4; ++row) {
    CHECK(table.item(row, 2)->text().toDouble() > 0);
    CHECK(table.item(row, 7)->text() == "3");
  }
  const QImage both = open.chart();
  CHECK(differing_pixels(printed, both) > 500);
  const Theme& t = theme(ThemeId::light);
  CHECK(pixels_of(both, t.categories[2]) > pixels_of(printed, t.categories[2]) + 100);  // int1
  CHECK(pixels_of(both, t.categories[3]) > pixels_of(printed, t.categories[3]) + 100);  // float4

  const QTemporaryDir folder;
  REQUIRE(open.pane.save(folder.filePath("t.csv")));
  QFile file(folder.filePath("t.csv"));
  REQUIRE(file.open(QIODevice::ReadOnly));
  const QByteArray csv = file.readAll();
  CHECK(csv.startsWith("data,n,sort,backend,"));
  CHECK(csv.count('\n') == 5);
  CHECK(csv.contains("float4,10000,radix,cpu,"));
  REQUIRE(open.pane.save(folder.filePath("t.svg")));
  QFile picture(folder.filePath("t.svg"));
  REQUIRE(picture.open(QIODevice::ReadOnly));
  const QByteArray svg = picture.readAll();
  CHECK(svg.contains(">Printed: Wald 2023, Table 1</text>"));
  CHECK(svg.endsWith("</svg>\n"));
  CHECK_FALSE(open.pane.save(folder.filePath("no/such/folder/t.csv")));
  CHECK(open.status().contains("cannot be saved"));
}

TEST_CASE("a cancelled experiment keeps its rows, and the window stays usable") {
  OpenExperiment open;
  open.choose("experiment_max_n", "100M");
  open.choose("experiment_sort", "bitonic");
  auto& run = open.find<QPushButton>("run_experiment");
  auto& cancel = open.find<QPushButton>("cancel_experiment");
  const auto trace = open.workbench.playback().trace();
  open.click(run);
  REQUIRE(QTest::qWaitFor([&] { return open.measured() > 0; }, patience_ms));
  REQUIRE(open.workbench.jobs().busy());
  CHECK_FALSE(run.isEnabled());
  CHECK_FALSE(open.find<QComboBox>("experiment_max_n").isEnabled());
  open.workbench.playback().seek(3);
  CHECK(open.step() == 3);
  open.click(cancel);
  open.finish_jobs();
  CHECK(open.status().startsWith("Cancelled"));
  CHECK(open.measured() > 0);
  CHECK(open.measured() < open.pane.rows().size());
  CHECK(open.workbench.playback().trace() == trace);
  CHECK(run.isEnabled());
  CHECK_FALSE(cancel.isEnabled());

  open.choose("experiment_max_n", "1K");
  CHECK(open.measured() == 0);
  open.click(run);
  open.finish_jobs();
  CHECK(open.measured() == 2);
}

EXPERIMENT_CASE("the pane opens an experiment file, draws it, and reads it again once it has changed") {
  OpenExperiment open;
  const QTemporaryDir folder;
  const QString path = folder.filePath("my-sweep.yaml");
  const auto write = [&](const QByteArray& text) {
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    REQUIRE(file.write(text) == text.size());
    file.close();
    open.pane.open_file(path);
    open.finish_jobs();
  };
  const QByteArray start = "title: <b>Leaves</b>\nalgorithms: hu\ndata: uniform:n={n},dim=2\nrepeats: 3\n";
  write(start + "n: [100, 1000]\nparameters: {leaf_size: [8, 32]}\n");
  auto& choice = open.find<QComboBox>("experiment");
  CHECK(choice.currentText() == "my-sweep.yaml");
  const int experiments_then = choice.count();
  REQUIRE(open.pane.rows().size() == 4);
  const QImage before = open.chart();
  open.click(open.find<QPushButton>("run_experiment"));
  open.finish_jobs();
  CHECK(open.status().startsWith("Done"));
  CHECK(open.measured() == 4);
  CHECK(open.pane.rows()[0].samples.count() == 3);
  CHECK(differing_pixels(before, open.chart()) > 500);
  CHECK(open.find<QTableWidget>("experiment_table").item(0, 0)->text() == "leaf_size=8");

  write(start + "n: [100, 1000, 2000]\n");
  CHECK(choice.count() == experiments_then);
  CHECK(open.pane.rows().size() == 3);
  CHECK(open.measured() == 0);

  write("title: T\nalgorithm: hu\n");
  CHECK(open.status().contains("my-sweep.yaml:2: unknown key 'algorithm'"));
  CHECK(open.pane.rows().size() == 3);
  open.pane.choose("wald-table-1");
  open.settle();
  CHECK(open.pane.rows().size() > 3);
}

TEST_CASE("closing the window while an experiment runs ends it") {
  OpenExperiment open;
  open.choose("experiment_max_n", "100M");
  open.click(open.find<QPushButton>("run_experiment"));
  REQUIRE(QTest::qWaitFor([&] { return open.measured() > 0; }, patience_ms));
}

TEST_CASE("the chart follows theme and text size, docked and floating") {
  OpenExperiment open;
  const QImage light = open.chart();
  open.workbench.looks().set_theme("dark");
  const QImage dark = open.chart();
  const Theme& t = theme(ThemeId::dark);
  CHECK(dark.pixel(2, 2) == qRgb(t.base.r, t.base.g, t.base.b));
  CHECK(differing_pixels(light, dark) > light.width() * light.height() / 2);
  open.workbench.looks().set_text_scale(150);
  CHECK(differing_pixels(dark, open.chart()) > 1000);
  open.workbench.looks().set_text_scale(100);
  open.dock.setFloating(false);
  open.settle();
  open.dock.raise();
  open.settle();
  CHECK(colours_in(open.chart()) > 3);
  CHECK(open.pane.isVisible());
  CHECK(open.pane.window() == &open.window);
  open.window.layouts().reset();
  CHECK_FALSE(open.dock.isVisible());
}

TEST_CASE("every experiment opens, measures its smallest rows and draws them", "[share]") {
  OpenExperiment open;
  auto& table = open.find<QTableWidget>("experiment_table");
  std::size_t number = 0;
  for (const Experiment& experiment : experiments()) {
    if (number++ % test::every_nth(9) != 0) continue;
    INFO(experiment.spec.id);
    open.pane.choose(experiment.spec.id);
    open.settle();
    open.find<QComboBox>("experiment_max_n").setCurrentIndex(0);
    open.find<QSpinBox>("experiment_repeat").setValue(3);
    const QImage before = open.chart();
    open.click(open.find<QPushButton>("run_experiment"));
    REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy(); }, 5 * patience_ms));
    CHECK(open.status().startsWith("Done"));
    CHECK(open.measured() > 0);
    CHECK(static_cast<std::size_t>(table.rowCount()) == open.pane.rows().size());
    CHECK(differing_pixels(before, open.chart()) > 100);
  }
}

TEST_CASE("an integer parameter is typed or chosen, and a bad one is refused with a sentence") {
  OpenExperiment open;
  open.pane.choose("wehr-fig-9");
  open.settle();
  open.find<QComboBox>("experiment_max_n").setCurrentIndex(0);
  auto& tpb = open.find<QComboBox>("experiment_tpb");
  REQUIRE(tpb.isEditable());
  CHECK(tpb.currentText() == "auto");
  tpb.setCurrentText("16");
  open.find<QComboBox>("experiment_base").setCurrentText("4");
  open.click(open.find<QPushButton>("run_experiment"));
  open.finish_jobs();
  REQUIRE(open.measured() == 2);
  CHECK(open.pane.rows()[0].facts.parameters.at("tpb") == "16");
  CHECK(open.pane.rows()[0].facts.parameters.at("base") == "4");
  tpb.setCurrentText("33");
  open.click(open.find<QPushButton>("run_experiment"));
  open.finish_jobs();
  CHECK(open.measured() == 0);
  CHECK(open.status().contains("tpb cannot be 33"));
}

TEST_CASE("numbers on the axes read as people write them") {
  CHECK(axis_text(1000, "") == "1K");
  CHECK(axis_text(1e9, "") == "1G");
  CHECK(axis_text(0.01, "ms") == "10 \u00b5s");
  CHECK(axis_text(1, "ms") == "1 ms");
  CHECK(axis_text(500, "ns") == "500 ns");
  CHECK(axis_text(1500, "ns") == "1.5 \u00b5s");
  CHECK(axis_text(24700, "ms") == "24.7 s");
  CHECK(axis_text(178, "MB") == "178 MB");
}

TEST_CASE("the legend names each device that rows ran on, once") {
  std::vector<ExperimentRow> rows(4);
  CHECK(measured_on(rows) == "Not measured here yet");
  const auto ran = [&](std::size_t row, Backend backend, const char* name) {
    rows[row].samples = {{1}};
    rows[row].device.backend = backend;
    rows[row].device.name = name;
  };
  ran(1, Backend::cpu, "2 threads");
  CHECK(measured_on(rows) == "Measured: CPU, 2 threads");
  ran(0, Backend::cuda, "NVIDIA H100");
  ran(3, Backend::cpu, "2 threads");
  CHECK(measured_on(rows) == "Measured: CUDA, NVIDIA H100; CPU, 2 threads");
}

TEST_CASE("the pane shows results of a bench: time per point, and GB/s beside the copy") {
  OpenExperiment open;
  const QTemporaryDir folder;
  const QString path = folder.filePath("today.json");
  const auto write = [&](const std::string& text) {
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    REQUIRE(file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size()));
    file.close();
    open.pane.open_file(path);
    open.finish_jobs();
  };
  MeasuredRun results{"0.1.0", "unknown", "2026-05-01T12:00:00Z", {}, 60, {}};
  MeasuredTable table{Backend::cuda, "NVIDIA H100", "", 132, 3000};
  for (const std::uint64_t n : {1'000, 1'000'000})
    for (const char* builder : {"wald", "hu"}) {
      MeasuredRow row;
      row.what.subject = builder;
      row.distribution = "uniform";
      row.what.data = "uniform:n=" + std::to_string(n);
      row.n = n;
      row.samples.values = {1, 1.5, 2};
      row.facts.compulsory_bytes = 28 * n;
      row.facts.launches = 52;
      table.rows.push_back(row);
      row.what.kind = WorkKind::search;
      row.what.search = "stack";
      row.what.k = 8;
      row.facts.launches.reset();
      row.samples.values.clear();
      row.reason = "it takes more than the time limit of 60 s";
      row.over_time = true;
      table.rows.push_back(row);
    }
  results.tables.push_back(table);
  auto& beside = open.find<ExperimentChart>("experiment_chart_beside");
  CHECK_FALSE(beside.isVisible());
  write(json_of({results}));
  auto& choice = open.find<QComboBox>("experiment");
  CHECK(choice.currentText() == "builds, uniform, today.json");
  CHECK(beside.isVisible());
  CHECK_FALSE(open.find<QPushButton>("run_experiment").isEnabled());
  auto& shown = open.find<QTableWidget>("experiment_table");
  REQUIRE(shown.rowCount() == 4);
  CHECK(shown.item(0, 0)->text() == "wald");
  CHECK(shown.item(0, 2)->text() == "1500");     // ns per point
  CHECK(shown.item(1, 4)->text() == "18.7");     // GB/s
  CHECK(shown.item(1, 5)->text() == "0.622 %");  // of the copy
  CHECK(shown.item(1, 7)->text() == "52");       // launches
  const Theme& t = theme(ThemeId::light);
  const auto grabbed = [](QWidget& widget) { return widget.grab().toImage().convertToFormat(QImage::Format_RGB32); };
  for (QWidget* chart :
       {static_cast<QWidget*>(&open.find<ExperimentChart>("experiment_chart")), static_cast<QWidget*>(&beside)}) {
    CHECK(pixels_of(grabbed(*chart), t.categories[2]) > 100);  // wald
    CHECK(pixels_of(grabbed(*chart), t.categories[3]) > 100);  // hu
  }
  CHECK(pixels_of(grabbed(beside), t.categories[6]) > 100);  // copy

  open.choose("experiment", "searches, uniform, today.json");
  REQUIRE(shown.rowCount() == 4);
  CHECK(shown.item(0, 2)->text() == "time limit");
  CHECK(shown.item(0, 9)->text() == "it takes more than the time limit of 60 s");
  open.pane.run();
  CHECK_FALSE(open.workbench.jobs().busy());
  REQUIRE(open.pane.save(folder.filePath("t.csv")));

  // The table that earlier versions kept has no bytes, hence one chart for each number of processors.
  open.pane.open_file(KDSCOPE_SOURCE_DIR "/tests/measure/my-sweep.results.csv");
  open.finish_jobs();
  CHECK(choice.currentText() == "cpu with processors=1 builds, uniform:n={n},dim=2, my-sweep.results.csv");
  CHECK_FALSE(beside.isVisible());
  REQUIRE(shown.rowCount() == 4);
  CHECK(shown.item(0, 0)->text() == "wald, sort=radix");
  CHECK(shown.item(0, 2)->text() == "401");  // ns per point: 0.020051 ms for 50 points
  open.choose("experiment", "searches, uniform, today.json");

  // A damaged file keeps what is shown; an experiment has one chart again.
  write(json_of({results}).substr(0, 200));
  CHECK(open.status().contains("the results are damaged"));
  CHECK(choice.currentText() == "searches, uniform, today.json");
  open.window.findChild<QAction*>("wald-table-1")->trigger();
  open.settle();
  CHECK_FALSE(beside.isVisible());
  CHECK(open.find<QPushButton>("run_experiment").isEnabled());
}

TEST_CASE("an experiment whose process crashes ends with a sentence, and the window runs it again") {
  OpenExperiment open;
  open.choose("experiment_max_n", "10K");
  open.click(open.find<QPushButton>("run_experiment"));
  REQUIRE(QTest::qWaitFor([&] { return test::abort_runners(), !open.workbench.jobs().busy(); }, patience_ms));
  INFO(open.status().toStdString());
  CHECK(open.status().contains("crashed (Aborted)"));
  open.click(open.find<QPushButton>("run_experiment"));
  open.finish_jobs();
  CHECK(open.measured() == 4);
}

}  // namespace kdscope::experiment_gui_test
