// Members of JSON objects as the writer writes them.

#include "algorithms/text/json.hpp"

#include <sstream>

#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("json: objects and lists of objects are members, and what has no value is null") {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  json.member("none", std::optional<int>());
  json.member("some", std::optional<std::string>("text"));
  json.member("names", std::map<std::string, std::string>{{"b", "2"}, {"a", "\"1\""}});
  json.object("inner", [&] { json.member("truth", true); });
  json.objects("rows", std::vector<int>{7, 8}, [&](int row) { json.member("row", row); });
  json.objects("empty", std::vector<int>(), [&](int) {});
  json.end_object();
  CHECK(out.str() == R"({"none":null,"some":"text","names":{"a":"\"1\"","b":"2"},"inner":{"truth":true},)"
                     R"("rows":[{"row":7},{"row":8}],"empty":[]})");
}
