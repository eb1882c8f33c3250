// Tests devices from the command line, with a far runner that is reached through pipes.
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/variants/runners.hpp"
#include "tests/cli/command_runs.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// A folder of settings with the device "loop", while it exists.
struct WithDevice {
  WithDevice() {
    ::setenv("XDG_CONFIG_HOME", folder.file("config").c_str(), 1);
    const auto runner = variants::Runners::find_program();
    REQUIRE(runner);
    REQUIRE(run({"device", "add", "loop", "--", *runner, "--far"}).code == 0);
  }
  ~WithDevice() { ::unsetenv("XDG_CONFIG_HOME"); }
  Folder folder;
};

/// The output of a command without the lines that hold times.
std::string untimed(const CommandRun& run) {
  std::istringstream lines(run.out);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.find(" ms") == std::string::npos && line.find(" s  ") == std::string::npos) kept += line + "\n";
  return kept;
}

}  // namespace

TEST_CASE("device: devices are added, listed, tried and removed") {
  const WithDevice with;
  CHECK(run({"device", "add", "gone", "--wait", "5", "--", "/nowhere/ssh", "a host", "--far"}).code == 0);
  const CommandRun list = run({"device", "list"});
  CHECK(list.code == 0);
  CHECK(list.out.find("gone  /nowhere/ssh 'a host' --far\n") != std::string::npos);
  const CommandRun checked = run({"device", "list", "--check"});
  CHECK(checked.code == 5);
  CHECK(checked.out.find(", kdscope " + std::string(version())) != std::string::npos);
  CHECK(checked.out.find("  cpu  ") != std::string::npos);
  CHECK(
      checked.out.find("FAILED  /nowhere/ssh 'a host' --far: no kdscope-runner answers (/nowhere/ssh: No such file or "
                       "directory)") != std::string::npos);
  const CommandRun json = run({"device", "list", "--check", "--json"});
  CHECK(json.code == 5);
  const Json value = JsonReader::read(json.out);
  REQUIRE(value.list.size() == 2);
  CHECK(value.list[0]["answers"].truth);
  CHECK_FALSE(value.list[1]["answers"].truth);
  CHECK(value.list[1]["wait_s"].number == 5);
  CHECK(run({"device", "remove", "gone"}).code == 0);
  CHECK(run({"device", "list", "--check"}).code == 0);
  CHECK(run({"device", "remove", "loop"}).code == 0);
  CHECK(run({"device", "list"}).out == "no devices; kdscope-cli device --help explains how to add one\n");
}

TEST_CASE("device: what cannot be meant is refused with a sentence") {
  const WithDevice with;
  CHECK(refusal({"device", "add", "loop", "--", "true"}, 2) ==
        "kdscope-cli: there is a device 'loop' already; choose another name, or remove it first: kdscope-cli device "
        "remove loop.\n");
  CHECK(refusal({"device", "add", "lab"}, 2).find("needs a command") != std::string::npos);
  CHECK(refusal({"device", "add", "a b", "--", "true"}, 2).find("cannot be the name") != std::string::npos);
  CHECK(refusal({"device", "add", "lab", "--wait", "0", "--", "true"}, 2).find("--wait") != std::string::npos);
  CHECK(refusal({"device", "remove", "lop"}, 2) == "kdscope-cli: there is no device 'lop'; did you mean loop?\n");
  CHECK(refusal({"device", "list", "loop"}, 2).find("write device list") != std::string::npos);
  CHECK(refusal({"device", "try"}, 2).find("write device list") != std::string::npos);
  CHECK(refusal({"build", "--data", "wald-10", "--device", "lop"}, 2).find("did you mean loop?") != std::string::npos);
  for (const char* of_tree : {"--verify", "--rays=5", "--tree-out=t.npy"})
    CHECK(refusal({"build", "--data", "wald-10", "--device", "loop", of_tree}, 2).find("stays on the device") !=
          std::string::npos);
  CHECK(refusal({"record", "--data", "wald-10", "--device", "loop", "--until", "any(tags == 4)", "-o",
                 with.folder.file("t.kdtrace")},
                2)
            .find("--until looks at the steps of a run here") != std::string::npos);
}

TEST_CASE("device: recordings and builds are those made here") {
  if (!trace_files_available()) KDSCOPE_SKIP("kdscope was built without HDF5");
  const WithDevice with;
  const std::string here = with.folder.file("here.kdtrace"), there = with.folder.file("there.kdtrace");
  const std::vector<std::vector<std::string>> runs{{"--algorithm", "wald", "--data", "wald-10"},
                                                   {"--algorithm", "wald", "--data", "wald-10", "--query", "50,40"},
                                                   {"--algorithm", "hu", "--data", "uniform:n=2000,dim=3"},
                                                   {"--algorithm", "zhou-sah", "--data", "zhou-8"}};
  for (const std::vector<std::string>& of_run : runs) {
    INFO(of_run[1] << " on " << of_run[3]);
    std::vector<std::string> local{"record", "--backend", "cpu", "-o", here},
        remote{"record", "--backend", "cpu", "-o", there, "--device", "loop"};
    local.insert(local.end(), of_run.begin(), of_run.end());
    remote.insert(remote.end(), of_run.begin(), of_run.end());
    REQUIRE(run(local).code == 0);
    const CommandRun made = run(remote);
    INFO(made.err);
    REQUIRE(made.code == 0);
    CHECK(run({"diff", here, there}).code == 0);
  }
  const std::vector<std::string> build{"build", "--backend", "cpu", "--data", "bunny", "--json"};
  std::vector<std::string> elsewhere = build;
  elsewhere.insert(elsewhere.end(), {"--device", "loop"});
  const Json one = JsonReader::read(run(build).out), other = JsonReader::read(run(elsewhere).out);
  for (const char* same : {"tree_hash", "device"}) CHECK(one[same].text == other[same].text);
  for (const char* same : {"n", "peak_bytes", "processors"}) CHECK(one[same].number == other[same].number);
  CHECK(variants::runners_in_use() == nullptr);
}

TEST_CASE("device: applications work there, too") {
  const WithDevice with;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"cloud", "--data", "bunny:sample=2000", "--backend", "cpu", "--out"},
        {"render", "--data", "toys", "--width", "40", "--height", "30", "--backend", "cpu", "--out"}}) {
    const std::string name = words.front() == "render" ? "picture.ppm" : "cloud.csv";
    std::vector<std::string> here = words, there = words;
    here.push_back(with.folder.file("here-" + name));
    there.insert(there.end(), {with.folder.file("there-" + name), "--device", "loop"});
    REQUIRE(run(here).code == 0);
    const CommandRun remote = run(there);
    INFO(remote.err);
    REQUIRE(remote.code == 0);
    CHECK(content_of(here.back()) == content_of(there[there.size() - 3]));
  }
  const CommandRun repeated = run({"repeat", "--times", "3", "--data", "wald-10", "--device", "loop"});
  CHECK(repeated.code == 0);
  CHECK(untimed(repeated) == untimed(run({"repeat", "--times", "3", "--data", "wald-10"})));
}
