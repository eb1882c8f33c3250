// Tests the command `inside` as a script sees it.
#include "tests/cli/command_runs.hpp"

namespace kdscope::inside_command_test {
using namespace kdscope::tests;

TEST_CASE("inside: options that name nothing are refused before anything is compiled") {
  CHECK(refusal({"inside"}, cli::exit_bad_usage).find("inside needs --data, or a variant's file") != std::string::npos);
  CHECK(refusal({"inside", "my.cu", "--algorithm", "wald"}, cli::exit_bad_usage).find("exclude each other") !=
        std::string::npos);
  for (const char* lanes : {"x", "5-", "7-3", "-1", "4294967295"})
    CHECK(refusal({"inside", "--data", "wald-10", std::string("--lane=") + lanes}, cli::exit_bad_usage)
              .find("--lane takes a number, or a first and a last one") != std::string::npos);
  CHECK(refusal({"inside", "--data", "wald-10", "--budget", "0"}, cli::exit_bad_usage).find("--budget") !=
        std::string::npos);
}

TEST_CASE("inside: a sheet, costs and the JSON value of wald's update of tags on ten points", "[slow]") {
  const std::vector<std::string> update{"inside", "--data", "wald-10", "--step", "level 0 / update tags"};
  const auto run_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), update.begin(), update.end());
    const CommandRun r = run(more);
    INFO(r.out << r.err);
    REQUIRE(r.code == cli::exit_ok);
    return r.out;
  };
  // Positions 0 to 5 go left of the pivot at 6, 7 to 9 right
  const std::string sheet = run_with({});
  INFO(sheet);
  CHECK(contains(sheet, "launch 0: 'update tags', 10 indices\nlines of update_tags.hpp\n"));
  CHECK(contains(sheet, "\n5      [5] 0  [5] <- 1\n"));
  CHECK(contains(sheet, "\n6      [6] 0\n"));
  CHECK(contains(sheet, "\n7      [7] 0            [7] <- 2\n"));
  const std::string one = run_with({"--lane", "7"});
  CHECK(contains(one, "\n7      [7] 0  [7] <- 2\n"));
  CHECK_FALSE(contains(one, "[6]"));

  // Ten tags of 4 bytes lie in two sectors; so do six from the first one, which fit in one, and three from the eighth
  const std::string cost = run_with({"--cost"});
  INFO(cost);
  const Json value = JsonReader::read(run_with({"--json"}));
  REQUIRE(value["costs"].list.size() == 3);
  const Json& read = value["costs"].list[0];
  CHECK(read["access"].text == "read");
  CHECK(read["warp_accesses"].number == 1);
  CHECK(read["lanes_active"].number == 10);
  CHECK(read["sectors"].number == 2);
  CHECK(read["least_sectors"].number == 2);
  double sectors = 0;
  for (const Json& each : value["costs"].list) sectors += each["sectors"].number;
  CHECK(sectors == 2 + 1 + 2);
  CHECK(value["accesses"].list.size() == 19);
  CHECK(value["faults"].list.empty());
  CHECK(value["accesses"].list[0]["array"].text == "tags");
}

TEST_CASE("inside: a variant's fault is named with its line, and has an exit code of its own", "[slow]") {
  const Folder folder;
  const std::string file = folder.file("my.cu");
  REQUIRE(run({"variant", "new", "wald", "update_tags", "--out", file}).code == cli::exit_ok);
  std::string text = content_of(file);
  const std::size_t call = text.find("const {\n");
  REQUIRE(call != std::string::npos);
  put(file, text.insert(call + 8, "    tags[0] = unsettled;\n"));
  const CommandRun checked = run({"inside", file, "--step", "level 0 / update tags", "--check"});
  INFO(checked.out << checked.err);
  CHECK(checked.code == cli::exit_failed_check);
  CHECK(contains(checked.out, "race between blocks: my.cu:"));
  CHECK(contains(checked.out, " writes tags[0] <- "));
}

}  // namespace kdscope::inside_command_test
