// Tests builds and recordings in processes of their own against the same in this process.
#include "algorithms/variants/runners.hpp"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <limits>

#include "algorithms/trace/divergence.hpp"
#include "algorithms/variants/protocol.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/runner_processes.hpp"
#include "tests/support/runs_in_runners.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants;
using test::check_equals_here, test::request_on, test::runner_processes, test::runner_program, test::without_times;

TEST_CASE("runners: recordings of all algorithms are those of this process, bit for bit") {
  Runners runners({runner_program()});
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    const RunRequest request = request_on(algorithm.takes_triangles ? "zhou-8" : "wald-10", algorithm.id);
    check_equals_here(runners, request);
  }
}

DEVICE_CASE("runners: recordings and builds on CUDA are those of this process") {
  Runners runners({runner_program()});
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    RunRequest request = request_on(algorithm.takes_triangles ? "zhou-8" : "wald-10", algorithm.id);
    request.backend = Backend::cuda;
    const auto there = runners.record(request).value();
    const auto here = record(request).value();
    CHECK(equal(*without_times(*there.trace), *without_times(*here)));
    const auto built = runners.build(request).value();
    CHECK(built.tree_hash == here->header.tree_hash);
  }
}

TEST_CASE("runners: a data set arrives with everything that belongs to it") {
  Runners runners({runner_program()});
  RunRequest request = request_on("uniform:n=100,dim=3,seed=2", "wald");
  DataSet own = *request.points;
  own.name = "my own \"points\"\nof two lines";
  own.up_axis = 1;
  own.warnings = {"row 7 was rounded"};
  own.points = {ScalarType::float32, 2, 1, own.points.words};  // the third word is payload
  request.points = std::make_shared<const DataSet>(own);
  const auto there = runners.record(request).value();
  const auto here = record(request).value();
  CHECK(equal(*without_times(*there.trace), *without_times(*here)));
  CHECK(there.trace->header.data_warnings == own.warnings);

  // Other points with the same name are other points.
  own.points.words[0] ^= 1;
  request.points = std::make_shared<const DataSet>(own);
  const auto changed = runners.record(request).value();
  CHECK_FALSE(equal(*without_times(*changed.trace), *without_times(*there.trace)));
}

TEST_CASE("runners: builds at full speed report what they do in this process") {
  Runners runners({runner_program()});
  RunRequest request = request_on("uniform:n=1000,dim=2,seed=3", "hu");
  request.repeat = 3;
  request.time_steps = true;
  const auto there = runners.build(request).value();
  const auto here = build(request).value();
  CHECK(there.tree_hash == here.tree_hash);
  CHECK(there.build_hashes == here.build_hashes);
  CHECK(there.build_ms.size() == 3);
  CHECK(there.parameters == here.parameters);
  CHECK(there.device.name == here.device.name);
  CHECK(there.peak_bytes == here.peak_bytes);
  REQUIRE(there.step_times.size() == here.step_times.size());
  for (std::size_t i = 0; i < here.step_times.size(); ++i) CHECK(there.step_times[i].name == here.step_times[i].name);
  CHECK(there.stepped_launches == here.stepped_launches);
  CHECK(there.stepped_launches > 0);
}

TEST_CASE("runners: a run uses the processors that were asked for") {
  Runners runners({runner_program()});
  RunRequest request = request_on("uniform:n=1000,dim=2,seed=3", "hu");
  request.processors = 1;
  const auto built = runners.build(request).value();
  CHECK(built.device.processors == 1);
  for (const int processors : {-1, 1'000'000, std::numeric_limits<int>::max()}) {
    INFO(processors);
    request.processors = processors;
    const auto refused = runners.build(request);
    const auto recording = runners.record(request);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message() == build(request).error().message());
    REQUIRE_FALSE(recording);
    CHECK(recording.error().message() == record(request).error().message());
  }
}

TEST_CASE("runners: errors are those of this process, and the next request succeeds") {
  Runners runners({runner_program()});
  RunRequest request = request_on("uniform:n=5000,dim=2,seed=3", "no-such-algorithm");
  CHECK(runners.record(request).error().message() == record(request).error().message());
  request.algorithm = "wald";
  request.trace_budget_bytes = 200'000;
  const auto too_much = runners.record(request);
  REQUIRE_FALSE(too_much);
  CHECK(too_much.error().kind == ErrorKind::over_budget);
  request.trace_budget_bytes = 0;
  CHECK(runners.record(request));
}

TEST_CASE("runners: a request stops when asked") {
  Runners runners({runner_program()});
  const RunRequest request = request_on("uniform:n=200000,dim=3,seed=3", "wald");
  std::stop_source stop;
  RunControl control;
  control.stop = stop.get_token();
  control.progress = [&](double, std::string_view) { stop.request_stop(); };
  const auto stopped = runners.record(request, control);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
  CHECK(runners.record(request_on("wald-10", "wald")));
}

TEST_CASE("runners: after a crash, the steps before it are there, and the next request succeeds") {
  Runners runners({runner_program()});
  const RunRequest request = request_on("uniform:n=20000,dim=2,seed=3", "wald");
  int steps = 0;
  RunControl control;
  control.progress = [&](double, std::string_view) {
    if (++steps == 5)
      for (const pid_t process : runner_processes()) ::kill(process, SIGSEGV);
  };
  const auto crashed = runners.record(request, control).value();
  INFO(crashed.crash);
  CHECK(crashed.crash.find("crashed (Segmentation fault) in the step build / ") != std::string::npos);
  CHECK(crashed.trace->steps.size() >= 4);
  CHECK(crashed.trace->steps.size() < 100);
  const auto& checks = crashed.trace->steps.back().checks;
  REQUIRE_FALSE(checks.empty());
  CHECK(checks.back().name == "end of the run");
  CHECK_FALSE(checks.back().passed);

  const auto whole = runners.record(request).value();
  CHECK(whole.crash.empty());
  // Up to the crash, both are the same.
  const Divergence found = find_divergence(whole.trace, crashed.trace);
  CHECK_FALSE(found.steps);
}

TEST_CASE("runners: a process that was ended while it waited does no harm") {
  Runners runners({runner_program()});
  const RunRequest request = request_on("wald-10", "wald");
  REQUIRE(runners.record(request));
  for (const pid_t process : runner_processes()) ::kill(process, SIGKILL);
  CHECK(runners.record(request));
}

TEST_CASE("runners: requests of several threads do not meet") {
  Runners runners({runner_program()});
  const RunRequest request = request_on("uniform:n=500,dim=2,seed=3", "brown");
  const auto here = record(request).value();
  std::vector<std::future<Result<Recording>>> all;
  for (int i = 0; i < 4; ++i) all.push_back(std::async(std::launch::async, [&] { return runners.record(request); }));
  for (auto& each : all) {
    const auto there = each.get();
    REQUIRE(there);
    CHECK(equal(*without_times(*there->trace), *without_times(*here)));
  }
}

TEST_CASE("runners: no process is left") {
  {
    Runners runners({runner_program()});
    REQUIRE(runners.record(request_on("wald-10", "wald")));
  }
  CHECK(runner_processes().empty());
}

TEST_CASE("runners: a program that cannot be started, or is another one, is an error") {
  for (const char* program : {"/nowhere/kdscope-runner", "/bin/true"}) {
    INFO(program);
    Runners runners({program});
    const auto recorded = runners.record(request_on("wald-10", "wald"));
    REQUIRE_FALSE(recorded);
    CHECK(recorded.error().message().find("ended itself with exit code") != std::string::npos);
  }
}

TEST_CASE("runners: the names of shared arrays do not end a request") {
  const test::TemporaryFolder folder;
  BuildReport report;
  report.build_hashes = {7};
  report.build_ms = {1};
  Event shared{Event::Kind::shared, {}, {"tile"}}, built{Event::Kind::built};
  built.report = report;
  std::ofstream(folder.file("first")) << line_of(Event{Event::Kind::ready, runner_id()}) << line_of(shared);
  std::ofstream(folder.file("then")) << line_of(built);
  // The names come alone, and the result when they were heard
  std::ofstream(folder.file("runner")) << "#!/bin/sh\nread request\ncat '" << folder.file("first")
                                       << "' >&3\nsleep 0.3\ncat '" << folder.file("then") << "' >&3\nread request\n";
  std::filesystem::permissions(folder.file("runner"), std::filesystem::perms::owner_all);
  Runners runners({folder.file("runner")});
  const auto there = runners.build(request_on("wald-10", "wald")).value();
  CHECK(there.tree_hash == 7);
}

TEST_CASE("runners: a search that crashes is a sentence that names it, and the next one is answered") {
  Runners runners({runner_program()});
  RunRequest request = request_on("uniform:n=20000,dim=2,seed=3", "wald");
  request.search = {{"search", "stack"}, {"question", "nearest"}, {"k", "8"}, {"query", "all"}};
  RunControl control;
  bool sent = false;
  control.progress = [&](double, std::string_view what) {
    if (what != "search" || std::exchange(sent, true)) return;
    for (const pid_t process : runner_processes()) ::kill(process, SIGSEGV);
  };
  const auto crashed = runners.record(request, control);
  CHECK(sent);
  REQUIRE_FALSE(crashed);
  CHECK(
      crashed.error().message() ==
      "the process that builds crashed (Segmentation fault) in the step search with stack; run again, or on the other "
      "back end.");
  const auto again = runners.record(request).value();
  CHECK(again.crash.empty());
}
