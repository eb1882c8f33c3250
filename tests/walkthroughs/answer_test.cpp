// Answers that are typed or clicked, and whether they are right.

#include "walkthroughs/practice/answer.hpp"

#include <cmath>
#include <limits>

#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

ExpectedAnswer elements(AnswerKind kind, std::vector<std::uint32_t> which, std::string row = "") {
  ExpectedAnswer answer;
  answer.kind = kind;
  answer.elements = std::move(which);
  answer.row = std::move(row);
  return answer;
}

ExpectedAnswer number(AnswerKind kind, double value, double within) {
  ExpectedAnswer answer;
  answer.kind = kind;
  answer.number = value;
  answer.within = within;
  answer.dimension = 1;
  return answer;
}

ExpectedAnswer texts(AnswerKind kind, std::vector<std::string> all, std::uint32_t right = 0) {
  ExpectedAnswer answer;
  answer.kind = kind;
  answer.texts = std::move(all);
  answer.right = right;
  return answer;
}

/// "right", "wrong", or "unread" if the text is not an answer of the expected form.
std::string graded(const ExpectedAnswer& expected, const std::string& typed) {
  const auto given = read_answer(expected, typed);
  return !given ? "unread" : is_right(expected, *given) ? "right" : "wrong";
}

}  // namespace

TEST_CASE("elements are right in any order, and only all of them") {
  for (const AnswerKind kind : {AnswerKind::positions, AnswerKind::points, AnswerKind::nodes}) {
    const ExpectedAnswer expected = elements(kind, {3, 7});
    CHECK(graded(expected, "7, 3") == "right");
    CHECK(graded(expected, "3 7") == "right");
    for (const char* wrong : {"3", "3 7 8", "3 3", "3 7 7", "8 7"}) CHECK(graded(expected, wrong) == "wrong");
    for (const char* unread : {"", " ", "three", "3.5", "-3", "3;7", "99999999999"})
      CHECK(graded(expected, unread) == "unread");
  }
  CHECK(graded(elements(AnswerKind::points, {7}), "p7") == "right");
  CHECK(graded(elements(AnswerKind::nodes, {7}), "p7") == "unread");
}

TEST_CASE("an answer of another kind, row or dimension is wrong") {
  GivenAnswer given{AnswerKind::nodes, {3}, "", 0, 0, "", 0};
  CHECK_FALSE(is_right(elements(AnswerKind::points, {3}), given));
  given = {AnswerKind::cell, {3}, "tags", 0, 0, "", 0};
  CHECK(is_right(elements(AnswerKind::cell, {3}, "tags"), given));
  CHECK_FALSE(is_right(elements(AnswerKind::cell, {3}, "rank"), given));
  given = {AnswerKind::split, {}, "", 46, 0, "", 0};
  CHECK_FALSE(is_right(number(AnswerKind::split, 46, 1), given));
}

TEST_CASE("numbers are right within their difference") {
  for (const AnswerKind kind : {AnswerKind::number, AnswerKind::split}) {
    const ExpectedAnswer expected = number(kind, 46, 0.5);
    for (const char* right : {"46", "46.0", "45.5", " 46.5 ", "4.6e1"}) CHECK(graded(expected, right) == "right");
    for (const char* wrong : {"45.4", "46.6", "-46", "0"}) CHECK(graded(expected, wrong) == "wrong");
    for (const char* unread : {"x", "46 47", "nan", "inf", "46x"}) CHECK(graded(expected, unread) == "unread");
  }
  GivenAnswer given{AnswerKind::number, {}, "", std::nan(""), 0, "", 0};
  CHECK_FALSE(is_right(number(AnswerKind::number, 46, std::numeric_limits<double>::infinity()), given));
}

TEST_CASE("words are compared without case and spaces, choices by number or text") {
  const ExpectedAnswer words = texts(AnswerKind::words, {"Left subtree", "left"});
  CHECK(graded(words, "  LEFT   subtree ") == "right");
  CHECK(graded(words, "left") == "right");
  CHECK(graded(words, "leftsubtree") == "wrong");
  CHECK(graded(words, "  ") == "unread");
  const ExpectedAnswer choice = texts(AnswerKind::choice, {"less", "equal", "greater"}, 1);
  CHECK(graded(choice, "2") == "right");
  CHECK(graded(choice, "Equal") == "right");
  CHECK(graded(choice, "1") == "wrong");
  CHECK(graded(choice, "less") == "wrong");
  CHECK(graded(choice, "0") == "unread");
  CHECK(graded(choice, "4") == "unread");
  CHECK(graded(choice, "more") == "unread");
}

TEST_CASE("an answer is shown as one line") {
  CHECK(text_of(*read_answer(elements(AnswerKind::positions, {3}), "7, 3")) == "positions 7 3");
  CHECK(text_of(*read_answer(elements(AnswerKind::cell, {3}, "tags"), "7")) == "row tags, position 7");
  CHECK(text_of(*read_answer(number(AnswerKind::split, 46, 1), "4.5")) == "split 4.5 along dimension 1");
  CHECK(text_of(*read_answer(texts(AnswerKind::choice, {"a", "b"}), "b")) == "choice 2");
}
