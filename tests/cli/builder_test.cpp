// Tests the command `builder`: which ids it takes, and the files that it writes. builder_new_test.sh compiles them.
#include "tests/cli/command_runs.hpp"

namespace kdscope::builder_command_test {
using namespace kdscope::tests;

TEST_CASE("builder new: six files, without a word of the builder that they began as in code") {
  const Folder folder;
  const std::filesystem::path sources = KDSCOPE_SOURCE_DIR, there = folder.path;
  std::filesystem::create_directories(there / "algorithms/builders");
  std::filesystem::create_directories(there / "tests/builders");
  std::filesystem::copy(sources / "algorithms/builders/textbook", there / "algorithms/builders/textbook");
  std::filesystem::copy(sources / "tests/builders/textbook_test.cpp", there / "tests/builders/textbook_test.cpp");
  const CommandRun made = run({"builder", "new", "my-median2", "--in", there.string()});
  INFO(made.out << made.err);
  REQUIRE(made.code == cli::exit_ok);
  const std::string builder = (there / "algorithms/builders/my-median2/").string();
  for (const std::string& file :
       {builder + "my_median2.hpp", builder + "recording.hpp", builder + "registration.cpp", builder + "pseudocode.txt",
        builder + "README.md", (there / "tests/builders/my_median2_test.cpp").string()}) {
    INFO(file);
    CHECK(made.out.find(file + "\n") != std::string::npos);
    const std::string text = content_of(file);
    CHECK(text.size() > 100);
    for (const char* code : {"textbook::", "::textbook", "\"textbook", "textbook/", "textbook_test"})
      CHECK(text.find(code) == std::string::npos);
  }
  CHECK(content_of(builder + "my_median2.hpp").find("// [region my-median2/split_nodes]") != std::string::npos);
  CHECK(content_of(builder + "registration.cpp").find("\"A title for my-median2\", \"Author Year\"") !=
        std::string::npos);
  // The README has the headings of every builder's README
  const std::string readme = content_of(builder + "README.md");
  for (const char* heading :
       {"What it builds", "How it works", "Parameters", "Limits and memory", "Equal coordinates and determinism",
        "Departures from the source", "Measurements", "Checks and tests"})
    CHECK(readme.find(std::string("## ") + heading + "\n") != std::string::npos);
}

TEST_CASE("builder new: wrong words are refused, and nothing is written") {
  const Folder folder;
  const auto refused = [&](const std::vector<std::string>& words, const char* part) {
    std::vector<std::string> all{"builder"};
    all.insert(all.end(), words.begin(), words.end());
    const std::string message = refusal(all, cli::exit_bad_usage);
    INFO(message);
    CHECK(message.find(part) != std::string::npos);
  };
  for (const char* id : {"Mine", "2nd", "my_median", "my--median", "mine-", "../mine"})
    refused({"new", id}, "cannot be the id of a builder");
  for (const char* id : {"float", "queries"}) refused({"new", id}, "has another meaning");
  refused({"new", "wald"}, "there is a builder 'wald'");
  refused({"make", "mine"}, "builder takes the word new");
  refused({"new", "mine", "--in", folder.path.string()}, "the folder of kdscope's sources in --in");
  CHECK(folder.names().empty());
}

}  // namespace kdscope::builder_command_test
