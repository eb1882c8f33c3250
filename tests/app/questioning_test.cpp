#include "app/questioning/questioning.hpp"

#include "tests/support/catch.hpp"
#include "visualizer/model/question_concealment.hpp"

using namespace kdscope;

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
