// Tests that the window survives builders that crash.
#include <signal.h>

#include "tests/app/open_workbench.hpp"
#include "tests/support/runner_processes.hpp"

using namespace kdscope;
using namespace kdscope::test;

namespace {

/// Crashes the build that runs, at the first progress after `steps` of it.
void crash_after(Workbench& workbench, int steps) {
  auto seen = std::make_shared<int>(0);
  auto connection = std::make_shared<QMetaObject::Connection>();
  *connection = QObject::connect(&workbench.jobs(), &Jobs::progressed, [seen, steps, connection] {
    if (++*seen != steps) return;
    for (const pid_t process : runner_processes()) ::kill(process, SIGSEGV);
    QObject::disconnect(*connection);
  });
}

}  // namespace

TEST_CASE("runner: a builder that crashes leaves the window open, at the last step before the crash") {
  OpenWorkbench open;
  Workbench& workbench = open.workbench;
  std::vector<Error> errors;
  QObject::connect(&workbench.messages(), &Messages::failed, [&](const Error& error) { errors.push_back(error); });
  const RunRequest run{"uniform:n=100000,dim=2,seed=1", "wald", {}, Backend::cpu};
  const auto before = workbench.playback().trace();
  crash_after(workbench, 3);
  workbench.desk().run(run);
  REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, patience_ms));
  open.settle();
  REQUIRE(errors.size() == 1);
  INFO(errors.front().message());
  CHECK(errors.front().message().find("crashed (Segmentation fault)") != std::string::npos);
  REQUIRE(workbench.playback().trace() != before);
  CHECK(workbench.playback().trace()->header.n == 100000);
  CHECK(open.step() == open.last_step());
  REQUIRE(workbench.violations().all().size() == 1);
  CHECK(workbench.playback().trace()->steps.back().checks.back().name == "end of the run");

  // The next run is whole.
  workbench.desk().run(run);
  REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, patience_ms));
  CHECK(errors.size() == 1);
  CHECK(workbench.violations().all().empty());
  CHECK(workbench.playback().step_count() > open.step() + 1);
}

TEST_CASE("runner: a crash while builds are timed is a sentence, and the run stays") {
  OpenWorkbench open;
  Workbench& workbench = open.workbench;
  workbench.desk().run({"uniform:n=200000,dim=2,seed=1", "wald", {}, Backend::cpu});
  REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.playback().trace()->header.n == 200000; },
                          patience_ms));
  const auto trace = workbench.playback().trace();
  std::vector<Error> errors;
  QObject::connect(&workbench.messages(), &Messages::failed, [&](const Error& error) { errors.push_back(error); });
  crash_after(workbench, 1);  // a loaded machine tells of progress late, and the builds must not have ended
  workbench.desk().time_full_speed();
  REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, patience_ms));
  REQUIRE(errors.size() == 1);
  CHECK(errors.front().message().find("crashed") != std::string::npos);
  CHECK(workbench.playback().trace() == trace);
  CHECK_FALSE(workbench.desk().timing());
}
