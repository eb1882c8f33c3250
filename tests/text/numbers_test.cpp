#include "algorithms/text/numbers.hpp"

#include "algorithms/text/counts.hpp"
#include "algorithms/text/quotes.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("numbers are written exactly for files and shortly for people") {
  CHECK(shortest(0.1F) == "0.1");
  CHECK(shortest(3.000000238418579) == "3.000000238418579");
  CHECK(shortest(-7) == "-7");
  CHECK(short_number(3.14159265) == "3.1416");
  CHECK(short_number(1234567) == "1234567");
  CHECK(short_number(123456.7) == "123457");
  CHECK(short_number(-0.0) == "0");
  CHECK(short_number(1e9) == "1e+09");
  CHECK(table_number(1e12) == "1000000000000");
  CHECK(table_number(0.125) == "0.125");
  CHECK(table_number(1234567.5) == "1234567.5");  // six digits would be another number
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(hash_text(0x1f) == "0x000000000000001f");
}

TEST_CASE("amounts have a unit that fits") {
  CHECK(duration_text(1.2345) == "1.234 ms");
  CHECK(duration_text(12.345) == "12.35 ms");
  CHECK(duration_text(123.45) == "123.5 ms");
  CHECK(duration_text(12'345) == "12.35 s");
  CHECK(bytes_text(1023) == "1023 bytes");
  CHECK(bytes_text(1024) == "1.0 KiB");
  CHECK(bytes_text(3ull << 29) == "1.5 GiB");
  CHECK(bytes_text(5000ull << 40) == "5000.0 TiB");
  CHECK(count_text(1, "point", "points") == "1 point");
  CHECK(count_text(0, "point", "points") == "0 points");
  CHECK(count_text(8100, "point", "points") == "8,100 points");
}

TEST_CASE("quotes keep what they hold apart from the text around it") {
  CHECK(quoted("wald") == "'wald'");
  CHECK(excerpt("1.5\x01") == "\"1.5?\"");
  CHECK(excerpt(std::string(30, 'a')) == "\"" + std::string(24, 'a') + "...\"");
}
