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
  CHECK(refusal({"inside", "--data", "wald-10", "--who", "tags"}, cli::exit_bad_usage)
            .find("--who takes an element, not 'tags'") != std::string::npos);
  CHECK(refusal({"inside", "--data", "wald-10", "--orders", "1001"}, cli::exit_bad_usage).find("--orders") !=
        std::string::npos);
  CHECK(refusal({"inside", "--data", "wald-10", "--query", "1,2", "--queries", "wald-6"}, cli::exit_bad_usage)
            .find("exclude each other") != std::string::npos);
  CHECK(refusal({"inside", "--data", "wald-10", "--k", "2"}, cli::exit_bad_usage).find("for the search of a query") !=
        std::string::npos);
  CHECK(refusal({"inside", "--data", "wald-10", "--query", "1,2", "--k", "11"}, cli::exit_bad_usage).find("k is 11") !=
        std::string::npos);
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

TEST_CASE("inside: who wrote an element of wald's tags, and who reads it next", "[slow]") {
  const CommandRun r = run({"inside", "--data", "wald-10", "--who", "tags[5]"});
  INFO(r.out << r.err);
  REQUIRE(r.code == cli::exit_ok);
  // Position 5 lies left of the root's pivot at 6; in the end, position i holds node i
  const std::string update = "build / level 0 / update tags";
  const std::size_t row = r.out.rfind(update);
  REQUIRE(row != std::string::npos);
  const std::string line = r.out.substr(row, r.out.find('\n', row) - row);
  CHECK(contains(line, "index 5   write"));
  CHECK(line.ends_with(" 1"));
  CHECK(contains(r.out, "\ntags[5] was last written by "));
  CHECK(contains(r.out, ", and next read by "));
  const CommandRun none = run({"inside", "--data", "wald-10", "--who", "tags[10]"});
  CHECK(contains(none.out, "no recorded lane reads or writes tags[10]"));
}

TEST_CASE("inside: the access of a variant that leaves a wrong element stands beside the original's", "[slow]") {
  const Folder folder;
  const std::string file = folder.file("my.cu");
  REQUIRE(run({"variant", "new", "wald", "update_tags", "--out", file}).code == cli::exit_ok);
  const auto history = [&](const std::string& element) {
    const CommandRun r = run({"inside", file, "--data", "wald-10", "--who", element});
    INFO(r.out << r.err);
    REQUIRE((r.code == cli::exit_ok || r.code == cli::exit_failed_check));
    return r.out;
  };
  CHECK(contains(history("tags[8]"), "\nthe original and the variant access tags[8] alike\n"));
  std::string text = content_of(file);
  const std::string sound = "right_child(s)";
  const std::size_t at = text.find(sound);
  REQUIRE(at != std::string::npos);
  put(file, text.replace(at, sound.size(), "left_child(s)"));
  // Position 8 lies right of the root's pivot
  const std::string wrong = history("tags[8]");
  INFO(wrong);
  CHECK(contains(wrong, "first difference: build / level 0 / update tags: the original write 2 (update_tags.hpp:"));
  CHECK(contains(wrong, "index 8), the variant write 1 (my.cu:"));
  CHECK(contains(history("tags[10]"), "no recorded lane of the original or the variant reads or writes tags[10]"));
}

TEST_CASE("inside: a search finds each point of wald's ten next to itself, one lane per query", "[slow]") {
  const std::vector<std::string> search{"inside",     "--data",  "wald-10", "--search",
                                        "stack-free", "--query", "all",     "--json"};
  const CommandRun r = run(search);
  INFO(r.err);
  REQUIRE(r.code == cli::exit_ok);
  const Json value = JsonReader::read(r.out);
  REQUIRE(value["launches"].list.size() == 1);
  CHECK(value["launches"].list[0]["name"].text == "find nearest");
  CHECK(value["launches"].list[0]["lanes"].number == 10);
  std::vector<std::string> expected, found;
  for (int query = 0; query < 10; ++query)
    expected.push_back(std::to_string(query) + ": neighbours[" + std::to_string(query) + "] <- " +
                       std::to_string(query));
  for (const Json& access : value["accesses"].list)
    if (access["array"].text == "neighbours")
      found.push_back(std::to_string(static_cast<int>(access["lane"].number)) + ": neighbours[" +
                      std::to_string(static_cast<int>(access["index"].number)) + "] <- " + access["value"].text);
  CHECK(found == expected);
  CHECK(value["faults"].list.empty());
}

TEST_CASE("inside: a fault in a search of one's own is named", "[slow]") {
  const Folder folder;
  const std::string file = folder.file("my.cu");
  REQUIRE(run({"variant", "new", "wald", "--search", "stack-free", "--out", file}).code == cli::exit_ok);
  CHECK(refusal({"inside", file, "--data", "wald-10"}, cli::exit_bad_usage).find("needs a query") != std::string::npos);
  CHECK(refusal({"variant", "build", file}, cli::exit_bad_usage).find("kdscope-cli inside") != std::string::npos);
  std::string text = content_of(file);
  const std::string sound = "if (from_parent && sides.close.value < tree.n)";
  const std::size_t at = text.find(sound);
  REQUIRE(at != std::string::npos);
  put(file, text.replace(at, sound.size(), "if (from_parent && sides.close.value <= tree.n)"));
  const CommandRun r = run({"inside", file, "--data", "wald-10", "--query", "all", "--check"});
  INFO(r.out << r.err);
  CHECK(r.code == cli::exit_failed_check);
  // Node 10 does not exist; its point is looked up first
  CHECK(contains(r.out, "out of bounds: my.cu:"));
  CHECK(contains(r.out, " reads points[20], but 'points' has 20 elements"));
}

}  // namespace kdscope::inside_command_test
