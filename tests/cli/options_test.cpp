// Tests the command-line parser, its help, and the JSON writer.

#include <cmath>
#include <limits>
#include <sstream>

#include "algorithms/text/json.hpp"
#include "app/arguments/arguments.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/cli/json_reader.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::cli;
using namespace kdscope::tests;

namespace {

const CommandSpec spec{"cook",
                       "cooks",
                       "Cooks a meal.",
                       {{"MEAL", "What to cook."}, {"DRINK", "With what.", false}},
                       {{"--salt", "GRAMS", "How much.", false, false},
                        {"--guest", "NAME", "Who comes.", false, true},
                        {"--hot", "", "Heat it."},
                        {"-o", "FILE", "Where.", false, false}},
                       {"cook soup"},
                       "kdscope-cli"};

std::string usage_error(const std::vector<std::string>& words) {
  const auto arguments = parse_arguments(spec, words);
  REQUIRE_FALSE(arguments.has_value());
  REQUIRE(arguments.error().kind == ErrorKind::bad_usage);
  return arguments.error().message();
}

}  // namespace

TEST_CASE("options and operands are told apart") {
  const auto a =
      parse_arguments(spec, {"--salt=2K", "soup", "--guest", "Ann", "--hot", "--guest=B=C", "-o", "-", "--", "--tea"})
          .value();
  REQUIRE(*a.integer("--salt", 0, 0, 5000) == 2000);
  REQUIRE(*a.integer("--salt", 0, 0, 5000, true) == 2048);
  REQUIRE(a.all("--guest") == std::vector<std::string>{"Ann", "B=C"});
  REQUIRE(a.has("--hot"));
  REQUIRE(a.text("-o") == "-");
  REQUIRE(a.operand(0) == "soup");
  REQUIRE(a.operand(1) == "--tea");
  REQUIRE(*parse_arguments(spec, {"soup"})->integer("--salt", 7, 0, 10) == 7);
  REQUIRE(parse_arguments(spec, {"soup"})->operand(1).empty());
}

TEST_CASE("wrong command lines are explained") {
  REQUIRE(contains(usage_error({}), "cook needs MEAL"));
  REQUIRE(contains(usage_error({"soup", "tea", "cake"}), "'cake' is one word too many"));
  REQUIRE(contains(usage_error({"soup", "--slat", "3"}), "did you mean --salt?"));
  REQUIRE(contains(usage_error({"soup", "--zzzzzzzzz"}), "cook has no option --zzzzzzzzz; see"));
  REQUIRE(contains(usage_error({"soup", "--salt"}), "--salt needs a value: --salt GRAMS"));
  REQUIRE(contains(usage_error({"soup", "--salt", "1", "--salt", "2"}), "--salt is given twice"));
  REQUIRE(contains(usage_error({"soup", "--hot=yes"}), "--hot takes no value"));
  REQUIRE(contains(usage_error({"soup", "--salt", ""}), "--salt needs a value"));
  for (const char* text : {"x", "-1", "1.5", "3KB", "99999999999999999999", "11", "1G"}) {
    const auto a = parse_arguments(spec, {"soup", "--salt", text});
    REQUIRE_FALSE(a->integer("--salt", 0, 0, 10).has_value());
  }
  REQUIRE(contains(parse_arguments(spec, {"soup", "--salt", "11"})->integer("--salt", 0, 1, 10).error().message(),
                   "integer from 1 to 10"));
}

TEST_CASE("help names every operand, option and example") {
  const std::string help = help_text(spec);
  for (const char* part : {"cook MEAL [DRINK]", "Cooks a meal.", "--salt GRAMS", "How much.", "--hot\n", "-o FILE",
                           "May be given several times", "kdscope-cli cook soup"})
    REQUIRE(contains(help, part));
}

TEST_CASE("JSON is well-formed whatever it holds") {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  json.member("quotes \" \\ / \n\t\x01\x7f", "a\"b\\c\nd\x02");
  json.member("utf8", "Größe – 漢 🌲");
  json.member("broken utf8", std::string("a\xff\xc0\x80\xed\xa0\x80z"));
  json.member("numbers", std::vector<double>{0, -0.0, 1.5, 1e300, 1e-7});
  json.member("infinite", std::numeric_limits<double>::infinity());
  json.member("nan", std::nan(""));
  json.member("large", std::uint64_t{18446744073709551615ull});
  json.member("negative", -3);
  json.member("yes", true);
  json.key("empty");
  json.begin_array();
  json.end_array();
  json.key("nested");
  json.begin_array();
  json.begin_object();
  json.end_object();
  json.value(nullptr);
  json.number_text("0.1");
  json.number_text("-inf");
  json.end_array();
  json.end_object();
  const Json read = JsonReader::read(out.str());
  REQUIRE(read["quotes \" \\ / \n\\u0009\\u0001\\u007f"].text == "a\"b\\c\nd\\u0002");
  REQUIRE(read["utf8"].text == "Größe – 漢 🌲");
  REQUIRE(read["broken utf8"].text == "a\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffdz");
  REQUIRE(read["numbers"].list[3].number == 1e300);
  REQUIRE(read["infinite"].kind == Json::Kind::null);
  REQUIRE(read["nan"].kind == Json::Kind::null);
  REQUIRE(contains(out.str(), "18446744073709551615"));
  REQUIRE(read["nested"].list.size() == 4);
  REQUIRE(read["nested"].list[3].text == "-inf");
}
