#include "algorithms/trace/expression.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

using namespace kdscope;

namespace {

/// Steps: 0 writes tags 0 0 0 and x; 1 nothing; 2 tags 1 0 4; 3 tags 1 2 4.
std::shared_ptr<const Trace> small_trace() {
  TraceBuilder builder({});
  const auto declare = [&](const char* name, const char* label, ElementType type, Space value) {
    builder.declare({name, label, type, Space::position, value});
  };
  declare("tags", "tags", ElementType::uint32, Space::node);
  declare("x", "data[i].x", ElementType::float32, Space::coordinate);
  declare("x.rank", "rank", ElementType::uint32, Space::none);
  declare("late", "late", ElementType::uint32, Space::none);
  const auto step = [&](const char* phase) { builder.begin_step(tests::named_step({"build", phase})); };
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
      {"count(tags, tags)", "one value is expected"},
      {"any(tags)", "a condition on each element"},
      {"tags == 4", "some elements and not for others"},
      {"-tags", "one value for each element"},
      {"tags[tags]", "a condition on each element, is expected"},
      {"tags[x[0] == 1", "']' is expected"},
      {"any(tags[tags == 1] == tags)", "a selection has no indices"},
      {"sum", "'(' is expected"},
      {"cuont(tags, 0)", "did you mean count"},
      {"before(changed(tags))", "only the step before"},
      {"tags[p1]", "'tags' is by position, not by point"},
      {"tags[0] == p1", "whose values are of the kind 'node'"},
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
  const auto condition = Expression::parse("tags[0] == 1", *trace).value();
  Cursor cursor(trace);
  CHECK(step_where(condition, cursor, 1) == 2u);
  cursor.seek(2);
  CHECK(step_where(condition, cursor, 1) == 3u);
  CHECK_FALSE(step_where(condition, cursor, -1));
  cursor.seek(3);
  CHECK_FALSE(step_where(condition, cursor, 1));
  CHECK(step_where(condition, cursor, -1) == 2u);
  std::stop_source stop;
  stop.request_stop();
  CHECK_THROWS_AS(step_where(condition, Cursor(trace), 1, stop.get_token()), ErrorException);
}

TEST_CASE("expressions: a literal beside floats is the float that prints like it") {
  TraceBuilder builder({});
  builder.declare({"cost", "", ElementType::float32});
  builder.declare({"split", "", ElementType::float64, Space::position, Space::split_value});
  builder.declare({"distance", "", ElementType::float64});
  builder.declare({"mask", "", ElementType::uint64});
  builder.begin_step({});
  constexpr float tenth = 0.1F;
  builder.write("cost", TypedArray::of(std::vector<float>{tenth, -tenth, 16777216}));
  builder.write("split", TypedArray::of(std::vector<double>{tenth, 0.1, 123456789}));
  builder.write("distance", TypedArray::of(std::vector<double>{tenth, 0.1}));
  builder.write("mask", TypedArray::of(std::vector<std::uint64_t>{9223372036854775809u, 18446744073709551615u}));
  const auto trace = builder.finish();
  const auto holds = [&](const std::string& text) {
    const auto expression = Expression::parse(text, *trace);
    INFO(text << (expression ? "" : expression.error().message()));
    REQUIRE(expression);
    return expression->holds(Cursor(trace));
  };
  CHECK(holds("cost[0] == 0.1"));
  CHECK(holds("0.1 == cost[0]"));
  CHECK(holds("cost[1] == -0.1"));
  CHECK_FALSE(holds("cost[0] > 0.1"));
  CHECK(holds("count(cost, 0.1) == 1"));
  CHECK(holds("any(cost == 0.1)"));
  CHECK_FALSE(holds("cost[2] == 16777217"));  // no float prints like it
  CHECK(holds("split[0] == 0.1"));
  CHECK_FALSE(holds("split[1] == 0.1"));  // prints with all digits
  CHECK(holds("split[1] == 0.10000000000000001"));
  CHECK(holds("split[2] == 123456789"));
  CHECK_FALSE(holds("distance[0] == 0.1"));
  CHECK(holds("distance[1] == 0.1"));
  CHECK(holds("mask[0] == 9223372036854775809"));
  CHECK_FALSE(holds("mask[0] == 9223372036854775808"));
  CHECK(holds("mask[1] > 18446744073709551614"));
}

TEST_CASE("expressions: the name of an array is no function, and a function no array") {
  TraceBuilder builder({});
  for (const char* name : {"count", "max", "step"}) builder.declare({name, ""});
  builder.begin_step({});
  for (const char* name : {"count", "max", "step"})
    builder.write(name, TypedArray::of(std::vector<std::uint32_t>{5, 6}));
  const auto trace = builder.finish();
  CHECK(Expression::parse("count(count, 5) + max(max) * 10 + step[1] * 100", *trace)->value(Cursor(trace)) == 661);
}

namespace {

/// The steps of Wald's ten points at which a condition holds.
std::vector<std::uint32_t> steps_of_ten(const std::string& text) {
  const auto trace = ten_point_trace();
  const auto expression = Expression::parse(text, *trace);
  INFO(text << (expression ? "" : ": " + expression.error().message()));
  REQUIRE(expression);
  std::vector<std::uint32_t> steps;
  for (const MetStep& met : steps_where(*expression, trace)) steps.push_back(met.step);
  // Each step by itself gives the same
  Cursor cursor(trace);
  for (std::uint32_t step = cursor.step_count(); step-- > 0;) {
    cursor.seek(step);
    CHECK(expression->holds(cursor) == (std::ranges::find(steps, step) != steps.end()));
  }
  return steps;
}

}  // namespace

TEST_CASE("conditions hold at the steps of Wald's ten points that the printed states give") {
  using Steps = std::vector<std::uint32_t>;
  // Elements, and comparisons of two
  CHECK(steps_of_ten("tags[6] == 0") == Steps{0, 1});
  CHECK(steps_of_ten("tags[4] == tags[5]") == Steps{0, 1, 2, 4});
  CHECK(steps_of_ten("data[i].x[3] == 45") == Steps{2, 3});
  // Any element, and all
  CHECK(steps_of_ten("any(tags == 4)") == Steps{3, 4, 5, 6});
  CHECK(steps_of_ten("all(tags == 0)") == Steps{0});
  CHECK(steps_of_ten("all(tags <= 2)") == Steps{0, 1, 2});
  CHECK(steps_of_ten("any(tags == 2 && index == 8)") == Steps{1, 2});
  CHECK(steps_of_ten("any(data[i].x > 60 && tags == 6)") == Steps{3, 4, 5, 6});
  // Counts
  CHECK(steps_of_ten("count(tags, 0) == 1") == Steps{1, 2, 3, 4, 5, 6});
  CHECK(steps_of_ten("count(tags == 4) == 2") == Steps{3, 4});
  CHECK(steps_of_ten("count(tags == index) == 3") == Steps{3, 4, 5, 6});
  CHECK(steps_of_ten("max(tags) == 6") == Steps{3, 4});
  CHECK(steps_of_ten("sum(tags[index == 2]) == 4") == Steps{3, 4});
  CHECK(steps_of_ten("size(tags[tags == 1]) == 6") == Steps{1, 2});
  // Changes: point 2 has the tags 0, 1, 4 and 9
  CHECK(steps_of_ten("changed(tags[index == 2])") == Steps{0, 1, 3, 5});
  CHECK(steps_of_ten("changed(tags[index == p7])") == Steps{0, 1});
  CHECK(steps_of_ten("changed(index)") == Steps{0, 2, 4, 6});
  CHECK(steps_of_ten("changed(data[i].y)") == Steps{0, 2, 4, 6});
  CHECK(steps_of_ten("changed(tags[0])") == Steps{0, 1, 2});
  CHECK(steps_of_ten("changed(count(tags, 0) == 1)") == Steps{1});
  CHECK(steps_of_ten("count(tags != before(tags)) == 9") == Steps{1});
  CHECK(steps_of_ten("count(tags != before(tags)) == 7") == Steps{3, 6});
  CHECK(steps_of_ten("step > 0 && all(tags >= before(tags))") == Steps{1, 3, 5});
  // Points by name
  CHECK(steps_of_ten("index[0] == p6 && points.x[p6] == 46 && points.y[index[0]] == 63") == Steps{2, 3, 4, 5, 6});
  CHECK(steps_of_ten("count(index, P6) == 1 && points.x[p7] == 53 && step == 0") == Steps{0});
  // Elements that do not exist
  CHECK(steps_of_ten("missing(tags[10]) && !missing(tags[9]) && step < 2") == Steps{0, 1});
  CHECK(steps_of_ten("any(missing(tags))").empty());
  CHECK(steps_of_ten("tags[10] == 0 || tags[10] != 0").empty());
  CHECK(steps_of_ten("missing(before(tags[0]))") == Steps{0});
  // Steps
  CHECK(steps_of_ten("at(\"update tags\") && tags[0] == 0") == Steps{3, 5});
}

TEST_CASE("the reading of a condition names the elements and their values") {
  const auto trace = ten_point_trace();
  const auto reading = [&](const std::string& text, std::uint32_t step) {
    ExpressionWalk walk(Expression::parse(text, *trace).value(), trace);
    walk.seek(step);
    return walk.reading();
  };
  CHECK(reading("tags[6] == 0 && count(tags, 0) > 1", 0) == "tags[6] is 0, count(tags, 0) is 10");
  CHECK(reading("any(tags == 4)", 3) == "any(tags == 4) holds at 5, 6");
  CHECK(reading("any(tags == 1)", 1) == "any(tags == 1) holds at 0, 1, 2, 3 and 2 more");
  CHECK(reading("any(tags == 9)", 0) == "any(tags == 9) holds at no element");
  CHECK(reading("changed(tags[index == 2])", 3) == "changed(tags[index == 2]): 4, before 1");
  CHECK(reading("changed(tags[0])", 0) == "changed(tags[0]): 0, before missing");
  CHECK(reading("changed(tags)", 1) == "changed(tags): 9 of 10 values, first [0]: 1, before 0");
  CHECK(reading("index[0] == 6", 2) == "index[0] is p6");
  CHECK(reading("missing(tags[12])", 2) == "missing(tags[12]) is 1");
}

TEST_CASE("errors of conditions on Wald's ten points name the place and what is known") {
  const auto trace = ten_point_trace();
  const std::pair<std::string, std::vector<std::string>> refused[] = {
      {"tagz[17] == 4", {"there is no array 'tagz' in this run", "character 1", "did you mean tags"}},
      {"tags[1] == 2 && tagz[17] == 4", {"character 17", "did you mean tags"}},
      {"index[0] == p10", {"there is no point p10", "p0 to p9", "character 13"}},
      {"points[p7] == 4", {"'points' has 2 values at each index", "points.x, points.y"}},
      {"any(tags == partition.parent)", {"on the left is by position, the one on the right by node", "character 10"}},
      {"changed(tags[partition.parent == 1])", {"the condition is by node, but 'tags' by position"}},
  };
  for (const auto& [text, words] : refused) {
    const auto expression = Expression::parse(text, *trace);
    REQUIRE_FALSE(expression);
    INFO(expression.error().message());
    for (const std::string& each : words) CHECK(expression.error().message().find(each) != std::string::npos);
  }
  // The place is shown in a long text too
  const std::string far =
      "1 == 1 && 1 == 1 && 1 == 1 && 1 == 1 && 1 == 1 && 1 == 1 && 1 == 1 && 1 == 1 && tugs[0] == 1";
  const std::string message = Expression::parse(far, *trace).error().message();
  INFO(message);
  CHECK(message.find("tugs[0] == 1") != std::string::npos);
  CHECK(message.find("character 81") != std::string::npos);
}
