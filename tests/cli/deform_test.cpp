// Tests the command that deforms a cloud.
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/cli/command_runs.hpp"

using namespace kdscope;
using namespace kdscope::tests;

TEST_CASE("cloud: points in one place are counted, and clusters that are too dense for floats refused") {
  const Folder folder;
  const auto cloud = [&](const std::string& rows) {
    std::ofstream(folder.file("places.csv")) << "x,y,z\n1.5,0,0\n0,1,0\n1,1,0\n" << rows;
    return run({"cloud", "--data", folder.file("places.csv"), "--backend", "cpu", "--k", "3"});
  };
  std::string equal, tiny;
  for (int i = 0; i < 40; ++i)
    equal += "0,0,0\n", tiny += std::to_string(i % 4) + "e-24," + std::to_string(i / 4) + "e-24,0\n";
  const CommandRun counted = cloud(equal), refused = cloud(tiny);
  CHECK(counted.code == cli::exit_ok);
  CHECK(counted.out.find("without extent    40  coincide with their 3 nearest: radius 0, density inf") !=
        std::string::npos);
  CHECK(refused.code != cli::exit_ok);
  CHECK(refused.err.find("so close that floats cannot hold the density there") != std::string::npos);
}

TEST_CASE("cloud: a handle takes its points along, and what is fixed stays") {
  const Folder folder;
  const std::string data = "uniform:n=2000,dim=3,seed=3";
  const auto rows = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"cloud", "--data", data, "--backend", "cpu", "--out", folder.file("cloud.csv")};
    words.insert(words.end(), more.begin(), more.end());
    const CommandRun ran = run(words);
    INFO(ran.err);
    REQUIRE(ran.code == cli::exit_ok);
    std::istringstream lines(content_of(folder.file("cloud.csv")));
    std::vector<std::vector<double>> table;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      table.emplace_back();
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) table.back().push_back(std::stod(cell));
    }
    return table;
  };
  const auto rest = rows({});
  const auto moved = rows({"--handle", "0.9,0.5,0.5,0.15", "--fix", "0.1,0.5,0.5,0.15", "--move", "0,0,0.25"});
  REQUIRE(rest.size() == 2000);
  REQUIRE(moved.size() == 2000);
  int active = 0, fixed = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double up = moved[i][2] - rest[i][2], strength = moved[i][8];
    CHECK(up == Approx(0.25 * strength).margin(1e-6));
    CHECK(moved[i][0] == rest[i][0]);
    const auto within = [&](double x) {
      return std::hypot(rest[i][0] - x, rest[i][1] - 0.5, rest[i][2] - 0.5) <= 0.15;
    };
    if (within(0.9)) {
      ++active;
      CHECK(strength == 1);
    }
    if (within(0.1)) {
      ++fixed;
      CHECK(strength == 0);
    }
    // The normals keep their sides
    CHECK(moved[i][3] * rest[i][3] + moved[i][4] * rest[i][4] + moved[i][5] * rest[i][5] >= -1e-6);
  }
  CHECK(active > 5);
  CHECK(fixed > 5);
  // Handles of several balls
  const auto both = rows({"--handle", "0.9,0.5,0.5,0.15", "--handle", "0.9,0.9,0.5,0.15", "--fix", "0.1,0.5,0.5,0.15",
                          "--fix", "0.1,0.9,0.5,0.15", "--move", "0,0,0.25"});
  REQUIRE(both.size() == rest.size());
  int more = 0;
  for (std::size_t i = 0; i < rest.size(); ++i)
    for (const double x : {0.1, 0.9})
      for (const double y : {0.5, 0.9})
        if (std::hypot(rest[i][0] - x, rest[i][1] - y, rest[i][2] - 0.5) <= 0.15) {
          ++more;
          CHECK(both[i][8] == (x > 0.5 ? 1 : 0));
        }
  CHECK(more > active + fixed);
}

TEST_CASE("cloud: handles that cannot be moved are refused with one sentence") {
  const std::vector<std::string> cloud{"cloud", "--data", "uniform:n=50,dim=3"};
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = cloud;
    words.insert(words.end(), more.begin(), more.end());
    return refusal(words, cli::exit_bad_usage);
  };
  CHECK(contains(refused({"--handle", "0,0,0,1"}), "needs a handle and a way to move it"));
  CHECK(contains(refused({"--move", "0,0,1"}), "needs a handle and a way to move it"));
  CHECK(contains(refused({"--fix", "0,0,0,1"}), "needs a handle and a way to move it"));
  CHECK(contains(refused({"--handle", "0,0,1", "--move", "0,0,1"}), "give 4 numbers"));
  CHECK(
      contains(refused({"--handle", "0,0,0,1", "--fix", "9,9,9,1", "--move", "0,0,1"}), "no point lies within --fix"));
  CHECK(contains(refused({"--handle", "0,0,0,1", "--move", "1e39,0,0"}), "farther than floats reach"));
  CHECK(contains(refused({"--handle", "9,9,9,1", "--move", "0,0,1"}), "no point lies within --handle"));
}
