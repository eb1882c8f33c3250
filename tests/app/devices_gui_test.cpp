// Tests that the window uses devices elsewhere. They are reached through pipes.
#include <signal.h>
#include <stdlib.h>

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QTableWidget>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include "app/devices/device_form.hpp"
#include "app/devices/device_list.hpp"
#include "app/panes/message_bar.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/runner_processes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::test;

namespace {

/// A folder of settings with the device "loop", and "gone", which nothing leads to.
struct SomeDevices {
  SomeDevices() {
    ::setenv("XDG_CONFIG_HOME", folder.file("config").c_str(), 1);
    const std::string runner = *variants::Runners::find_program();
    REQUIRE(variants::remote::add_device({"loop", {{runner, "--far"}}}));
    REQUIRE(variants::remote::add_device({"gone", {{"/nowhere/ssh", "lab", "kdscope-runner", "--far"}}}));
  }
  ~SomeDevices() { ::unsetenv("XDG_CONFIG_HOME"); }
  TemporaryFolder folder;
};

struct WithDevices : SomeDevices, OpenWorkbench {
  WithDevices() {
    QObject::connect(&workbench.messages(), &Messages::failed,
                     [this](const Error& error) { errors.push_back(error.message()); });
  }
  void choose(const char* name) {
    auto& box = find<QComboBox>("run_device");
    const int index = box.findData(QString::fromLatin1(name));
    REQUIRE(index >= 0);
    box.setCurrentIndex(index);
  }
  /// Waits until every device that was asked has answered.
  void wait_for_answers() {
    REQUIRE(QTest::qWaitFor([&] { return std::ranges::none_of(workbench.device_choice().all(), &KnownDevice::waits); },
                            patience_ms));
    settle();
  }
  void run(const std::string& data) {
    workbench.desk().run({data, "wald", {}, Backend::cpu});
    finish_jobs();
  }
  QString badge() { return find<QLabel>("badge").text(); }
  QTableWidget& table() { return find<QTableWidget>("device_table"); }
  QString cell(int row, int column) { return table().item(row, column)->text(); }
  void use_menu(const char* action) {
    find<QAction>(action).trigger();
    settle();
  }
  std::vector<std::string> errors;
};

/// A window with the device "slow", whose line passes on the first bytes of a recording, and the rest after pass_on().
struct WithGate : WithDevices {
  WithGate() {
    const std::string words = "'" + *variants::Runners::find_program() +
                              "' --far | { stdbuf -o0 head -c 4000000; while [ ! -e '" + gate +
                              "' ]; do sleep 0.05; done; cat; }";
    REQUIRE(workbench.device_choice().add(
        {"slow", {{"sh", "-c", words}, std::chrono::seconds(60), std::chrono::seconds(600)}}));
    settle();
    choose("slow");
    wait_for_answers();
  }
  /// Starts a recording that is longer, and waits until the window shows some of its steps.
  void start(const std::string& data) {
    const Playback& playback = workbench.playback();
    const auto before = playback.trace();
    workbench.desk().run({data, "wald", {}, Backend::cpu});
    REQUIRE(QTest::qWaitFor([&] { return playback.trace() != before && playback.step_count() > 2; }, patience_ms));
    CHECK(workbench.jobs().busy());
    CHECK(workbench.desk().device() == "slow");
  }
  void pass_on() { std::ofstream(gate) << "open"; }
  const std::string gate = folder.file("gate");
};

bool has_text(const QString& text, const char* part) { return text.contains(QLatin1String(part)); }

}  // namespace

TEST_CASE("devices: the chosen one records and times, and a change keeps what is open") {
  WithDevices open;
  Workbench& workbench = open.workbench;
  const auto lesson = workbench.playback().trace();
  CHECK_FALSE(has_text(open.badge(), "loop"));

  open.choose("loop");
  open.wait_for_answers();
  CHECK(open.errors.empty());
  CHECK(workbench.playback().trace() == lesson);
  CHECK(open.badge().endsWith(QStringLiteral("\u2192 loop")));
  const KnownDevice& loop = workbench.device_choice().chosen();
  CHECK(loop.named.name == "loop");
  CHECK(loop.report.devices.back().backend == Backend::cpu);
  CHECK(loop.version.starts_with(version()));

  open.run("uniform:n=500,dim=2,seed=3");
  CHECK(workbench.playback().trace()->header.n == 500);
  CHECK(workbench.desk().device() == "loop");
  CHECK(open.badge().startsWith(QStringLiteral("loop: CPU")));
  workbench.desk().time_full_speed();
  open.finish_jobs();
  REQUIRE(workbench.desk().timing());
  CHECK(workbench.desk().timing()->tree_hash == workbench.playback().trace()->header.tree_hash);

  const auto there = workbench.playback().trace();
  // Undo brings back where a run came from, too.
  open.run("wald-10");
  open.choose("");
  workbench.undo_stack().undo();
  open.settle();
  CHECK(workbench.playback().trace() == there);
  CHECK(workbench.desk().device() == "loop");
  CHECK(open.badge().endsWith(QStringLiteral("\u2192 this machine")));
  open.run("uniform:n=500,dim=2,seed=3");
  CHECK(workbench.desk().device().empty());
  CHECK(open.badge().startsWith(QStringLiteral("CPU")));
  CHECK(workbench.playback().trace()->header.tree_hash == there->header.tree_hash);
  CHECK(open.errors.empty());
}

TEST_CASE("devices: the list says of each what it is, and what did not answer") {
  WithDevices open;
  open.use_menu("list_devices");
  QTableWidget& table = open.table();
  REQUIRE(table.rowCount() == 3);
  CHECK(open.cell(0, 0).startsWith(QStringLiteral("\u2713 This machine (")));
  CHECK(has_text(open.cell(0, 1), "CPU: "));
  CHECK(has_text(open.cell(0, 2), version()));
  CHECK(open.cell(1, 0) == QStringLiteral("loop"));
  CHECK(open.cell(1, 1) == QStringLiteral("not connected yet"));
  CHECK(open.cell(1, 4) == QStringLiteral("not yet"));
  CHECK(open.cell(2, 5) == QStringLiteral("/nowhere/ssh lab kdscope-runner --far"));

  for (const int row : {1, 2}) {
    table.setCurrentCell(row, 0);
    open.click(open.find<QPushButton>("connect_device"));
  }
  CHECK(open.cell(1, 4) == QStringLiteral("connecting\u2026"));
  open.wait_for_answers();
  CHECK(has_text(open.cell(1, 1), "CPU: "));
  CHECK(has_text(open.cell(1, 3), " of "));
  CHECK(has_text(open.cell(2, 1), "/nowhere/ssh: No such file or directory"));
  CHECK(open.cell(2, 4) == QStringLiteral("no answer"));
  CHECK(has_text(open.find<QLabel>("device_words").text(), "try the command in a terminal"));
  CHECK(open.errors.empty());  // nobody wanted to run there

  // What kdscope-cli adds is there when the list is opened again.
  REQUIRE(variants::remote::add_device({"late", {{"true"}}}));
  open.use_menu("list_devices");
  CHECK(table.rowCount() == 4);

  table.setCurrentCell(1, 0);
  open.click(open.find<QPushButton>("use_device"));
  open.settle();
  CHECK(open.workbench.device_choice().chosen().named.name == "loop");
  CHECK(open.cell(1, 0) == QStringLiteral("\u2713 loop"));
  CHECK(open.find<QComboBox>("run_device").currentText() == QStringLiteral("loop"));
  CHECK(open.find<QAction>("device_loop").isChecked());
  open.click(open.find<QPushButton>("remove_device"));
  CHECK(open.workbench.device_choice().chosen().named.name.empty());
  CHECK(table.rowCount() == 3);
  table.setCurrentCell(0, 0);
  CHECK_FALSE(open.find<QPushButton>("remove_device").isEnabled());
}

TEST_CASE("devices: a form adds one from a template, or says what is wrong") {
  WithDevices open;
  open.use_menu("add_a_device");
  const auto field = [&](const char* name) -> QLineEdit& { return open.find<QLineEdit>(name); };
  auto& templates = open.find<QComboBox>("device_template");
  CHECK(templates.count() == 7);
  field("device_place").setText(QStringLiteral("lab-gpu"));
  CHECK(field("device_command").text() ==
        QStringLiteral(
            "ssh -c ^aes128-gcm@openssh.com -o BatchMode=yes -o ServerAliveInterval=15 lab-gpu kdscope-runner --far"));
  for (int i = templates.count() - 2; i >= 0; --i) {
    templates.setCurrentIndex(i);
    CHECK(field("device_command").text().isEmpty());
    field("device_place").setText(QStringLiteral("xyz"));
    const auto words = variants::remote::command_from(field("device_command").text().toStdString()).value();
    CHECK(words.back() == "--far");
    CHECK(std::ranges::find(words, "%1") == words.end());
  }
  templates.setCurrentIndex(templates.count() - 1);
  CHECK(field("device_place").isHidden());
  field("device_command").clear();

  auto& add = open.find<QPushButton>("add_this_device");
  const auto problem = [&] { return open.find<QLabel>("device_problem").text(); };
  open.click(add);
  CHECK(has_text(problem(), "There is no command"));
  field("device_command").setText(QStringLiteral("sh -c 'exec "));
  open.click(add);
  CHECK(has_text(problem(), "The command has a quote ' without an end"));
  const std::string runner = *variants::Runners::find_program();
  field("device_command").setText(QString::fromStdString("sh -c 'exec \"" + runner + "\" --far'"));
  open.click(add);
  CHECK(has_text(problem(), "cannot be the name of a device"));
  field("device_name").setText(QStringLiteral("loop"));
  open.click(add);
  CHECK(has_text(problem(), "There is a device 'loop' already"));
  field("device_name").setText(QStringLiteral("through-sh"));
  open.click(add);
  open.wait_for_answers();
  CHECK(open.window.findChild<DeviceForm*>() == nullptr);
  const auto kept = variants::remote::device_named("through-sh").value();
  CHECK(kept.way.command == std::vector<std::string>{"sh", "-c", "exec \"" + runner + "\" --far"});
  REQUIRE(open.table().rowCount() == 4);
  CHECK(open.table().currentRow() == 3);
  CHECK(has_text(open.cell(3, 1), "CPU: "));
}

TEST_CASE("devices: the templates of containers lead to the runner in an image") {
  WithDevices open;
  // Stand for docker and podman: they take these options alone, and pass input on only with -i.
  const std::string words =
      "#!/bin/sh\n[ \"$1\" = run ] || exit 125\nshift\nfor each; do case $1 in\n-i) i=yes; shift;;\n"
      "--rm) shift;;\n--gpus | --device) shift 2;;\n-*) echo \"unknown flag: $1\" >&2; exit 125;;\n"
      "esac; done\n[ \"$1 $2\" = 'kdscope kdscope-runner' ] ||\n"
      "{ echo \"Unable to find image '$1' locally\" >&2; exit 125; }\n"
      "shift 2\n[ -n \"$i\" ] || exec </dev/null\nexec '" +
      *variants::Runners::find_program() + "' \"$@\"\n";
  for (const char* program : {"docker", "podman"}) {
    std::ofstream(open.folder.file(program)) << words;
    std::filesystem::permissions(open.folder.file(program), std::filesystem::perms::owner_all);
  }
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", (open.folder.path.string() + ":" + path).c_str(), 1);
  struct {
    const char* name;
    int row;
    const char *image, *made_by;
  } const cases[] = {{"by-docker", 3, "kdscope", "by-docker"},
                     {"by-podman", 4, "kdscope", "by-podman"},
                     {"no-image", 3, "missing", "by-podman"}};
  for (const auto& [name, row, image, made_by] : cases) {
    INFO(name);
    open.use_menu("add_a_device");
    open.find<QComboBox>("device_template").setCurrentIndex(row);
    open.find<QLineEdit>("device_place").setText(QString::fromLatin1(image));
    open.find<QLineEdit>("device_name").setText(QString::fromLatin1(name));
    open.click(open.find<QPushButton>("add_this_device"));
    open.wait_for_answers();
    open.choose(name);
    open.wait_for_answers();
    open.run("wald-10");
    CHECK(open.workbench.desk().device() == made_by);
  }
  ::setenv("PATH", path.c_str(), 1);
  REQUIRE_FALSE(open.errors.empty());
  for (const std::string& error : open.errors)
    CHECK(has_text(QString::fromStdString(error), "Unable to find image 'missing' locally"));
}

TEST_CASE("devices: one that does not answer is a sentence, and the run is offered here") {
  WithDevices open;
  const auto before = open.workbench.playback().trace();
  open.choose("gone");
  open.wait_for_answers();
  REQUIRE(open.errors.size() == 1);  // by the question what it is
  CHECK(open.errors.front() ==
        "/nowhere/ssh lab kdscope-runner --far: no kdscope-runner answers (/nowhere/ssh: No such file or directory); "
        "try the command in a terminal; it has to start kdscope-runner --far and must not ask.");
  open.run("wald-10");
  REQUIRE(open.errors.size() == 2);
  CHECK(open.errors[1] == open.errors[0]);
  CHECK(open.workbench.playback().trace() == before);
  auto& bar = *open.window.findChild<MessageBar*>();
  CHECK(bar.isVisible());
  auto& offer = open.find<QPushButton>("offer");
  REQUIRE(offer.text() == QStringLiteral("Run on this machine"));
  open.click(offer);
  open.finish_jobs();
  CHECK(open.workbench.playback().trace() != before);
  CHECK(open.workbench.device_choice().chosen().named.name.empty());
  CHECK(open.errors.size() == 2);
}

TEST_CASE("devices: a lost connection is a sentence, keeps the steps before it, and the next run connects again") {
  WithGate open;
  open.run("wald-10");
  const auto before = open.workbench.playback().trace();
  CHECK(open.workbench.desk().device() == "slow");
  open.start("uniform:n=50000,dim=3,seed=3");
  // Kill the far end while its recording waits, so that the stream ends behind what the line holds.
  std::size_t killed = 0;
  for (const pid_t near : runner_processes())
    for (const pid_t line : children_of(near))
      for (const pid_t far : runner_processes(line)) killed += ::kill(far, SIGKILL) == 0;
  REQUIRE(killed == 1);
  open.pass_on();
  open.finish_jobs();
  REQUIRE(open.errors.size() == 1);
  CHECK(has_text(QString::fromStdString(open.errors.front()), "was lost"));
  // The steps that came before it are open as incomplete.
  CHECK(open.workbench.playback().trace()->header.n == 50000);
  CHECK(open.workbench.violations().all().size() == 1);
  CHECK(open.step() == open.last_step());
  open.workbench.undo_stack().undo();
  open.settle();
  CHECK(open.workbench.playback().trace() == before);
  open.run("uniform:n=500,dim=2,seed=1");
  CHECK(open.errors.size() == 1);
  CHECK(open.workbench.playback().trace()->header.n == 500);
  CHECK(open.workbench.desk().device() == "slow");
}

// KDSCOPE_KILLS: how often; KDSCOPE_LINE: a command that leads to a runner, such as one of ssh.
TEST_CASE("devices: a connection that is killed at any moment leaves a window that says so and works again") {
  WithDevices open;
  const char *kills = ::getenv("KDSCOPE_KILLS"), *line = ::getenv("KDSCOPE_LINE");
  if (line) REQUIRE(variants::remote::add_device({"line", {*variants::remote::command_from(line)}}));
  REQUIRE(open.workbench.device_choice().read());
  REQUIRE(open.workbench.device_choice().choose(line ? "line" : "loop"));
  open.wait_for_answers();
  std::mt19937 random(47);
  int said = 0;
  for (int time = 0, times = kills ? std::atoi(kills) : 4; time < times; ++time) {
    open.errors.clear();
    open.workbench.desk().run({"uniform:n=30000,dim=2,seed=" + std::to_string(time), "wald", {}, Backend::cpu});
    QTest::qWait(static_cast<int>(random() % 1500));
    const bool near_end = random() % 2 == 0;
    for (const pid_t near : runner_processes()) {
      if (near_end) ::kill(near, SIGKILL);
      // The command: kdscope-runner --far itself, or ssh.
      if (!near_end)
        for (const pid_t far : children_of(near)) ::kill(far, SIGKILL);
    }
    open.finish_jobs();
    INFO(time);
    CHECK(open.errors.size() <= 1);
    for (const std::string& error : open.errors)
      CHECK((has_text(QString::fromStdString(error), "was lost") ||
             has_text(QString::fromStdString(error), "no kdscope-runner answers") ||
             has_text(QString::fromStdString(error), "crashed")));
    said += static_cast<int>(open.errors.size());
    open.errors.clear();
    open.run("wald-10");
    CHECK(open.errors.empty());
    CHECK(open.workbench.playback().trace()->header.n == 10);
  }
  std::cout << said << " kills ended a run of the window" << std::endl;
}

TEST_CASE("devices: a run opens on the first steps, and those that come later are added") {
  WithGate open;
  Workbench& workbench = open.workbench;
  Playback& playback = workbench.playback();

  // Cancel keeps what came, as a run that is not whole.
  const auto lesson = playback.trace();
  open.start("uniform:n=50000,dim=3,seed=3");
  const auto came = playback.trace();
  playback.seek(1);
  workbench.jobs().cancel();
  open.finish_jobs();
  CHECK(playback.trace()->steps.size() >= came->steps.size());
  CHECK(playback.step() == 1);
  REQUIRE_FALSE(playback.trace()->steps.back().checks.empty());
  CHECK_FALSE(playback.trace()->steps.back().checks.back().passed);
  workbench.undo_stack().undo();
  open.settle();
  CHECK(playback.trace() == lesson);

  open.start("uniform:n=50000,dim=3,seed=4");
  const std::size_t first_steps = playback.trace()->steps.size();
  playback.seek(1);
  open.pass_on();
  open.finish_jobs();
  const auto whole = playback.trace();
  CHECK(whole->steps.size() > first_steps);
  CHECK(playback.step() == 1);
  CHECK(workbench.violations().all().empty());
  CHECK(whole->header.tree_hash != 0);
  workbench.undo_stack().undo();
  open.settle();
  CHECK(playback.trace() == lesson);
  workbench.undo_stack().redo();
  open.settle();
  CHECK(playback.trace() == whole);
}

TEST_CASE("devices: a file of devices that is damaged is a sentence where one asks for them") {
  const TemporaryFolder folder;
  ::setenv("XDG_CONFIG_HOME", folder.path.c_str(), 1);
  std::filesystem::create_directories(folder.file("kdscope"));
  std::ofstream(folder.file("kdscope/devices")) << "no device\n";
  {
    OpenWorkbench open;
    std::vector<std::string> errors;
    QObject::connect(&open.workbench.messages(), &Messages::failed,
                     [&](const Error& error) { errors.push_back(error.message()); });
    open.find<QAction>("list_devices").trigger();
    open.settle();
    REQUIRE(errors.size() == 1);
    CHECK(errors.front().find("kdscope/devices:1: this is no device") != std::string::npos);
    CHECK(open.find<QTableWidget>("device_table").rowCount() == 1);
  }
  ::unsetenv("XDG_CONFIG_HOME");
}
