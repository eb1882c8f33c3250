// Tests how build and record treat their input: they warn of numbers that change when read, and never overwrite the
// input.

#include <filesystem>

#include "algorithms/trace/trace_file.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/cli/json_reader.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::tests;
namespace fs = std::filesystem;

TEST_CASE("numbers that floats do not hold are warned of, on standard error, in JSON and in the trace") {
  const Folder folder;
  const std::string data = folder.file("mixed.csv");
  put(data, "16777216,0\n16777217,0\n0.5,1\n");
  const std::string rounded = data + ":2:1: the whole number 16777217 is stored as the float 16777216.";
  const CommandRun built = run({"build", "--data", data, "--backend", "cpu", "--json"});
  REQUIRE(built.code == 0);
  CHECK(built.err.starts_with("kdscope-cli: warning: " + rounded + "\nkdscope-cli: warning: "));
  const Json report = JsonReader::read(built.out);
  REQUIRE(report["warnings"].list.size() == 2);
  CHECK(report["warnings"].list[0].text == rounded);
  CHECK(run({"build", "--data", "wald-10", "--backend", "cpu"}).err.empty());
  if (!trace_files_available()) KDSCOPE_SKIP("this build has no HDF5");
  const std::string trace = folder.file("t.kdtrace");
  const CommandRun recorded = run({"record", "--data", data, "--backend", "cpu", "-o", trace, "--json"});
  REQUIRE(recorded.code == 0);
  CHECK(contains(recorded.err, "warning: " + rounded));
  CHECK(JsonReader::read(recorded.out)["warnings"].list.size() == 2);
  CHECK(contains(run({"show", trace}).out, "warning: " + rounded + "\n"));
  CHECK(JsonReader::read(run({"show", trace, "--json"}).out)["warnings"].list.size() == 2);
}

TEST_CASE("no run writes over its own input, by whatever name") {
  const Folder folder;
  const std::string data = folder.file("mine.csv"), text = "1,2\n3,4\n";
  put(data, text);
  fs::create_symlink(data, folder.file("link.csv"));
  fs::create_hard_link(data, folder.file("same.csv"));
  for (const std::string& output :
       {data, folder.file("link.csv"), folder.file("same.csv"), folder.file("./mine.csv")}) {
    INFO(output);
    CHECK(contains(refusal({"build", "--data", data, "--backend", "cpu", "--tree-out", output}, 2),
                   "--tree-out names the file that --data reads"));
    CHECK(
        contains(refusal({"build", "--data", output, "--backend", "cpu", "--tree-out", data}, 2), "--tree-out names"));
    CHECK(content_of(data) == text);
    if (trace_files_available())
      CHECK(contains(refusal({"record", "--data", data, "--backend", "cpu", "-o", output}, 2),
                     "-o names the file that --data reads"));
    CHECK(content_of(data) == text);
  }
  CHECK(run({"build", "--data", data, "--backend", "cpu", "--tree-out", folder.file("other.csv")}).code == 0);
}
