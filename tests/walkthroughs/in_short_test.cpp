#include "walkthroughs/reader/in_short.hpp"

#include "tests/support/catch.hpp"

namespace kdscope {
namespace {

TEST_CASE("in short: a class reads two sentences and the tables") {
  CHECK(in_short("One. Two! Three?") == "One. Two!");
  CHECK(in_short("One sentence only") == "One sentence only");
  CHECK(in_short("First *one.* Then `a.b c. d` counts.\n\nThird.") == "First *one.* Then `a.b c. d` counts.");
  CHECK(in_short("First.\n\nSecond, i.e. the last. Third.") == "First.\n\nSecond, i.e. the last.");
  CHECK(in_short("The rank is 2.5 here. Second. Third.") == "The rank is 2.5 here. Second.");
  CHECK(in_short("One. Two. Three.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nFour.") ==
        "One. Two.\n\n| a | b |\n|---|---|\n| 1 | 2 |");
  CHECK(in_short("- a list\n- alone") == "- a list\n- alone");  // nothing else to read
  CHECK(in_short("Prose.\n\n```\ncode. More. Code.\n\nStill code.\n```\n\nLast one. No.") == "Prose.\n\nLast one.");
  CHECK(in_short("").empty());
}

}  // namespace
}  // namespace kdscope
