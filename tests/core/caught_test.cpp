#include "algorithms/core/caught.hpp"

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("an error passes from a result into an exception, and back with all its parts") {
  const auto failing = []() -> Result<int> {
    return Error{ErrorKind::bad_input, "row 7 is short", "a.csv", "mend it"};
  };
  CHECK(caught([&] { return value_of(failing()); }).error().message() == "a.csv: row 7 is short; mend it.");
  CHECK(caught([&] { ensure(failing()); }).error().kind == ErrorKind::bad_input);
  CHECK_FALSE(caught([&]() -> Result<void> { return failing().error(); }));
  CHECK(caught([] { return 3; }).value() == 3);
  CHECK(caught([] {}));
}
