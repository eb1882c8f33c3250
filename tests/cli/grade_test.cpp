// A folder of hand-ins becomes a table and a chart; damaged files are reported and do not keep the others from it.

#include <algorithm>
#include <filesystem>

#include "tests/cli/command_runs.hpp"
#include "tests/support/some_results.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// Returns the results of a student who answers ten questions, `right` of them rightly.
Results hand_in(const std::string& student, std::uint32_t right) {
  Results results{student, {}};
  for (std::uint32_t q = 0; q < 10; ++q)
    results.attempts.push_back(
        test::attempt("Stop", q, q < right ? Outcome::right : Outcome::wrong,
                      {AnswerKind::number, {}, "", static_cast<double>(q < right ? q : q + 1), 0, "", 0}));
  return results;
}

}  // namespace

TEST_CASE("ten right and ten wrong hand-ins are graded") {
  const Folder folder;
  for (int i = 0; i < 10; ++i) {
    const std::string number = std::to_string(i);
    // Learning platforms give one folder per student.
    std::filesystem::create_directory(folder.file("right-" + number));
    put(folder.file("right-" + number + "/work.kdresults"), results_text(hand_in("Right " + number, 10)));
    put(folder.file("wrong-" + number + ".kdresults"), results_text(hand_in("Wrong " + number, 0)));
  }
  put(folder.file(".hidden"), "not a hand-in");
  const std::string table = folder.file("table.csv"), chart = folder.file("chart.svg");
  for (int turn = 0; turn < 2; ++turn) {  // the second time, the outputs are among the files
    const CommandRun r = run({"grade", folder.path.string(), "--out", table, "--chart", chart});
    INFO(r.err);
    REQUIRE(r.code == 0);
    CHECK(r.out.empty());
    CHECK(r.err == "20 files graded.\n");
  }
  const std::string csv = content_of(table);
  for (int i = 0; i < 10; ++i) {
    const std::string number = std::to_string(i);
    CHECK(contains(csv, "\nRight " + number + ",right-" + number + "/work.kdresults,10,0,0,0,0,10,0,10,right,1,"));
    CHECK(contains(csv, "\nWrong " + number + ",wrong-" + number + ".kdresults,0,10,0,0,0,10,0,0,wrong,1,"));
  }
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 21);
  const std::string svg = content_of(chart);
  CHECK(svg.starts_with("<svg xmlns="));
  CHECK(contains(svg, "20 hand-ins, 10 questions"));
  CHECK(contains(svg, "R 50 %"));
  CHECK(contains(svg, "W 50 %"));
}

TEST_CASE("damaged hand-ins are reported with their reason, and the rest is graded") {
  const Folder folder;
  const std::string text = results_text(hand_in("Anna", 3));
  put(folder.file("anna.kdresults"), text);
  put(folder.file("cut.kdresults"), text.substr(0, text.size() / 2));
  std::string edited = text;
  for (std::size_t at = 0; (at = edited.find("\"wrong\"", at)) != edited.npos;) edited.replace(at, 7, "\"right\"");
  put(folder.file("edited.kdresults"), edited);
  put(folder.file("essay.txt"), "I was ill.");
  put(folder.file("empty.kdresults"), "");
  const CommandRun r = run({"grade", folder.path.string()});
  CHECK(r.code == 3);
  CHECK(contains(r.out, "\nAnna,anna.kdresults,3,7,0,0,0,10,0,3,right,1,right,1,right,1,wrong,1,"));
  CHECK(std::count(r.out.begin(), r.out.end(), '\n') == 2);
  CHECK(contains(r.err, "/cut.kdresults: is cut short; ask the student for the whole file.\n"));
  CHECK(contains(r.err, "/edited.kdresults: was edited or damaged after kdscope wrote it (its seal does not match); "));
  CHECK(contains(r.err, "/essay.txt: is no result file of kdscope; "));
  CHECK(contains(r.err, "/empty.kdresults: is empty; "));
  CHECK(contains(r.err, "1 file graded, 4 refused.\n"));
}

TEST_CASE("grade refuses what is no folder of files") {
  const Folder folder;
  CHECK(contains(refusal({"grade", folder.file("none")}, 3), "is no folder"));
  CHECK(contains(refusal({"grade", folder.path.string()}, 3), "holds no files"));
  put(folder.file("a"), "a");
  CHECK(contains(refusal({"grade", folder.file("a")}, 3), "is no folder"));
  CHECK(contains(refusal({"grade", folder.path.string(), "--out", folder.file("no/t.csv")}, 5), "there is no folder"));
  CHECK(contains(refusal({"grade"}, 2), "FOLDER"));
}
