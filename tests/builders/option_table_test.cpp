// The table of a builder's parameters, and the tables of all builders.

#include "algorithms/builders/option_table.hpp"

#include "algorithms/builders/builders.hpp"
#include "algorithms/registry/registry.hpp"
#include "constructions.hpp"
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
          {"share", "Share", "How much."}, [](Options & o) -> auto& { return o.inner.share; }, 200);
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
  const Options options = table().parse({{"fruit", "apple"}, {"count", "3"}, {"width", "auto"}, {"share", "125"}});
  CHECK(options.fruit == Fruit::apple);
  CHECK(options.count == 3);
  CHECK_FALSE(options.width.chosen);
  CHECK(options.inner.share == 1.25);
  CHECK(table().text("fruit", options) == "apple");
  CHECK(table().text("width", options) == "auto");
  CHECK(table().text("share", options) == "125");
  PointSet points;
  points.dim = 1, points.words = {1, 2};
  CHECK(table().chosen("width", points, options, Backend::cpu) == "5");
  const Options chosen = table().parse({{"width", "64"}});
  CHECK((chosen.width.chosen && chosen.width == 64u));
  for (const auto& [name, wrong] : Parameters{{"fruit", "plum"}, {"count", "x"}, {"share", "1.5"}, {"width", ""}}) {
    INFO(name);
    CHECK_THROWS_AS(table().parse({{name, wrong}}), ErrorException);
  }
}

TEST_CASE("the defaults and every choice of every builder are what its options say") {
  for_each_construction([]<class Construction>(const char* id) {
    const AlgorithmSpec& spec = *find_algorithm(id);
    INFO(id);
    if constexpr (requires { Construction::option_table(); }) {
      const auto& options = Construction::option_table();
      const Parameters usual = complete_parameters(spec, {}).value();
      for (const ParameterSpec& p : spec.parameters) {
        INFO(p.name);
        CHECK(options.text(p.name, options.parse({})) == p.default_value);
        CHECK(complete_parameters(spec, {{p.name, p.default_value}}));  // it is one of the values that are allowed
        for (const Choice& choice : p.choices)
          CHECK(options.text(p.name, options.parse({{p.name, choice.value}})) == choice.value);
        if (p.choices.empty())
          for (const std::int64_t end : {p.min, p.max})
            CHECK(options.text(p.name, options.parse({{p.name, std::to_string(end)}})) == std::to_string(end));
      }
    } else {
      CHECK(spec.parameters.empty());
    }
  });
}
