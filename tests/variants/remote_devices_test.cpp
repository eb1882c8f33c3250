// Tests the file of devices, and the words that lead to one.
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "algorithms/variants/remote/devices.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants::remote;

namespace {

/// A folder of settings, in use while it exists.
struct Settings {
  Settings() { ::setenv("XDG_CONFIG_HOME", folder.path.c_str(), 1); }
  ~Settings() { ::unsetenv("XDG_CONFIG_HOME"); }
  void write(const std::string& text) const {
    std::filesystem::create_directories(folder.path / "kdscope");
    std::ofstream(devices_path()) << text;
  }
  test::TemporaryFolder folder;
};

}  // namespace

TEST_CASE("devices: what is kept is read again, in its order") {
  const Settings settings;
  CHECK(devices_path() == settings.folder.file("kdscope/devices"));
  const auto none = named_devices().value();
  CHECK(none.empty());
  REQUIRE(keep_devices(
      {{"lab", {{"ssh", "lab gpu", "kdscope-runner", "--far"}}},
       {"a.b-c_1", {{"docker", "\"quoted\"\n"}, std::chrono::seconds(3600), std::chrono::seconds(7)}, 20}}));
  const auto kept = named_devices().value();
  REQUIRE(kept.size() == 2);
  CHECK(kept.front().name == "lab");
  CHECK(kept.front().way.command == std::vector<std::string>{"ssh", "lab gpu", "kdscope-runner", "--far"});
  CHECK(kept.front().way.wait == Way::usual_wait);
  CHECK(kept.back().way.command.back() == "\"quoted\"\n");
  CHECK(kept.back().way.wait == std::chrono::seconds(3600));
  CHECK(kept.front().way.silence == Way::usual_silence);
  CHECK(kept.back().way.silence == std::chrono::seconds(7));
  CHECK(kept.front().stays_above_mb == 1024);
  CHECK(kept.back().stays_above_mb == 20);
  CHECK(device_named("a.b-c_1")->way.command.front() == "docker");
  CHECK(device_named("lap").error().message() == "there is no device 'lap'; did you mean lab?");
}

TEST_CASE("devices: a line that is none is named") {
  const Settings settings;
  settings.write("\n{\"name\":\"lab\",\"command\":[\"ssh\"]}\n");
  REQUIRE(named_devices());
  CHECK(named_devices()->front().way.wait == Way::usual_wait);
  for (const char* line : {"lab ssh lab", "{\"name\":\"lab\"}", "{\"name\":\"lab\",\"command\":\"ssh\"}",
                           "{\"name\":\"la b\",\"command\":[\"ssh\"]}", "{\"name\":\"lab\",\"command\":[\"\"]}",
                           "{\"name\":\"lab\",\"command\":[\"ssh\"],\"wait_s\":0}",
                           "{\"name\":\"lab\",\"command\":[\"ssh\"],\"silence_s\":0}",
                           "{\"name\":\"lab\",\"command\":[\"ssh\"],\"stays_above_mb\":-1}"}) {
    INFO(line);
    settings.write("{\"name\":\"lab\",\"command\":[\"ssh\"]}\n" + std::string(line) + "\n");
    const auto refused = named_devices();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::bad_input);
    CHECK(refused.error().where == devices_path() + ":2");
    CHECK_FALSE(device_named("lab"));
  }
}

TEST_CASE("devices: names are words of a shell") {
  for (const char* name : {"lab", "gpu-2", "a.b_c"}) CHECK(check_device_name(name));
  for (const char* name : {"", "-lab", "a b", "a/b", "\n"}) CHECK_FALSE(check_device_name(name));
  CHECK_FALSE(check_device_name(std::string(61, 'x')));
}

TEST_CASE("devices: the words of the near side are read as they are written") {
  const Way way{{"ssh", "--wait=3", "lab"}, std::chrono::seconds(7)};
  const auto words = near_command("/opt/kdscope-runner", way);
  CHECK(words.front() == "/opt/kdscope-runner");
  CHECK(words[1] == "--near");
  const auto read = way_from({words.begin() + 2, words.end()}).value();
  CHECK(read.command == way.command);
  CHECK(read.wait == way.wait);
  CHECK(way_from({"true"})->wait == Way::usual_wait);
  CHECK_FALSE(way_from({}));
  CHECK_FALSE(way_from({"--wait=3"}));
  CHECK_FALSE(way_from({"--wait=x", "true"}));
  CHECK_FALSE(way_from({"--wait=0", "true"}));
}
