#include "algorithms/text/csv.hpp"

#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

/// The values of a row; one text "refused" if it is refused.
std::vector<std::string> values_of(std::string_view row) {
  std::vector<CsvField> fields;
  if (!split_csv_row(row, fields)) return {"refused"};
  std::vector<std::string> values;
  for (const CsvField& field : fields) values.push_back(field.value());
  return values;
}

using Values = std::vector<std::string>;

}  // namespace

TEST_CASE("rows of CSV quote what has to be quoted, and numbers keep their digits") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
  std::string text;
  CsvWriter csv(text);
  csv << ""
      << "a,b" << 0.1f << 16777217.0 << -3 << std::string("x\ny");
  csv.end_row();
  csv << 1.0 / 3;
  csv.end_row();
  CHECK(text == ",\"a,b\",0.1,16777217,-3,\"x\ny\"\n0.3333333333333333\n");
}

TEST_CASE("rows of CSV are split at commas outside of quotes") {
  CHECK(values_of("") == Values{""});
  CHECK(values_of("a,,c") == Values{"a", "", "c"});
  CHECK(values_of("a,") == Values{"a", ""});
  CHECK(values_of(",") == Values{"", ""});
  CHECK(values_of("\"a,b\",c") == Values{"a,b", "c"});
  CHECK(values_of("\"say \"\"x\"\"\",\"\"") == Values{"say \"x\"", ""});
  CHECK(values_of("\"\"\"\"") == Values{"\""});
  CHECK(values_of(" a , b") == Values{" a ", " b"});
  for (const char* damaged : {"\"a", "\"a\"b", "a\"b", "a,\"", "\"a\"\"", "\"a\" ,b"}) {
    INFO(damaged);
    CHECK(values_of(damaged) == Values{"refused"});
  }
}

TEST_CASE("what is written as a row is read as the same row") {
  const Values values{"", "a,b", "\"", "\"\"", "x\"y", " blank ", "line\nend", "\r", ","};
  std::string text;
  CsvWriter csv(text);
  for (const std::string& value : values) csv << value;
  csv.end_row();
  REQUIRE(text.ends_with('\n'));
  CHECK(values_of(std::string_view(text).substr(0, text.size() - 1)) == values);
}
