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

TEST_CASE("the warnings of every file that a command reads are printed, once per file") {
  const Folder folder;
  const std::string map = folder.file("map.csv"), same = folder.file("same.csv"), rays = folder.file("rays.csv");
  put(map, "694386.25,5155487.24,0\n694386.45,5155487.26,1.5\n694386.30,5155486.74,2\n694380,5155480,9\n");
  put(same, "0.5,5155487.24,0\n0.25,5155487.26,1.5\n");
  const auto warnings = [](const CommandRun& run) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = run.err.find("kdscope-cli: warning: ", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  CHECK(warnings(run({"query", "--data", map, "--queries", same, "--backend", "cpu"})) == 2);
  CHECK(warnings(run({"query", "--data", map, "--queries", map, "--backend", "cpu"})) == 1);
  CHECK(warnings(run({"cloud", "--data", map, "--k", "3", "--backend", "cpu"})) == 1);
  CHECK(warnings(run({"bench", "--data", map, "--algorithm", "wald", "--backend", "cpu"})) == 1);
  put(folder.file("scan-0.csv"), "0.5,5155487.24,0\n0.25,5155487.26,1.5\n");
  put(folder.file("scan-1.csv"), "0.5,5155488.24,0\n0.25,5155487.26,1.5\n");
  const CommandRun tracked = run({"track", "--data", folder.file("scan-{frame}.csv"), "--frames", "2", "--object", map,
                                  "--at", "0,0,0", "--backend", "cpu"});
  for (const char* name : {"scan-0.csv", "scan-1.csv", "map.csv"}) CHECK(contains(tracked.err, name));
  CHECK(warnings(tracked) == 3);
}

TEST_CASE("whole numbers serve beside floats where that changes none") {
  const Folder folder;
  const std::string floats = folder.file("floats.csv"), whole = folder.file("whole.csv"),
                    large = folder.file("large.csv"), cloud = folder.file("cloud.csv");
  put(floats, "1.5,2,3\n5,1,2\n2,5,7\n");
  put(whole, "2,5,6\n");
  put(large, "16777217,5,6\n");
  const CommandRun asked = run(
      {"query", "--data", floats, "--queries", whole, "--backend", "cpu", "--out", folder.file("o.csv"), "--verify"});
  CHECK(asked.code == 0);
  CHECK(content_of(folder.file("o.csv")) == "query,rank,point,distance\n0,1,2,1\n");
  CHECK(contains(refusal({"query", "--data", floats, "--queries", large, "--backend", "cpu"}, 3),
                 "point 0 has the coordinate 16777217, which is no 32-bit float; open it with type=float"));
  CHECK(contains(refusal({"query", "--data", whole, "--queries", floats, "--backend", "cpu"}, 3), "type=float"));
  CHECK(run({"query", "--data", whole + ":type=float", "--queries", floats, "--backend", "cpu"}).code == 0);
  put(cloud, "1,0,0\n0,1,0\n0,0,1\n5,5,5\n");
  CHECK(run({"cloud", "--data", cloud, "--k", "3", "--backend", "cpu"}).code == 0);
  CHECK(run({"track", "--data", cloud, "--object", cloud, "--frames", "1", "--at", "0,0,0", "--backend", "cpu"}).code ==
        0);
  put(folder.file("mesh.ply"),
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty short x\nproperty short y\nproperty short z\n"
      "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n9 0 0\n0 9 1\n3 0 1 2\n");
  CHECK(run({"render", "--data", folder.file("mesh.ply"), "--width", "8", "--height", "8", "--backend", "cpu"}).code ==
        0);
}

TEST_CASE("a shift is named in the report and the trace, and undone in the rows of a cloud") {
  const Folder folder;
  const std::string map = folder.file("map.csv"), out = folder.file("out.csv");
  put(map, "694386.25,5155487.25,0\n694386.5,5155487.5,0\n694387,5155487,0\n694388,5155489,1\n");
  const CommandRun made =
      run({"cloud", "--data", map + ":shift=694386,5155487,0", "--k", "3", "--backend", "cpu", "--out", out});
  REQUIRE(made.code == 0);
  CHECK(contains(made.err, "subtracted 694386, 5155487, 0 from the coordinates."));
  CHECK(contains(content_of(out), "\n694386.25,5155487.25,0,"));
  if (!trace_files_available()) KDSCOPE_SKIP("this build has no HDF5");
  const std::string trace = folder.file("t.kdtrace");
  REQUIRE(run({"record", "--data", map + ":shift=auto", "--backend", "cpu", "-o", trace}).code == 0);
  CHECK(contains(run({"show", trace}).out, "map.csv:shift=694386,5155487,0"));
}

TEST_CASE("a byte 0 in a text is refused, and what follows the beginning of the file is not lost") {
  const Folder folder;
  for (const char* name : {"nul.csv", "nul.xyz", "nul.obj"}) {
    std::string text = "#" + std::string(1, '\0') + "\n";
    for (int i = 0; i < 5000; ++i) text += name == std::string("nul.obj") ? "v 1.5 2 222\n" : "1.5,2,222\n";
    put(folder.file(name), text);
    const CommandRun refused = run({"build", "--data", folder.file(name), "--backend", "cpu"});
    CHECK(refused.code == cli::exit_bad_input);
    CHECK(contains(refused.err, "byte 1 is 0"));
  }
}

TEST_CASE("files whose coordinates are shifted otherwise are not compared") {
  const Folder folder;
  const std::string points = folder.file("points.csv"), asked = folder.file("asked.csv");
  put(points, "694380.25,5155480.5\n694381.25,5155481.5\n694382.25,5155482.5\n694390.25,5155490.5\n");
  put(asked, "694381.25,5155481.5\n694382.25,5155482.5\n");
  const auto with = [&](const std::string& data, const std::string& queries) {
    return run({"query", "--data", points + data, "--queries", asked + queries, "--backend", "cpu"});
  };
  for (const auto& [data, queries] :
       {std::pair{":shift=auto", ":shift=auto"}, {":shift=694380,5155480", ""}, {"", ":scale=2"}}) {
    INFO(data << " and " << queries);
    const CommandRun refused = with(data, queries);
    CHECK(refused.code == cli::exit_bad_input);
    CHECK(contains(refused.err, "give both files the same, such as shift="));
  }
  CHECK(with(":shift=694380,5155480", ":shift=694380,5155480").code == 0);
  // Scans of which each would choose a shift of its own.
  for (int frame = 0; frame < 2; ++frame) {
    std::string rows;
    for (int i = 0; i < 30; ++i)
      rows += std::to_string(694386.3 + 0.7 * frame + 0.1 * (i % 5)) + "," + std::to_string(5155487.1 + 0.1 * (i / 5)) +
              "," + std::to_string(0.01 * i) + "\n";
    put(folder.file("scan-" + std::to_string(frame) + ".csv"), rows);
  }
  const CommandRun tracked =
      run({"track", "--data", folder.file("scan-{frame}.csv") + ":shift=auto", "--frames", "2", "--from", "0",
           "--object", folder.file("scan-0.csv") + ":shift=auto", "--at", "0,0,0", "--backend", "cpu"});
  CHECK(tracked.code == cli::exit_bad_input);
  CHECK(contains(tracked.err, "shifted or scaled otherwise"));
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
                   "--tree-out names a file that this command reads"));
    CHECK(
        contains(refusal({"build", "--data", output, "--backend", "cpu", "--tree-out", data}, 2), "--tree-out names"));
    CHECK(contains(refusal({"build", "--data", data + ":type=float", "--backend", "cpu", "--tree-out", output}, 2),
                   "--tree-out names a file that this command reads"));
    CHECK(content_of(data) == text);
    if (trace_files_available())
      CHECK(contains(refusal({"record", "--data", data, "--backend", "cpu", "-o", output}, 2),
                     "-o names a file that this command reads"));
    CHECK(content_of(data) == text);
  }
  CHECK(run({"build", "--data", data, "--backend", "cpu", "--tree-out", folder.file("other.csv")}).code == 0);
}
