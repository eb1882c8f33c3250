#include "algorithms/variants/protocol.hpp"

#include "tests/support/catch.hpp"

namespace kdscope::protocol_test {
using namespace kdscope::variants;

namespace {

BuildReport report() {
  BuildReport report;
  report.build_hashes = {0xfedcba9876543210ull, ~0ull};
  report.tree_hash = ~0ull;
  report.build_ms = {1.0 / 3, 2e-9};
  report.parameters = {{"sort", "radix"}};
  report.device = {Backend::cuda, 1, "a \"GPU\"", 1ull << 37, "detail", 132};
  report.upload_ms = 0.5, report.download_ms = 0.25, report.peak_bytes = 77, report.sort_temporary_bytes = 5;
  report.step_times = {{"build / sort", -1, "phase", 0.1, 3, 1ull << 40, 5, 2}};
  report.launches = 17, report.stepped_ms = 0.7, report.stepped_launches = 23;
  return report;
}

}  // namespace

TEST_CASE("protocol: a request comes back as it was sent, whatever it quotes") {
  ProcessRequest request;
  request.run.data = "uniform:n=10,dim=2";
  request.run.parameters = {{"sort", "radix"}, {"k", "12"}};
  request.run.algorithm = "zhou-sah";
  request.run.thin = request.run.time_steps = request.stays = true;
  request.run.trace_budget_bytes = ~0ull;
  request.run.repeat = 21;
  request.run.most_steps = 7;
  request.run.processors = -3;
  request.run.search = {{"search", "stack"}, {"k", "2"}};
  request.run.backend = Backend::cuda;
  request.run.replaced_sources = {
      {"wald/update_tags", "/home/x/my.cu", 12, "if (a < b) {\n\treturn \"#\";  // ü\n}\n"}};
  request.data_name = "a \"name\"\nof two lines: [x]";
  request.points_file = "/proc/1/fd/3 \"x\"";
  request.tool = "racecheck";
  request.fill = SharedFill{0x11, "h"};
  request.order = {LaneOrder::Kind::shuffled, 99};
  request.accesses = access_log::Wanted{{3, 4}, {5, 6}, {7, 9}, 1000, "/tmp/a \"launch\""};
  request.queries = "random-rays:n=3,seed=1";
  const std::string line = line_of(request);
  CHECK(line.find('\n') == line.size() - 1);
  const auto read = request_from(line).value();
  CHECK(read.run == request.run);
  CHECK(read.data_name == request.data_name);
  CHECK(read.queries == request.queries);
  CHECK(read.points_file == request.points_file);
  CHECK((read.stays && !read.timed));
  CHECK(read.tool == "racecheck");
  REQUIRE(read.fill);
  CHECK(read.fill->byte == 0x11);
  CHECK(read.fill->array == "h");
  CHECK(read.order == request.order);
  REQUIRE(read.accesses);
  CHECK(read.accesses->steps.begin == 3);
  CHECK(read.accesses->groups.end == 6);
  CHECK(read.accesses->lanes.end == 9);
  CHECK(read.accesses->most_accesses == 1000);
  CHECK(read.accesses->file == request.accesses->file);
  request.fill.reset(), request.accesses.reset();
  for (const LaneOrder::Kind kind : {LaneOrder::Kind::ascending, LaneOrder::Kind::descending, LaneOrder::Kind::shuffled,
                                     LaneOrder::Kind::at_once, LaneOrder::Kind::at_once_by_words}) {
    request.order = {kind, 3};
    const auto again = request_from(line_of(request)).value();
    CHECK(again.order == request.order);
    CHECK_FALSE(again.fill);
    CHECK_FALSE(again.accesses);
  }
}

TEST_CASE("protocol: lines that are no requests are errors") {
  for (const char* line : {"", "hello", "[1]", "{\"run\": {}}", "{\"stays\": 1}", "{\"run\": {\"data\": \"x\"}}",
                           "{\"order\": {\"kind\": 9, \"seed\": 1}}", "{\"order\": {\"kind\": 0}}"}) {
    INFO(line);
    REQUIRE_FALSE(request_from(line));
    CHECK(request_from(line).error().kind == ErrorKind::bad_input);
  }
}

TEST_CASE("protocol: every event comes back as it was sent") {
  for (const Event::Kind kind :
       {Event::Kind::ready, Event::Kind::step, Event::Kind::progress, Event::Kind::replaced, Event::Kind::failed,
        Event::Kind::fault, Event::Kind::built, Event::Kind::done, Event::Kind::array, Event::Kind::shared}) {
    Event event{kind, "build / level 0", {"a", "b"}, {ErrorKind::over_budget, "what", "where", "do"}, {}, true, 12};
    event.header = "compaction.hpp:45", event.lane = "block 0, lane 3";
    event.address = 0x7f1e00000200, event.element_bytes = 8, event.fraction = 0.125;
    if (kind == Event::Kind::built) event.report = report();
    if (kind == Event::Kind::fault) event.place = PlaceInArray{"tags", -3, 10, true, true};
    const auto read = event_from(line_of(event)).value();
    CHECK(read.kind == kind);
    CHECK(read.text == event.text);
    CHECK(read.names == event.names);
    CHECK(read.error.message() == event.error.message());
    CHECK(read.error.kind == ErrorKind::over_budget);
    CHECK(read.writes);
    CHECK(read.line == 12);
    CHECK(read.header == "compaction.hpp:45");
    CHECK(read.lane == "block 0, lane 3");
    CHECK(read.address == event.address);
    CHECK(read.element_bytes == 8);
    CHECK(read.fraction == 0.125);
    REQUIRE(read.report.has_value() == event.report.has_value());
    if (!read.report) continue;
    CHECK(read.report->tree_hash == report().tree_hash);
    CHECK(read.report->build_hashes == report().build_hashes);
    CHECK(read.report->build_ms == report().build_ms);
    CHECK(read.report->parameters == report().parameters);
    CHECK(read.report->device.name == report().device.name);
    CHECK(read.report->device.memory_bytes == report().device.memory_bytes);
    CHECK(read.report->peak_bytes == 77);
    REQUIRE(read.report->step_times.size() == 1);
    CHECK(read.report->step_times[0].name == "build / sort");
    CHECK(read.report->step_times[0].level == -1);
    CHECK(read.report->step_times[0].ms == 0.1);
    CHECK(read.report->step_times[0].launches == 3);
    CHECK(read.report->step_times[0].bytes_read == 1ull << 40);
    CHECK(read.report->step_times[0].bytes_written == 5);
    CHECK(read.report->step_times[0].uncounted == 2);
    CHECK(read.report->launches == 17);
    CHECK(read.report->stepped_ms == 0.7);
    CHECK(read.report->stepped_launches == 23);
    REQUIRE(read.place.has_value() == event.place.has_value());
    if (read.place) CHECK(read.place->index == -3);
    if (read.place) CHECK((read.place->released && read.place->shared));
  }
}

TEST_CASE("protocol: lines of a variant that are no events are errors") {
  for (const char* line :
       {"", "hello", "[1, 2]", "{", "{\"event\": \"dance\"}", "{\"event\": [1]}", "{\"text\": \"x\"}",
        "{\"event\": \"fault\", \"place\": {\"array\": \"a\"}}", "{\"event\": \"step\", \"line\": -1}",
        "{\"event\": \"failed\", \"error\": {\"kind\": 99, \"what\": \"\", \"where\": \"\", \"remedy\": \"\"}}",
        "{\"event\": \"built\"}", "{\"event\": \"built\", \"report\": {}}", "\xff\xfe",
        "{\"event\": \"step\", \"writes\": 3}"}) {
    INFO(line);
    const auto event = event_from(line);
    REQUIRE_FALSE(event);
    CHECK(event.error().kind == ErrorKind::bad_input);
  }
}

}  // namespace kdscope::protocol_test
