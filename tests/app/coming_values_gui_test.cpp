// Tests that the window waits for no values that are elsewhere: it shows what is here, and all of a step once the rest
// has come.
#include <stdlib.h>

#include <QElapsedTimer>
#include <QPushButton>
#include <atomic>
#include <condition_variable>
#include <fstream>
#include <iostream>
#include <random>

#include "app/panes/message_bar.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/runner_processes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

namespace {

/// Where values wait until a test lets them go.
struct Gate {
  void open(bool now = true) {
    {
      const std::lock_guard lock(mutex);
      is_open = now;
    }
    changed.notify_all();
  }
  void pass() {
    if (std::this_thread::get_id() == window) ++waits_of_window;
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return is_open || is_lost; });
    ++passed;
    if (is_lost) throw ErrorException({ErrorKind::device_failure, "the line is lost", "", "run again"});
  }
  std::mutex mutex;
  std::condition_variable changed;
  bool is_open = false, is_lost = false;
  std::thread::id window = std::this_thread::get_id();
  std::atomic<int> waits_of_window = 0, passed = 0;
};

/// Returns a run whose values are behind a gate, except for its points and its tree.
RecordedRun behind(const std::shared_ptr<Gate>& gate, const RecordedRun& run) {
  auto trace = std::make_shared<Trace>(*run.trace);
  for (Trace::Array& array : trace->arrays) {
    if (array.info.name == points_array || array.info.name == triangles_array ||
        array.info.name.starts_with("partition."))
      continue;
    for (ArrayVersion& version : array.versions)
      version.values = TypedArray::later(version.values.type(), version.values.size(), [gate, values = version.values] {
        gate->pass();
        return values;
      });
  }
  trace->index_arrays();
  RecordedRun late = run;
  late.trace = std::move(trace);
  return late;
}

struct LateWorkbench : OpenWorkbench {
  LateWorkbench() {
    workbench.motion().set_enabled(false);
    QObject::connect(&workbench.messages(), &Messages::failed,
                     [this](const Error& error) { errors.push_back(error.message()); });
  }
  ~LateWorkbench() { gate->open(); }
  RecordedRun record(const std::string& algorithm, const std::string& data) {
    auto run = record_run({data, algorithm, {}, Backend::cpu});
    if (!run) FAIL(run.error().message());
    return std::move(*run);
  }
  void show(const RecordedRun& run) {
    workbench.desk().show_run(run);
    settle();
  }
  void wait_for_values() {
    REQUIRE(QTest::qWaitFor([&] { return !workbench.coming_values().waits(); }, patience_ms));
    settle();
  }
  std::shared_ptr<Gate> gate = std::make_shared<Gate>();
  std::vector<std::string> errors;
};

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

/// The longest time between two turns of the event loop.
class LongestTurn : public QObject {
 public:
  LongestTurn() {
    startTimer(5);
    since_.start();
  }
  /// Since the last call, in milliseconds.
  qint64 take() { return std::max(std::exchange(longest_, 0), since_.restart()); }

 protected:
  void timerEvent(QTimerEvent*) override { longest_ = std::max(longest_, since_.restart()); }

 private:
  QElapsedTimer since_;
  qint64 longest_ = 0;
};

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
  LateWorkbench open;
  Workbench& workbench = open.workbench;
  REQUIRE(workbench.device_choice().choose("line"));
  open.settle();
  QElapsedTimer clock;
  LongestTurn turns;
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
    for (QCoreApplication::processEvents(); values.waits(); QCoreApplication::processEvents()) {
      report("  a turn of " + what);
      REQUIRE(QTest::qWaitFor([&] { return !values.waits(); }, 600'000));
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
  CHECK(open.errors.empty());
  ::unsetenv("XDG_CONFIG_HOME");
}

TEST_CASE("coming values: a step whose values have come looks as in a trace that is here") {
  LateWorkbench open;
  Playback& playback = open.workbench.playback();
  for (const auto& [algorithm, data] : {std::pair{"wald", "uniform:n=300,dim=2,seed=5"},
                                        {"hu", "uniform:n=200,dim=3,seed=5"},
                                        {"rank", "uniform:n=300,dim=2,seed=5"},
                                        {"zhou-sah", "toys"}}) {
    INFO(algorithm);
    const RecordedRun run = open.record(algorithm, data);
    const auto steps = static_cast<std::uint32_t>(run.trace->steps.size());
    const std::uint32_t shown[] = {0, steps / 3, steps / 3 + 1, steps - 1, steps / 2};
    std::vector<QImage> pictures;
    const auto tree = [&] { return open.window.findChild<TreeView*>()->grab().toImage(); };
    open.show(run);
    for (const std::uint32_t step : shown) {
      playback.seek(step);
      open.settle();
      pictures.push_back(tree());
    }
    open.gate->open(false);
    open.show(behind(open.gate, run));
    for (std::size_t i = 0; i < std::size(shown); ++i) {
      open.gate->open(false);
      playback.seek(shown[i]);
      open.settle();
      CHECK(playback.step() == shown[i]);
      open.gate->open();
      open.wait_for_values();
      CHECK(tree() == pictures[i]);
      CHECK_FALSE(playback.cursor()->awaits_contents());
    }
    CHECK(open.gate->waits_of_window == 0);
    CHECK(open.errors.empty());
  }
  CHECK(open.workbench.coming_values().all_arrays() > 0);
}

TEST_CASE("coming values: the bar counts them, Cancel leaves them, and another step fetches its own") {
  LateWorkbench open;
  Playback& playback = open.workbench.playback();
  const RecordedRun run = open.record("wald", "uniform:n=300,dim=2,seed=5");
  open.show(behind(open.gate, run));
  playback.seek(3);
  open.settle();
  const ComingValues& values = open.workbench.coming_values();
  REQUIRE(values.waits());
  auto& bar = *open.window.findChild<MessageBar*>();
  REQUIRE(QTest::qWaitFor([&] { return bar.isVisible(); }, patience_ms));
  CHECK(bar.text().startsWith(QStringLiteral("Values come from the file: 0 of ")));
  const std::size_t wanted = values.progress().wanted;
  CHECK(wanted > 1);
  open.click(open.find<QPushButton>("cancel"));
  open.settle();
  CHECK(values.given_up());
  CHECK(bar.text().startsWith(QStringLiteral("Some values of this step have not come.")));
  open.gate->open();
  open.settle();
  CHECK(open.gate->passed == 1);  // the one that was on its way
  playback.seek(4);
  open.wait_for_values();
  CHECK_FALSE(values.given_up());
  CHECK(open.gate->passed > 1);
  CHECK_FALSE(bar.isVisible());
  CHECK(open.errors.empty());

  // Steps that are left quickly fetch nothing but what was on its way.
  open.gate->open(false);
  const int before = open.gate->passed;
  for (std::uint32_t step = 5; step < playback.step_count(); ++step) playback.seek(step);
  playback.seek(4);
  open.gate->open();
  open.wait_for_values();
  CHECK(open.gate->passed <= before + 1);
  CHECK(open.gate->waits_of_window == 0);
}

TEST_CASE("coming values: those that are lost are one sentence, and what came stays") {
  LateWorkbench open;
  Playback& playback = open.workbench.playback();
  open.show(behind(open.gate, open.record("wald", "uniform:n=300,dim=2,seed=5")));
  open.gate->open();
  playback.seek(2);
  open.wait_for_values();
  CHECK(open.errors.empty());
  open.gate->is_lost = true;
  playback.seek(playback.step_count() - 1);
  open.wait_for_values();
  REQUIRE(open.errors.size() == 1);
  CHECK(open.errors.front() == "the line is lost; run again.");
  const int passed = open.gate->passed;
  playback.seek(2);
  open.wait_for_values();
  CHECK(open.gate->passed == passed);
  CHECK(open.errors.size() == 1);
}

TEST_CASE("coming values: any order of steps, looks and arrivals leaves the window standing") {
  LateWorkbench open;
  std::mt19937 random(7);
  for (const auto& [algorithm, data] : {std::pair{"wald", "uniform:n=100,dim=2,seed=5"}, {"zhou-vvh", "bunny:n=200"}}) {
    auto run = record_run({data, algorithm, {}, Backend::cpu});
    if (!run) run = record_run({"uniform:n=100,dim=3,seed=1", algorithm, {}, Backend::cpu});
    REQUIRE(run);
    open.gate = std::make_shared<Gate>();
    open.show(behind(open.gate, *run));
    Playback& playback = open.workbench.playback();
    for (int round = 0; round < 60; ++round) {
      open.gate->open(random() % 2 == 0);
      switch (random() % 5) {
        case 0:
          playback.walk_changes(random() % 2 ? 1 : -1);
          break;
        case 1:
          playback.select(
              Selection{random() % 2 ? Space::point : Space::node, static_cast<std::uint32_t>(random() % 9)});
          break;
        case 2:
          open.workbench.coming_values().give_up();
          break;
        default:
          playback.seek(static_cast<std::uint32_t>(random() % playback.step_count()));
      }
      for (std::uint64_t turns = random() % 6; turns > 0; --turns) QCoreApplication::processEvents();
    }
    open.gate->open();
    open.wait_for_values();
    CHECK(open.gate->waits_of_window == 0);
  }
}
