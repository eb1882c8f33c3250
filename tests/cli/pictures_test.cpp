// Tests the command that renders pictures: its numbers, its files, and what it refuses.
#include <algorithm>
#include <sstream>

#include "tests/cli/command_runs.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

std::vector<std::string> render(const std::vector<std::string>& more) {
  std::vector<std::string> words{"render",   "--data", "metal-ring", "--backend", "cpu", "--width", "24",
                                 "--height", "18",     "--photons",  "2000",      "--k", "10"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("render: JSON has the times of every step, and of the photons") {
  const CommandRun r = run(render({"--json", "--time-steps", "--repeat", "2"}));
  INFO(r.out << r.err);
  REQUIRE(r.code == cli::exit_ok);
  const Json json = JsonReader::read(r.out);
  double sum = 0;
  std::vector<std::string> names;
  for (const Json& step : json["steps"].list) sum += step["ms"].number, names.push_back(step["name"].text);
  for (const char* name : {"build tree", "emit photons", "build photon tree", "bounce 0 / gather photons", "develop"}) {
    INFO(name);
    CHECK(std::ranges::count(names, name) == 1);
  }
  CHECK(sum > 0);
  CHECK(sum <= json["stepped_ms"].number);
  REQUIRE(json["photons_gathered_ms"].list.size() == 2);
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(json["photons_gathered_ms"].list[i].number < json["trace_ms"].list[i].number);
  CHECK(JsonReader::read(run(render({"--json"})).out)["steps"].list.empty());
}

TEST_CASE("render: the stored photons become rows that are a data set") {
  const Folder folder;
  const std::string file = folder.file("photons.csv");
  const CommandRun r = run(render({"--json", "--photons-out", file}));
  INFO(r.out << r.err);
  REQUIRE(r.code == cli::exit_ok);
  std::istringstream rows(content_of(file));
  std::string row;
  REQUIRE(std::getline(rows, row));
  CHECK(row == "x,y,z,red,green,blue");
  std::size_t count = 0;
  while (std::getline(rows, row)) {
    CHECK(std::ranges::count(row, ',') == 5);
    ++count;
  }
  CHECK(count > 0);
  CHECK(static_cast<double>(count) == JsonReader::read(r.out)["photons_stored"].number);
  CHECK(run({"build", "--data", file, "--backend", "cpu"}).code == cli::exit_ok);
}

TEST_CASE("render: options that cannot be met are refused") {
  const Folder folder;
  const std::string out = folder.file("photons.csv");
  CHECK(refusal({"render", "--data", "toys", "--photons-out", out}, cli::exit_bad_usage).find("--photons too") !=
        std::string::npos);
  CHECK(refusal({"render", "--data", "toys", "--k", "9"}, cli::exit_bad_usage).find("--photons too") !=
        std::string::npos);
  CHECK(refusal(render({"--out", folder.file("picture.png")}), cli::exit_bad_usage).find(".ppm") != std::string::npos);
  CHECK(run(render({"--photons-out", folder.file("none/photons.csv")})).code == cli::exit_other_failure);
}
