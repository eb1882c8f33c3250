#include "algorithms/text/similar_names.hpp"

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("the nearest name is a slip or a beginning away") {
  const std::vector<std::string> names{"record", "show", "verify"};
  REQUIRE(nearest_name("recrod", names) == "record");
  REQUIRE(nearest_name("ver", names) == "verify");
  REQUIRE(nearest_name("shwo", names) == "show");
  REQUIRE(nearest_name("banana", names).empty());
}
