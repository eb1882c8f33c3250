// Tests the permitted exports, and tables as CSV, without a window.

#include <charconv>
#include <cmath>
#include <sstream>

#include "app/command_line/command_line.hpp"
#include "app/recording/run.hpp"
#include "app/recording/table_csv.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/point_algorithms.hpp"

namespace kdscope::export_test {

namespace {

std::shared_ptr<const Trace> small_run(const std::string& algorithm,
                                       const std::string& data = "uniform:n=50,dim=2,seed=3") {
  return record_run({data, algorithm, {}}).value().trace;
}

std::string csv(const Cursor& cursor, Space space) {
  std::string text;
  const auto written = write_csv(cursor, space, [&](std::string_view part) { return text += part, true; });
  REQUIRE(written);
  return text;
}

std::vector<std::vector<std::string>> fields_of(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    REQUIRE_FALSE(line.ends_with('\r'));
    lines.emplace_back();
    std::string field;
    bool quoted = false;
    for (const char c : line) {
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        lines.back().push_back(std::exchange(field, {}));
      else
        field += c;
    }
    lines.back().push_back(field);
  }
  return lines;
}

ExportRequest request_for(const Trace& trace, ExportWhat what, ExportFormat format) {
  ExportRequest request;
  request.what = what;
  request.format = format;
  request.path = "out." + std::string(name_of(format));
  request.last = static_cast<std::uint32_t>(trace.steps.size() - 1);
  return request;
}

}  // namespace

TEST_CASE("every element of every table is in its CSV, and reads back as the same value, for every algorithm") {
  for (const AlgorithmSpec& spec : test::point_algorithms()) {
    INFO(spec.id);
    const auto trace = small_run(spec.id);
    Cursor cursor(trace);
    for (const std::uint32_t step : {0u, cursor.step_count() / 2, cursor.step_count() - 1}) {
      cursor.seek(step);
      for (const Space space : export_tables(*trace)) {
        std::uint64_t lines = 0, columns = 1;
        for (const Trace::Array& array : trace->arrays) {
          if (array.info.index_space != space || (array.info.gather && (!cursor.array(array.info.gather->source) ||
                                                                        !cursor.array(array.info.gather->through))))
            continue;
          const std::uint64_t size = cursor.row_size(array.info.name),
                              wide = array.info.gather ? 1 : array.info.components;
          if (!array.info.gather && !cursor.array(array.info.name)) continue;
          lines = std::max(lines, size / wide);
          columns += wide;
        }
        if (columns == 1) continue;
        const auto table = fields_of(csv(cursor, space));
        INFO("step " << step << ", table of " << name_of(space));
        REQUIRE(table.size() == lines + 1);
        REQUIRE(table.front().size() == columns);
        std::size_t column = 1;
        for (const Trace::Array& array : trace->arrays) {
          if (array.info.index_space != space || (array.info.gather && (!cursor.array(array.info.gather->source) ||
                                                                        !cursor.array(array.info.gather->through))))
            continue;
          if (!array.info.gather && !cursor.array(array.info.name)) continue;
          const std::uint32_t wide = array.info.gather ? 1 : array.info.components;
          for (std::uint64_t i = 0; i < cursor.row_size(array.info.name); ++i) {
            const std::string& field = table[1 + i / wide][column + i % wide];
            double value = 0;
            const auto read = std::from_chars(field.data(), field.data() + field.size(), value);
            REQUIRE(read.ec == std::errc());
            const double recorded = cursor.number(array.info.name, i);
            REQUIRE((std::isnan(recorded) ? std::isnan(value) : value == Approx(recorded).epsilon(1e-7)));
            REQUIRE(field == cursor.text(array.info.name, i));
          }
          column += wide;
        }
      }
    }
  }
}

TEST_CASE("a large table is streamed in parts, tells how far it is, and stops on request") {
  const auto recording = record_run({"uniform:n=200000,dim=1,seed=1", "brown", {}, Backend::automatic, true}).value();
  const auto trace = recording.trace;
  Cursor cursor(trace);
  cursor.seek(cursor.step_count() - 1);
  std::size_t parts = 0, largest = 0;
  double last = 0;
  std::stop_source stop;
  RunControl control{stop.get_token(), [&](double fraction, std::string_view) {
                       CHECK(fraction >= last);
                       last = fraction;
                     }};
  const auto count = [&](std::string_view part) {
    ++parts;
    largest = std::max(largest, part.size());
    return true;
  };
  REQUIRE(write_csv(cursor, Space::position, count, control));
  CHECK(parts > 5);
  CHECK(largest < 300000);
  CHECK(last > 0.5);
  stop.request_stop();
  const auto stopped = write_csv(cursor, Space::position, count, control);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
  const auto full = write_csv(cursor, Space::position, [](std::string_view) { return false; });
  REQUIRE_FALSE(full);
  CHECK(full.error().kind == ErrorKind::io_failure);
}

TEST_CASE("what cannot be exported is refused with what can") {
  const auto trace = small_run("brown");
  const auto refused = [&](ExportRequest request) {
    const auto possible = check(request, *trace);
    REQUIRE_FALSE(possible);
    return possible.error().message();
  };
  for (const ExportWhat what : {ExportWhat::view, ExportWhat::tree, ExportWhat::partition, ExportWhat::coordinates,
                                ExportWhat::table, ExportWhat::page, ExportWhat::handout})
    for (const ExportFormat format : formats_of(what)) CHECK(check(request_for(*trace, what, format), *trace));
  using enum ExportFormat;
  CHECK(refused(request_for(*trace, ExportWhat::view, svg)).find("png, gif, mp4 or webm") != std::string::npos);
  CHECK(refused(request_for(*trace, ExportWhat::table, html)).find("csv, svg, pdf, png") != std::string::npos);
  CHECK(refused(request_for(*trace, ExportWhat::page, pdf)).find("choose html") != std::string::npos);
  ExportRequest request = request_for(*trace, ExportWhat::tree, png);
  request.last = 1000;
  CHECK(refused(request).find("steps 0 to ") != std::string::npos);
  request = request_for(*trace, ExportWhat::view, png);
  request.width = 7680, request.height = 4320;
  CHECK(check(request, *trace));
  request.width = 7681;
  CHECK(refused(request).find("7680 x 4320") != std::string::npos);
  request.format = mp4;
  CHECK(refused(request).find("3840 x 2160") != std::string::npos);
  request = request_for(*trace, ExportWhat::view, mp4);
  request.steps_per_second = 60, request.frames_per_step = 60;
  CHECK(refused(request).find("3600 frames per second") != std::string::npos);
  request = request_for(*trace, ExportWhat::table, csv);
  request.table = Space::dimension;
  CHECK(refused(request).find("position") != std::string::npos);
  request.path.clear();
  CHECK(refused(request).find("no file") != std::string::npos);
}

TEST_CASE("films hold the stops of a lesson longer; a GIF has one frame per step") {
  const auto trace = small_run("brown");
  ExportRequest request = request_for(*trace, ExportWhat::tree, ExportFormat::mp4);
  request.first = 2, request.last = 6;
  const std::vector<std::uint32_t> stops{0, 3, 6};
  CHECK(frames_of(request, stops) == std::vector<int>{5, 15, 5, 5, 15});
  request.frames_per_stop = 8;
  CHECK(frames_of(request, stops) == std::vector<int>{5, 8, 5, 5, 8});
  CHECK(frame_rate(request) == 5);
  request.format = ExportFormat::gif;
  CHECK(frames_of(request, stops) == std::vector<int>{1, 2, 1, 1, 2});
  CHECK(frame_rate(request) == 1);
}

TEST_CASE("files of several steps are numbered; films and PDF documents hold them all") {
  ExportRequest request;
  request.path = "/tmp/a.b/tree.svg", request.format = ExportFormat::svg;
  request.first = 9, request.last = 11;
  CHECK(files_of(request) ==
        std::vector<std::string>{"/tmp/a.b/tree-009.svg", "/tmp/a.b/tree-010.svg", "/tmp/a.b/tree-011.svg"});
  request.last = 9;
  CHECK(files_of(request) == std::vector<std::string>{"/tmp/a.b/tree.svg"});
  request.last = 11, request.format = ExportFormat::pdf;
  CHECK(files_of(request).size() == 1);
}

TEST_CASE("the command line says what --render exports") {
  const auto trace = small_run("brown");
  const auto last = static_cast<std::uint32_t>(trace->steps.size() - 1);
  const auto parsed = [&](std::vector<std::string> arguments) {
    const auto line = parse_command_line(arguments).value();
    return completed(line.exported, line.render, *trace);
  };
  ExportRequest request = parsed({"--render", "pictures"});
  CHECK(request.path == "pictures/step.png");
  CHECK((request.what == ExportWhat::view && request.first == 0 && request.last == last));
  request = parsed({"--render", "a.svg"});
  CHECK((request.what == ExportWhat::partition && request.first == last && request.last == last));
  request = parsed({"--render", "a.html"});
  CHECK((request.what == ExportWhat::page && request.first == 0 && request.last == last));
  CHECK(files_of(request) == std::vector<std::string>{"a.html"});
  request = parsed({"--render", "a.pdf", "--what", "handout", "--answers", "on"});
  CHECK((request.what == ExportWhat::handout && request.answers));
  CHECK_FALSE(parsed({"--render", "a.pdf", "--what", "handout"}).answers);
  request = parsed({"--render", "a.svg", "--table", "position"});
  CHECK(request.what == ExportWhat::table);
  request = parsed({"--render", "a.PDF", "--what", "tree", "--steps", "2-5", "--captions", "off"});
  CHECK((request.what == ExportWhat::tree && request.format == ExportFormat::pdf && request.first == 2 &&
         request.last == 5));
  CHECK_FALSE(request.captions);
  request = parsed({"--render=a.csv", "--steps", "3", "--table", "node"});
  CHECK((request.what == ExportWhat::table && request.table == Space::node && request.first == 3 && request.last == 3));
  request = parsed({"--render", "a.mp4", "--speed", "2.5", "--frames-per-step", "4", "--frames-per-stop", "9"});
  CHECK((request.what == ExportWhat::view && request.first == 0 && request.last == last));
  CHECK((request.steps_per_second == 2.5 && request.frames_per_step == 4 && request.frames_per_stop == 9));
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--render", "a.svg", "--what", "sound"},
                                                {"--render", "a.svg", "--steps", "3", "--step", "4"},
                                                {"s.kdsession", "--render", "a.svg", "--backend", "cpu"},
                                                {"--render", "a.svg", "--steps", "5-2"},
                                                {"--render", "a.svg", "--steps", "x"},
                                                {"--render", "a.csv", "--table", "a chair"},
                                                {"--what", "tree"},
                                                {"--render", "a.mp4", "--speed", "fast"},
                                                {"--render", "a.mp4", "--captions", "maybe"}})
    CHECK_FALSE(parse_command_line(wrong));
}

TEST_CASE("a session is exported at its own step, unless --steps or --step names others") {
  constexpr std::uint32_t saved_step = 3;
  const auto trace = small_run("wald");
  const auto last = static_cast<std::uint32_t>(trace->steps.size() - 1);
  const auto steps = [&](const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> words{"s.kdsession", "--render", file};
    words.insert(words.end(), more.begin(), more.end());
    const auto line = parse_command_line(words).value();
    const ExportRequest request = completed(line.exported, line.render, *trace, saved_step);
    return std::pair(request.first, request.last);
  };
  using Range = std::pair<std::uint32_t, std::uint32_t>;
  CHECK(steps("a.svg", {}) == Range(3, 3));
  CHECK(steps("a.csv", {}) == Range(3, 3));
  CHECK(steps("a.svg", {"--steps", "5"}) == Range(5, 5));
  CHECK(steps("a.svg", {"--steps", std::to_string(last)}) == Range(last, last));
  CHECK(steps("a.svg", {"--steps", "0"}) == Range(0, 0));
  CHECK(steps("a.svg", {"--steps", "1-2"}) == Range(1, 2));
  CHECK(steps("a.mp4", {}) == Range(0, last));
  CHECK(steps("a.mp4", {"--steps", "5-5"}) == Range(5, 5));
  CHECK(steps("pictures", {}) == Range(0, last));
}

}  // namespace kdscope::export_test
