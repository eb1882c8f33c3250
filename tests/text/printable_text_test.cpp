// Tests texts from files as they are displayed.

#include "algorithms/text/printable_text.hpp"

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("control characters and overrides of direction are shown escaped, all other characters as they are") {
  const std::string plain = "plain \xc3\xa9 \xe2\x86\x92 \xf0\x9f\x8c\xb3 \\n";
  CHECK(printable(plain) == plain);
  CHECK(printable("\x1b]0;PWNED\x07") == "\\x1b]0;PWNED\\x07");
  CHECK(printable(std::string_view("a\0b\x7f", 4)) == "a\\x00b\\x7f");
  CHECK(printable("two\nlines\r\t") == "two\\nlines\\r\\t");
  CHECK(printable_lines("two\nlines\r\t\x1b") == "two\nlines\\r\t\\x1b");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\u009b31m");
  CHECK(printable("a\xe2\x80\xae"
                  "gpj.exe") == "a\\u202egpj.exe");
  CHECK(printable("\xe2\x81\xa6\xe2\x80\xa8") == "\\u2066\\u2028");
  CHECK(printable("\x9b"
                  "31m \xc3") == "\\x9b31m \\xc3");  // no UTF-8
  CHECK(printable("").empty());
  // Test a joined emoji, and Hebrew with a direction mark
  const std::string joined = "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac \xd7\x90\xd7\x91\xe2\x80\x8f";
  CHECK(printable(joined) == joined);
}
