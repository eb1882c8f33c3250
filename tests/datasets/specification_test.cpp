// Tests the parser of specifications and their catalogue.

#include <set>

#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

std::string message(const std::string& specification) {
  const auto set = open_data_set(specification);
  return set ? std::string("opened ") + (*set)->name : set.error().message();
}

}  // namespace

TEST_CASE("A specification's parameters are checked, each error says what is allowed") {
  CHECK(message("uniform") == "opened uniform:n=1000,dim=3,seed=1,type=float");
  CHECK(message("uniform:") == "opened uniform:n=1000,dim=3,seed=1,type=float");
  CHECK(message("uniform:type=int32,n=5") == "opened uniform:n=5,dim=3,seed=1,type=int,range=1000000");
  CHECK(message("uniform:type=float32,n=0") == "opened uniform:n=0,dim=3,seed=1,type=float");
  CHECK(message("uniform:count=3") == "uniform: there is no parameter \"count\"; use n, dim, seed, type or range.");
  CHECK(message("wald-10:n=3") == "wald-10: there is no parameter \"n\"; it takes no parameters.");
  CHECK(message("uniform:dim=0") == "uniform: parameter dim=0 is out of range; use 1 to 512.");
  CHECK(message("uniform:dim=513") == "uniform: parameter dim=513 is out of range; use 1 to 512.");
  CHECK(message("uniform:n=2147483648") == "uniform: parameter n=2147483648 is out of range; use 0 to 2147483647.");
  CHECK(message("uniform:n=99999999999999999999") ==
        "uniform: parameter n=99999999999999999999 is out of range; use 0 to 2147483647.");
  CHECK(message("uniform:n=1e6") == "uniform: parameter n=1e6 is not a whole number; use 0 to 2147483647.");
  CHECK(message("uniform:n=") == "uniform: parameter n= is not a whole number; use 0 to 2147483647.");
  CHECK(message("uniform:n") == "uniform: \"n\" is no parameter; write key=value.");
  CHECK(message("uniform:n=1,,dim=2") == "uniform: \"\" is no parameter; write key=value.");
  CHECK(message("uniform:n=1,n=2") == "uniform: parameter n is given twice; give it once.");
  CHECK(message("uniform:type=double") == "uniform: parameter type=double is not a choice; use float or int.");
  CHECK(message("uniform:range=9") ==
        "uniform: parameter range is for int coordinates, float ones lie in 0 to 1; add type=int or leave range out.");
  CHECK(message("uniform:type=float,range=1000000") == "opened uniform:n=1000,dim=3,seed=1,type=float");
  CHECK(message("workbench:n=300001") == "workbench: parameter n=300001 is out of range; use 0 to 300000.");
}

TEST_CASE("An unknown name is answered with the nearest ones") {
  CHECK(message("unifrom:n=3") == "unifrom:n=3: there is no data set and no file of this name; try uniform.");
  CHECK(message("wald10") == "wald10: there is no data set and no file of this name; try wald-10 or wald-6.");
  CHECK(message("") ==
        "there is no data set and no file of this name; try wald-10, wald-6, sixteen, hu-10, ties-12, bracket-10, "
        "roof-10, zhou-4, zhou-8, tents-16, bunny, workbench, piston, caustic, toys, museum, robots, kitchen, "
        "fairy-forest, dragon, metal-ring, champagne, triangles, uniform, clustered, sphere, line, grid, equal or "
        "presorted.");
}

TEST_CASE("What memory cannot hold is refused before it is taken") {
  const auto set = open_data_set("uniform:n=2147483647,dim=512");
  REQUIRE(!set);
  CHECK(set.error().kind == ErrorKind::out_of_memory);
  CHECK(set.error().message().find("need 4398.1 GB of memory") != std::string::npos);
}

TEST_CASE("Every source of the catalogue opens by its id alone, with consistent parameters") {
  std::set<std::string> ids;
  for (const DataSource& source : data_sources()) {
    INFO(source.id);
    CHECK(ids.insert(source.id).second);
    CHECK(!source.title.empty());
    CHECK(!source.description.empty());
    const auto set = open_data_set(source.id).value();
    CHECK(set->points.size() > 0);
    CHECK(!set->triangles.empty() == source.has_triangles);
    CHECK(set->provenance.empty() == source.generated);
    for (const DataParameter& parameter : source.parameters) {
      CHECK(open_data_set(source.id + ":" + parameter.name + "=" + parameter.default_value));
      CHECK((parameter.name != "n" || parameter.title() != "N"));  // a form says of what
    }
  }
}

TEST_CASE("a form calls a parameter by what it counts, or by its name") {
  DataParameter parameter = integer_parameter("height", "Rows.", 480, 1, 16384);
  CHECK(parameter.title() == "Height");
  parameter.counted = "rows";
  CHECK(parameter.title() == "Rows");
}
