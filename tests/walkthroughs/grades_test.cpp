// The table and the chart of a class.

#include "walkthroughs/practice/grades.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/some_results.hpp"

using namespace kdscope;

namespace {

using test::attempt;

/// Returns the outcome and tries of one student's only question: "right 2", "wrong 1 hint".
std::string grade_of(std::vector<Attempt> attempts) {
  const GradeTable table = grade_table({{"f", {"Anna", std::move(attempts)}}});
  REQUIRE(table.questions.size() == 1);
  const auto& grade = table.rows.at(0).grades.at(0);
  REQUIRE(grade);
  return std::string(name_of(grade->outcome)) + " " + std::to_string(grade->tries) + (grade->hinted ? " hint" : "");
}

Attempt with_text(Attempt attempt, const std::string& asked) {
  attempt.asked = asked;
  return attempt;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
  return count;
}

}  // namespace

TEST_CASE("the outcome of a question follows from its attempts") {
  const Attempt right = attempt("A", 0, Outcome::right), wrong = attempt("A", 0, Outcome::wrong),
                revealed = attempt("A", 0, Outcome::revealed), skipped = attempt("A", 0, Outcome::skipped);
  CHECK(grade_of({right}) == "right 1");
  CHECK(grade_of({wrong}) == "wrong 1");
  CHECK(grade_of({skipped}) == "skipped 0");
  CHECK(grade_of({revealed}) == "revealed 0");
  CHECK(grade_of({wrong, skipped, wrong, right}) == "right 3");
  CHECK(grade_of({wrong, skipped}) == "wrong 1");
  CHECK(grade_of({skipped, wrong}) == "wrong 1");
  // An answer copied from the solution is not right, but looking at the solution afterwards does no harm.
  CHECK(grade_of({wrong, revealed, right}) == "revealed 2");
  CHECK(grade_of({right, revealed}) == "right 1");
  Attempt hinted = wrong;
  hinted.hinted = true;
  CHECK(grade_of({hinted, right}) == "right 2 hint");
}

TEST_CASE("fresh points start a question anew, and its best instance counts") {
  const Attempt right = attempt("A", 0, Outcome::right), wrong = attempt("A", 0, Outcome::wrong),
                revealed = attempt("A", 0, Outcome::revealed), skipped = attempt("A", 0, Outcome::skipped);
  CHECK(grade_of({wrong, revealed, with_text(right, "fresh")}) == "right 2");
  CHECK(grade_of({right, with_text(wrong, "fresh"), with_text(revealed, "fresh")}) == "right 2");
  CHECK(grade_of({revealed, with_text(right, "fresh"), with_text(revealed, "fresh")}) == "right 1");
  CHECK(grade_of({wrong, with_text(revealed, "fresh"), with_text(right, "fresh")}) == "revealed 2");
  CHECK(grade_of({wrong, with_text(skipped, "fresh")}) == "wrong 1");
}

TEST_CASE("questions stand lesson by lesson, own runs last, one row per hand-in") {
  Attempt own = attempt("build / level 0 / sort", 0, Outcome::right);
  own.lesson.clear();
  Attempt other = attempt("Chunks", 1, Outcome::wrong);
  other.lesson = "wehr/chunks";
  const GradeTable table = grade_table({{"a", {"Anna", {own, attempt("A", 0, Outcome::right), other}}},
                                        {"b", {"Ben", {attempt("A", 1, Outcome::skipped)}}},
                                        {"c", {"Anna", {}}}});
  std::vector<std::string> names;
  for (const GradedQuestion& question : table.questions) names.push_back(name_of(question));
  CHECK(names == std::vector<std::string>{"wald/ten-points / A / 1", "wald/ten-points / A / 2",
                                          "wehr/chunks / Chunks / 2", "own run / build / level 0 / sort / 1"});
  const std::string csv = grades_csv(table);
  CHECK(csv ==
        "student,file,right,wrong,revealed,skipped,not opened,tries,hints,first try,"
        "wald/ten-points / A / 1,wald/ten-points / A / 1: tries,wald/ten-points / A / 2,wald/ten-points / A / 2: tries,"
        "wehr/chunks / Chunks / 2,wehr/chunks / Chunks / 2: tries,"
        "own run / build / level 0 / sort / 1,own run / build / level 0 / sort / 1: tries\n"
        "Anna,a,2,1,0,0,1,3,0,2,right,1,,,wrong,1,right,1\n"
        "Ben,b,0,0,0,1,3,0,0,0,,,skipped,0,,,,\n"
        "Anna,c,0,0,0,0,4,0,0,0,,,,,,,,\n");
}

TEST_CASE("a first try is an answer that was right at once, without hint or solution") {
  const Attempt right = attempt("A", 0, Outcome::right), wrong = attempt("A", 0, Outcome::wrong),
                skipped = attempt("A", 0, Outcome::skipped), revealed = attempt("A", 0, Outcome::revealed);
  Attempt hinted = right, hint_of_skipped = skipped, fresh = right;
  hinted.hinted = hint_of_skipped.hinted = true;
  fresh.asked = "with other points";
  const auto first_try = [](const std::vector<Attempt>& attempts) {
    return grade_table({{"f", {"S", attempts}}}).rows[0].grades[0]->first_try;
  };
  CHECK(first_try({right}));
  CHECK(first_try({skipped, right}));
  CHECK(first_try({right, wrong, revealed}));
  CHECK_FALSE(first_try({wrong, right}));
  CHECK_FALSE(first_try({hinted}));
  CHECK_FALSE(first_try({hint_of_skipped, right}));
  CHECK_FALSE(first_try({revealed, right}));
  CHECK_FALSE(first_try({revealed, fresh}));
  CHECK_FALSE(first_try({wrong, fresh}));
  CHECK_FALSE(first_try({skipped}));
}

TEST_CASE("fields of a student's file harm no spreadsheet") {
  Attempt evil = attempt("say \"a,b\"", 0, Outcome::right);
  evil.lesson = "=1+1";
  const std::string csv = grades_csv(grade_table({{"f", {"=HYPERLINK(\"x\")", {evil}}}}));
  CHECK(csv.find("\"'=1+1 / say \"\"a,b\"\" / 1\"") != csv.npos);
  CHECK(csv.find("\n\"'=HYPERLINK(\"\"x\"\")\",f,") != csv.npos);
}

TEST_CASE("the chart has a bar per question with a part per outcome") {
  std::vector<HandIn> hand_ins;
  for (const Outcome outcome : {Outcome::right, Outcome::right, Outcome::wrong, Outcome::revealed})
    hand_ins.push_back({"f", {"S", {attempt("A", 0, outcome), attempt("B", 0, Outcome::right)}}});
  hand_ins[0].results.attempts[0].asked = "Is a < b & \"c\"? \x1b[31m" + std::string(100, 'x');
  for (HandIn& hand_in : hand_ins) hand_in.results.attempts[0].asked = hand_ins[0].results.attempts[0].asked;
  const std::string svg = grades_svg(grade_table(hand_ins));
  CHECK(svg.find("4 hand-ins, 2 questions") != svg.npos);
  CHECK(svg.find("R 50 %") != svg.npos);
  CHECK(svg.find("W 25 %") != svg.npos);
  CHECK(svg.find("V 25 %") != svg.npos);
  CHECK(svg.find("R 100 %") != svg.npos);
  // Background, five in the legend, three parts of the first bar, one of the second.
  CHECK(occurrences(svg, "<rect") == 1 + 5 + 3 + 1);
  CHECK(svg.find("Is a &lt; b &amp; &quot;c&quot;?") != svg.npos);
  CHECK(svg.find('\x1b') == svg.npos);
  CHECK(occurrences(svg, "<text") == occurrences(svg, "</text>"));
  hand_ins[0].results.attempts[0].asked =
      "At which position is the pivot of the segment, and which points lie before it?";
  const std::string whole = grades_svg(grade_table({hand_ins[0]}));
  CHECK(whole.find(">At which position is the pivot of the segment, and which</text>") != svg.npos);
  CHECK(whole.find(">points lie before it?</text>") != svg.npos);
  const std::string none = grades_svg(grade_table({}));
  CHECK(none.find("0 hand-ins, 0 questions") != none.npos);
}
