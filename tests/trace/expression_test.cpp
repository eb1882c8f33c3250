#include "algorithms/trace/expression.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

/// Steps: 0 writes tags 0 0 0 and x; 1 nothing; 2 tags 1 0 4; 3 tags 1 2 4.
std::shared_ptr<const Trace> small_trace() {
  TraceBuilder builder({});
  const auto declare = [&](const char* name, const char* label, ElementType type, Space value) {
    ArrayInfo info;
    info.name = name;
    info.label = label;
    info.type = type;
    info.value_space = value;
    builder.declare(info);
  };
  declare("tags", "tags", ElementType::uint32, Space::node);
  declare("x", "data[i].x", ElementType::float32, Space::coordinate);
  declare("x.rank", "rank", ElementType::uint32, Space::none);
  declare("late", "late", ElementType::uint32, Space::none);
  const auto step = [&](const char* phase) {
    Step made;
    made.name = phase;
    made.path = {"build", phase};
    builder.begin_step(made);
  };
  const auto write = [&](const char* name, const std::vector<std::uint32_t>& values) {
    builder.write(name, TypedArray::of(values));
  };
  step("sort");
  write("tags", {0, 0, 0});
  builder.write("x", TypedArray::of(std::vector<float>{0.5F, -2, 8}));
  write("x.rank", {1, 0, 2});
  Step checked;
  checked.name = "update tags";
  checked.path = {"build", "update tags"};
  checked.checks = {{"one", "it holds", true, ""}, {"other", "it does not", false, "so it is"}};
  builder.begin_step(checked);
  step("sort");
  write("tags", {1, 0, 4});
  write("late", {7, no_id});
  step("update tags");
  write("tags", {1, 2, 4});
  return builder.finish();
}

double at(const std::string& text, std::uint32_t step = 0) {
  const auto trace = small_trace();
  const auto expression = Expression::parse(text, *trace);
  INFO(text << (expression ? "" : ": " + expression.error().message()));
  REQUIRE(expression);
  Cursor cursor(trace);
  cursor.seek(step);
  return expression->value(cursor);
}

}  // namespace

TEST_CASE("expressions: numbers, operators and their precedence") {
  CHECK(at("1 + 2 * 3") == 7);
  CHECK(at("(1 + 2) * 3") == 9);
  CHECK(at("10 - 4 - 3") == 3);
  CHECK(at("-2 * -3") == 6);
  CHECK(at("7 % 4 / 2") == 1.5);
  CHECK(at("(1 < 2) == 1") == 1);
  CHECK(at("1 < 2 == 1") == 1);  // comparisons have one precedence, and group from the left
  CHECK(at("!0 && 2 > 1 || 0") == 1);
  CHECK(at("!(1 || 0)") == 0);
  CHECK(at("0 || 0 && 1") == 0);
  CHECK(at("2 != 2") == 0);
  CHECK(std::isnan(at("1 / 0")));
  CHECK(std::isnan(at("1 % 0")));
  CHECK(at("1e3 + .5") == 1000.5);
}

TEST_CASE("expressions: elements, by name and by label, and what does not exist") {
  CHECK(at("tags[2]", 2) == 4);
  CHECK(at("tags[0 + 1] == 2", 3) == 1);
  CHECK(at("data[i].x[1]") == -2);
  CHECK(at("x[1]") == -2);
  CHECK(at("x.rank[2]") == 2);  // no element of x
  CHECK(at("rank[0]") == 1);
  CHECK(at("x[rank[0]]") == -2);
  CHECK(std::isnan(at("tags[3]")));
  CHECK(std::isnan(at("tags[-1]")));
  CHECK(std::isnan(at("late[0]")));  // not written yet
  CHECK(at("late[0]", 2) == 7);
  CHECK(std::isnan(at("late[1]", 2)));  // missing
  CHECK(at("tags[3] == 0") == 0);
  CHECK(at("tags[3] != 0") == 0);
}

TEST_CASE("expressions: functions of arrays, and the step") {
  CHECK(at("count(tags, 0)") == 3);
  CHECK(at("count(tags, 0)", 2) == 1);
  CHECK(at("max(tags) - min(tags)", 3) == 3);
  CHECK(at("sum(data[i].x)") == 6.5);
  CHECK(at("size(tags)") == 3);
  CHECK(at("size(late)") == 0);
  CHECK(std::isnan(at("max(late)")));
  CHECK(at("max(late)", 2) == 7);
  CHECK(at("step * 2", 3) == 6);
  CHECK(at("at(\"sort\")", 2) == 1);
  CHECK(at("at(\"sort\")", 3) == 0);
  CHECK(at("violations", 1) == 1);
  CHECK(at("violations > 0", 2) == 0);
}

TEST_CASE("expressions: the example after a refusal names an array of the run") {
  auto trace = std::make_shared<Trace>(*small_trace());
  const auto refusal = [&] { return Expression::parse("1 +", *trace).error().message(); };
  CHECK(refusal().find("for example tags[17] == 4 or count(tags, 0) > 1") != std::string::npos);
  std::erase_if(trace->arrays, [](const Trace::Array& array) { return array.info.name == "tags"; });
  trace->index_arrays();
  CHECK(refusal().find("tags") == std::string::npos);
  CHECK(refusal().find("for example ") != std::string::npos);
}

TEST_CASE("expressions: what cannot be read is refused in one sentence with its place") {
  const auto trace = small_trace();
  const std::pair<std::string, std::string> refused[] = {
      {"", "character 1"},
      {"tags", "'[' is expected"},
      {"tags[0", "']' is expected"},
      {"tag[0]", "did you mean tags"},
      {"count(tags)", "',' is expected"},
      {"count(5, 1)", "an array is expected"},
      {"1 +", "a number, an array or a function"},
      {"1 2", "an operator is expected"},
      {"at(\"level 9\")", "no step of this run"},
      {"at(\"sort)", "quotation mark"},
      {std::string(500, '('), "nested too deeply"},
      {std::string(2000, '1'), "at most 1000 characters"},
  };
  for (const auto& [text, words] : refused) {
    INFO(text.substr(0, 40));
    const auto expression = Expression::parse(text, *trace);
    REQUIRE_FALSE(expression);
    CHECK(expression.error().kind == ErrorKind::bad_usage);
    CHECK(expression.error().message().find(words) != std::string::npos);
    CHECK(expression.error().message().size() < 300);
  }
}

TEST_CASE("expressions: the next step at which a condition holds, in both directions") {
  const auto trace = small_trace();
  const auto condition = Expression::parse("tags[0] == 1", *trace);
  REQUIRE(condition);
  Cursor cursor(trace);
  CHECK(step_where(*condition, cursor, 1) == 2u);
  cursor.seek(2);
  CHECK(step_where(*condition, cursor, 1) == 3u);
  CHECK_FALSE(step_where(*condition, cursor, -1));
  cursor.seek(3);
  CHECK_FALSE(step_where(*condition, cursor, 1));
  CHECK(step_where(*condition, cursor, -1) == 2u);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(step_where(*condition, Cursor(trace), 1, stop.get_token()), ErrorException);
}
