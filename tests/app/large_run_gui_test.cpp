// Measures how the window goes on while values of a large run of another machine come.
#include <stdlib.h>

#include <QElapsedTimer>
#include <fstream>
#include <iostream>

#include "algorithms/variants/remote/devices.hpp"
#include "algorithms/variants/runners.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/longest_turn.hpp"
#include "tests/support/runner_processes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

namespace {

/// Memory of a process and of the runners below it, in MiB.
long resident_mib(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  long kib = 0;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmRSS:")) kib = std::stol(line.substr(6));
  long all = kib / 1024;
  for (const pid_t below : test::runner_processes(process)) all += resident_mib(below);
  return all;
}

std::string variable(const char* name, const char* usual) {
  const char* value = ::getenv(name);
  return value ? value : usual;
}

}  // namespace

// Measures a large run of another machine; takes minutes. KDSCOPE_LARGE_N points, KDSCOPE_LARGE_LINE leads to a runner,
// KDSCOPE_LARGE_STAYS MiB travel with the steps.
TEST_CASE("a large run of a device, measured", "[.minutes]") {
  const test::TemporaryFolder folder;
  ::setenv("XDG_CONFIG_HOME", folder.path.c_str(), 1);
  const std::string line = variable("KDSCOPE_LARGE_LINE", (*variants::Runners::find_program() + " --far").c_str());
  variants::remote::NamedDevice device{"line", {*variants::remote::command_from(line)}};
  device.stays_above_mb = std::stoi(variable("KDSCOPE_LARGE_STAYS", "1024"));
  REQUIRE(variants::remote::add_device(device));
  OpenWorkbench open;
  std::vector<std::string> errors;
  QObject::connect(&open.workbench.messages(), &Messages::failed,
                   [&errors](const Error& error) { errors.push_back(error.message()); });
  Workbench& workbench = open.workbench;
  REQUIRE(workbench.device_choice().choose("line"));
  open.settle();
  QElapsedTimer clock;
  test::LongestTurn turns;
  const ComingValues& values = workbench.coming_values();
  const auto report = [&](const std::string& what) {
    std::cout << what << ": " << clock.restart() << " ms, longest turn " << turns.take() << " ms, fetched "
              << values.all_arrays() << " arrays of " << (values.all_bytes() >> 20) << " MiB, resident "
              << resident_mib(::getpid()) << " MiB with all runners of this machine" << std::endl;
  };
  const auto before = workbench.playback().trace();
  clock.start();
  turns.take();
  workbench.desk().run(
      {"uniform:n=" + variable("KDSCOPE_LARGE_N", "10000000") + ",dim=3,seed=1", "wald", {}, Backend::cpu});
  REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, 1'200'000));
  report("recorded and opened");
  REQUIRE(workbench.playback().trace() != before);
  const Playback& playback = workbench.playback();
  std::cout << playback.step_count() << " steps, " << (playback.trace()->stored_bytes() >> 20) << " MiB of values"
            << std::endl;
  const auto wait = [&](const std::string& what) {
    for (QCoreApplication::processEvents(); playback.wait(); QCoreApplication::processEvents()) {
      report("  a turn of " + what);
      REQUIRE(QTest::qWaitFor([&] { return !playback.wait(); }, 600'000));
      report("  values of " + what);
    }
    open.settle();
    report(what);
  };
  wait("opening");
  for (const std::uint32_t step :
       {playback.step_count() / 2, playback.step_count() / 2 + 1, playback.step_count() - 1}) {
    workbench.playback().seek(step);
    report("  seek to step " + std::to_string(step));
    wait("step " + std::to_string(step));
  }
  CHECK(errors.empty());
  ::unsetenv("XDG_CONFIG_HOME");
}
