// The table of a builder's parameters, and the tables of all builders.

#include "algorithms/builders/option_table.hpp"

#include "algorithms/builders/builders.hpp"
#include "algorithms/registry/registry.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

enum class Fruit : std::uint8_t { apple, pear };
struct Inner {
  double share = 0.5;
};
struct Options {
  Fruit fruit = Fruit::pear;
  std::uint32_t count = 7;
  Automatic<std::uint32_t> width;
  Inner inner;
};

OptionTable<Options> table() {
  return OptionTable<Options>()
      .choice({"fruit", "Fruit", "Which."}, &Options::fruit,
              {{"apple", "red", Fruit::apple}, {"pear", "green", Fruit::pear}})
      .integer({"count", "Count", "How many."}, &Options::count, 1, 9)
      .automatic({"width", "Width", "How wide."}, &Options::width, 1, 64,
                 [](const PointSet& points, const Options& options, Backend) {
                   return std::uint64_t(points.size()) + options.count;
                 },
                 {"2", "4"})
      .percent(
          {"share", "Share", "How much."}, [](auto& o) -> auto& { return o.inner.share; }, 200);
}

}  // namespace

TEST_CASE("a table specifies its parameters, with the members' values as defaults") {
  const std::vector<ParameterSpec> specs = table().specs();
  REQUIRE(specs.size() == 4);
  CHECK(specs[0].default_value == "pear");
  CHECK(specs[0].choices[1].help == "green");
  CHECK(specs[1].default_value == "7");
  CHECK((specs[1].min == 1 && specs[1].max == 9 && !specs[1].automatic));
  CHECK(specs[2].default_value == automatic_value);
  CHECK((specs[2].automatic && specs[2].candidates == std::vector<std::string>{"2", "4"}));
  CHECK(specs[3].default_value == "50");
}

TEST_CASE("a table turns texts into options, and back") {
  const auto parsed = [](const Parameters& given) { return table().parse("stall", given); };
  const Options options = parsed({{"fruit", "apple"}, {"count", "3"}, {"width", "auto"}, {"share", "125"}}).value();
  CHECK(options.fruit == Fruit::apple);
  CHECK(options.count == 3);
  CHECK_FALSE(options.width.chosen);
  CHECK(options.inner.share == 1.25);
  CHECK(table().text("fruit", options) == "apple");
  CHECK(table().text("width", options) == "auto");
  CHECK(table().text("share", options) == "125");
  PointSet points;
  points.dim = 1, points.words = {1, 2};
  CHECK(table().chosen("width", points, options, Backend::cpu) == 5);
  Options put = options;
  table().put("width", put, 5);
  CHECK(put.width == 5u);
  const Options chosen = parsed({{"width", "64"}}).value();
  CHECK((chosen.width.chosen && chosen.width == 64u));
  using Given = std::pair<const char*, const char*>;
  for (const auto& [name, wrong] : {Given{"fruit", "plum"},
                                    {"fruit", "auto"},
                                    {"count", "x"},
                                    {"count", "auto"},
                                    {"count", "0"},
                                    {"count", "10"},
                                    {"share", "1.5"},
                                    {"share", "-1"},
                                    {"width", ""},
                                    {"width", "4294967297"}}) {
    INFO(name << "=" << wrong);
    const auto refused = parsed({{name, wrong}});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().what == std::string(name) + " cannot be '" + wrong + "'");
  }
  CHECK(parsed({{"count", "10"}}).error().remedy == "give an integer from 1 to 9");
  CHECK(parsed({{"width", "0"}}).error().remedy == "give auto or an integer from 1 to 64");
  CHECK(parsed({{"fruit", "plum"}}).error().remedy == "choose apple or pear");
  const Error unknown = parsed({{"colour", "red"}}).error();
  CHECK(unknown.what == "stall has no parameter 'colour'");
  CHECK(unknown.remedy == "its parameters are fruit, count, width or share");
  // The registry allows these values.
  CHECK(parsed({{"share", "-0"}})->inner.share == 0);
  CHECK(parsed({{"count", "007"}})->count == 7);
}

TEST_CASE("typed options have their record and the texts of all parameters") {
  const auto typed = table().typed("stall", {{"count", "007"}, {"fruit", "apple"}});
  REQUIRE(typed);
  CHECK(typed->as<Options>().count == 7);
  CHECK(typed->as<Options>().fruit == Fruit::apple);
  CHECK(typed->texts() == Parameters{{"count", "7"}, {"fruit", "apple"}, {"share", "50"}, {"width", "auto"}});
  CHECK_THROWS_AS(typed->as<Inner>(), std::bad_any_cast);
}

TEST_CASE("an automatic number is read once it is chosen") {
  const Automatic<std::uint32_t> open, chosen = 3u;
  CHECK_THROWS_AS(open + 1u, std::logic_error);
  CHECK(chosen + 1u == 4u);
}

TEST_CASE("a table refuses a row that contradicts itself") {
  struct Narrow {
    std::uint8_t byte = 7;
    Fruit fruit = Fruit::pear;
    Automatic<std::uint32_t> width;
  };
  using Table = OptionTable<Narrow>;
  const auto choose = [](const PointSet&, const Narrow&, Backend) { return std::uint64_t(2); };
  const ParameterText byte{"byte", "", ""}, fruit{"fruit", "", ""}, width{"width", "", ""};
  CHECK(Table()
            .integer(byte, &Narrow::byte, 7, 255)
            .choice(fruit, &Narrow::fruit, {{"pear", "", Fruit::pear}})
            .automatic(width, &Narrow::width, 1, 64, choose, {"64"})
            .specs()
            .size() == 3);
  // Defaults below, above and outside the permitted values.
  CHECK_THROWS_AS(Table().integer(byte, &Narrow::byte, 8, 9), std::logic_error);
  CHECK_THROWS_AS(Table().integer(byte, &Narrow::byte, 1, 6), std::logic_error);
  CHECK_THROWS_AS(Table({.width = 65u}).automatic(width, &Narrow::width, 1, 64, choose), std::logic_error);
  CHECK_THROWS_AS(Table().choice(fruit, &Narrow::fruit, {{"apple", "", Fruit::apple}}), std::logic_error);
  CHECK_THROWS_AS(Table().choice(fruit, &Narrow::fruit, {}), std::logic_error);
  // Values that the member cannot hold, or cannot distinguish.
  CHECK_THROWS_AS(Table().integer(byte, &Narrow::byte, 1, 256), std::logic_error);
  CHECK_THROWS_AS(Table().choice(fruit, &Narrow::fruit, {{"pear", "", Fruit::pear}, {"green", "", Fruit::pear}}),
                  std::logic_error);
  CHECK_THROWS_AS(Table().choice(fruit, &Narrow::fruit, {{"pear", "", Fruit::pear}, {"pear", "", Fruit::apple}}),
                  std::logic_error);
  // A candidate out of range, no chooser, a duplicate name.
  CHECK_THROWS_AS(Table().automatic(width, &Narrow::width, 1, 64, choose, {"65"}), std::logic_error);
  CHECK_THROWS_AS(Table().automatic(width, &Narrow::width, 1, 64, nullptr), std::logic_error);
  CHECK_THROWS_AS(Table().integer(byte, &Narrow::byte, 1, 9).integer(byte, &Narrow::byte, 1, 9), std::logic_error);
}

TEST_CASE("an integer may be written in any way that the registry allows") {
  const auto data = std::make_shared<DataSet>();
  data->points.dim = 2;
  for (std::uint32_t i = 0; i < 100; ++i)
    for (const std::uint32_t c : {i * i % 37, i * 7 % 41}) data->points.words.push_back(word_of(static_cast<float>(c)));
  const auto hash = [&](const char* empty, const char* small) {
    return build({{}, "zhou-vvh", {{"empty", empty}, {"small", small}}, Backend::cpu, false, data}).value().tree_hash;
  };
  CHECK(hash("-0", "08") == hash("0", "8"));
}

TEST_CASE("the defaults and every choice of every builder are what its options say") {
  for (const Builder* builder : builders()) {
    INFO(builder->spec.id);
    const auto text = [&](const std::string& name, const Parameters& given) {
      return builder->parse(given).value().texts().at(name);
    };
    for (const ParameterSpec& p : builder->spec.parameters) {
      INFO(p.name);
      CHECK(text(p.name, {}) == p.default_value);
      CHECK(text(p.name, {{p.name, p.default_value}}) == p.default_value);
      for (const Choice& choice : p.choices) CHECK(text(p.name, {{p.name, choice.value}}) == choice.value);
      if (p.choices.empty())
        for (const std::int64_t end : {p.min, p.max})
          CHECK(text(p.name, {{p.name, std::to_string(end)}}) == std::to_string(end));
    }
  }
}
