#include "algorithms/text/json_value.hpp"

#include <sstream>

#include "algorithms/text/json.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("JSON: values of every kind are read") {
  const JsonValue value = JsonValue::parse(
      " { \"a\" : [1, -2.5e3, true, false, null, {}, []], \"b\":\"x\\\"\\\\\\/\\n\\u0041\\u00fc\\u20ac\\ud83d\\ude00\" "
      "}\n");
  const auto& items = value.at("a").items();
  REQUIRE(items.size() == 7);
  CHECK(items[0].integer(0, 1) == 1);
  CHECK(items[1].number() == -2500);
  CHECK(items[2].boolean());
  CHECK_FALSE(items[3].boolean());
  CHECK(items[5].members().empty());
  CHECK(items[6].items().empty());
  CHECK(value.at("b").text() == "x\"\\/\nA\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80");
  CHECK(value.find("c") == nullptr);
}

TEST_CASE("JSON: what is written is read back, for every character") {
  for (int c = 0; c < 0x80; ++c) {
    const std::string text = "a" + std::string(1, static_cast<char>(c)) + "\xc3\xbc";
    std::ostringstream out;
    JsonWriter(out).value(text);
    CHECK(JsonValue::parse(out.str()).text() == text);
  }
}

TEST_CASE("JSON: texts that are none, and values of another kind, are errors") {
  const std::string deep(100, '[');
  for (const std::string& text : {std::string(),
                                  std::string("{"),
                                  std::string("[1,]"),
                                  std::string("{\"a\" 1}"),
                                  std::string("{1: 2}"),
                                  std::string("\"a"),
                                  std::string("\"\\x\""),
                                  std::string("\"\\u12\""),
                                  std::string("\"\\ud800\""),
                                  std::string("\"\xff\""),
                                  std::string("\"\n\""),
                                  std::string("nan"),
                                  std::string("inf"),
                                  std::string("1e999"),
                                  std::string("01x"),
                                  std::string("+1"),
                                  std::string("1 2"),
                                  std::string("tru"),
                                  std::string("\"\\"),
                                  deep}) {
    INFO(text);
    CHECK_THROWS_AS(JsonValue::parse(text), JsonError);
  }
  const JsonValue number = JsonValue::parse("1.5");
  CHECK_THROWS_AS(number.text(), JsonError);
  CHECK_THROWS_AS(number.items(), JsonError);
  CHECK_THROWS_AS(number.integer(0, 9), JsonError);
  CHECK_THROWS_AS(JsonValue::parse("10").integer(0, 9), JsonError);
  CHECK_THROWS_AS(JsonValue::parse("1e18").integer(0, INT64_MAX), JsonError);
  CHECK_THROWS_AS(JsonValue::parse("{}").at("a"), JsonError);
}
