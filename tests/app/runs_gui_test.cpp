// Tests runs outside of the UI thread: the open run stays open until the new run is complete, and also if the new run
// fails.

#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QThread>
#include <QToolButton>
#include <atomic>

#include "app/measure_panes/timing_pane.hpp"
#include "app/panes/message_bar.hpp"
#include "app/run/run_panel.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

QString write_file(const QTemporaryDir& folder, const char* name, const char* content) {
  QFile file(folder.filePath(QString::fromLatin1(name)));
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write(content);
  return file.fileName();
}

void choose(QComboBox& box, const char* data) {
  const int index = box.findData(QString::fromLatin1(data));
  REQUIRE(index >= 0);
  box.setCurrentIndex(index);
}

void wait_until_idle(OpenWorkbench& open) { open.finish_jobs(); }

void drop(OpenWorkbench& open, const QString& path) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(path)});
  QDragEnterEvent enter({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&open.window, &enter);
  QDropEvent event({200, 200}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&open.window, &event);
}

}  // namespace

TEST_CASE("the run panel shows what is open, and runs what it shows") {
  OpenWorkbench open;
  auto& panel = *open.window.findChild<RunPanel*>();
  const RunRequest opened = open.workbench.desk().request();
  CHECK(panel.spec().data == opened.data);
  CHECK(panel.spec().algorithm == opened.algorithm);
  for (const auto& [name, value] : opened.parameters) CHECK(panel.spec().parameters.at(name) == value);

  open.window.findChild<QDockWidget*>("run")->raise();
  choose(open.find<QComboBox>("data_source"), "uniform");
  auto* points = panel.findChild<QSpinBox*>("n");
  REQUIRE(points != nullptr);
  points->setValue(123);
  REQUIRE(panel.spec().data.starts_with("uniform:"));
  open.settle();
  open.click(open.find<QPushButton>("run"));
  wait_until_idle(open);
  CHECK(open.workbench.playback().trace()->header.n == 123);
  CHECK(open.workbench.lessons().lesson() == nullptr);
  CHECK(open.step() == 0);
}

TEST_CASE("every choice of every algorithm can be run from the panel", "[share]") {
  OpenWorkbench open;
  auto& panel = *open.window.findChild<RunPanel*>();
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms())
    for (const ParameterSpec& parameter : algorithm.parameters)
      for (const Choice& choice : parameter.choices) {
        INFO(algorithm.id << " " << parameter.name << "=" << choice.value);
        RunRequest spec = open.workbench.desk().request();
        spec.algorithm = algorithm.id;
        spec.parameters = test::parameters_with(parameter, choice);
        panel.fill(spec);
        CHECK(panel.spec().parameters.at(parameter.name) == choice.value);
        open.workbench.desk().run(panel.spec());
        wait_until_idle(open);
        CHECK(open.workbench.playback().trace()->header.parameters.at(parameter.name) == choice.value);
      }
}

TEST_CASE("a long run can be cancelled, and what was open is still there") {
  OpenWorkbench open;
  open.workbench.playback().seek(3);
  const auto before = open.workbench.playback().trace();
  const Session session = open.workbench.session();
  RunRequest big = session.run;
  big.data = "uniform:n=3000000,dim=3";
  open.workbench.desk().run(big);
  REQUIRE(open.workbench.jobs().busy());
  auto& cancel = open.find<QPushButton>("cancel");
  REQUIRE(QTest::qWaitFor([&] { return cancel.isVisible(); }, patience_ms));
  open.press(Qt::Key_Right);  // the window remains usable during the run
  CHECK(open.step() == 4);
  open.press(Qt::Key_Left);
  open.click(cancel);
  wait_until_idle(open);
  CHECK(open.workbench.playback().trace() == before);
  CHECK(open.workbench.session() == session);
  CHECK(open.window.findChild<MessageBar*>()->text().contains("Cancelled"));
}

TEST_CASE("what is chosen while something opens takes its place, and is not lost") {
  OpenWorkbench open;
  open.workbench.open("uniform:n=200000,dim=3");
  REQUIRE(open.workbench.jobs().busy());
  open.workbench.desk().open_lesson("wald/six-points");
  open.workbench.open("wald-6");
  REQUIRE(QTest::qWaitFor(
      [&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace()->header.n != 10; }, patience_ms));
  QTest::qWait(200);
  CHECK(open.workbench.playback().trace()->header.data_set == "wald-6");
  CHECK_FALSE(open.window.findChild<MessageBar*>()->isVisible());

  // Other work continues. The chosen run opens when that work has ended.
  std::atomic<bool> go_on = false;
  open.workbench.jobs().start("Measuring", [&](const RunControl&) -> BackgroundJob::Finish {
    while (!go_on) QThread::msleep(1);
    return {};
  });
  open.workbench.open("wald-10");
  CHECK(open.workbench.jobs().busy());
  CHECK(open.workbench.playback().trace()->header.n == 6);
  go_on = true;
  REQUIRE(QTest::qWaitFor(
      [&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace()->header.n == 10; }, patience_ms));
}

TEST_CASE("input that cannot be read is refused in one sentence and leaves what was open") {
  OpenWorkbench open;
  open.workbench.playback().seek(2);
  const QTemporaryDir folder;
  const auto before = open.workbench.playback().trace();
  const Session session = open.workbench.session();
  auto& message = *open.window.findChild<MessageBar*>();
  const QString files[] = {write_file(folder, "ragged.csv", "1,2\n3\n"),
                           write_file(folder, "text.csv", "1,2\n3,four\n"),
                           write_file(folder, "empty.csv", ""),
                           write_file(folder, "broken.kdtrace", "not a trace"),
                           folder.filePath("absent.csv"),
                           folder.filePath("absent.kdtrace")};
  for (const QString& file : files) {
    INFO(file.toStdString());
    drop(open, file);
    wait_until_idle(open);
    CHECK(message.isVisible());
    CHECK(message.text().size() > 20);
    CHECK(message.text().endsWith('.'));
    CHECK(open.workbench.playback().trace() == before);
    CHECK(open.workbench.session() == session);
  }
}

TEST_CASE("a dropped file of points opens") {
  OpenWorkbench open;
  const QTemporaryDir folder;
  drop(open, write_file(folder, "three.csv", "x,y\n1,2\n3,4\n5,0\n"));
  wait_until_idle(open);
  CHECK(open.workbench.playback().trace()->header.n == 3);
}

TEST_CASE("a run past memory offers to keep less") {
  OpenWorkbench open;
  const auto before = open.workbench.playback().trace();
  RunRequest run = open.workbench.desk().request();
  run.backend = Backend::cpu;  // on a device, the offer is to run on the CPU
  open.workbench.messages().report({ErrorKind::out_of_memory, "the trace would take 9 GiB", "", "thin it"}, run);
  auto& offer = open.find<QPushButton>("offer");
  REQUIRE(QTest::qWaitFor([&] { return offer.isVisible(); }, patience_ms));
  open.settle();
  open.click(offer);
  wait_until_idle(open);
  CHECK(open.workbench.desk().request().thin);
  CHECK(open.workbench.playback().trace() != before);
}

TEST_CASE("a run past its budget offers to record anyway, by keyboard too, and the Run panel shows the budget") {
  OpenWorkbench open;
  const auto before = open.workbench.playback().trace();
  auto& budget = open.find<QSpinBox>("Memory for the recording");
  CHECK(budget.text() == "automatic");
  RunRequest run = open.workbench.desk().request();
  run.data = "uniform:n=3000,dim=2";
  run.trace_budget_bytes = 1000;
  open.workbench.desk().run(run);
  wait_until_idle(open);
  auto& anyway = open.find<QPushButton>("record_anyway");
  auto& offer = open.find<QPushButton>("offer");
  REQUIRE(QTest::qWaitFor([&] { return anyway.isVisible(); }, patience_ms));
  CHECK(offer.isVisible());
  CHECK(open.workbench.playback().trace() == before);
  CHECK(open.window.findChild<MessageBar*>()->text().contains("its budget is 1 MiB"));
  CHECK(QRegularExpression("^Record anyway with [0-9.]+ [MG]iB$").match(anyway.text()).hasMatch());
  offer.setFocus();
  QTest::keyClick(&offer, Qt::Key_Tab);
  CHECK(anyway.hasFocus());
  QTest::keyClick(&anyway, Qt::Key_Space);
  wait_until_idle(open);
  CHECK(open.workbench.playback().trace() != before);
  CHECK(open.workbench.playback().trace()->header.n == 3000);
  CHECK_FALSE(open.workbench.desk().request().thin);
  CHECK(open.workbench.desk().request().trace_budget_bytes > 1000);
  CHECK(budget.value() == static_cast<int>(open.workbench.desk().request().trace_budget_bytes >> 20));
  // The form's own limit applies to its run.
  budget.setValue(7);
  CHECK(open.window.findChild<RunPanel*>()->spec().trace_budget_bytes == 7u << 20);
  // The form does not keep another lesson's parameters.
  RunRequest wehr = run;
  wehr.trace_budget_bytes = 0;
  wehr.algorithm = "wehr";
  wehr.data = "wald-10";
  wehr.parameters = {{"keys", "quantized"}, {"f", "58"}};
  open.workbench.desk().run(wehr);
  wait_until_idle(open);
  CHECK(open.window.findChild<RunPanel*>()->spec().parameters.at("f") == "58");
  wehr.parameters.clear();
  open.workbench.desk().run(wehr);
  wait_until_idle(open);
  CHECK(open.window.findChild<RunPanel*>()->spec().parameters.at("f") == "33554431");
  CHECK(open.window.findChild<RunPanel*>()->spec().parameters.at("keys") == "exact");
}

TEST_CASE("a run without its device offers the CPU") {
  OpenWorkbench open;
  if (open.workbench.devices().cuda_status.empty()) KDSCOPE_SKIP("this machine has a CUDA device");
  open.workbench.desk().set_backend(Backend::cuda);
  open.workbench.desk().open_lesson(start_lesson);
  wait_until_idle(open);
  auto& offer = open.find<QPushButton>("offer");
  REQUIRE(offer.isVisible());
  CHECK(offer.text() == "Run on the CPU");
  open.click(offer);
  wait_until_idle(open);
  CHECK(open.workbench.playback().trace()->header.backend == "cpu");
  REQUIRE(open.workbench.lessons().lesson() != nullptr);
  CHECK(open.workbench.lessons().lesson()->id == start_lesson);
}

TEST_CASE("the full-speed build gives the recorded tree") {
  OpenWorkbench open;
  open.show_dock("timing");
  open.click(open.find<QPushButton>("time_full_speed"));
  wait_until_idle(open);
  REQUIRE(open.workbench.desk().timing().has_value());
  CHECK(open.workbench.desk().timing()->tree_hash == open.workbench.playback().trace()->header.tree_hash);
  CHECK(open.workbench.desk().timing()->build_ms.size() > 1);
  CHECK(open.window.findChild<TimingPane*>()->summary().contains("same tree"));
}

TEST_CASE("the message bar names the first number of a file that a float does not hold, until it is dismissed") {
  OpenWorkbench open;
  auto& message = *open.window.findChild<MessageBar*>();
  QTemporaryDir folder;
  const auto opened = [&](const QString& what) {
    open.open_another([&] { open.workbench.open(what); });
    open.settle();
  };
  opened(write_file(folder, "mixed.csv", "16777216,0\n16777217,0\n0.5,1\n"));
  CHECK(message.isVisible());
  CHECK(message.text().contains(
      QStringLiteral("mixed.csv:2:1: the whole number 16777217 is stored as the float 16777216.")));
  open.click(*message.findChild<QToolButton*>());
  open.settle();
  CHECK_FALSE(message.isVisible());
  opened(write_file(folder, "whole.csv", "1,2\n3,4\n5,6\n"));
  CHECK_FALSE(message.isVisible());
}
