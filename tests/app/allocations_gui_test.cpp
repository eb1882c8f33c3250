// Tests a window without memory: only the task fails, with one sentence, and the next task works. The test needs the
// library that makes allocations fail (tests/campaigns), so ctest runs it only with that library.

#include <dlfcn.h>

#include <QPushButton>
#include <QTemporaryDir>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>

#include "algorithms/trace/trace_file.hpp"
#include "app/compare/compare_column.hpp"
#include "app/compare/compare_window.hpp"
#include "app/export/export_dialog.hpp"
#include "app/workbench/guarded_application.hpp"
#include "app/workspace/autosave.hpp"
#include "tests/app/exporting.hpp"
#include "tests/app/small_leaves.hpp"
#include "tests/support/campaign.hpp"

using namespace kdscope;

namespace {

using FailAllocations = long (*)(long n, bool and_later, long smallest, char which);

FailAllocations fail_allocations() {
  return reinterpret_cast<FailAllocations>(::dlsym(RTLD_DEFAULT, "kdscope_fail_allocations"));
}

/// A task that runs in the background. Its function returns when the task has ended.
struct Task {
  std::string name;
  std::function<void()> run;
  long most = std::numeric_limits<long>::max();  ///< number of its allocations that are tested
};

/// Collects the window's reports.
struct Reports {
  std::vector<Error> errors;
  explicit Reports(Workbench& workbench) {
    QObject::connect(&workbench.messages(), &Messages::failed, &context_,
                     [this](const Error& error, Offer, const RunRequest&) { errors.push_back(error); });
    application().report = [this](const Error& error) { errors.push_back(error); };
  }
  ~Reports() { application().report = nullptr; }

 private:
  static GuardedApplication& application() { return *static_cast<GuardedApplication*>(QCoreApplication::instance()); }
  QObject context_;
};

/// Runs a task with one failing allocation of its thread, and with all failing from there on, at places spread over all
/// of its allocations.
void try_without_memory(const Task& task, const Reports& reports, int& ran) {
  INFO(task.name);
  fail_allocations()(0, false, 0, 'j');
  task.run();
  const long total = fail_allocations()(-1, false, 0, 'j');
  REQUIRE(reports.errors.empty());
  REQUIRE(total > 0);
  for (int trial = 0; trial < test::campaign_trials(2); ++trial)
    for (const bool and_later : {false, true}) {
      const long n = 1 + trial * total / test::campaign_trials(2);
      INFO("allocation " << n << " of " << total << (and_later ? " and all after it" : ""));
      fail_allocations()(n, and_later, 0, 'j');
      task.run();
      fail_allocations()(-1, false, 0, 'j');
      ++ran;
    }
}

}  // namespace

TEST_CASE("tasks that lack memory end in one sentence", "[.allocations]") {
  if (!fail_allocations()) KDSCOPE_SKIP("the library that makes allocations fail is not preloaded");
  OpenWorkbench open;
  Workbench& workbench = open.workbench;
  const QTemporaryDir folder;
  const std::string trace_file = folder.filePath("run.kdtrace").toStdString(),
                    session_file = folder.filePath("s.kdsession").toStdString();
  REQUIRE(save_trace(*workbench.playback().trace(), trace_file));
  REQUIRE(save_session(workbench.saved_session(), session_file));
  const QString points_file = folder.filePath("p.csv");
  {
    QFile points(points_file);
    REQUIRE(points.open(QIODevice::WriteOnly));
    for (int i = 0; i < 50; ++i) points.write(QByteArray::number(i * 7 % 50) + ',' + QByteArray::number(i) + '\n');
  }
  Reports reports(workbench);
  const auto idle = [&] { REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, patience_ms)); };
  int ran = 0, sentences = 0;
  /// Checks that a task of the workbench opens another run or reports why it cannot. An empty message is a failure.
  const auto check = [&](const Task& task) {
    try_without_memory({task.name,
                        [&] {
                          reports.errors.clear();
                          const auto before = workbench.playback().trace();
                          task.run();
                          idle();
                          CHECK(reports.errors.size() <= 1);
                          for (const Error& error : reports.errors) {
                            CHECK(error.message().size() > 10);
                            ++sentences;
                          }
                          CHECK(workbench.playback().trace() != nullptr);
                        }},
                       reports, ran);
    reports.errors.clear();
  };
  for (const AlgorithmSpec& algorithm : algorithms()) {
    const char* data = algorithm.takes_triangles ? "triangles:kind=soup,n=20" : "uniform:n=60,dim=2,seed=1";
    check({algorithm.id, [&, data] {
             workbench.desk().run({data, algorithm.id, small_leaves(algorithm), Backend::cpu});
           }});
  }
  check({"a lesson", [&] { workbench.desk().open_lesson(start_lesson); }});
  check({"a trace", [&] { workbench.open(QString::fromStdString(trace_file)); }});
  check({"a session", [&] { workbench.open(QString::fromStdString(session_file)); }});
  check({"a file of points", [&] { workbench.open(points_file); }});
  check({"timing", [&] { workbench.desk().time_full_speed(); }});
  check({"saving a trace", [&] {
           workbench.jobs().start({}, [&](const RunControl&) -> BackgroundJob::Finish {
             auto saved = std::make_shared<Result<void>>(save_trace(*workbench.playback().trace(), trace_file));
             return [&, saved] {
               if (!*saved) workbench.messages().report(saved->error());
             };
           });
         }});
  CHECK(load_trace(trace_file));

  // Side by side: every column has a run or a message.
  open.press(Qt::Key_F7);
  auto& all = open.find<CompareWindow>("compare");
  REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
  try_without_memory({"side by side",
                      [&] {
                        open.find<QPushButton>("compare_again").click();
                        REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
                        QTest::qWait(0);
                        CHECK_FALSE(open.find<QPushButton>("compare_cancel").isVisible());
                      }},
                     reports, ran);
  open.find<QPushButton>("compare_again").click();
  REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
  for (const CompareColumn* column : all.columns()) CHECK(column->trace());
  all.close();

  // A table: the file is either the old one or the whole new one.
  ExportRequest request;
  request.what = ExportWhat::table;
  request.format = ExportFormat::csv;
  request.path = folder.filePath("t.csv").toStdString();
  request.first = request.last = 3;
  std::optional<QByteArray> whole;
  try_without_memory({"a table",
                      [&] {
                        const auto error = exported(request, {workbench.playback().trace(), {}, {}});
                        if (error) CHECK(error->message().size() > 10);
                        QFile file(QString::fromStdString(request.path));
                        REQUIRE(file.open(QIODevice::ReadOnly));
                        const QByteArray bytes = file.readAll();
                        if (!whole) whole = bytes;
                        CHECK(bytes == *whole);
                      }},
                     reports, ran);

  // Autosave: it writes the file or reports why it cannot.
  SavedSession saved = workbench.saved_session();
  Autosave autosave(folder.filePath("state"));
  int written = 0, failed = 0;
  QObject::connect(&autosave, &Autosave::written, [&] { ++written; });
  QObject::connect(&autosave, &Autosave::failed, [&] { ++failed; });
  try_without_memory({"autosave",
                      [&] {
                        const int ends = written + failed;
                        autosave.write(saved);
                        // Only the first of several successive failures is reported.
                        (void)QTest::qWaitFor([&] { return written + failed > ends; }, 300);
                      }},
                     reports, ran);
  CHECK(failed > 0);
  written = 0;
  autosave.write(saved);
  CHECK(QTest::qWaitFor([&] { return written > 0; }, patience_ms));

  CHECK(QDir(folder.path()).entryList({"*.part*"}, QDir::Files).isEmpty());
  open.open_lesson(start_lesson);
  CHECK(colours_in(open.picture(), 50) == 50);
  std::printf("%d tasks of the window with failing allocations, %d of them ended in a sentence of the workbench\n", ran,
              sentences);
}

TEST_CASE("large tables, pictures and texts that the window has no memory for cost one action", "[.allocations]") {
  if (!fail_allocations()) KDSCOPE_SKIP("the library that makes allocations fail is not preloaded");
  constexpr long large = 1 << 16;
  OpenWorkbench open;
  Workbench& workbench = open.workbench;
  const QTemporaryDir folder;
  Reports reports(workbench);
  const auto idle = [&] { REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, patience_ms)); };
  workbench.desk().run({"uniform:n=20000,dim=3,seed=1", "wald", {}, Backend::cpu, true});
  idle();
  open.settle();
  const auto figure = [&](ExportWhat what, ExportFormat format) {
    return [&, what, format] {
      ExportRequest request;
      request.what = what;
      request.format = format;
      request.path = folder.filePath(QStringLiteral("f.") + QLatin1String(name_of(format))).toStdString();
      request.first = request.last = open.last_step();
      request.width = 800, request.height = 600;
      if (const auto error = exported(request, {workbench.playback().trace(), {}, {}}))
        reports.errors.push_back(*error);
    };
  };
  const std::vector<Task> tasks{
      {"the last step", [&] { workbench.transport().last(); }},
      {"the first step", [&] { workbench.transport().first(); }},
      {"another run",
       [&] {
         workbench.desk().run({"uniform:n=20000,dim=3,seed=1", "wehr", {}, Backend::cpu, true});
         idle();
       }},
      {"edited points",
       [&] { workbench.edits().edit(std::make_shared<DataSet>(*workbench.edits().points()), "a copy"); }},
      {"a session",
       [&] { (void)save_session(workbench.saved_session(), folder.filePath("s.kdsession").toStdString()); }},
      {"a partition as PNG", figure(ExportWhat::partition, ExportFormat::png)},
      {"a partition as SVG", figure(ExportWhat::partition, ExportFormat::svg)},
      {"a tree as PDF", figure(ExportWhat::tree, ExportFormat::pdf), 10},  // Qt's embedding of fonts has no error path
      {"coordinates as PNG", figure(ExportWhat::coordinates, ExportFormat::png)},
  };
  int ran = 0, told = 0;
  for (const Task& task : tasks) {
    INFO(task.name);
    const auto guarded = [&] {
      try {
        task.run();
      } catch (const std::bad_alloc&) {  // thrown here as in an event handler of the window
        reports.errors.push_back(error_of_exception());
      }
    };
    fail_allocations()(0, false, large, 'm');
    guarded();
    const long total = fail_allocations()(-1, false, large, 'm');
    for (long n = 1; n <= std::min<long>({total, test::campaign_trials(2), task.most}); ++n) {
      INFO("allocation " << n << " of " << total);
      reports.errors.clear();
      fail_allocations()(n, false, large, 'm');
      guarded();
      fail_allocations()(-1, false, large, 'm');
      QTest::qWait(1);
      ++ran;
      told += !reports.errors.empty();
    }
    std::printf("%s: %ld large allocations\n", task.name.c_str(), total);
    std::fflush(stdout);
  }
  open.open_lesson(start_lesson);
  CHECK(colours_in(open.picture(), 50) == 50);
  std::printf("%d actions with a failing large allocation, %d of them ended in a sentence\n", ran, told);
}
