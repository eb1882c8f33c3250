#include "walkthroughs/reader/question_text.hpp"

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("a number at the start of a question's text is no list") {
  CHECK(starting_with_prose("0. Wald's builder sorts on every level.") == "0\\. Wald's builder sorts on every level.");
  CHECK(starting_with_prose("3. Backwards, 2\ntakes 4.") == "3\\. Backwards, 2\ntakes 4.");
  CHECK(starting_with_prose("1. First\n2. Second") == "1. First\n2. Second");
  for (const char* same : {"", "7", "46", "3.5 of them", "Three. Two.", ". no", "12 - 3", "0.", "12345678901. many"})
    CHECK(starting_with_prose(same) == same);
}
