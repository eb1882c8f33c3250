// Practice on the terminal: questions and performed steps from standard input, and the result file that grade reads.

#include <sstream>

#include "algorithms/trace/trace_file.hpp"
#include "tests/cli/command_runs.hpp"
#include "walkthroughs/practice/results.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

CommandRun type(const std::string& input, std::vector<std::string> words) {
  words.insert(words.begin(), "practise");
  std::istringstream in(input);
  std::ostringstream out, err;
  cli::Console console{out, err, {}, false, &in};
  const int code = cli::run_command_line(words, console);
  return {code, out.str(), err.str()};
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

}  // namespace

TEST_CASE("questions are asked, checked, hinted, shown and skipped") {
  const CommandRun r = type("5\n?\nsix\n6\n!\n.\n", {"--data", "wald-10", "--kind", "pivot", "--questions", "3"});
  INFO(r.out << r.err);
  REQUIRE(r.code == 0);
  CHECK(r.err.empty());
  CHECK(contains(r.out, "Question 1 of 3 (pivot)\nState after step 1, build / rank coordinates:\n"));
  CHECK(contains(r.out, "\ndata[i].x: 10 46 68 40 25 15 44 45 62 53\n"));
  CHECK(contains(r.out, "At which position is the pivot of node 0 then?\npositions> Wrong. Try again"));
  CHECK(contains(r.out, "positions> The segment is positions 0 to 9.\n"));
  CHECK(contains(r.out, "The answer must be positions, such as 3 or 3 7.\n"));
  CHECK(contains(r.out, "positions> Right. At position 6. "));
  CHECK(r.out.ends_with("\n1 right, 1 wrong, 1 revealed, 1 skipped.\n"));
}

TEST_CASE("another question like it has fresh points") {
  const CommandRun r = type("+\n+\n!\n", {"--data", "wald-10", "--kind", "next-tag", "--questions", "1"});
  INFO(r.out << r.err);
  REQUIRE(r.code == 0);
  CHECK(count_of(r.out, "Fresh data: uniform:n=10,dim=2,type=int,range=100,seed=") == 2);
  CHECK(count_of(r.out, "Which node does row tags then hold") == 3);
  CHECK(contains(r.out, "0 right, 0 wrong, 1 revealed, 0 skipped."));
}

TEST_CASE("a step is performed cell by cell") {
  const CommandRun r = type("1\n1\n1\n1\n1\n1\n1\n0\ntags[9] = 2\ntags[9]=2\ntags[11]=2\ntwo\n!\n2\n",
                            {"--data", "wald-10", "--kernel", "level 0 / update tags"});
  INFO(r.out << r.err);
  REQUIRE(r.code == 0);
  CHECK(contains(r.out, "Perform the step \"level 0 / update tags\": fill in 10 cells."));
  CHECK(contains(r.out, "tags at position 6 (before: 0) = Wrong.\ntags at position 6 (before: 0) = Right.\n"));
  CHECK(contains(r.out, "That cell is filled already.\n"));
  CHECK(contains(r.out, "The step writes no such cell.\n"));
  CHECK(contains(r.out, "That is no value of this row.\n"));
  CHECK(contains(r.out, "tags at position 7 is 2.\n"));
  CHECK(contains(r.out,
                 "9 of 10 cells right, 1 shown, 1 wrong entry. The first wrong one is entry 7: tags at position "
                 "6 = 1 instead of 0.\n"));
  const CommandRun thread = type("2\n", {"--data", "wald-10", "--kernel", "level 0 / update tags", "--thread", "8"});
  CHECK(contains(thread.out, "1 of 1 cell right, no wrong entry.\n"));
  // A name of several steps: the sequence of their states.
  const CommandRun all = type("2\n6\n6\n", {"--data", "wald-10", "--kernel", "update tags", "--thread", "9"});
  INFO(all.out << all.err);
  CHECK(count_of(all.out, "for thread 9: fill in 1 cell.") == 3);
  CHECK(contains(all.out, "3 right, 0 wrong, 0 revealed, 0 skipped."));
  const CommandRun fresh = type("1\n+\n", {"--data", "wald-10", "--kernel", "level 0 / update tags"});
  CHECK(contains(fresh.out, "Fresh data: uniform:n=10"));
  CHECK(contains(fresh.out, "0 of 10 cells right, no wrong entry.\n"));
}

TEST_CASE("every answer is kept in the student's file, which grade reads") {
  const Folder folder;
  const std::string file = folder.file("ann.kdresults");
  const std::vector<std::string> student{"--data", "wald-10", "--results", file, "--student", "Ann"};
  auto words = student;
  words.insert(words.end(), {"--kind", "pivot", "--questions", "3"});
  CHECK(contains(type("6\n.\n.\n", words).out, "1 right, 0 wrong, 0 revealed, 2 skipped; kept in " + file + ".\n"));
  words = student;
  words.insert(words.end(), {"--kernel", "level 1 / update tags", "--thread", "4"});
  REQUIRE(type("7\n1\n", words).code == 0);
  const auto results = read_results(content_of(file), file).value();
  CHECK(results.student == "Ann");
  REQUIRE(results.attempts.size() == 5);
  CHECK(results.attempts[0].stop == "build / level 0 / sort (pivot)");
  CHECK(results.attempts[0].seconds > 1'700'000'000);
  CHECK(results.attempts[3].outcome == Outcome::wrong);
  CHECK(results.attempts[4].outcome == Outcome::right);
  const CommandRun graded = run({"grade", folder.path.string()});
  CHECK(graded.code == 0);
  CHECK(contains(graded.out, "\nAnn,ann.kdresults,2,0,0,2,0,3,0,1,right,1,skipped,0,skipped,0,right,2\n"));

  // Another student's file, and a damaged one, stay as they are.
  words = student;
  words.back() = "Ben";
  CHECK(contains(type("", words).err, "holds the results of Ann"));
  const std::string cut = content_of(file).substr(0, 200);
  put(file, cut);
  const CommandRun damaged = type("6\n", student);
  CHECK(damaged.code == 3);
  CHECK(contains(damaged.err, "is cut short"));
  CHECK(content_of(file) == cut);
}

TEST_CASE("practice on traces and searches") {
  const Folder folder;
  if (trace_files_available()) {
    const std::string trace = folder.file("ten.kdtrace");
    REQUIRE(run({"record", "--data", "wald-10", "--backend", "cpu", "-o", trace}).code == 0);
    const CommandRun r = type("+\n.\n", {trace, "--questions", "1"});
    CHECK(r.code == 0);
    CHECK(contains(r.out, "0 right, 0 wrong, 0 revealed, 1 skipped."));
    CHECK(contains(type("", {trace, "--data", "wald-10"}).err, "exclude each other"));
  }
  const CommandRun search = type("0\n!\n", {"--data", "wald-10", "--query", "16,21", "--questions", "20"});
  CHECK(search.code == 0);
  CHECK(contains(search.out, "Which node does the search visit next?\nnodes> Right. Node 0."));
}

TEST_CASE("practice refuses what it cannot do") {
  CHECK(contains(type("", {}).err, "practise needs a trace or --data SPEC"));
  CHECK(contains(type("", {"--data", "wald-10", "--kind", "pivots"}).err, "there is no kind of question 'pivots'"));
  CHECK(contains(type("", {"--data", "wald-10", "--kind", "next-node"}).err, "has no question of these kinds"));
  CHECK(contains(type("", {"--data", "wald-10", "--thread", "3"}).err, "name the step with --kernel"));
  CHECK(contains(type("", {"--data", "wald-10", "--results", "f"}).err, "belong together"));
  CHECK(contains(type("", {"--data", "wald-10", "--results", "f", "--student", " "}).err, "needs the student's name"));
  CHECK(contains(type("", {"--data", "wald-10", "--kernel", "99"}).err, "there is no step 99"));
  CHECK(contains(type("", {"--data", "wald-10", "--kernel", "lay out"}).err, "writes nothing that can be filled in"));
  CHECK(contains(type("", {"--data", "wald-10", "--k", "3"}).err, "--k is for the search of a query"));
  CHECK(type("", {"--data", "wald-10", "--questions", "0"}).code == 2);
}
