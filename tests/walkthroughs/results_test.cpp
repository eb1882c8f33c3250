// Result files: what is written reads back, and every damage is refused with its reason.

#include "walkthroughs/practice/results.hpp"

#include <limits>

#include "tests/support/catch.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/some_results.hpp"

namespace kdscope::results_test {
using test::replaced;

namespace {

std::string refusal(const std::string& text) {
  const auto read = read_results(text, "anna.kdresults");
  REQUIRE_FALSE(read);
  CHECK(read.error().kind == ErrorKind::bad_input);
  CHECK(read.error().where == "anna.kdresults");
  CHECK_FALSE(read.error().remedy.empty());
  return read.error().what;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("results read back as they were written") {
  const Results results = test::some_results("Ann-Sophie \"A.\" M\xc3\xbcller");
  const std::string text = results_text(results);
  const auto read = read_results(text, "f").value();
  CHECK(read.student == results.student);
  REQUIRE(read.attempts.size() == results.attempts.size());
  for (std::size_t i = 0; i < results.attempts.size(); ++i) {
    const Attempt &a = results.attempts[i], &b = read.attempts[i];
    INFO(i);
    CHECK(a.lesson == b.lesson);
    CHECK(a.stop == b.stop);
    CHECK(a.question == b.question);
    CHECK(a.asked == b.asked);
    CHECK(a.outcome == b.outcome);
    CHECK(a.given == b.given);
    CHECK(a.hinted == b.hinted);
    CHECK(a.seconds == b.seconds);
  }
  CHECK(results_text(read) == text);
  const auto empty = read_results(results_text({"Anna", {}}), "f").value();
  CHECK(empty.attempts.empty());
}

TEST_CASE("white space and line ends may change on the way") {
  std::string text = results_text(test::some_results("Anna"));
  for (std::size_t at = 0; (at = text.find('\n', at)) != text.npos; at += 3) text.replace(at, 1, "\r\n ");
  CHECK(read_results(text, "f"));
}

TEST_CASE("a result file that is cut short is refused as such at every length") {
  const std::string text = results_text(test::some_results("Anna"));
  const std::size_t whole = text.find_last_of('}') + 1;
  for (std::size_t length = 0; length < whole; ++length) {
    INFO(length << " bytes");
    const std::string reason = refusal(text.substr(0, length));
    if (length == 0)
      CHECK(reason == "is empty");
    else if (length > 30)
      CHECK(reason == "is cut short");
  }
}

TEST_CASE("an edited result file is refused") {
  const std::string text = results_text(test::some_results("Anna"));
  for (const auto& [from, to] : {std::pair{"\"wrong\"", "\"right\""},
                                 {"\"Anna\"", "\"Hanna\""},
                                 {"\"hinted\":true", "\"hinted\":false"},
                                 {"\"elements\":[6]", "\"elements\":[7]"},
                                 {"\"number\":4", "\"number\":4.5"},
                                 {"\"seal\":\"0x", "\"seal\":\"1x"}}) {
    INFO(from);
    CHECK(contains(refusal(replaced(text, from, to)), "its seal does not match"));
  }
  // A removed line is an edit, too.
  const std::size_t first = text.find('\n') + 1, second = text.find('\n', first) + 1;
  CHECK(contains(refusal(text.substr(0, first) + text.substr(second)), "was edited or damaged"));
}

TEST_CASE("any changed byte of a result file is refused or changes only white space") {
  const Results results = test::some_results("Anna");
  const std::string text = results_text(results);
  for (std::size_t at = 0; at < text.size(); ++at)
    for (const char to :
         {' ', '0', 'x', '"', '}', static_cast<char>(text[at] ^ 1), static_cast<char>(text[at] ^ 0x80)}) {
      std::string changed = text;
      changed[at] = to;
      const auto read = read_results(changed, "f");
      if (read && results_text(*read) != text) FAIL("byte " << at << " became " << to);
    }
  SUCCEED();
}

TEST_CASE("unknown, doubled and missing members are named") {
  const std::string text = results_text(test::some_results("Anna"));
  CHECK(contains(refusal(replaced(text, "\"student\":", "\"grade\":1,\"student\":")), "an unknown member 'grade'"));
  CHECK(contains(refusal(replaced(text, "\"student\":", "\"student\":\"B\",\"student\":")), "two members 'student'"));
  CHECK(contains(refusal(replaced(text, "\"hinted\":true,", "")), "no member 'hinted'"));
  CHECK(contains(refusal(replaced(text, "\"wrong\"", "\"brilliant\"")), "an unknown outcome 'brilliant'"));
  CHECK(contains(refusal(replaced(text, "\"question\":0", "\"question\":-1")), "no integer from 0"));
  CHECK(
      contains(refusal(replaced(text, "\"kind\":\"number\"", "\"kind\":\"guess\"")), "unknown kind of answer 'guess'"));
}

TEST_CASE("editors may put a byte order mark in front of a result file") {
  const std::string text = results_text(test::some_results("Anna"));
  const auto read = read_results("\xef\xbb\xbf" + text, "f").value();
  CHECK(results_text(read) == text);
  std::string utf16 = "\xff\xfe";
  for (const char c : text) (utf16 += c) += '\0';
  CHECK(refusal(utf16) == "is in UTF-16");
}

TEST_CASE("foreign and newer files are named as such") {
  for (const char* foreign : {"student,right\nAnna,3\n", "{\"file\":\"kdscope session\"}", "{}", "\x89PNG\r\n"})
    CHECK(refusal(foreign) == "is no result file of kdscope");
  const std::string text = results_text(test::some_results("Anna"));
  CHECK(
      contains(refusal(replaced(text, "\"version\":1", "\"version\":2,\"new\":3")), "was written by a newer kdscope"));
  CHECK(contains(refusal(std::string(most_result_bytes + 1, ' ')), "too large"));
}

TEST_CASE("whatever a window collects can be written and read") {
  Results results{"Anna", {}};
  Attempt attempt;
  attempt.asked = std::string(longest_result_text - 1, 'x') + "\xe2\x86\x92";  // does not fit as a whole
  attempt.stop = "\xff broken \n\t\x01 bytes" + std::string(longest_result_text, '\xff');
  attempt.given.kind = AnswerKind::number;
  attempt.given.number = std::numeric_limits<double>::infinity();
  attempt.seconds = std::numeric_limits<std::int64_t>::max();
  results.attempts.push_back(attempt);
  attempt.given.kind = AnswerKind::positions;
  attempt.given.elements.assign(most_answered_elements + 1, 7);
  results.attempts.push_back(attempt);
  const std::string text = results_text(results);
  const auto read = read_results(text, "f").value();
  CHECK(read.attempts[0].asked == std::string(longest_result_text - 1, 'x'));
  CHECK(read.attempts[1].given.elements.size() == most_answered_elements);
  CHECK(results_text(read) == text);
}

TEST_CASE("names of students") {
  for (const char* good : {"Anna", "1234567", "M\xc3\xbcller, Ann", "\xe6\x9d\x8e"}) CHECK(check_student(good));
  for (const std::string& bad : {std::string(), std::string("   "), std::string("An\nna"), std::string("\xff"),
                                 std::string(longest_student + 1, 'a')})
    CHECK_FALSE(check_student(bad));
}

}  // namespace kdscope::results_test
