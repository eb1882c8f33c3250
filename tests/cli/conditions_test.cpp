// Tests conditions on the command line: recordings that end at one, and lists of the steps that meet one; and the
// printed lines of a variant in a trace.
#include "algorithms/trace/printed_text.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/cli/json_reader.hpp"

#ifdef KDSCOPE_HAS_HDF5
namespace kdscope::conditions_test {
using namespace kdscope::tests;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string recorded_ten(const Folder& folder) {
  const std::string path = folder.file("ten.kdtrace");
  REQUIRE(run({"record", "--data", "wald-10", "--backend", "cpu", "-o", path}).code == cli::exit_ok);
  return path;
}

}  // namespace

TEST_CASE("record --until ends at the first step that meets the condition, and says where and with which values") {
  const Folder folder;
  const std::string path = folder.file("begin.kdtrace");
  const auto until = [&](const std::string& condition, bool json = false) {
    std::vector<std::string> words{"record", "--data", "wald-10", "--backend", "cpu", "-o", path, "--until", condition};
    if (json) words.push_back("--json");
    return run(words);
  };
  const CommandRun met = until("any(tags == 2)");
  INFO(met.out << met.err);
  CHECK(met.code == cli::exit_ok);
  CHECK(has(met.out, "begin.kdtrace: 4 steps of wald on 10 points"));
  CHECK(has(met.out,
            "\nstopped at step 3 (build / level 0 / update tags), the first that meets any(tags == 2): any(tags == 2) "
            "holds at 7, 8, 9\n"));
  CHECK(has(met.out, "\nno finished tree, "));
  CHECK(load_trace(path).value()->steps.size() == 4);
  const Json json = JsonReader::read(until("tags[5] == 4", true).out);
  CHECK(json["until"]["met"].truth);
  CHECK(json["until"]["step"].number == 5);
  CHECK(json["until"]["reading"].text == "tags[5] is 4");
  CHECK(json["steps"].number == 6);

  // Without a step that meets it, the whole run
  const CommandRun unmet = until("tags[6] == 44");
  CHECK(unmet.code == cli::exit_not_met);
  CHECK(has(unmet.out, "no step meets tags[6] == 44, so the whole run is recorded; at its end tags[6] is 6\n"));
  CHECK(load_trace(path).value()->header.tree_hash != 0);
  CHECK_FALSE(JsonReader::read(until("tags[6] == 44", true).out)["until"]["met"].truth);
  CHECK(has(until("at(\"level 9\") && tags[0] == 0").out, "no step of this run has this path"));

  // A wrong condition writes nothing
  std::filesystem::remove(path);
  const std::string refused = refusal(
      {"record", "--data", "wald-10", "--backend", "cpu", "-o", path, "--until", "tags[1] == 0 && tagz[17] == 4"},
      cli::exit_bad_usage);
  CHECK(has(refused, "there is no array 'tagz' in this run"));
  CHECK(has(refused, "character 17"));
  CHECK(has(refused, "did you mean tags?"));
  CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("record --until of a search and of a thinned recording") {
  const Folder folder;
  const std::string path = folder.file("begin.kdtrace");
  const CommandRun search = run({"record", "--data", "wald-10", "--backend", "cpu", "--query", "50,40", "--k", "2",
                                 "-o", path, "--until", "size(search.found) == 1"});
  INFO(search.out << search.err);
  CHECK(search.code == cli::exit_ok);
  CHECK(has(search.out, ", the first that meets size(search.found) == 1: size(search.found) is 1\n"));
  const CommandRun thin =
      run({"record", "--data", "wald-10", "--backend", "cpu", "--thin", "-o", path, "--until", "any(tags == 4)"});
  CHECK(thin.code == cli::exit_ok);
  CHECK(has(thin.out, "(build / level 1 / update tags), the first that meets"));
}

TEST_CASE("show --where lists the steps that meet a condition, with its values") {
  const Folder folder;
  const std::string path = recorded_ten(folder);
  const CommandRun point = run({"show", path, "--where", "changed(tags[index == p7])"});
  CHECK(point.code == cli::exit_ok);
  CHECK(has(point.out, " of 10 steps meet changed(tags[index == p7])\n"));
  CHECK(has(point.out, "\n  3  build / level 0 / update tags  changed(tags[index == p7]): 1, before 0\n"));
  CHECK(has(point.out, "\n  5  build / level 1 / update tags  changed(tags[index == p7]): 3, before 1\n"));
  CHECK(has(point.out, "\n  7  build / level 2 / update tags  changed(tags[index == p7]): 8, before 3\n"));
  CHECK_FALSE(has(point.out, "\n  4  "));
  CHECK_FALSE(has(point.out, "\n  6  "));

  const CommandRun tables = run({"show", path, "--where", "count(tags, 4) == 2", "--all", "--arrays", "tags"});
  CHECK(tables.code == cli::exit_ok);
  CHECK(has(tables.out, "step 5: build / level 1 / update tags\n"));
  CHECK_FALSE(has(tables.out, "step 3: "));
  const Json json = JsonReader::read(
      run({"show", path, "--where", "count(tags, 4) == 2", "--all", "--arrays", "tags", "--json"}).out);
  CHECK(json["where"].text == "count(tags, 4) == 2");
  REQUIRE(json["steps"].list.size() >= 1);
  CHECK(json["steps"].list[0]["step"].number == 5);
  CHECK(json["steps"].list[0]["reading"].text == "count(tags, 4) is 2");
  CHECK(json["steps"].list[0]["rows"]["tags"].list[5].number == 4);

  const CommandRun none = run({"show", path, "--where", "tags[6] == 44"});
  CHECK(none.code == cli::exit_not_met);
  CHECK(none.out == "no step meets tags[6] == 44\n");
  CHECK(has(refusal({"show", path, "--where", "tags[6"}, cli::exit_bad_usage), "']' is expected here"));
  CHECK(has(refusal({"show", path, "--where", "step == 1", "--step", "2"}, cli::exit_bad_usage),
            "--step and --where exclude each other"));
}

TEST_CASE("show prints what a variant printed at the step") {
  const Folder folder;
  Trace trace = *load_trace(recorded_ten(folder)).value();
  add_printed_text(trace, {{3, "lane 4\n\033[31m"}});
  const std::string path = folder.file("printed.kdtrace");
  REQUIRE(save_trace(trace, path));
  const CommandRun all = run({"show", path, "--all"});
  CHECK(has(all.out, "printed:\nlane 4\n"));
  CHECK_FALSE(has(all.out, "\033"));
  CHECK(all.out.find("printed:") == all.out.rfind("printed:"));
  CHECK(has(run({"show", path}).out, "  3  build / level 0 / update tags  [printed]\n"));
  const Json json = JsonReader::read(run({"show", path, "--json"}).out);
  CHECK(has(json["steps"].list[3]["printed"].text, "lane 4\n"));
  CHECK(run({"diff", path, folder.file("ten.kdtrace")}).code == cli::exit_ok);
}

}  // namespace kdscope::conditions_test
#endif
