#include "algorithms/variants/child_program.hpp"

#include <signal.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::variants;
using Reason = ProgramEnd::Reason;

namespace {

ProgramEnd run(const std::string& script, const ProgramLimits& limits = {}, const std::string& input = "",
               std::vector<std::string>* lines = nullptr, std::stop_token stop = {}) {
  const auto take = [&](const std::string& line) {
    if (lines) lines->push_back(line);
  };
  return run_program({"/bin/sh", "-c", script}, input, limits, take, stop).value();
}

/// Returns whether a process with this number runs. A process that has ended may wait until its exit code is read.
bool runs(int process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return (file >> number >> name >> state) && state != "Z" && state != "X";
}

}  // namespace

TEST_CASE("child programs: input, output, lines and exit code") {
  std::vector<std::string> lines;
  const ProgramEnd end =
      run("read word; echo out $word; echo err >&2; echo a >&3; printf 'b\\nrest' >&3; exit 7", {}, "hello\n", &lines);
  CHECK(end.reason == Reason::exit);
  CHECK(end.code == 7);
  CHECK(end.output == "out hello\nerr\n");
  CHECK(lines == std::vector<std::string>{"a", "b"});
}

TEST_CASE("child programs: an end by a signal, before the input is read") {
  const ProgramEnd end = run("kill -SEGV $$", {}, std::string(1 << 20, 'x'));
  CHECK(end.reason == Reason::signal);
  CHECK(end.code == SIGSEGV);
}

TEST_CASE("child programs: a program that is not there") {
  const auto end = run_program({"/nowhere/program"}, "", {}, [](const std::string&) {}).value();
  CHECK(end.code == 127);
}

TEST_CASE("child programs: a loop without end is ended after its time, with all that it started") {
  ProgramLimits limits;
  limits.time = std::chrono::milliseconds(200);
  std::vector<std::string> lines;
  const ProgramEnd end = run("sleep 100 & echo $! >&3; while :; do :; done", limits, "", &lines);
  CHECK(end.reason == Reason::time);
  REQUIRE(lines.size() == 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_FALSE(runs(std::stoi(lines[0])));
}

TEST_CASE("child programs: what a program leaves behind ends with it") {
  std::vector<std::string> lines;
  CHECK(run("sleep 100 >&- 2>&- 3>&- & echo $! >&3", {}, "", &lines).reason == Reason::exit);
  REQUIRE(lines.size() == 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_FALSE(runs(std::stoi(lines[0])));
}

TEST_CASE("child programs: what a program starts in a session of its own ends with it") {
  std::vector<std::string> lines;
  CHECK(run("setsid sh -c 'sleep 100 >&- 2>&- & echo $! >&3; exec sleep 100 >&- 2>&- 3>&-' & sleep 0.5; echo $! >&3",
            {}, "", &lines)
            .reason == Reason::exit);
  REQUIRE(lines.size() == 2);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  for (const std::string& line : lines) CHECK_FALSE(runs(std::stoi(line)));
}

TEST_CASE("child programs: the beginning and the end of a long output are kept") {
  const ProgramEnd end = run("echo first; yes | head -c 1000000; echo last", {});
  CHECK(end.output.starts_with("first\ny\n"));
  CHECK(end.output.ends_with("y\nlast\n"));
  CHECK(end.output.find("... " + std::to_string(1000000 + 11 - (160 << 10)) + " bytes are left out here ...") !=
        std::string::npos);
  CHECK(run("echo short", {}).output == "short\n");
}

TEST_CASE("child programs: output and events without end") {
  ProgramLimits limits;
  limits.output_bytes = 1 << 20;
  const ProgramEnd end = run("yes", limits);
  CHECK(end.reason == Reason::output);
  const std::size_t left_out = end.output.find(" bytes are left out here ...\n");
  REQUIRE(left_out != std::string::npos);
  CHECK(end.output.rfind("\n... ", left_out) == 64 << 10);
  CHECK(end.output.substr(end.output.find('\n', left_out) + 1).size() == 96 << 10);
  std::size_t lines_heard = 0;
  const auto events = run_program({"/bin/sh", "-c", "yes >&3"}, "", limits, [&](const std::string& line) {
    ++lines_heard;
    REQUIRE(line == "y");
  });
  REQUIRE(events);
  CHECK(events->reason == Reason::output);
  CHECK(lines_heard > 1000);
  CHECK(run("yes | tr -d '\\n' >&3", limits).reason == Reason::output);
}

TEST_CASE("child programs: more memory than allowed") {
  ProgramLimits limits;
  limits.memory_bytes = 100 << 20;
  CHECK(run("x=$(head -c 400000000 /dev/zero | tr '\\0' x); sleep 100", limits).reason == Reason::memory);
}

TEST_CASE("child programs: a program that starts itself for ever") {
  ProgramLimits limits;
  limits.time = std::chrono::seconds(20);
  const ProgramEnd end = run("f() { sleep 0.02; f & f & wait; }; f", limits);
  CHECK(end.reason == Reason::processes);
}

TEST_CASE("child programs: a request to stop") {
  std::stop_source source;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  CHECK(run("sleep 100", {}, "", nullptr, source.get_token()).reason == Reason::stopped);
}
