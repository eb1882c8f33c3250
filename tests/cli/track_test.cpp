// Tests the command that follows an object through scans.
#include <cmath>
#include <sstream>

#include "datasets/generators/workbench_scan.hpp"
#include "tests/cli/command_runs.hpp"

using namespace kdscope;
using namespace kdscope::tests;

TEST_CASE("track: the piston is followed, and its places are written") {
  const Folder folder;
  const std::string file = folder.file("places.csv");
  const CommandRun tracked = run({"track", "--data", "workbench:n=20000", "--from", "98", "--frames", "3", "--samples",
                                  "500", "--backend", "cpu", "--out", file});
  INFO(tracked.err);
  REQUIRE(tracked.code == cli::exit_ok);
  CHECK(contains(tracked.out, "piston, 500 points"));
  CHECK(contains(tracked.out, "lost              in 0"));
  CHECK(contains(tracked.out, "off the truth"));
  std::istringstream rows(content_of(file));
  std::string row;
  std::vector<std::string> lines;
  while (std::getline(rows, row)) lines.push_back(row);
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].starts_with("frame,lost,"));
  CHECK(lines[1].starts_with("98,0,"));
  CHECK(lines[3].starts_with("0,0,"));
  // The last column is the height of the piston's base, which stands on the desk again
  const double height = std::stod(lines[3].substr(lines[3].rfind(',') + 1));
  CHECK(std::abs(height - piston_place(0).origin.z) < 0.01);
}

TEST_CASE("track: what cannot be followed is refused with one sentence") {
  CHECK(contains(refusal({"track", "--data", "bunny"}, cli::exit_bad_usage), "name its mesh or its points"));
  CHECK(contains(refusal({"track", "--at", "1,2"}, cli::exit_bad_usage), "--at is '1,2'; give 3 numbers"));
  CHECK(contains(refusal({"track", "--reach", "x"}, cli::exit_bad_usage), "give a number"));
  CHECK(contains(refusal({"track", "--reach", "nan"}, cli::exit_bad_usage), "give a number"));
  CHECK(contains(refusal({"track", "--reach", "0", "--data", "workbench:n=100", "--frames", "1"}, cli::exit_bad_usage),
                 "not positive"));
  CHECK(contains(
      refusal({"track", "--data", "no-such-{frame}.ply", "--object", "piston", "--at", "0,0,0", "--frames", "2"},
              cli::exit_bad_input),
      "no-such-0.ply"));
  CHECK(contains(
      refusal({"track", "--data", "scan-{frame}.ply", "--object", "piston", "--at", "0,0,0"}, cli::exit_bad_usage),
      "give --frames N"));
  CHECK(contains(refusal({"track", "--data", "bunny", "--object", "piston"}, cli::exit_bad_usage), "--at X,Y,Z"));
  CHECK(contains(refusal({"track", "--from", "100"}, cli::exit_bad_usage), "--from"));
}
