// Pages with their engine in headless Chromium: points that a reader adds, moves and removes.

#include <cmath>
#include <set>

#include "algorithms/queries/recorded_search.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "datasets/datasets.hpp"
#include "datasets/loaders/loaders.hpp"
#include "tests/web/browser_run.hpp"
#include "tests/web/page_comparison.hpp"
#include "visualizer/web/html_text.hpp"
#include "walkthroughs/practice/results.hpp"

using namespace kdscope;
using namespace kdscope::test;

namespace {

std::shared_ptr<const DataSet> read_points(const std::string& csv) {
  auto read = parse_points(FileFormat::csv, csv, "points");
  REQUIRE(read);
  return std::make_shared<const DataSet>(std::move(*read));
}

/// The hash of the tree that this machine's back end builds of points in a CSV file.
std::string hash_of(const std::string& csv, const std::string& algorithm) {
  RunRequest request{"", algorithm, {}, Backend::cpu};
  request.points = read_points(csv);
  const auto built = build(request);
  REQUIRE(built);
  return hash_text(built->tree_hash);
}

std::size_t rows_in(const std::string& csv) {
  return static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) + 1;
}

/// A click placed the query of a search, which finds the point that is nearest by all distances.
void check_search(const JsonValue& report, const std::string& csv) {
  const JsonValue& search = report.at("search");
  const auto query = coordinates_in(search.at("query").text());
  REQUIRE(query);
  const PointSet points = read_points(csv)->points;
  std::size_t nearest = 0;
  const auto distance = [&](std::size_t i) {
    return std::hypot(points.value(i, 0) - (*query)[0], points.value(i, 1) - (*query)[1]);
  };
  for (std::size_t i = 1; i < points.size(); ++i) nearest = distance(i) < distance(nearest) ? i : nearest;
  CHECK(search.at("search").text() == "stack-free");
  CHECK(report.at("found").text().find(point_name(nearest)) != std::string::npos);
}

/// Right answers to questions about another run are graded as right.
void check_practice(const JsonValue& report) {
  const JsonValue& practice = report.at("practice");
  CHECK(practice.at("data").text().starts_with("uniform:n=3,"));
  RunRequest fresh{practice.at("data").text(), "wald", {}, Backend::cpu};
  fresh.points = *open_data_set(fresh.data);
  CHECK(practice.at("hash").text() == hash_text(build(fresh)->tree_hash));
  CHECK(practice.at("stops").integer(0, 100) > 0);
  CHECK(practice.at("asked").integer(0, 100) > 1);
  CHECK(practice.at("right").integer(0, 100) == practice.at("asked").integer(0, 100));
  const auto results = read_results(report.at("saved").text(), "saved");
  REQUIRE(results);
  std::size_t asked = 0, written = 0, shown = 0;
  for (const Attempt& attempt : results->attempts) {
    const bool is_cell = attempt.stop.ends_with("(be the kernel)");
    asked += !is_cell;
    written += is_cell && attempt.outcome == Outcome::wrong && attempt.given.text == "77777";
    shown += is_cell && attempt.outcome == Outcome::revealed;
    CHECK((is_cell || attempt.outcome == Outcome::right));
    CHECK(attempt.lesson.empty());
    CHECK(attempt.asked.ends_with("(wald on " + fresh.data + ")"));
  }
  CHECK(asked == static_cast<std::size_t>(practice.at("asked").integer(0, 100)));
  const JsonValue& kernel = report.at("kernel");
  CHECK(written == 1);
  CHECK(shown == static_cast<std::size_t>(kernel.at("cells").integer(1, 1000)));
  CHECK(kernel.at("task").text().find("Perform the step") != std::string::npos);
  CHECK(kernel.at("at").integer(0, 100) < kernel.at("last").integer(0, 100));
  CHECK(kernel.at("finding").text().find("= 77777") != std::string::npos);
  CHECK_FALSE(kernel.at("hint").text().empty());
  CHECK(kernel.at("complete").text().starts_with("The first wrong write is number 1"));
  CHECK(kernel.at("left").boolean());
}

/// The browser builds the trees of this machine's back end.
void check_trees(const JsonValue& report) {
  std::set<std::string> builders;
  for (const JsonValue& tree : report.at("trees").items()) {
    RunRequest request{"", tree.at("algorithm").text(), {}, Backend::cpu};
    const JsonValue* points = tree.find("points");
    request.points = points ? read_points(points->text()) : *open_data_set(tree.at("data").text());
    INFO(request.algorithm);
    builders.insert(request.algorithm);
    CHECK(tree.at("hash").text() == hash_text(build(request)->tree_hash));
  }
  CHECK(builders.size() == algorithms().size());
}

/// A page shows the source of a step as this machine's back end records it.
void check_source(const JsonValue& shown, RunRequest request, std::int64_t step) {
  const auto trace = record(request);
  REQUIRE(trace);
  const std::string& anchor = (*trace)->steps.at(static_cast<std::size_t>(step)).code_anchor;
  const auto& sources = (*trace)->header.sources;
  const auto region = std::ranges::find(sources, anchor, &RecordedSource::region);
  REQUIRE(region != sources.end());
  std::string without_numbers, text = region->text;
  std::istringstream lines(shown.text());
  for (std::string line; std::getline(lines, line);)
    without_numbers += line.substr(std::min<std::size_t>(6, line.size()));
  for (std::string* each : {&without_numbers, &text})
    std::erase_if(*each, [](char c) { return c == ' ' || c == '\n'; });
  CHECK(!text.empty());
  CHECK(without_numbers == text);
}

/// A run in the worker is the same, and a cancelled one leaves the run before.
void check_far_run(const JsonValue& report) {
  const JsonValue& far = report.at("far");
  RunRequest large{far.at("data").text(), "wald", {}, Backend::cpu};
  large.points = *open_data_set(large.data);
  CHECK(large.points->points.size() == 5000);
  CHECK(far.at("hash").text() == hash_text(build(large)->tree_hash));
  CHECK(far.at("marks").integer(0, 10'000) > 1000);
  CHECK(far.at("place").text().find("step ") != std::string::npos);
  CHECK(far.at("after_cancel").text() == far.at("hash").text());
  check_source(far.at("source"), large, far.at("step").integer(0, 1000));
}

/// Returns why no browser can open a page with its engine; empty if one can.
std::string why_no_page() {
  if (!lessons_available()) return "this build has no yaml-cpp";
  if (!markdown_available()) return "this build has no md4c";
  return has_browser() ? why_no_engine() : "chromium is not installed (Debian: chromium)";
}

RecordedLesson ten_points() { return recorded(*read_lesson(KDSCOPE_SOURCE_DIR "/walkthroughs/wald/ten-points.md")); }

std::string page_with_engine(const RecordedLesson& r) {
  const auto baked = BakedLesson::bake(r.lesson, r.trace, page_code(r.trace, axes_of(r.lesson)));
  REQUIRE(baked);
  return baked->page({}, {.script = *read_engine()});
}

}  // namespace

TEST_CASE("points that a reader adds, moves, removes and pastes change the tree of a page", "[alone]") {
  if (const std::string reason = why_no_page(); !reason.empty()) KDSCOPE_SKIP(reason.c_str());
  const RecordedLesson r = ten_points();
  const std::string page = page_with_engine(r);
  CHECK(page.size() <= 3'000'000);
  const TemporaryFolder folder;
  const auto reports = reports_of(page, "own_probe.js", {{390, 844}, {1920, 1080}}, folder.path.string());
  REQUIRE(reports.size() == 2);
  std::string link;
  for (const JsonValue& report : reports) {
    for (const char* list : {"errors", "loaded"})
      for (const JsonValue& fault : report.at(list).items()) FAIL_CHECK(list << ": " << fault.text());
    CHECK_FALSE(report.at("too_wide").boolean());
    CHECK(report.at("lesson_again").boolean());
    std::map<std::string, const JsonValue*> runs;
    for (const JsonValue& run : report.at("runs").items()) {
      const std::string what = run.at("what").text(), points = run.at("points").text();
      INFO(what);
      runs[what] = &run;
      const bool textbook = what == "another algorithm" || what == "a step back";
      CHECK(run.at("hash").text() == hash_of(points, textbook ? "textbook" : "wald"));
      CHECK(run.at("marks").integer(0, 100) == static_cast<std::int64_t>(rows_in(points)));
      CHECK(run.at("said").text().empty() == (what != "a bad file"));
    }
    REQUIRE(runs.size() == 11);
    const auto hash = [&](const char* what) { return runs.at(what)->at("hash").text(); };
    const auto count = [&](const char* what) { return rows_in(runs.at(what)->at("points").text()); };
    CHECK(hash("as in the lesson") == hash_text(r.trace->header.tree_hash));
    CHECK(count("as in the lesson") == 10);
    CHECK(count("a click") == 11);
    CHECK(hash("a click") != hash("as in the lesson"));
    CHECK(count("a way of a point") == 11);
    CHECK(runs.at("a way of a point")->at("points").text() != runs.at("a click")->at("points").text());
    CHECK(hash("Delete") == hash("as in the lesson"));
    CHECK(runs.at("Undo")->at("points").text() == runs.at("a way of a point")->at("points").text());
    CHECK(runs.at("Undo of the way")->at("points").text() == runs.at("a click")->at("points").text());
    CHECK(runs.at("a bad file")->at("said").text().find("own points:3:3") != std::string::npos);
    CHECK(hash("a bad file") == hash("a click"));
    CHECK(count("a good file") == 3);
    CHECK(runs.at("a good file")->at("nodes").integer(0, 100) == 3);
    const auto step = [&](const char* what) { return runs.at(what)->at("step").integer(0, 1000); };
    CHECK(step("a step back") == step("another algorithm") - 1);
    RunRequest textbook{"", "textbook", {}, Backend::cpu};
    textbook.points = read_points(runs.at("a step back")->at("points").text());
    check_source(report.at("source"), textbook, step("a step back"));
    check_search(report, runs.at("a query")->at("points").text());
    // Another algorithm builds its own tree of the same points beside.
    const JsonValue& beside = report.at("beside");
    CHECK(beside.at("hash").text() == hash_of(runs.at("a query")->at("points").text(), "rank"));
    CHECK(beside.at("both").integer(0, 10) == 4);
    check_practice(report);
    check_trees(report);
    check_far_run(report);
    link = runs.at("a step back")->at("link").text();
  }
  // Who follows the link sees the same.
  CHECK(link.starts_with("#own="));
  const auto shared = reports_of(page, "own_probe.js", {{390, 844, link}}, folder.path.string());
  REQUIRE(shared.size() == 1);
  REQUIRE(shared[0].at("runs").items().size() == 1);
  const JsonValue& opened = shared[0].at("runs").items()[0];
  const auto& runs = reports[1].at("runs").items();
  const JsonValue& sent = *std::find_if(runs.begin(), runs.end(),
                                        [](const JsonValue& run) { return run.at("what").text() == "a step back"; });
  for (const char* member : {"hash", "points", "link"}) CHECK(opened.at(member).text() == sent.at(member).text());
  CHECK(opened.at("step").integer(0, 1000) == sent.at("step").integer(0, 1000));
  // A link that cannot be followed says why, and leaves the lesson.
  const std::string bad = R"(#own={%22data%22:%22no-such-set%22,%22algorithm%22:%22wald%22,%22step%22:2})";
  const auto refused = reports_of(page, "own_probe.js", {{390, 844, bad}}, folder.path.string());
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].at("errors").items().empty());
  CHECK(refused[0].at("runs").items().empty());
  CHECK(refused[0].at("panel").text().find("no-such-set") != std::string::npos);
}

TEST_CASE("readers who do not see a page, or have only keys or fingers, can use it", "[alone]") {
  if (const std::string reason = why_no_page(); !reason.empty()) KDSCOPE_SKIP(reason.c_str());
  const TemporaryFolder folder;
  std::string files;
  const auto add = [&](const std::string& name, const std::string& page) {
    std::ofstream(folder.file(name)) << page;
    files += " " + folder.file(name);
  };
  const auto of_lesson = [](const std::string& id) {
    return recorded(*read_lesson(KDSCOPE_SOURCE_DIR "/walkthroughs/" + id + ".md"));
  };
  add("ten-points.html", page_with_engine(ten_points()));
  add("course.html", course_page(*read_course(KDSCOPE_SOURCE_DIR "/walkthroughs"),
                                 read_lessons(KDSCOPE_SOURCE_DIR "/walkthroughs").lessons));
  if (everything())
    for (const char* id : {"zhou/small-nodes", "wehr/inside-a-block", "rank/how-fast", "wehr/tracking"})
      add(page_file_name(id), page_of(of_lesson(id)));
  // What must be found: a page with a fault of each kind.
  add("faulty.html",
      "<!DOCTYPE html><title>Faulty</title><body><h1>One</h1><h3 id=a>Three</h3><p id=a style='color: #999'>Pale</p>"
      "<button style='width: 9px; min-width: 0; height: 9px; outline: none'></button>"
      "<svg width=99 height=50><rect width=99 height=50 fill=#fff /><text y=30 fill=#aaa>Pale</text></svg>");
  const JsonValue report = JsonValue::parse(
      output_of("timeout 500 node " KDSCOPE_SOURCE_DIR "/tests/web/access.js " + folder.file("profile") + files));
  std::map<std::string, int> planted;
  for (const JsonValue& fault : report.at("faults").items()) {
    const std::string text = fault.text();
    if (!text.starts_with("faulty.html"))
      FAIL_CHECK(text);
    else
      for (const char* kind :
           {"button without a name", "level 3 after", "not one main", "contrast 2.85: <p", "contrast 2.32: <text",
            "9 pixels: <button", "no mark of the focus", "an id twice", "no language"})
        planted[kind] += text.find(kind) != std::string::npos;
  }
  for (const auto& [kind, count] : planted) {
    INFO(kind);
    CHECK(count > 0);
  }
  CHECK(planted.size() == 9);
  CHECK(report.at("looked").integer(0, 1000) >= 27);
}

TEST_CASE("on a phone a finger answers, moves and removes points, and places the query of a search", "[alone]") {
  if (const std::string reason = why_no_page(); !reason.empty()) KDSCOPE_SKIP(reason.c_str());
  const TemporaryFolder folder;
  std::ofstream(folder.file("page.html")) << page_with_engine(ten_points());
  const JsonValue report = JsonValue::parse(output_of("timeout 120 node " KDSCOPE_SOURCE_DIR "/tests/web/touch.js " +
                                                      folder.file("page.html") + " " + folder.file("profile")));
  INFO((report.find("error") ? report.at("error").text() : ""));
  REQUIRE_FALSE(report.find("error"));
  CHECK(report.at("stays").boolean());
  CHECK(report.at("moved").text() != "40,33");
  CHECK(report.at("points").integer(0, 100) == 9);
  const JsonValue& kernel = report.at("kernel");
  CHECK(kernel.at("cells").integer(0, 100) == 18);
  for (const char* holds : {"selected", "hinted", "kept", "complete"}) {
    INFO(holds);
    CHECK(kernel.at(holds).boolean());
  }
  CHECK(report.at("found").text().find("The answer is p") != std::string::npos);
}
