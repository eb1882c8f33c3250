// Tests that stops are resolved, and claims checked, against a small hand-written trace.

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "walkthroughs/reader/lesson.hpp"

using namespace kdscope;

namespace {

/// Returns two levels of sort and update tags over four float points.
std::shared_ptr<const Trace> small_trace() {
  TraceBuilder builder(tests::header_of(4, 1));
  for (const char* name : {"tags", "index"}) builder.declare({name, ""});
  builder.declare({points_array, "", ElementType::float32});
  builder.declare(tests::gathered_row("data[i].x", "", ElementType::float32, Gather{points_array, "index", 0}));
  const auto step = [&](const char* level, const char* name) {
    builder.begin_step(tests::named_step({"build", level, name}));
  };
  step("level 0", "sort");
  builder.write(points_array, TypedArray::of(std::vector<float>{0.1f, -2, 3.5f, 7}));
  builder.write("index", TypedArray::of(std::vector<std::uint32_t>{1, 0, 2, 3}));
  builder.write("tags", TypedArray::of(std::vector<std::uint32_t>{0, 0, 0, 0}));
  step("level 0", "update tags");
  builder.write("tags", TypedArray::of(std::vector<std::uint32_t>{1, 1, 0, 2}));
  step("level 1", "sort");
  builder.write("index", TypedArray::of(std::vector<std::uint32_t>{2, 1, 0, 3}));
  builder.write("tags", TypedArray::of(std::vector<std::uint32_t>{0, 1, 1, 2}));
  return builder.finish();
}

Lesson lesson_with(Stop stop) {
  Lesson lesson;
  lesson.path = "w/l.md";
  stop.title = "Here";
  stop.line = 12;
  lesson.stops = {std::move(stop)};
  return lesson;
}

Stop claiming(std::string select, std::string row, std::vector<std::string> values, bool whole = true) {
  Stop stop;
  stop.select = std::move(select);
  stop.shows = {{std::move(row), std::move(values), whole, 15}};
  return stop;
}

}  // namespace

TEST_CASE("a stop is one step, by path or by occurrence") {
  const auto trace = small_trace();
  Stop stop;
  stop.select = "level 1 / sort";
  CHECK(resolve_stops(lesson_with(stop), *trace).value() == std::vector<std::uint32_t>{2});
  stop.select = "sort";
  stop.occurrence = 2;
  CHECK(resolve_stops(lesson_with(stop), *trace).value() == std::vector<std::uint32_t>{2});

  stop.occurrence = 0;
  const auto ambiguous = resolve_stops(lesson_with(stop), *trace);
  REQUIRE_FALSE(ambiguous);
  CHECK(ambiguous.error().message() ==
        "w/l.md:12: stop 'Here' selects 'sort', which matches 2 steps: 'build / level 0 / sort', 'build / level 1 / "
        "sort'; select one of them, or name it with occurrence.");
  stop.occurrence = 3;
  const auto beyond = resolve_stops(lesson_with(stop), *trace);
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().what.find("occurrence 3, and only 2 steps match") != std::string::npos);
  stop.occurrence = 0;
  stop.select = "level 2 / sort";
  const auto nowhere = resolve_stops(lesson_with(stop), *trace);
  REQUIRE_FALSE(nowhere);
  CHECK(nowhere.error().what.find("matches no step") != std::string::npos);
  CHECK_FALSE(check_claims(lesson_with(stop), trace));
}

TEST_CASE("true claims hold, for stored and derived rows, whole and in part") {
  const auto trace = small_trace();
  CHECK(check_claims(lesson_with(claiming("level 0 / update tags", "tags", {"1", "1", "0", "2"})), trace));
  CHECK(check_claims(lesson_with(claiming("level 0 / update tags", "tags", {"1", "1"}, false)), trace));
  CHECK(check_claims(lesson_with(claiming("level 0 / update tags", "data[i].x", {"-2", "0.10", "3.5", "7.0"})), trace));
  CHECK(check_claims(lesson_with(claiming("level 1 / sort", "data[i].x", {"3.5", "-2", "0.1", "7"})), trace));
}

TEST_CASE("a claim that the trace contradicts names stop, line, row, index and both values") {
  const auto trace = small_trace();
  const auto error_of = [&](Stop stop) {
    const auto held = check_claims(lesson_with(std::move(stop)), trace);
    REQUIRE_FALSE(held);
    CHECK(held.error().kind == ErrorKind::failed_check);
    return held.error().message();
  };
  CHECK(error_of(claiming("level 1 / sort", "tags", {"0", "1", "2", "2"})) ==
        "w/l.md:15: stop 'Here' claims 2 at index 2 of row 'tags', the trace has 1; the stop is at step 2, build / "
        "level 1 / sort.");
  CHECK(error_of(claiming("level 1 / sort", "data[i].x", {"3.5", "-2", "0.2"}, false))
            .find("claims 0.2 at index 2 of row 'data[i].x', the trace has 0.1") != std::string::npos);
  CHECK(error_of(claiming("level 1 / sort", "tags", {"0", "1", "1x", "2"})).find("claims 1x") != std::string::npos);
  CHECK(error_of(claiming("level 1 / sort", "tags", {"0", "1", "1"}))
            .find("claims 3 values in row 'tags', the trace has 4") != std::string::npos);
  CHECK(error_of(claiming("level 1 / sort", "tags", {"0", "1", "1", "2", "2"}, false)).find("claims 5 values") !=
        std::string::npos);
  CHECK(error_of(claiming("level 1 / sort", "tag", {"0"})).find("row 'tag', which the trace does not have") !=
        std::string::npos);
  Stop stop = claiming("level 1 / sort", "tags", {"0"}, false);
  stop.highlights = {{Role::pivot, Space::position, {{3, 5}}, {}}};
  CHECK(error_of(stop).find("highlights position 4, the trace has 4 points") != std::string::npos);
  stop.highlights = {{Role::pivot, Space("outer"), {{0, 1}}, {}}};
  CHECK(error_of(stop).find("highlights space 'outer', to which no array of the trace refers") != std::string::npos);
  stop.highlights.clear();
  stop.marks = {{MarkShape::points, {{1, 2, 3, 4, 5}}, 0, {}, MarkInk::plain, false}};
  CHECK(error_of(stop).find("marks a place of 5 coordinates, the points have ") != std::string::npos);
}
