// JSON texts of pages read back as what the page shows, for every character.

#include "visualizer/web/baked_text.hpp"

#include "algorithms/text/json_value.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("every character of a text reaches a page, alone and among plain ones") {
  CHECK(json_text("") == "\"\"");
  CHECK(json_text("plain") == "\"plain\"");
  CHECK(json_text("\"\\") == R"("\"\\")");
  for (int code = 0; code < 256; ++code)
    for (const std::string& text :
         {std::string(1, static_cast<char>(code)), "a" + std::string(1, static_cast<char>(code)) + "b"}) {
      INFO(code);
      CHECK(JsonValue::parse(json_text(text)).text() == printable_lines(text));
    }
}
