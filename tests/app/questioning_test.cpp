#include "app/questioning/questioning.hpp"

#include "tests/support/catch.hpp"
#include "visualizer/model/question_concealment.hpp"

using namespace kdscope;

TEST_CASE("an explanation that begins with the answer needs no verdict before it") {
  for (const auto& [explanation, answer] : {std::pair{"3 \u2013 there are three", "3"},
                                            {"At 17, which is 15 + 2.", "position 17"},
                                            {"0, 3, 5 and 4: they are less", "points p0, p3, p4 and p5"},
                                            {"**Eleven.** The paper", "eleven"},
                                            {"`level(n) >= l`, in words", "level(n) >= l"},
                                            {"1,024, which is 32 times 32", "1024"}})
    CHECK(begins_with_answer(explanation, answer));
  for (const auto& [explanation, answer] : {std::pair{"The root has 3 children, so 6.", "6"},
                                            {"Halves are as even as they can be", "It follows from n"},
                                            {"17 of them", "position 1"},
                                            {"", "6"},
                                            {"Any text", ""}})
    CHECK_FALSE(begins_with_answer(explanation, answer));
}

TEST_CASE("a question hides what it names") {
  Question question;
  CHECK_FALSE(concealment_of(question));
  for (const HiddenPart part : hidden_parts) {
    question.hides = {part};
    CHECK(concealment_of(question));
  }
  question.hides = {HiddenPart::marks, HiddenPart::tree};
  question.hidden_rows = {"tags"};
  const Concealment concealed = concealment_of(question);
  CHECK(concealed.marks);
  CHECK(concealed.tree);
  CHECK_FALSE(concealed.code);
  CHECK(concealed.rows == std::vector<std::string>{"tags"});
}

TEST_CASE("answers are put into words") {
  ExpectedAnswer expected;
  expected.kind = AnswerKind::positions;
  expected.elements = {6};
  CHECK(right_answer(expected, 2) == "position 6");
  expected.elements = {3, 6, 9};
  CHECK(right_answer(expected, 2) == "positions 3, 6 and 9");
  GivenAnswer given;
  given.kind = AnswerKind::positions;
  given.elements = {9, 3};
  CHECK(given_answer(expected, given, 2) == "positions 3 and 9");
  expected.kind = AnswerKind::cell;
  expected.elements = {6};
  expected.row = "tags";
  CHECK(right_answer(expected, 2) == "position 6 of tags");
  expected.kind = AnswerKind::split;
  expected.number = 46.5;
  expected.dimension = 1;
  CHECK(right_answer(expected, 2) == "y = 46.5");
  CHECK(how_to_answer(expected, 2).find("type y") != std::string::npos);
  expected.kind = AnswerKind::choice;
  expected.texts = {"left", "right"};
  expected.right = 1;
  CHECK(right_answer(expected, 2) == "right");
  expected.kind = AnswerKind::words;
  expected.texts = {"four", "4"};
  CHECK(right_answer(expected, 2) == "four");
  for (const AnswerKind kind : {AnswerKind::positions, AnswerKind::points, AnswerKind::nodes, AnswerKind::cell,
                                AnswerKind::split, AnswerKind::number, AnswerKind::words, AnswerKind::choice}) {
    expected.kind = kind;
    CHECK_FALSE(how_to_answer(expected, 2).empty());
  }
  expected.kind = AnswerKind::nodes;
  Concealment concealed;
  CHECK(how_to_answer(expected, 2, concealed).find("Click nodes") == 0);
  concealed.tree = true;
  CHECK(how_to_answer(expected, 2, concealed).find("lick") == std::string::npos);
}
