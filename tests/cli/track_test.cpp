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

TEST_CASE("track: the object begins turned, by angles or by a matrix") {
  const Folder folder;
  const std::string first = folder.file("first.csv"), matrix = folder.file("start.txt"),
                    again = folder.file("again.csv");
  const std::vector<std::string> asked{
      "track",     "--data", "workbench:n=20000", "--from", "0", "--frames", "1", "--samples", "500",
      "--backend", "cpu",    "--iterations",      "1"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = asked;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const auto place_in = [](const std::string& path) {
    std::istringstream rows(content_of(path));
    std::string row, number;
    std::getline(rows, row);
    std::getline(rows, row);
    std::istringstream numbers(row);
    std::vector<double> place;
    while (std::getline(numbers, number, ',')) place.push_back(std::stod(number));
    REQUIRE(place.size() == 21);
    return std::vector<double>(place.end() - 12, place.end());  // the images of the axes, then the origin
  };
  // Without an iteration to speak of, a quarter turn about z stays one: x of the object looks along y of the scan
  const Placement known = piston_place(0);
  const std::string at =
      std::to_string(known.origin.x) + "," + std::to_string(known.origin.y) + "," + std::to_string(known.origin.z);
  const CommandRun turned = run(with({"--at", at, "--turn", "0,0,90", "--out", first}));
  INFO(turned.err);
  REQUIRE(turned.code == cli::exit_ok);
  const std::vector<double> place = place_in(first);
  CHECK(place[0] < 0.3);
  CHECK(place[1] > 0.9);
  CHECK(place[3] < -0.9);
  // The same as a matrix gives the same place
  put(matrix, "0 -1 0 " + std::to_string(known.origin.x) + "\n1 0 0 " + std::to_string(known.origin.y) + "\n0 0 1 " +
                  std::to_string(known.origin.z) + "\n0 0 0 1\n");
  REQUIRE(run(with({"--start", matrix, "--out", again})).code == cli::exit_ok);
  const std::vector<double> same = place_in(again);
  for (std::size_t i = 0; i < place.size(); ++i) CHECK(std::abs(place[i] - same[i]) < 1e-4);

  CHECK(contains(refusal(with({"--start", matrix, "--turn", "1,2,3"}), cli::exit_bad_usage),
                 "--start and --turn exclude each other"));
  CHECK(contains(refusal(with({"--turn", "90"}), cli::exit_bad_usage), "give 3 numbers"));
  for (const auto& [text, words] : {std::pair{"1 0 0 0\n0 1 0 0\n0 0 1 0\n", "has 12 numbers, a place has 16"},
                                    {"2 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1", "its matrix does more than turn and move"},
                                    {"-1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1", "its matrix does more than turn and move"},
                                    {"1 0 0 0\n0 1 0 0\n0 0 1 0\n1 0 0 1", "its last row is not 0 0 0 1"},
                                    {"1 0 0 nan\n0 1 0 0\n0 0 1 0\n0 0 0 1", "is no number"}}) {
    put(matrix, text);
    CHECK(contains(refusal(with({"--start", matrix}), cli::exit_bad_input), words));
  }
}
